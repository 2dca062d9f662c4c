/* Jobs that begin later, by a clock that only moves when it is told to. */
#ifndef DELAYS_H
#define DELAYS_H
#include "job.h"
#include <stddef.h>

struct delayed {
  unsigned long due;
  struct job *job; /* a reference */
};

/* A heap: the earliest is the first. */
struct delays {
  pthread_mutex_t lock;
  struct delayed *entries;
  size_t count, room;
  unsigned long now;
};

void delays_init(struct delays *d);

/* Gives back the references of those that are not due. */
void delays_destroy(struct delays *d);

/* Takes over a reference; false without memory. */
bool delays_add(struct delays *d, struct job *j, unsigned long ticks);

/* Moves the clock. */
void delays_advance(struct delays *d, unsigned long ticks);

/* The next job that is due, with its reference, or NULL. */
struct job *delays_next_due(struct delays *d);

/* Any of them, due or not. */
struct job *delays_take(struct delays *d);
size_t delays_waiting(struct delays *d);
#endif
