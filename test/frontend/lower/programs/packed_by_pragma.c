// #pragma pack: the layout is the compiler's.
#include <assert.h>
#include <stddef.h>

#pragma pack(push, 1)
struct tight { char c; int i; short s; long long l; };
#pragma pack(push)
#pragma pack(2)
struct two { char c; int i; double x; char e; int f : 5; long g : 40; };
#pragma pack(pop)
struct again { char c; double d; };
#pragma pack(pop)
struct loose { char c; int i; };
#pragma pack(4)
struct four { char c; double d; };
#pragma pack()

int main(void)
{
  struct tight t = { 1, 2, 3, 4 };
  struct two w = { 1, 2, 3.0, 4, -5, 6 };
  assert(sizeof(struct tight) == 15 && offsetof(struct tight, l) == 7);
  assert(sizeof(struct two) == 22 && offsetof(struct two, x) == 6 && offsetof(struct two, e) == 14);
  assert(sizeof(struct again) == 9 && sizeof(struct loose) == 8 && sizeof(struct four) == 12);
  t.l += t.i;
  assert(t.l == 6 && t.s == 3 && t.c == 1);
  w.g -= 7;
  assert(w.f == -5 && w.g == -1 && w.e == 4 && w.x == 3.0);
  return 0;
}
