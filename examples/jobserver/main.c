/* Two clients at a time, each with its script; at the end nothing may be left over.
 *
 *   jobserver [THREADS] [pipes]     `pipes`: the clients use sessions, and more of what the server can do
 */
#include "log.h"
#include "server.h"
#include "session.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct server server;

struct client {
  const char *const *script;
  struct session *session; /* NULL: asks the server itself */
};

static void ask(const struct client *c, const char *line, char answer[LINE_ROOM]) {
  if (c->session) {
    bool answered = session_ask(c->session, line, answer);
    assert(answered);
    return;
  }
  char *text = server_handle(&server, line);
  assert(text != NULL);
  snprintf(answer, LINE_ROOM, "%s", text);
  free(text);
}

/* `$` in a line of a script is the number of the client's last job. */
static void fill_in(const char *line, size_t n, const char *last, char filled[LINE_ROOM]) {
  size_t at = 0;
  for (const char *p = line; p < line + n && at + 17 < LINE_ROOM; p++) {
    if (*p == '$') at += (size_t)snprintf(filled + at, LINE_ROOM - at, "%s", last);
    else filled[at++] = *p;
  }
  filled[at] = 0;
}

/* Lines of a script: `request => beginning of the answer`. */
static void *run_client(void *given) {
  const struct client *c = given;
  char last[16] = "0";
  for (size_t i = 0; c->script[i]; i++) {
    char line[LINE_ROOM], got[LINE_ROOM];
    const char *arrow = strstr(c->script[i], " => "), *wanted = arrow + 4;
    fill_in(c->script[i], (size_t)(arrow - c->script[i]), last, line);
    ask(c, line, got);
    assert(strncmp(got, wanted, strlen(wanted)) == 0);
    if (strncmp(got, "ok ", 3) == 0) snprintf(last, sizeof last, "%.15s", got + 3);
  }
  return NULL;
}

static const char *const first_script[] = {
  "submit sum 1 2 3 => ok", "wait $ => done 6", "stats => ", "forget $ => ok", NULL,
};
static const char *const second_script[] = {
  "submit high reverse abc => ok", "check => ok", "wait $ => done cba", "state 1 => ", NULL,
};

static const char *const third_script[] = {
  "submit sort 3 1 2 => ok", "submit after $ count a b => ok", "wait $ => done 2 letters", "load => ", NULL,
};
static const char *const fourth_script[] = {
  "submit in 5 low primes 10 => ok", "advance 5 => ok", "wait $ => done 2 3 5 7", "report => ", NULL,
};

int main(int argc, char **argv) {
  size_t threads = argc > 1 ? (size_t)atoi(argv[1]) : 2;
  bool pipes = argc > 2 && strcmp(argv[2], "pipes") == 0;
  bool ready = server_start(&server, threads, 2);
  struct session sessions[2];
  struct client clients[2] = { { pipes ? third_script : first_script, NULL },
                               { pipes ? fourth_script : second_script, NULL } };
  pthread_t ids[2];
  for (int i = 0; i < 2 && pipes; i++) {
    ready = ready && session_open(&sessions[i], &server);
    clients[i].session = &sessions[i];
  }
  assert(ready);
  for (int i = 0; i < 2; i++) pthread_create(&ids[i], NULL, run_client, &clients[i]);
  for (int i = 0; i < 2; i++) pthread_join(ids[i], NULL);
  for (int i = 0; i < 2 && pipes; i++) session_close(&sessions[i]);
  static const char *const last_script[] = { "check => ok", NULL };
  run_client(&(struct client){ last_script, NULL });
  server_stop(&server);
  printf("%lu log lines\n", log_count());
  return 0;
}
