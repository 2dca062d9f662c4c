/* How many jobs of each kind ended how. */
#ifndef STATS_H
#define STATS_H
#include "job.h"

struct stats {
  pthread_mutex_t lock;
  unsigned long ended[JOB_KINDS][JOB_STATES];
};

void stats_init(struct stats *s);
void stats_destroy(struct stats *s);
void stats_count(struct stats *s, enum job_kind kind, enum job_state state);
unsigned long stats_total(struct stats *s, enum job_state state);

/* A fresh text, one part for each kind that occurred: `sum 2 done 1 failed`. */
char *stats_text(struct stats *s);
#endif
