// Computed gotos, labels of blocks, aliases, empty assembly, declarators in parentheses (GNU C).
#include <assert.h>
static int interp(const unsigned char *code) {
  static const void *const ops[] = { &&op_inc, &&op_dbl, &&op_end };
  int v = 0;
  goto *ops[*code++];
op_inc: v++; goto *ops[*code++];
op_dbl: v *= 2; goto *ops[*code++];
op_end: return v;
}
#define TWICE(x) ({ __label__ done; int r = (x); if (r) goto done; r = 100; done: r * 2; })
int f(void) { return 7; }
int g(void) __attribute__((alias("f")));
int data[2] = {3, 4};
extern int other[2] __attribute__((alias("data")));
int main(void) {
  unsigned char code[] = {0, 1, 0, 1, 2};
  assert(!(interp(code) != 6));
  assert(!(TWICE(3) != 6 || TWICE(0) != 200));
  int x = 5, y;
  asm volatile ("" : "+r" (x));
  asm ("" : "=r" (y) : "0" (x + 1));
  assert(!(x != 5 || y != 6));
  void *p = &&here;
  assert(!(x != 5));
  goto *p;
  assert(0);
here:
  assert(!(g() != 7 || other[1] != 4));
  other[0] = 9;
  assert(data[0] == 9);
  int *(q[3]); q[1] = &x; assert(!(*q[1] != 5));
  return 0;
}
