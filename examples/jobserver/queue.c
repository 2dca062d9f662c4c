#include "queue.h"
#include <stdlib.h>

bool queue_init(struct queue *q, size_t room) {
  *q = (struct queue){ .room = room };
  pthread_mutex_init(&q->lock, NULL);
  pthread_cond_init(&q->not_empty, NULL);
  pthread_cond_init(&q->not_full, NULL);
  return room > 0;
}

void queue_destroy(struct queue *q) {
  pthread_cond_destroy(&q->not_full);
  pthread_cond_destroy(&q->not_empty);
  pthread_mutex_destroy(&q->lock);
  for (int i = 0; i < PRIORITIES; i++) free(q->rings[i].items);
}

/* ---- rings, which grow; the queue's lock is held */

static bool ring_grow(struct ring *r) {
  size_t room = r->room ? 2 * r->room : 4;
  void **items = malloc(room * sizeof *items);
  if (!items) return false;
  for (size_t i = 0; i < r->count; i++) items[i] = r->items[(r->head + i) % r->room];
  free(r->items);
  r->items = items;
  r->room = room;
  r->head = 0;
  return true;
}

static bool ring_add(struct ring *r, void *item) {
  if (r->count == r->room && !ring_grow(r)) return false;
  r->items[(r->head + r->count++) % r->room] = item;
  return true;
}

static void *ring_take(struct ring *r) {
  void *item = r->items[r->head];
  r->head = (r->head + 1) % r->room;
  r->count--;
  return item;
}

/* ---- the queue */

/* The lock is held. */
static bool add(struct queue *q, void *item, enum priority priority) {
  if (q->closed || !ring_add(&q->rings[priority], item)) return false;
  if (++q->count > q->most) q->most = q->count;
  pthread_cond_signal(&q->not_empty);
  return true;
}

bool queue_put(struct queue *q, void *item, enum priority priority) {
  pthread_mutex_lock(&q->lock);
  while (q->count >= q->room && !q->closed) pthread_cond_wait(&q->not_full, &q->lock);
  bool added = add(q, item, priority);
  pthread_mutex_unlock(&q->lock);
  return added;
}

bool queue_try_put(struct queue *q, void *item, enum priority priority) {
  pthread_mutex_lock(&q->lock);
  bool added = q->count < q->room && add(q, item, priority);
  pthread_mutex_unlock(&q->lock);
  return added;
}

bool queue_put_beyond(struct queue *q, void *item, enum priority priority) {
  pthread_mutex_lock(&q->lock);
  bool added = add(q, item, priority);
  pthread_mutex_unlock(&q->lock);
  return added;
}

void *queue_take(struct queue *q) {
  void *item = NULL;
  pthread_mutex_lock(&q->lock);
  while (q->count == 0 && !q->closed) pthread_cond_wait(&q->not_empty, &q->lock);
  for (int i = 0; i < PRIORITIES && !item; i++)
    if (q->rings[i].count > 0) item = ring_take(&q->rings[i]);
  if (item) {
    q->count--;
    pthread_cond_signal(&q->not_full);
  }
  pthread_mutex_unlock(&q->lock);
  return item;
}

void queue_close(struct queue *q) {
  pthread_mutex_lock(&q->lock);
  q->closed = true;
#ifdef BUG_LOST_WAKEUP
  /* Wrong: of several who sleep, only one is woken, and nobody wakes the others. */
  pthread_cond_signal(&q->not_empty);
#else
  pthread_cond_broadcast(&q->not_empty);
#endif
  pthread_cond_broadcast(&q->not_full);
  pthread_mutex_unlock(&q->lock);
}

size_t queue_length(struct queue *q) {
  pthread_mutex_lock(&q->lock);
  size_t count = q->count;
  pthread_mutex_unlock(&q->lock);
  return count;
}

size_t queue_most(struct queue *q) {
  pthread_mutex_lock(&q->lock);
  size_t most = q->most;
  pthread_mutex_unlock(&q->lock);
  return most;
}
