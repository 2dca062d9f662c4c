#include "graph.h"
#include <stdlib.h>

void graph_init(struct graph *g) {
  pthread_mutex_init(&g->lock, NULL);
  g->edges = NULL;
}

void graph_destroy(struct graph *g) {
  while (g->edges) {
    struct edge *e = g->edges;
    g->edges = e->next;
    job_release(e->after);
    free(e);
  }
  pthread_mutex_destroy(&g->lock);
}

static void free_edges(struct edge *e) {
  while (e) {
    struct edge *next = e->next;
    free(e);
    e = next;
  }
}

/* A list of so many, or NULL. */
static struct edge *new_edges(size_t count) {
  struct edge *list = NULL;
  while (count-- > 0) {
    struct edge *e = malloc(sizeof *e);
    if (!e) {
      free_edges(list);
      return NULL;
    }
    e->next = list;
    list = e;
  }
  return list;
}

enum graph_answer graph_add(struct graph *g, struct job *const *before, size_t count, struct job *after) {
  struct edge *spare = new_edges(count);
  if (!spare && count > 0) return GRAPH_NO_MEMORY;
  enum graph_answer answer = GRAPH_READY;
  /* All edges at once: with one of them alone, the job could be found ready too early. Whoever ends a job asks for its
     followers after that, so that under the lock one of us sees the other. */
  pthread_mutex_lock(&g->lock);
  for (size_t i = 0; i < count; i++) {
    if (job_is_over(before[i])) continue;
    struct edge *e = spare;
    spare = e->next;
    *e = (struct edge){ before[i]->id, job_hold(after), g->edges };
    g->edges = e;
    answer = GRAPH_WAITS;
  }
  pthread_mutex_unlock(&g->lock);
  free_edges(spare);
  return answer;
}

/* The lock is held. */
static bool waits(const struct graph *g, const struct job *j) {
  for (const struct edge *e = g->edges; e; e = e->next)
    if (e->after == j) return true;
  return false;
}

/* The lock is held: the edge leaves the list. */
static struct edge *take_edge(struct graph *g, unsigned before) {
  struct edge **link = &g->edges;
  while (*link && (*link)->before != before) link = &(*link)->next;
  struct edge *e = *link;
  if (e) *link = e->next;
  return e;
}

struct job *graph_next_ready(struct graph *g, unsigned before) {
  struct job *ready = NULL;
  pthread_mutex_lock(&g->lock);
  for (struct edge *e; !ready && (e = take_edge(g, before));) {
    if (waits(g, e->after)) job_release(e->after);
    else ready = e->after;
    free(e);
  }
  pthread_mutex_unlock(&g->lock);
  return ready;
}

size_t graph_waiting(struct graph *g) {
  size_t count = 0;
  pthread_mutex_lock(&g->lock);
  for (struct edge *e = g->edges; e; e = e->next) count++;
  pthread_mutex_unlock(&g->lock);
  return count;
}
