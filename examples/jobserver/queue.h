/* A bounded queue of pointers between threads. */
#ifndef QUEUE_H
#define QUEUE_H
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct queue {
  pthread_mutex_t lock;
  pthread_cond_t not_empty, not_full;
  void **items;
  size_t room, head, count;
  bool closed;
  unsigned long puts, takes;
};

bool queue_init(struct queue *q, size_t room);
void queue_destroy(struct queue *q);

/* Waits for room; false once the queue is closed. */
bool queue_put(struct queue *q, void *item);

/* False if there is no room, or the queue is closed. */
bool queue_try_put(struct queue *q, void *item);

/* Waits for an item; NULL once the queue is closed and empty. */
void *queue_take(struct queue *q);

/* Nobody puts any more; those who wait are woken. */
void queue_close(struct queue *q);

size_t queue_length(struct queue *q);
#endif
