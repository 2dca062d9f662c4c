#include "server.h"
#include "log.h"
#include "text.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the life of a job: accepted, queued when nothing holds it back, over */

static void one_less(struct server *s) {
  pthread_mutex_lock(&s->lock);
  if (--s->active == 0) pthread_cond_broadcast(&s->idle);
  pthread_mutex_unlock(&s->lock);
}

static void job_over(void *context, struct job *j, enum job_state state);

/* A follower of a job that was not done is not begun either, and neither are those that follow it. */
static void begin_follower(struct server *s, struct job *j, enum job_state before) {
  if (before != JOB_DONE) job_cancel(j);
  struct job *kept = job_hold(j);
  if (!pool_submit_from_within(&s->pool, j)) {
    job_cancel(kept);
    job_over(s, kept, JOB_CANCELLED);
  }
  job_release(kept);
}

static void job_over(void *context, struct job *j, enum job_state state) {
  struct server *s = context;
  stats_count(&s->stats, j->kind, state);
  for (struct job *next; (next = graph_next_ready(&s->graph, j->id));) begin_follower(s, next, state);
  one_less(s);
}

static void destroy_parts(struct server *s) {
  delays_destroy(&s->delays);
  graph_destroy(&s->graph);
  table_destroy(&s->table);
  stats_destroy(&s->stats);
  pthread_cond_destroy(&s->idle);
  pthread_mutex_destroy(&s->lock);
}

bool server_start(struct server *s, size_t threads, size_t room) {
  table_init(&s->table);
  graph_init(&s->graph);
  delays_init(&s->delays);
  stats_init(&s->stats);
  pthread_mutex_init(&s->lock, NULL);
  pthread_cond_init(&s->idle, NULL);
  s->next_id = 1;
  s->active = 0;
  s->draining = false;
  s->requests = s->errors = 0;
  if (pool_start(&s->pool, threads, room, job_over, s)) return true;
  destroy_parts(s);
  return false;
}

void server_stop(struct server *s) {
  pool_stop(&s->pool);
  destroy_parts(s);
}

/* ---- requests */

struct request {
  char verb[16];
  const char *rest;
};

static const char *skip_space(const char *p) {
  while (isspace((unsigned char)*p)) p++;
  return p;
}

static const char *word(const char *p, char *to, size_t room) {
  size_t n = 0;
  p = skip_space(p);
  while (*p && !isspace((unsigned char)*p)) {
    if (n + 1 < room) to[n++] = *p;
    p++;
  }
  to[n] = 0;
  return skip_space(p);
}

static bool number(const char *p, unsigned *to) {
  unsigned value = 0;
  if (!isdigit((unsigned char)*p)) return false;
  while (isdigit((unsigned char)*p)) value = 10 * value + (unsigned)(*p++ - '0');
  *to = value;
  return *skip_space(p) == 0;
}

static char *answer(const char *text) { return text_copy(text); }

static char *error(struct server *s, const char *text) {
  struct buffer b = { 0 };
  pthread_mutex_lock(&s->lock);
  s->errors++;
  pthread_mutex_unlock(&s->lock);
  buffer_add(&b, "error ");
  buffer_add(&b, text);
  return buffer_take(&b);
}

/* A number for a job that is to come; 0 if no more are taken. */
static unsigned accept_job(struct server *s) {
  pthread_mutex_lock(&s->lock);
  unsigned id = s->draining ? 0 : s->next_id++;
  if (id) s->active++;
  pthread_mutex_unlock(&s->lock);
  return id;
}

#define MAX_BEFORE 4

struct order {
  enum job_kind kind;
  enum priority priority;
  unsigned ticks, before[MAX_BEFORE];
  size_t count;
  const char *text;
};

/* What is wrong with an order, or NULL. */
static const char *read_order(const char *rest, struct order *o) {
  char name[16];
  *o = (struct order){ .priority = PRIORITY_NORMAL };
  for (;;) {
    rest = word(rest, name, sizeof name);
    if (strcmp(name, "high") == 0) o->priority = PRIORITY_HIGH;
    else if (strcmp(name, "low") == 0) o->priority = PRIORITY_LOW;
    else if (strcmp(name, "in") == 0) {
      rest = word(rest, name, sizeof name);
      if (!number(name, &o->ticks)) return "not a number";
    } else if (strcmp(name, "after") == 0) {
      if (o->count == MAX_BEFORE) return "too many jobs to wait for";
      rest = word(rest, name, sizeof name);
      if (!number(name, &o->before[o->count++])) return "not a number";
    } else break;
  }
  o->text = rest;
  return job_kind_from(name, &o->kind) ? NULL : "unknown kind of job";
}

/* Whether it waits for other jobs, which it does not if they are over. After one that was not done it is cancelled. */
static enum graph_answer wait_for_others(struct server *s, const struct order *o, struct job *j) {
  struct job *before[MAX_BEFORE];
  size_t count = 0;
  for (size_t i = 0; i < o->count; i++) {
    struct job *found = table_find(&s->table, o->before[i]);
    if (found) before[count++] = found;
  }
  enum graph_answer result = graph_add(&s->graph, before, count, j);
  for (size_t i = 0; i < count; i++) {
    if (result == GRAPH_READY && job_wait(before[i]) != JOB_DONE) job_cancel(j);
    job_release(before[i]);
  }
  return result;
}

static void cancel_delayed(struct server *s) {
  for (struct job *j; (j = delays_take(&s->delays));) {
    job_cancel(j);
    job_over(s, j, JOB_CANCELLED);
    job_release(j);
  }
}

static bool is_draining(struct server *s) {
  pthread_mutex_lock(&s->lock);
  bool draining = s->draining;
  pthread_mutex_unlock(&s->lock);
  return draining;
}

static bool begin_later(struct server *s, struct job *j, unsigned ticks) {
  if (!delays_add(&s->delays, j, ticks)) {
    job_release(j);
    return false;
  }
  /* Who drains may have looked before. */
  if (is_draining(s)) cancel_delayed(s);
  return true;
}

/* Takes over a reference. */
static bool begin(struct server *s, const struct order *o, struct job *j) {
  if (o->ticks > 0) return begin_later(s, j, o->ticks);
  switch (o->count > 0 ? wait_for_others(s, o, j) : GRAPH_READY) {
    case GRAPH_READY: return pool_submit(&s->pool, j);
    case GRAPH_WAITS: job_release(j); return true;
    case GRAPH_NO_MEMORY: job_release(j); return false;
  }
  return false;
}

static char *submit(struct server *s, const char *rest) {
  struct order o;
  const char *wrong = read_order(rest, &o);
  if (wrong) return error(s, wrong);
  unsigned id = accept_job(s);
  if (id == 0) return answer("busy");
  struct job *j = job_new(id, o.kind, o.priority, o.text);
  if (!j) {
    one_less(s);
    return error(s, "no memory");
  }
  table_add(&s->table, j);
  if (!begin(s, &o, j)) {
    table_remove(&s->table, id);
    one_less(s);
    return answer("busy");
  }
  struct buffer b = { 0 };
  buffer_add(&b, "ok ");
  buffer_add_number(&b, id);
  return buffer_take(&b);
}

static char *advance(struct server *s, const char *rest) {
  unsigned ticks;
  if (!number(rest, &ticks)) return error(s, "not a number");
  delays_advance(&s->delays, ticks);
  for (struct job *j; (j = delays_next_due(&s->delays));)
    if (!pool_submit(&s->pool, j)) one_less(s);
  return answer("ok");
}

/* What waits for its time is cancelled: the clock is the clients', who go. */
static char *drain(struct server *s) {
  pthread_mutex_lock(&s->lock);
  s->draining = true;
  pthread_mutex_unlock(&s->lock);
  cancel_delayed(s);
  pthread_mutex_lock(&s->lock);
  while (s->active > 0) pthread_cond_wait(&s->idle, &s->lock);
  pthread_mutex_unlock(&s->lock);
  return answer("ok");
}

static char *load(struct server *s) {
  struct buffer b = { 0 };
  const size_t counts[] = { queue_length(&s->pool.queue), queue_most(&s->pool.queue), graph_waiting(&s->graph),
                            delays_waiting(&s->delays) };
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    if (i > 0) buffer_add(&b, " ");
    buffer_add_number(&b, (long)counts[i]);
  }
  return buffer_take(&b);
}

static char *wait_for(struct server *s, struct job *j) {
  (void)s;
  enum job_state state = job_wait(j);
  if (state != JOB_DONE) return answer(job_state_name(state));
  struct buffer b = { 0 };
  buffer_add(&b, "done ");
  buffer_add(&b, j->output);
  return buffer_take(&b);
}

static char *state_of(struct server *s, struct job *j) {
  (void)s;
  pthread_mutex_lock(&j->lock);
  enum job_state state = j->state;
  pthread_mutex_unlock(&j->lock);
  return answer(job_state_name(state));
}

static char *cancel(struct server *s, struct job *j) {
  (void)s;
  return answer(job_cancel(j) ? "ok" : "too late");
}

static char *with_job(struct server *s, const char *rest, char *(*action)(struct server *, struct job *)) {
  unsigned id;
  if (!number(rest, &id)) return error(s, "not a number");
  struct job *j = table_find(&s->table, id);
  if (!j) return error(s, "unknown job");
  char *result = action(s, j);
  job_release(j);
  return result;
}

static char *forget(struct server *s, const char *rest) {
  unsigned id;
  if (!number(rest, &id)) return error(s, "not a number");
  return table_remove(&s->table, id) ? answer("ok") : error(s, "unknown job");
}

/* The counts belong together: both locks are held, the server's first. */
static char *stats(struct server *s) {
  struct buffer b = { 0 };
#ifdef BUG_LOCK_ORDER
  /* Wrong: everybody else takes the server's lock first. */
  pthread_mutex_lock(&s->pool.lock);
  pthread_mutex_lock(&s->lock);
#else
  pthread_mutex_lock(&s->lock);
  pthread_mutex_lock(&s->pool.lock);
#endif
  buffer_add_number(&b, (long)s->requests);
  buffer_add(&b, " requests, ");
  buffer_add_number(&b, (long)s->errors);
  buffer_add(&b, " errors, ");
  buffer_add_number(&b, (long)s->pool.finished);
  buffer_add(&b, " jobs done");
  pthread_mutex_unlock(&s->pool.lock);
  pthread_mutex_unlock(&s->lock);
  return buffer_take(&b);
}

/* Whether as many requests were made as jobs have begun, at least. */
static char *check(struct server *s) {
  pthread_mutex_lock(&s->lock);
  pthread_mutex_lock(&s->pool.lock);
  bool sound = s->pool.started <= s->requests && s->pool.finished + s->pool.failed <= s->pool.started;
  pthread_mutex_unlock(&s->pool.lock);
  pthread_mutex_unlock(&s->lock);
  return answer(sound ? "ok" : "wrong");
}

char *server_handle(struct server *s, const char *line) {
  struct request r;
  r.rest = word(line, r.verb, sizeof r.verb);
  pthread_mutex_lock(&s->lock);
  s->requests++;
  pthread_mutex_unlock(&s->lock);
  if (strcmp(r.verb, "submit") == 0) return submit(s, r.rest);
  if (strcmp(r.verb, "wait") == 0) return with_job(s, r.rest, wait_for);
  if (strcmp(r.verb, "state") == 0) return with_job(s, r.rest, state_of);
  if (strcmp(r.verb, "cancel") == 0) return with_job(s, r.rest, cancel);
  if (strcmp(r.verb, "forget") == 0) return forget(s, r.rest);
  if (strcmp(r.verb, "advance") == 0) return advance(s, r.rest);
  if (strcmp(r.verb, "stats") == 0) return stats(s);
  if (strcmp(r.verb, "report") == 0) return stats_text(&s->stats);
  if (strcmp(r.verb, "load") == 0) return load(s);
  if (strcmp(r.verb, "drain") == 0) return drain(s);
  if (strcmp(r.verb, "check") == 0) return check(s);
  log_line("unknown request %s", r.verb);
  return error(s, "unknown request");
}
