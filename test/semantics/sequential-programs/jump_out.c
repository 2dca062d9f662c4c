// Jumps out of nested functions, through functions in between, back into loops, and addresses of labels around.
#include <assert.h>
#include <stdlib.h>

static int calls;
static int apply(int (*f)(int), int n) { calls++; int r = f(n); calls += 100; return r; }

static int leave(int n)
{
  __label__ out, again;
  int rounds = 0;
  int inner(int k) { if (k == 1) goto out; if (k == 2) goto again; return k; }
again:
  if (++rounds > 2) return 10 * rounds;
  int r = apply(inner, n) + 1;
  return r;
out:
  return -1;
}

static int two_levels(void)
{
  __label__ far;
  int seen = 0;
  void middle(void)
  {
    __label__ near;
    void inside(int k) { seen++; if (k) goto near; goto far; }
    inside(1);
    seen += 100;
  near:
    seen += 10;
    inside(0);
    seen += 1000;
  }
  middle();
  seen += 10000;
far:
  return seen;
}

static int compare_and_leave(void)
{
  __label__ found;
  int table[4] = { 4, 3, 2, 1 };
  int compare(const void *a, const void *b) { goto found; return 0; }
  qsort(table, 4, sizeof table[0], compare);
  return 0;
found:
  return 1;
}

static int by_address(void)
{
  __label__ there;
  void *where(void) { return &&there; }
  goto *where();
  return 0;
there:
  return 1;
}

int main(void)
{
  assert(leave(5) == 6 && calls == 101);
  assert(leave(1) == -1 && calls == 102);
  assert(leave(2) == 30 && calls == 104);
  assert(two_levels() == 12);
  assert(compare_and_leave() == 1);
  assert(by_address() == 1);
  return 0;
}
