#include "queue.h"
#include <stdlib.h>

struct queue *queue_create(void)
{
  struct queue *q = malloc(sizeof *q);
  pthread_mutex_init(&q->lock, 0);
  q->head = 0;
  q->tail = 0;
  q->length = 0;
  return q;
}

void queue_destroy(struct queue *q)
{
  struct node *next;
  for (struct node *n = q->head; n; n = next) {
    next = n->next;
    free(n);
  }
  pthread_mutex_destroy(&q->lock);
  free(q);
}

void queue_put(struct queue *q, int value)
{
  struct node *n = malloc(sizeof *n);
  n->value = value;
  n->next = 0;
  pthread_mutex_lock(&q->lock);
  if (q->tail)
    q->tail->next = n;
  else
    q->head = n;
  q->tail = n;
  q->length++;
  pthread_mutex_unlock(&q->lock);
}

int queue_get(struct queue *q, int *value)
{
  pthread_mutex_lock(&q->lock);
  struct node *n = q->head;
  if (!n) {
    pthread_mutex_unlock(&q->lock);
    return 0;
  }
  q->head = n->next;
  if (!q->head)
    q->tail = 0;
  q->length--;
  pthread_mutex_unlock(&q->lock);
  *value = n->value;
  free(n);
  return 1;
}

int queue_length(struct queue *q)
{
  pthread_mutex_lock(&q->lock);
  int length = q->length;
  pthread_mutex_unlock(&q->lock);
  return length;
}
