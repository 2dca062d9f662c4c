/* A thread that only reads again what it has read before waits for somebody to write: others go first. It is not
   blocked, though: where nobody else can go on, it does. */
#include "heddle.h"
#include <string.h>

#define SPIN_REPEATS 24

static void saw(uintptr_t pc, uintptr_t address, uint64_t value) {
  uint32_t sign = (uint32_t)(mix(mix(pc, address), value) >> 20) | 1;
  uint32_t *slot = &self->spin_seen[sign % 64];
  if (*slot == sign) self->spin_repeats++;
  else {
    *slot = sign;
    self->spin_repeats = 0;
  }
  if (self->spin_repeats < SPIN_REPEATS) return;
  if (!self->spinning && control->policy == PCT) self->priority = 0;
  self->spinning = 1;
  self->spin_epoch = writes;
}

/* The thread has changed something. */
static void did_something(void) {
  writes++;
  self->spinning = 0;
  self->spin_repeats = 0;
  memset(self->spin_seen, 0, sizeof self->spin_seen);
}
