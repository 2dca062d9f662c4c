#include "queue.h"
#include <stdlib.h>

bool queue_init(struct queue *q, size_t room) {
  q->items = calloc(room, sizeof *q->items);
  if (!q->items) return false;
  pthread_mutex_init(&q->lock, NULL);
  pthread_cond_init(&q->not_empty, NULL);
  pthread_cond_init(&q->not_full, NULL);
  q->room = room;
  q->head = q->count = 0;
  q->closed = false;
  q->puts = q->takes = 0;
  return true;
}

void queue_destroy(struct queue *q) {
  pthread_cond_destroy(&q->not_full);
  pthread_cond_destroy(&q->not_empty);
  pthread_mutex_destroy(&q->lock);
  free(q->items);
  q->items = NULL;
}

/* The lock is held, and there is room. */
static void add(struct queue *q, void *item) {
  q->items[(q->head + q->count) % q->room] = item;
  q->count++;
  q->puts++;
  pthread_cond_signal(&q->not_empty);
}

bool queue_put(struct queue *q, void *item) {
  pthread_mutex_lock(&q->lock);
  while (q->count == q->room && !q->closed) pthread_cond_wait(&q->not_full, &q->lock);
  bool open = !q->closed;
  if (open) add(q, item);
  pthread_mutex_unlock(&q->lock);
  return open;
}

bool queue_try_put(struct queue *q, void *item) {
  pthread_mutex_lock(&q->lock);
  bool fits = q->count < q->room && !q->closed;
  if (fits) add(q, item);
  pthread_mutex_unlock(&q->lock);
  return fits;
}

void *queue_take(struct queue *q) {
  void *item = NULL;
  pthread_mutex_lock(&q->lock);
  while (q->count == 0 && !q->closed) pthread_cond_wait(&q->not_empty, &q->lock);
  if (q->count > 0) {
    item = q->items[q->head];
    q->head = (q->head + 1) % q->room;
    q->count--;
    q->takes++;
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
