/* A queue of pointers between threads: what is urgent comes first, and what is equally urgent in its order. */
#ifndef QUEUE_H
#define QUEUE_H
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum priority { PRIORITY_HIGH, PRIORITY_NORMAL, PRIORITY_LOW, PRIORITIES };

struct ring {
  void **items;
  size_t room, head, count;
};

struct queue {
  pthread_mutex_t lock;
  pthread_cond_t not_empty, not_full;
  struct ring rings[PRIORITIES];
  size_t room, count, most;
  bool closed;
};

bool queue_init(struct queue *q, size_t room);
void queue_destroy(struct queue *q);

/* Waits for room; false once the queue is closed. */
bool queue_put(struct queue *q, void *item, enum priority priority);

/* False if there is no room, or the queue is closed. */
bool queue_try_put(struct queue *q, void *item, enum priority priority);

/* Does not wait for room: for those who take from the queue themselves, and must not wait for each other. */
bool queue_put_beyond(struct queue *q, void *item, enum priority priority);

/* Waits for an item; NULL once the queue is closed and empty. */
void *queue_take(struct queue *q);

/* Nobody puts any more; those who wait are woken. */
void queue_close(struct queue *q);

size_t queue_length(struct queue *q);

/* The most that were in it at a time. */
size_t queue_most(struct queue *q);
#endif
