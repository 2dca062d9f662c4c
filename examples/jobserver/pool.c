#include "pool.h"
#include "log.h"
#include <stdlib.h>

static void count(struct pool *p, unsigned long *what) {
  pthread_mutex_lock(&p->lock);
  ++*what;
  pthread_mutex_unlock(&p->lock);
}

static void *work(void *given) {
  struct pool *p = given;
  struct job *j;
  while ((j = queue_take(&p->queue))) {
    count(p, &p->started);
    job_run(j);
    enum job_state state = job_wait(j);
    count(p, state == JOB_DONE ? &p->finished : &p->failed);
    log_line("job %u: %s", j->id, job_state_name(state));
    if (p->on_over) p->on_over(p->context, j, state);
    job_release(j);
  }
  return NULL;
}

bool pool_start(struct pool *p, size_t threads, size_t room, job_listener *on_over, void *context) {
  if (!queue_init(&p->queue, room)) {
    queue_destroy(&p->queue);
    return false;
  }
  p->on_over = on_over;
  p->context = context;
  p->threads = calloc(threads, sizeof *p->threads);
  if (!p->threads) {
    queue_destroy(&p->queue);
    return false;
  }
  pthread_mutex_init(&p->lock, NULL);
  p->started = p->finished = p->failed = 0;
  p->size = 0;
  while (p->size < threads && pthread_create(&p->threads[p->size], NULL, work, p) == 0) p->size++;
  if (p->size > 0) return true;
  pool_stop(p);
  return false;
}

bool pool_submit(struct pool *p, struct job *j) {
  if (queue_put(&p->queue, j, j->priority)) return true;
  job_release(j);
  return false;
}

bool pool_try_submit(struct pool *p, struct job *j) {
  if (queue_try_put(&p->queue, j, j->priority)) return true;
  job_release(j);
  return false;
}

bool pool_submit_from_within(struct pool *p, struct job *j) {
  if (queue_put_beyond(&p->queue, j, j->priority)) return true;
  job_release(j);
  return false;
}

void pool_stop(struct pool *p) {
  queue_close(&p->queue);
  for (size_t i = 0; i < p->size; i++) pthread_join(p->threads[i], NULL);
  free(p->threads);
  pthread_mutex_destroy(&p->lock);
  queue_destroy(&p->queue);
}
