// The attribute cleanup: the function is called when the block is left, whichever way, last declared first.
#include <assert.h>

static int order, last;
static void leave(int *value) { order = order * 10 + *value; }
static void reset(int *value) { last = *value; }
#define CLEANUP(f) __attribute__((cleanup(f)))

static int value_first(void) {
  CLEANUP(reset) int x = 5;
  x = 7;
  return x + last;
}

static void loops(void) {
  for (int i = 1; i <= 4; i++) {
    CLEANUP(leave) int here = i;
    if (i == 2) continue;
    if (i == 3) break;
    int CLEANUP(leave) inner = i + 4;
  }
}

static int jumps(int way) {
  CLEANUP(leave) int outer = 1;
  {
    CLEANUP(leave) int inner = 2;
    if (way == 1) goto out;
    if (way == 2) return 3;
  again:;
    CLEANUP(leave) int late = 3;
    if (way == 3) {
      way = 4;
      goto again;
    }
  }
out:
  return order;
}

static int from_switch(int x) {
  switch (x) {
    case 1: {
      CLEANUP(leave) int one = 1;
      break;
    }
    default: {
      CLEANUP(leave) int two = 2;
      return 9;
    }
  }
  return order;
}

#define SCOPED(v) for (CLEANUP(leave) int guard = (v), once = 1; once; once = 0)

int main(void) {
  assert(value_first() == 7 && last == 7);
  loops();
  assert(order == 5123);
  order = 0;
  assert(jumps(0) == 32 && order == 321);
  order = 0;
  assert(jumps(1) == 2 && order == 21);
  order = 0;
  assert(jumps(2) == 3 && order == 21);
  order = 0;
  assert(jumps(3) == 332 && order == 3321);
  order = 0;
  assert(from_switch(1) == 1 && from_switch(2) == 9 && order == 12);
  order = 0;
  SCOPED(4) assert(order == 0);
  assert(order == 4);
  order = 0;
  int inside = ({ CLEANUP(leave) int t = 6; order + t; });
  assert(inside == 6 && order == 6);
  return 0;
}
