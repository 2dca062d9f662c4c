/* A client's connection: lines through one pipe to the server, answers through another one back. */
#ifndef SESSION_H
#define SESSION_H
#include "server.h"

#define LINE_ROOM 256

/* Lines of a descriptor, whatever pieces they come in. */
struct reader {
  int descriptor;
  char bytes[LINE_ROOM];
  size_t used;
};

/* The next line without its end; false at the end, or where a line has no place. */
bool read_line(struct reader *r, char line[LINE_ROOM]);

/* A line with its end; false if nobody reads any more. */
bool write_line(int descriptor, const char *line);

struct session {
  struct server *server;
  int to_server[2], to_client[2];
  pthread_t thread;
  struct reader answers;
};

bool session_open(struct session *s, struct server *server);

/* One request and its answer. */
bool session_ask(struct session *s, const char *line, char answer[LINE_ROOM]);

/* Waits until the server has answered everything. */
void session_close(struct session *s);
#endif
