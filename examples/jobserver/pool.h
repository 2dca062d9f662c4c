/* A pool of threads that take jobs from a queue. */
#ifndef POOL_H
#define POOL_H
#include "job.h"
#include "queue.h"

struct pool {
  struct queue queue;
  pthread_t *threads;
  size_t size;
  pthread_mutex_t lock; /* of the counts */
  unsigned long started, finished, failed;
};

bool pool_start(struct pool *p, size_t threads, size_t room);

/* Takes over a reference; false if the pool is stopping. */
bool pool_submit(struct pool *p, struct job *j);
bool pool_try_submit(struct pool *p, struct job *j);

/* What is queued is still done. */
void pool_stop(struct pool *p);
#endif
