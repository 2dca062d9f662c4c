// A small cache: keys to values, the oldest entry goes when there is no room.
#ifndef CACHE_H
#define CACHE_H
#include <pthread.h>
#include <stdlib.h>
#define CACHE_SIZE 1
struct entry {
  int key, value;
  struct entry *next;
};
struct cache {
  pthread_mutex_t lock;
  struct entry *entries;
  int count;
};
struct cache *cache_create(void);
void cache_destroy(struct cache *c);
void cache_put(struct cache *c, int key, int value);
int cache_get(struct cache *c, int key, int *value);
int cache_remove(struct cache *c, int key);
#endif
