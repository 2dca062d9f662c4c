/* Initialisers that name two members of a union: the last one counts, and the rest is zero; parts of one member stay.
 *
 * Verdicts: assert TRUE
 */
#include <assert.h>
union u { int a; char b; struct { char x, y; } s; };
struct w { int k; union u u; } g = { 1, .u.a = 0x01020304, .u.b = 5 };
union u h = { .a = -1, .s.x = 1, .s.y = 2 }, first = { 0x01020304, .b = 7 };
union u arr[2] = { [0].a = -1, [1].a = -1, [0].b = 3 };
int main(void) {
  union u l = { .a = -1, .b = 5 };
  union u same = { .s.x = 1, .s.y = 2, .s.x = 3 };
  assert(g.u.a == 5 && g.k == 1);
  assert(h.s.x == 1 && h.s.y == 2 && h.a == 0x0201);
  assert(first.a == 7);
  assert(l.a == 5);
  assert(same.s.x == 3 && same.s.y == 2);
  assert(arr[0].a == 3 && arr[1].a == -1);
  return 0;
}
