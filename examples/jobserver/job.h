/* A job: a line of text that is computed, counted by references; whoever holds one gives it back. */
#ifndef JOB_H
#define JOB_H
#include "queue.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum job_state { JOB_WAITING, JOB_RUNNING, JOB_DONE, JOB_FAILED, JOB_CANCELLED, JOB_STATES };
enum job_kind { JOB_SUM, JOB_SORT, JOB_PRIMES, JOB_REVERSE, JOB_COUNT, JOB_KINDS };

struct job {
  unsigned id;
  enum job_kind kind;
  enum priority priority;
  enum job_state state;
  atomic_int references;
  pthread_mutex_t lock;
  pthread_cond_t finished;
  char *input;
  char *output;
  struct job *next; /* in the table's bucket */
};

struct job *job_new(unsigned id, enum job_kind kind, enum priority priority, const char *input);
struct job *job_hold(struct job *j);
void job_release(struct job *j);

/* Runs it in the calling thread. */
void job_run(struct job *j);
bool job_cancel(struct job *j);

/* Waits until it is done, failed or cancelled. */
enum job_state job_wait(struct job *j);
bool job_is_over(struct job *j);
const char *job_state_name(enum job_state state);
const char *job_kind_name(enum job_kind kind);
bool job_kind_from(const char *text, enum job_kind *kind);
#endif
