/* The job server without a network: clients give it lines, and get lines back.
 *
 *   submit [high|low] [in TICKS] [after ID]... KIND TEXT
 *                        -> ok ID | busy | error ...
 *   wait ID              -> done RESULT | failed | cancelled
 *   state ID             -> waiting | running | ...
 *   cancel ID            -> ok | too late
 *   forget ID            -> ok | error unknown job
 *   advance TICKS        -> ok; what is due begins
 *   stats                -> numbers of requests, errors and jobs
 *   report               -> how many jobs of each kind ended how
 *   load                 -> jobs that wait: queued, most so far, for others, for their time
 *   drain                -> ok once everything has ended that could begin; no more jobs are taken
 */
#ifndef SERVER_H
#define SERVER_H
#include "delays.h"
#include "graph.h"
#include "pool.h"
#include "stats.h"
#include "table.h"

struct server {
  struct pool pool;
  struct table table;
  struct graph graph;
  struct delays delays;
  struct stats stats;
  pthread_mutex_t lock; /* of what follows */
  pthread_cond_t idle; /* nobody is at work on a job that was accepted */
  unsigned next_id, active;
  bool draining;
  unsigned long requests, errors;
};

bool server_start(struct server *s, size_t threads, size_t room);
void server_stop(struct server *s);

/* The answer is a fresh text. */
char *server_handle(struct server *s, const char *line);
#endif
