/* The job server without a network: clients give it lines, and get lines back.
 *
 *   submit KIND TEXT     -> ok ID | busy | error ...
 *   wait ID              -> done RESULT | failed | cancelled
 *   state ID             -> waiting | running | ...
 *   cancel ID            -> ok | too late
 *   forget ID            -> ok | error unknown job
 *   stats                -> numbers of jobs in each state
 */
#ifndef SERVER_H
#define SERVER_H
#include "pool.h"
#include "table.h"

struct server {
  struct pool pool;
  struct table table;
  pthread_mutex_t lock; /* of what follows */
  unsigned next_id;
  unsigned long requests, errors;
};

bool server_start(struct server *s, size_t threads, size_t room);
void server_stop(struct server *s);

/* The answer is a fresh text. */
char *server_handle(struct server *s, const char *line);
#endif
