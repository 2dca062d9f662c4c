#include "table.h"
#include <string.h>

void table_init(struct table *t) {
  memset(t, 0, sizeof *t);
  pthread_mutex_init(&t->lock, NULL);
}

void table_destroy(struct table *t) {
  for (size_t i = 0; i < TABLE_BUCKETS; i++)
    while (t->buckets[i]) {
      struct job *j = t->buckets[i];
      t->buckets[i] = j->next;
      job_release(j);
    }
  pthread_mutex_destroy(&t->lock);
}

void table_add(struct table *t, struct job *j) {
  pthread_mutex_lock(&t->lock);
  struct job **bucket = &t->buckets[j->id % TABLE_BUCKETS];
  j->next = *bucket;
  *bucket = job_hold(j);
  t->count++;
  pthread_mutex_unlock(&t->lock);
}

static struct job *look_up(struct table *t, unsigned id) {
  struct job *j = t->buckets[id % TABLE_BUCKETS];
  while (j && j->id != id) j = j->next;
  return j;
}

struct job *table_find(struct table *t, unsigned id) {
  pthread_mutex_lock(&t->lock);
  struct job *j = look_up(t, id);
#ifdef BUG_USE_AFTER_FREE
  /* Wrong: between the two, somebody else may give back the last reference. */
  pthread_mutex_unlock(&t->lock);
  if (j) job_hold(j);
#else
  if (j) job_hold(j);
  pthread_mutex_unlock(&t->lock);
#endif
  return j;
}

bool table_remove(struct table *t, unsigned id) {
  pthread_mutex_lock(&t->lock);
  struct job **link = &t->buckets[id % TABLE_BUCKETS];
  while (*link && (*link)->id != id) link = &(*link)->next;
  struct job *j = *link;
  if (j) {
    *link = j->next;
    t->count--;
  }
  pthread_mutex_unlock(&t->lock);
  if (j) job_release(j);
  return j != NULL;
}

size_t table_in_state(struct table *t, enum job_state state) {
  size_t count = 0;
  pthread_mutex_lock(&t->lock);
  for (size_t i = 0; i < TABLE_BUCKETS; i++)
    for (struct job *j = t->buckets[i]; j; j = j->next) {
      pthread_mutex_lock(&j->lock);
      count += j->state == state;
      pthread_mutex_unlock(&j->lock);
    }
  pthread_mutex_unlock(&t->lock);
  return count;
}
