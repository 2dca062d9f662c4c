#include "channel.h"
#include <assert.h>

void channel_init(struct channel *c)
{
  pthread_mutex_init(&c->lock, 0);
  pthread_cond_init(&c->not_full, 0);
  pthread_cond_init(&c->not_empty, 0);
  c->first = 0;
  c->count = 0;
  c->closed = 0;
}

void channel_destroy(struct channel *c)
{
  pthread_cond_destroy(&c->not_empty);
  pthread_cond_destroy(&c->not_full);
  pthread_mutex_destroy(&c->lock);
}

static void put(struct channel *c, int value)
{
  assert(c->count < CHANNEL_SIZE);
  c->items[(c->first + c->count) % CHANNEL_SIZE] = value;
  c->count++;
  pthread_cond_signal(&c->not_empty);
}

static void take(struct channel *c, int *value)
{
  *value = c->items[c->first];
  c->first = (c->first + 1) % CHANNEL_SIZE;
  c->count--;
  pthread_cond_signal(&c->not_full);
}

int channel_send(struct channel *c, int value)
{
  pthread_mutex_lock(&c->lock);
  while (c->count == CHANNEL_SIZE && !c->closed)
    pthread_cond_wait(&c->not_full, &c->lock);
  int sent = !c->closed;
  if (sent)
    put(c, value);
  pthread_mutex_unlock(&c->lock);
  return sent;
}

int channel_receive(struct channel *c, int *value)
{
  pthread_mutex_lock(&c->lock);
  while (c->count == 0 && !c->closed)
    pthread_cond_wait(&c->not_empty, &c->lock);
  int received = c->count > 0;
  assert(received || c->closed);
  if (received)
    take(c, value);
  pthread_mutex_unlock(&c->lock);
  return received;
}

int channel_try_send(struct channel *c, int value)
{
  pthread_mutex_lock(&c->lock);
  int sent = !c->closed && c->count < CHANNEL_SIZE;
  if (sent)
    put(c, value);
  pthread_mutex_unlock(&c->lock);
  return sent;
}

int channel_try_receive(struct channel *c, int *value)
{
  pthread_mutex_lock(&c->lock);
  int received = c->count > 0;
  if (received)
    take(c, value);
  pthread_mutex_unlock(&c->lock);
  return received;
}

void channel_close(struct channel *c)
{
  pthread_mutex_lock(&c->lock);
  c->closed = 1;
  pthread_cond_broadcast(&c->not_full);
  pthread_cond_broadcast(&c->not_empty);
  pthread_mutex_unlock(&c->lock);
}
