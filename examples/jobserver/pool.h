/* A pool of threads that take jobs from a queue. */
#ifndef POOL_H
#define POOL_H
#include "job.h"
#include "queue.h"

/* Told of each job that was taken from the queue, after its end, by the thread that took it. */
typedef void job_listener(void *context, struct job *j, enum job_state state);

struct pool {
  struct queue queue;
  pthread_t *threads;
  size_t size;
  pthread_mutex_t lock; /* of the counts */
  unsigned long started, finished, failed;
  job_listener *on_over;
  void *context;
};

bool pool_start(struct pool *p, size_t threads, size_t room, job_listener *on_over, void *context);

/* Takes over a reference; false if the pool is stopping. */
bool pool_submit(struct pool *p, struct job *j);
bool pool_try_submit(struct pool *p, struct job *j);

/* The same for the pool's own threads, which must not wait for room. */
bool pool_submit_from_within(struct pool *p, struct job *j);

/* What is queued is still done. */
void pool_stop(struct pool *p);
#endif
