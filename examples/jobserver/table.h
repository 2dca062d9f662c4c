/* All jobs by number. */
#ifndef TABLE_H
#define TABLE_H
#include "job.h"

#define TABLE_BUCKETS 16

struct table {
  pthread_mutex_t lock;
  struct job *buckets[TABLE_BUCKETS];
  size_t count;
};

void table_init(struct table *t);
void table_destroy(struct table *t);

/* Takes a reference of its own. */
void table_add(struct table *t, struct job *j);

/* A reference for the caller, or NULL. */
struct job *table_find(struct table *t, unsigned id);

/* The table's reference is given back. */
bool table_remove(struct table *t, unsigned id);
size_t table_in_state(struct table *t, enum job_state state);
#endif
