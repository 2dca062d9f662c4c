// An unbounded queue of numbers: a list under one lock.
#ifndef QUEUE_H
#define QUEUE_H
#include <pthread.h>
struct node {
  struct node *next;
  int value;
};
struct queue {
  pthread_mutex_t lock;
  struct node *head, *tail;
  int length;
};
struct queue *queue_create(void);
void queue_destroy(struct queue *q);
void queue_put(struct queue *q, int value);
int queue_get(struct queue *q, int *value);
int queue_length(struct queue *q);
#endif
