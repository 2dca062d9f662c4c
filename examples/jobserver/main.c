/* Two clients at a time, each with its script; at the end nothing may be left over. */
#include "log.h"
#include "server.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct server server;

struct client {
  const char *name;
  const char *const *script;
};

static char *ask(const char *line) {
  char *text = server_handle(&server, line);
  assert(text != NULL);
  return text;
}

static void expect(const char *line, const char *wanted) {
  char *got = ask(line);
  assert(strncmp(got, wanted, strlen(wanted)) == 0);
  free(got);
}

/* Lines of a script: `request => beginning of the answer`; `$` is the number of the client's last job. */
static void *run_client(void *given) {
  const struct client *c = given;
  char last[16] = "0";
  for (size_t i = 0; c->script[i]; i++) {
    char line[128], filled[160];
    const char *arrow = strstr(c->script[i], " => ");
    size_t n = (size_t)(arrow - c->script[i]), at = 0;
    memcpy(line, c->script[i], n);
    line[n] = 0;
    for (const char *p = line; *p && at + 17 < sizeof filled; p++) {
      if (*p == '$') at += (size_t)snprintf(filled + at, sizeof filled - at, "%s", last);
      else filled[at++] = *p;
    }
    filled[at] = 0;
    char *got = ask(filled);
    assert(strncmp(got, arrow + 4, strlen(arrow + 4)) == 0);
    if (strncmp(got, "ok ", 3) == 0) snprintf(last, sizeof last, "%s", got + 3);
    free(got);
  }
  return NULL;
}

static const char *const first_script[] = {
  "submit sum 1 2 3 => ok", "wait $ => done 6", "stats => ", "forget $ => ok", NULL,
};
static const char *const second_script[] = {
  "submit reverse abc => ok", "check => ok", "wait $ => done cba", "state 1 => ", NULL,
};

int main(int argc, char **argv) {
  size_t threads = argc > 1 ? (size_t)atoi(argv[1]) : 2;
  bool started = server_start(&server, threads, 2);
  assert(started);
  struct client clients[2] = { { "first", first_script }, { "second", second_script } };
  pthread_t ids[2];
  for (int i = 0; i < 2; i++) pthread_create(&ids[i], NULL, run_client, &clients[i]);
  for (int i = 0; i < 2; i++) pthread_join(ids[i], NULL);
  expect("check", "ok");
  server_stop(&server);
  printf("%lu log lines\n", log_count());
  return 0;
}
