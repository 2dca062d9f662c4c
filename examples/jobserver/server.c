#include "server.h"
#include "log.h"
#include "text.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool server_start(struct server *s, size_t threads, size_t room) {
  table_init(&s->table);
  pthread_mutex_init(&s->lock, NULL);
  s->next_id = 1;
  s->requests = s->errors = 0;
  if (pool_start(&s->pool, threads, room)) return true;
  pthread_mutex_destroy(&s->lock);
  table_destroy(&s->table);
  return false;
}

void server_stop(struct server *s) {
  pool_stop(&s->pool);
  table_destroy(&s->table);
  pthread_mutex_destroy(&s->lock);
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

static unsigned fresh_id(struct server *s) {
  pthread_mutex_lock(&s->lock);
  unsigned id = s->next_id++;
  pthread_mutex_unlock(&s->lock);
  return id;
}

static char *submit(struct server *s, const char *rest) {
  char kind_name[16];
  enum job_kind kind;
  rest = word(rest, kind_name, sizeof kind_name);
  if (!job_kind_from(kind_name, &kind)) return error(s, "unknown kind of job");
  struct job *j = job_new(fresh_id(s), kind, rest);
  if (!j) return error(s, "no memory");
  unsigned id = j->id;
  table_add(&s->table, j);
  if (!pool_submit(&s->pool, j)) {
    table_remove(&s->table, id);
    return answer("busy");
  }
  struct buffer b = { 0 };
  buffer_add(&b, "ok ");
  buffer_add_number(&b, id);
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
  if (strcmp(r.verb, "stats") == 0) return stats(s);
  if (strcmp(r.verb, "check") == 0) return check(s);
  log_line("unknown request %s", r.verb);
  return error(s, "unknown request");
}
