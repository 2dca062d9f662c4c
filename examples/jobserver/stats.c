#include "stats.h"
#include "text.h"
#include <string.h>

void stats_init(struct stats *s) {
  memset(s->ended, 0, sizeof s->ended);
  pthread_mutex_init(&s->lock, NULL);
}

void stats_destroy(struct stats *s) { pthread_mutex_destroy(&s->lock); }

void stats_count(struct stats *s, enum job_kind kind, enum job_state state) {
  pthread_mutex_lock(&s->lock);
  s->ended[kind][state]++;
  pthread_mutex_unlock(&s->lock);
}

unsigned long stats_total(struct stats *s, enum job_state state) {
  unsigned long total = 0;
  pthread_mutex_lock(&s->lock);
  for (int kind = 0; kind < JOB_KINDS; kind++) total += s->ended[kind][state];
  pthread_mutex_unlock(&s->lock);
  return total;
}

static void add_kind(struct buffer *b, enum job_kind kind, const unsigned long ended[JOB_STATES]) {
  int named = 0;
  for (int state = 0; state < JOB_STATES; state++) {
    if (ended[state] == 0) continue;
    if (!named++) {
      if (b->length > 0) buffer_add(b, ", ");
      buffer_add(b, job_kind_name(kind));
    }
    buffer_add(b, " ");
    buffer_add_number(b, (long)ended[state]);
    buffer_add(b, " ");
    buffer_add(b, job_state_name((enum job_state)state));
  }
}

char *stats_text(struct stats *s) {
  struct buffer b = { 0 };
  unsigned long ended[JOB_KINDS][JOB_STATES];
  pthread_mutex_lock(&s->lock);
  memcpy(ended, s->ended, sizeof ended);
  pthread_mutex_unlock(&s->lock);
  for (int kind = 0; kind < JOB_KINDS; kind++) add_kind(&b, (enum job_kind)kind, ended[kind]);
  return buffer_take(&b);
}
