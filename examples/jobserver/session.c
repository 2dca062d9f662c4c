#include "session.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool read_line(struct reader *r, char line[LINE_ROOM]) {
  for (;;) {
    char *end = memchr(r->bytes, '\n', r->used);
    if (end) {
      size_t n = (size_t)(end - r->bytes);
      memcpy(line, r->bytes, n);
      line[n] = 0;
      r->used -= n + 1;
      memmove(r->bytes, end + 1, r->used);
      return true;
    }
    if (r->used == sizeof r->bytes) return false;
    ssize_t n = read(r->descriptor, r->bytes + r->used, sizeof r->bytes - r->used);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    r->used += (size_t)n;
  }
}

static bool write_all(int descriptor, const char *bytes, size_t n) {
  while (n > 0) {
    ssize_t written = write(descriptor, bytes, n);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes += written;
    n -= (size_t)written;
  }
  return true;
}

bool write_line(int descriptor, const char *line) {
  char out[LINE_ROOM];
  size_t n = strlen(line);
  if (n + 1 > sizeof out) n = sizeof out - 1;
  memcpy(out, line, n);
  out[n] = '\n';
  return write_all(descriptor, out, n + 1);
}

/* The server's end: answers until the client has nothing more to ask. */
static void *answer_all(void *given) {
  struct session *s = given;
  struct reader requests = { .descriptor = s->to_server[0] };
  char line[LINE_ROOM];
  bool listens = true;
  while (listens && read_line(&requests, line)) {
    char *answer = server_handle(s->server, line);
    listens = write_line(s->to_client[1], answer ? answer : "error no memory");
    free(answer);
  }
  close(s->to_client[1]);
  return NULL;
}

static void close_both(const int ends[2]) {
  close(ends[0]);
  close(ends[1]);
}

bool session_open(struct session *s, struct server *server) {
  s->server = server;
  if (pipe(s->to_server)) return false;
  if (pipe(s->to_client)) {
    close_both(s->to_server);
    return false;
  }
  s->answers = (struct reader){ .descriptor = s->to_client[0] };
  if (pthread_create(&s->thread, NULL, answer_all, s) == 0) return true;
  close_both(s->to_server);
  close_both(s->to_client);
  return false;
}

bool session_ask(struct session *s, const char *line, char answer[LINE_ROOM]) {
  return write_line(s->to_server[1], line) && read_line(&s->answers, answer);
}

void session_close(struct session *s) {
  close(s->to_server[1]);
  pthread_join(s->thread, NULL);
  close(s->to_server[0]);
  close(s->to_client[0]);
}
