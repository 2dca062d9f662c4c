/* What runs leave for later ones: how many threads there are, and where a thread came too early for an assumption. It stands in
   the control file, beside the places that are known to be shared, and what is known of inputs (wanted.c). */
#include "heddle.h"

/* ---- assumptions about what others have done: who comes to such a place lets the others go first, most often */

static uint32_t delay_slot(uintptr_t pc) { return (uint32_t)(mix(pc, 11) >> 13) % DELAY_SLOTS; }

static void remember_place(uintptr_t pc) { self->recent[self->recent_count++ % RECENT_PLACES] = pc; }

/* A block that could not be gone through should have begun later; else it may have been any of the last places. */
static void came_too_early(void) {
  uint32_t places = self->block_depth > 0 ? 1 : RECENT_PLACES;
  learnt->has_delays = 1;
  for (uint32_t i = 1; i <= places && i <= self->recent_count; i++)
    learnt->delays[delay_slot(self->recent[(self->recent_count - i) % RECENT_PLACES])] = 1;
}

static int is_patient; /* in most runs */
static int lets_others_first(void) {
  return is_patient && learnt->has_delays && learnt->delays[delay_slot(self->pc)] && next_random() % 4 != 0;
}

/* ---- a rhythm: threads with the same function are alike, take turns of so many steps, and some kinds go before others;
   who has created all the others comes last */

static uint64_t rhythm; /* 0: none */
#define LAST_CLASS (-1)

static int class_of(struct thread *t) {
  if (t->created > 0 && t->kind != CREATE && (rhythm & 1) && t->created + 1 >= (rhythm & 6 ? learnt->most_threads : 1 + rhythm % 5)) return LAST_CLASS;
  return mix(rhythm, (uintptr_t)t->start) % 4 > 0;
}
static uint32_t turn_length(struct thread *t) {
  uint64_t same = mix(rhythm, 3), own = mix(rhythm, (uintptr_t)t->start + 1);
  return 1 + (uint32_t)((rhythm >> 8 & 1 ? same : own) % (rhythm >> 9 & 1 ? 4 : 12));
}
/* The list begins with the thread after the running one. */
static struct thread *by_rhythm(struct thread **list, uint32_t n, int self_can) {
  int best = LAST_CLASS;
  for (uint32_t i = 0; i < n; i++)
    if (class_of(list[i]) > best) best = class_of(list[i]);
  if (self_can && class_of(self) == best && ++self->turns_used < turn_length(self)) return self;
  for (uint32_t i = 0; i < n; i++)
    if (class_of(list[i]) == best) {
      list[i]->turns_used = 0;
      return list[i];
    }
  return list[0];
}
