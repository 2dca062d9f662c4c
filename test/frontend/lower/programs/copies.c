// memset, memcpy and memmove of numbers of objects that no constant says, and what they do to padding.
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct item { char a; int b; };
struct list { long n; char used; struct item items[]; };
struct triple { int a, b, c; };

static void elements(unsigned n)
{
  struct item *p = malloc(4 * sizeof *p), *q = malloc(5 * sizeof *q);
  memset(p, 0, n * sizeof *p);
  for (unsigned i = 0; i < n; i++) {
    assert(p[i].a == 0 && p[i].b == 0);
    p[i].a = i;
    p[i].b = i * 7;
  }
  memcpy(q, p, n * sizeof *q);
  for (unsigned i = 0; i < n; i++) assert(q[i].a == i && q[i].b == i * 7);
  memmove(q + 1, q, n * sizeof *q);
  for (unsigned i = 0; i < n; i++) assert(q[i + 1].a == i && q[i + 1].b == i * 7);
  memmove(q, q + 1, n * sizeof *q);
  for (unsigned i = 0; i < n; i++) assert(q[i].a == i && q[i].b == i * 7);
  free(p);
  free(q);
}

static void ends_in_an_array(unsigned n)
{
  struct list *l = malloc(offsetof(struct list, items[n]));
  memset(l, 0, offsetof(struct list, items[n]));
  assert(l->n == 0 && l->used == 0);
  for (unsigned i = 0; i < n; i++) assert(l->items[i].a == 0 && l->items[i].b == 0);
  free(l);
}

/* Not whole numbers: the bytes beyond the last one stay. */
static void parts(unsigned n)
{
  int *x = malloc(16), *y = malloc(16);
  for (int i = 0; i < 4; i++) {
    x[i] = i + 0x1020304;
    y[i] = -1;
  }
  memcpy(y, x, n * 3);
  unsigned char *c = (unsigned char *)y;
  for (unsigned i = 0; i < 16; i++)
    assert(c[i] == (i < n * 3 ? (i % 4 == 0 ? 4 + i / 4 : 4 - i % 4) : 255));
  free(x);
  free(y);
}

static void bytes(unsigned n)
{
  char text[8] = "abcdefg";
  memmove(text + 1, text, n);
  for (unsigned i = 0; i < 7; i++) assert(text[i] == (i == 0 ? 'a' : i <= n ? 'a' + i - 1 : 'a' + i));
}

static void triples(unsigned n)
{
  struct triple from[3], to[3];
  memset(to, 1, sizeof to);
  memset(from, -1, n * sizeof *from);
  memcpy(to, from, n * sizeof *to);
  for (unsigned i = 0; i < 3; i++) assert(to[i].a == (i < n ? -1 : 0x1010101) && to[i].c == to[i].a);
}

/* A size that was converted to _Bool is no multiple of anything. */
static void truth(unsigned n)
{
  int from[3] = { 5, 6, 7 }, to[3] = { 0, 0, 0 };
  memcpy(to, from, (_Bool)(n * sizeof *from));
  assert(to[0] == (n ? 5 : 0) && to[1] == 0);
}

static void padding(void)
{
  struct item *p = malloc(sizeof *p), *q = malloc(sizeof *q);
  memset(p, 3, sizeof *p);
  assert(((char *)p)[1] == 3);
  memcpy(q, p, sizeof *p);
  assert(((char *)q)[1] == 3 && ((char *)q)[3] == 3);
  assert(memcmp(p, q, sizeof *p) == 0);
  free(p);
  free(q);
}

int main(void)
{
  for (volatile unsigned n = 0; n < 4; n++) {
    elements(n);
    ends_in_an_array(n);
    parts(n);
    bytes(n);
    triples(n);
    truth(n);
  }
  padding();
  return 0;
}
