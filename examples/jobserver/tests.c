/* Tests of the parts, each on its own: make test. */
#include "server.h"
#include "session.h"
#include "text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

#define CHECK(condition) \
  do { \
    if (!(condition)) { \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      failures++; \
    } \
  } while (0)

static void test_queue_order(void) {
  struct queue q;
  int items[6];
  CHECK(queue_init(&q, 5));
  CHECK(queue_put(&q, &items[0], PRIORITY_LOW));
  CHECK(queue_put(&q, &items[1], PRIORITY_NORMAL));
  CHECK(queue_put(&q, &items[2], PRIORITY_HIGH));
  CHECK(queue_put(&q, &items[3], PRIORITY_NORMAL));
  CHECK(queue_put(&q, &items[4], PRIORITY_HIGH));
  CHECK(!queue_try_put(&q, &items[5], PRIORITY_HIGH));
  CHECK(queue_put_beyond(&q, &items[5], PRIORITY_HIGH));
  static const int order[] = { 2, 4, 5, 1, 3, 0 };
  for (int i = 0; i < 6; i++) CHECK(queue_take(&q) == &items[order[i]]);
  CHECK(queue_length(&q) == 0 && queue_most(&q) == 6);
  queue_close(&q);
  CHECK(!queue_put(&q, &items[0], PRIORITY_HIGH) && queue_take(&q) == NULL);
  queue_destroy(&q);
}

static void test_text(void) {
  static const struct { char *(*function)(const char *); const char *input, *output; } cases[] = {
    { text_sum, "1 2 3", "6" },          { text_sum, "1 x", NULL },
    { text_sort, "3 -1 2", "-1 2 3" },   { text_primes, "11", "2 3 5 7 11" },
    { text_reverse, "abc", "cba" },      { text_count, "a1 b", "2 letters, 1 digits, 2 words" },
    { text_primes, "1 2", NULL },        { text_sort, "", "" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *got = cases[i].function(cases[i].input);
    CHECK(cases[i].output ? got && strcmp(got, cases[i].output) == 0 : got == NULL);
    free(got);
  }
}

static void test_delays(void) {
  struct delays d;
  static const unsigned long due[] = { 7, 3, 9, 3, 1 };
  static const unsigned order[] = { 5, 2, 4, 1 };
  delays_init(&d);
  for (unsigned i = 0; i < 5; i++) CHECK(delays_add(&d, job_new(i + 1, JOB_SUM, PRIORITY_NORMAL, ""), due[i]));
  CHECK(delays_next_due(&d) == NULL);
  delays_advance(&d, 7);
  bool seen[6] = { false };
  for (int i = 0; i < 4; i++) {
    struct job *j = delays_next_due(&d);
    CHECK(j && !seen[j->id]);
    if (i == 0 || i == 3) CHECK(j->id == order[i]); /* two of them are due at the same time */
    seen[j->id] = true;
    job_release(j);
  }
  CHECK(delays_next_due(&d) == NULL && delays_waiting(&d) == 1);
  delays_destroy(&d);
}

static void test_graph(void) {
  struct graph g;
  struct job *jobs[3];
  for (unsigned i = 0; i < 3; i++) jobs[i] = job_new(i + 1, JOB_REVERSE, PRIORITY_NORMAL, "ab");
  graph_init(&g);
  CHECK(graph_add(&g, jobs, 2, jobs[2]) == GRAPH_WAITS && graph_waiting(&g) == 2);
  job_run(jobs[0]);
  CHECK(graph_next_ready(&g, 1) == NULL && graph_waiting(&g) == 1);
  job_run(jobs[1]);
  struct job *ready = graph_next_ready(&g, 2);
  CHECK(ready == jobs[2] && graph_waiting(&g) == 0);
  if (ready) job_release(ready);
  CHECK(graph_add(&g, jobs, 2, jobs[2]) == GRAPH_READY);
  graph_destroy(&g);
  for (int i = 0; i < 3; i++) job_release(jobs[i]);
}

/* Requests one after the other: the beginning of each answer. */
static void check_answers(struct server *s, const char *const *script) {
  for (size_t i = 0; script[i]; i += 2) {
    char *got = server_handle(s, script[i]);
    if (!got || strncmp(got, script[i + 1], strlen(script[i + 1])) != 0) {
      fprintf(stderr, "%s: got %s, not %s\n", script[i], got ? got : "nothing", script[i + 1]);
      failures++;
    }
    free(got);
  }
}

static void test_server(void) {
  static const char *const script[] = {
    "submit sum 1 2", "ok 1", "wait 1", "done 3", "submit sum x", "ok 2", "wait 2", "failed",
    "submit after 1 reverse ab", "ok 3", "wait 3", "done ba",
    "submit after 2 reverse ab", "ok 4", "wait 4", "cancelled",
    "submit in 3 after 9 count a", "ok 5", "state 5", "waiting", "advance 2", "ok", "state 5", "waiting",
    "advance 1", "ok", "wait 5", "done 1 letters", "cancel 5", "too late", "wait 6", "error unknown job",
    "submit in 100 sum 1", "ok 6", "submit dance", "error unknown kind", "hello", "error unknown request",
    "forget 1", "ok", "wait 1", "error unknown job", "drain", "ok", "wait 6", "cancelled", "submit sum 1", "busy",
    "report", "sum 1 done 1 failed 1 cancelled, reverse 1 done 1 cancelled, count 1 done", "check", "ok", NULL,
  };
  struct server s;
  CHECK(server_start(&s, 2, 2));
  check_answers(&s, script);
  CHECK(stats_total(&s.stats, JOB_DONE) == 3 && stats_total(&s.stats, JOB_CANCELLED) == 2);
  server_stop(&s);
}

static void test_session(void) {
  struct server s;
  struct session one, two;
  char answer[LINE_ROOM];
  CHECK(server_start(&s, 1, 1));
  CHECK(session_open(&one, &s) && session_open(&two, &s));
  CHECK(session_ask(&one, "submit high sum 4 5", answer) && strcmp(answer, "ok 1") == 0);
  CHECK(session_ask(&two, "wait 1", answer) && strcmp(answer, "done 9") == 0);
  CHECK(session_ask(&two, "nonsense", answer) && strncmp(answer, "error", 5) == 0);
  session_close(&one);
  CHECK(session_ask(&two, "load", answer) && strcmp(answer, "0 1 0 0") == 0);
  session_close(&two);
  server_stop(&s);
}

int main(void) {
  test_queue_order();
  test_text();
  test_delays();
  test_graph();
  test_server();
  test_session();
  printf(failures ? "%d failed\n" : "all tests passed\n", failures);
  return failures != 0;
}
