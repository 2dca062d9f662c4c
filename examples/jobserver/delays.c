#include "delays.h"
#include <stdlib.h>

void delays_init(struct delays *d) {
  *d = (struct delays){ .entries = NULL };
  pthread_mutex_init(&d->lock, NULL);
}

void delays_destroy(struct delays *d) {
  for (size_t i = 0; i < d->count; i++) job_release(d->entries[i].job);
  free(d->entries);
  pthread_mutex_destroy(&d->lock);
}

/* ---- the heap; the lock is held */

static void swap(struct delayed *a, struct delayed *b) {
  struct delayed kept = *a;
  *a = *b;
  *b = kept;
}

static void sift_up(struct delays *d, size_t at) {
  while (at > 0 && d->entries[at].due < d->entries[(at - 1) / 2].due) {
    swap(&d->entries[at], &d->entries[(at - 1) / 2]);
    at = (at - 1) / 2;
  }
}

static void sift_down(struct delays *d, size_t at) {
  for (;;) {
    size_t child = 2 * at + 1;
    if (child >= d->count) return;
    if (child + 1 < d->count && d->entries[child + 1].due < d->entries[child].due) child++;
    if (d->entries[at].due <= d->entries[child].due) return;
    swap(&d->entries[at], &d->entries[child]);
    at = child;
  }
}

static bool make_room(struct delays *d) {
  if (d->count < d->room) return true;
  size_t room = d->room ? 2 * d->room : 4;
  struct delayed *entries = realloc(d->entries, room * sizeof *entries);
  if (!entries) return false;
  d->entries = entries;
  d->room = room;
  return true;
}

/* ---- what others see */

bool delays_add(struct delays *d, struct job *j, unsigned long ticks) {
  pthread_mutex_lock(&d->lock);
  bool fits = make_room(d);
  if (fits) {
    d->entries[d->count] = (struct delayed){ d->now + ticks, j };
    sift_up(d, d->count++);
  }
  pthread_mutex_unlock(&d->lock);
  return fits;
}

void delays_advance(struct delays *d, unsigned long ticks) {
  pthread_mutex_lock(&d->lock);
  d->now += ticks;
  pthread_mutex_unlock(&d->lock);
}

/* The first, if it is due by then. */
static struct job *take(struct delays *d, bool due_or_not) {
  struct job *taken = NULL;
  pthread_mutex_lock(&d->lock);
  if (d->count > 0 && (due_or_not || d->entries[0].due <= d->now)) {
    taken = d->entries[0].job;
    d->entries[0] = d->entries[--d->count];
    sift_down(d, 0);
  }
  pthread_mutex_unlock(&d->lock);
  return taken;
}

struct job *delays_next_due(struct delays *d) { return take(d, false); }

struct job *delays_take(struct delays *d) { return take(d, true); }

size_t delays_waiting(struct delays *d) {
  pthread_mutex_lock(&d->lock);
  size_t count = d->count;
  pthread_mutex_unlock(&d->lock);
  return count;
}
