// GNU nested functions: variables of the functions around, also through pointers.
#include <assert.h>
int apply(int (*f)(int), int n) { return f(n); }
struct big { int a, b; };
int outer(int base, struct big s) {
  int total = 0, arr[3] = {1,2,3};
  int add(int x) { total += x + base; return total; }
  int twice(int x) {
    int inner(int y) { arr[1] += y; return y * 2 + s.b; }
    return inner(x) + add(1);
  }
  struct big mk(int q) { struct big r = { q, base }; return r; }
  add(5);
  int r = apply(add, 10);
  { int base = 1000; total += base; }
  r += twice(3);
  assert(!(arr[1] != 5 || mk(4).b != base));
  for (int i = 0; i < 3; i++) { int sq(void) { return i * i; } r += sq(); }
  return r * 10 + total;
}
int main(void) {
  struct big s = { 1, 2 };
  assert(!(outer(2, s) != 11562));
  assert(!(outer(3, s) != 11615));
  return 0;
}
