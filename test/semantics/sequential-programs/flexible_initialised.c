// GNU: a static object whose flexible array member is initialised is larger than its type.
#include <assert.h>
#include <string.h>

struct text { int n; char letters[]; };
static struct text word = { 3, "abc" }, list = { .n = 2, .letters = { 'x', [3] = 'y' } };
struct table { short size; struct { int a; char b; } rows[]; } table = { 2, { { 1, 'a' }, { .b = 'b' } } };
int after = 7;

int main(void)
{
  static struct text own = { 1, { 1, 2, 3, 4, 5, 6 } };
  assert(sizeof word == 4 && sizeof table == 4);
  assert(!strcmp(word.letters, "abc") && list.letters[0] == 'x' && list.letters[1] == 0 && list.letters[3] == 'y');
  assert(table.rows[1].b == 'b' && table.rows[0].a == 1 && table.rows[1].a == 0);
  table.rows[1].a = 9;
  own.letters[5]++;
  struct text *p = &own, copy = *p;
  assert(p->letters[5] == 7 && copy.n == 1 && after == 7 && table.rows[1].a == 9);
  return 0;
}
