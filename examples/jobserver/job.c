#include "job.h"
#include "text.h"
#include <stdlib.h>
#include <string.h>

struct job *job_new(unsigned id, enum job_kind kind, enum priority priority, const char *input) {
  struct job *j = calloc(1, sizeof *j);
  if (!j) return NULL;
  j->input = text_copy(input);
  if (!j->input) {
    free(j);
    return NULL;
  }
  j->id = id;
  j->kind = kind;
  j->priority = priority;
  j->state = JOB_WAITING;
  atomic_init(&j->references, 1);
  pthread_mutex_init(&j->lock, NULL);
  pthread_cond_init(&j->finished, NULL);
  return j;
}

struct job *job_hold(struct job *j) {
  atomic_fetch_add(&j->references, 1);
  return j;
}

void job_release(struct job *j) {
  if (atomic_fetch_sub(&j->references, 1) > 1) return;
  pthread_cond_destroy(&j->finished);
  pthread_mutex_destroy(&j->lock);
  free(j->input);
  free(j->output);
  free(j);
}

static char *compute(const struct job *j) {
  switch (j->kind) {
    case JOB_SUM: return text_sum(j->input);
    case JOB_SORT: return text_sort(j->input);
    case JOB_PRIMES: return text_primes(j->input);
    case JOB_REVERSE: return text_reverse(j->input);
    case JOB_COUNT: return text_count(j->input);
    case JOB_KINDS: break;
  }
  return NULL;
}

static bool is_over(enum job_state state) { return state == JOB_DONE || state == JOB_FAILED || state == JOB_CANCELLED; }

static void end(struct job *j, enum job_state state, char *output) {
  pthread_mutex_lock(&j->lock);
  if (is_over(j->state)) free(output);
  else {
    j->state = state;
    j->output = output;
    pthread_cond_broadcast(&j->finished);
  }
  pthread_mutex_unlock(&j->lock);
}

void job_run(struct job *j) {
  pthread_mutex_lock(&j->lock);
  bool begins = j->state == JOB_WAITING;
  if (begins) j->state = JOB_RUNNING;
  pthread_mutex_unlock(&j->lock);
  if (!begins) return;
  char *output = compute(j);
  end(j, output ? JOB_DONE : JOB_FAILED, output);
}

bool job_cancel(struct job *j) {
  pthread_mutex_lock(&j->lock);
  bool could = j->state == JOB_WAITING;
  if (could) {
    j->state = JOB_CANCELLED;
    pthread_cond_broadcast(&j->finished);
  }
  pthread_mutex_unlock(&j->lock);
  return could;
}

enum job_state job_wait(struct job *j) {
  pthread_mutex_lock(&j->lock);
  while (!is_over(j->state)) pthread_cond_wait(&j->finished, &j->lock);
  enum job_state state = j->state;
  pthread_mutex_unlock(&j->lock);
  return state;
}

bool job_is_over(struct job *j) {
  pthread_mutex_lock(&j->lock);
  bool over = is_over(j->state);
  pthread_mutex_unlock(&j->lock);
  return over;
}

const char *job_state_name(enum job_state state) {
  static const char *const names[] = { "waiting", "running", "done", "failed", "cancelled" };
  return names[state];
}

static const char *const kind_names[JOB_KINDS] = { "sum", "sort", "primes", "reverse", "count" };

const char *job_kind_name(enum job_kind kind) { return kind_names[kind]; }

bool job_kind_from(const char *text, enum job_kind *kind) {
  for (unsigned i = 0; i < JOB_KINDS; i++)
    if (strcmp(text, kind_names[i]) == 0) {
      *kind = (enum job_kind)i;
      return true;
    }
  return false;
}
