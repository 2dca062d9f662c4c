// Constructors run before main, by their priorities, and then in the order of their definitions.
#include <assert.h>

static int order;
__attribute__((constructor)) static void third(void) { order = order * 10 + 3; }
static void __attribute__((constructor(200))) second(void) { order = order * 10 + 2; }
__attribute__((__constructor__(101))) static void first(void) { order = order * 10 + 1; }
static void fourth(void) __attribute__((constructor));
static void fourth(void) { order = order * 10 + 4; }

int main(void) {
  assert(order == 1234);
  return 0;
}
