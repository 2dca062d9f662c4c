// Functions that atexit was given run in reverse order after main has returned, one that was given twice runs twice, and
// one that is given meanwhile runs next. Destructors come last.
#include <assert.h>
#include <stdlib.h>

static int order;
static void third(void) { order = order * 10 + 3; }
static void second(void) { order = order * 10 + 2; atexit(third); }
static void first(void) { order = order * 10 + 1; }
__attribute__((destructor)) static void last(void) { assert(order == 11230); }
static void zero(void) { order = order * 10; }

int main(void) {
  assert(atexit(zero) == 0);
  assert(atexit(second) == 0);
  assert(atexit(first) == 0);
  assert(atexit(first) == 0);
  return 0;
}
