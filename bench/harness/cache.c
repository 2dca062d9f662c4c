#include "cache.h"

struct cache *cache_create(void)
{
  struct cache *c = malloc(sizeof *c);
  pthread_mutex_init(&c->lock, 0);
  c->entries = 0;
  c->count = 0;
  return c;
}

void cache_destroy(struct cache *c)
{
  while (c->entries) {
    struct entry *e = c->entries;
    c->entries = e->next;
    free(e);
  }
  pthread_mutex_destroy(&c->lock);
  free(c);
}

/* The link that leads to the entry, or to where the list ends. */
static struct entry **find(struct cache *c, int key)
{
  struct entry **link = &c->entries;
  while (*link && (*link)->key != key)
    link = &(*link)->next;
  return link;
}

static void evict(struct cache *c)
{
  struct entry **link = &c->entries;
  while ((*link)->next)
    link = &(*link)->next;
  free(*link);
  *link = 0;
  c->count--;
}

void cache_put(struct cache *c, int key, int value)
{
  pthread_mutex_lock(&c->lock);
  struct entry *e = *find(c, key);
  if (e) {
    e->value = value;
  } else {
    if (c->count == CACHE_SIZE)
      evict(c);
    e = malloc(sizeof *e);
    e->key = key;
    e->value = value;
    e->next = c->entries;
    c->entries = e;
    c->count++;
  }
  pthread_mutex_unlock(&c->lock);
}

int cache_get(struct cache *c, int key, int *value)
{
  pthread_mutex_lock(&c->lock);
  struct entry *e = *find(c, key);
  if (e)
    *value = e->value;
  pthread_mutex_unlock(&c->lock);
  return e != 0;
}

int cache_remove(struct cache *c, int key)
{
  pthread_mutex_lock(&c->lock);
  struct entry **link = find(c, key);
  struct entry *e = *link;
  if (e) {
    *link = e->next;
    free(e);
    c->count--;
  }
  pthread_mutex_unlock(&c->lock);
  return e != 0;
}
