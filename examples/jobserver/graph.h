/* Which jobs wait for which: a job is ready when all that it comes after are over. */
#ifndef GRAPH_H
#define GRAPH_H
#include "job.h"
#include <stddef.h>

struct edge {
  unsigned before;
  struct job *after; /* a reference */
  struct edge *next;
};

struct graph {
  pthread_mutex_t lock; /* before that of a job */
  struct edge *edges;
};

void graph_init(struct graph *g);

/* Gives back the references of those that still wait. */
void graph_destroy(struct graph *g);

enum graph_answer { GRAPH_WAITS, GRAPH_READY, GRAPH_NO_MEMORY };

/* `after` waits for the end of all of them; it is ready if they are over already. */
enum graph_answer graph_add(struct graph *g, struct job *const *before, size_t count, struct job *after);

/* The next job that waits for this one only; the caller gets the graph's reference, and asks until there is none. */
struct job *graph_next_ready(struct graph *g, unsigned before);
size_t graph_waiting(struct graph *g);
#endif
