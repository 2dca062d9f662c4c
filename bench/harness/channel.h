// A bounded channel: senders wait while it is full, receivers while it is empty, nobody after it was closed.
#ifndef CHANNEL_H
#define CHANNEL_H
#include <pthread.h>
#define CHANNEL_SIZE 1
struct channel {
  pthread_mutex_t lock;
  pthread_cond_t not_full, not_empty;
  int items[CHANNEL_SIZE];
  int first, count, closed;
};
void channel_init(struct channel *c);
void channel_destroy(struct channel *c);
int channel_send(struct channel *c, int value);
int channel_receive(struct channel *c, int *value);
int channel_try_send(struct channel *c, int value);
int channel_try_receive(struct channel *c, int *value);
void channel_close(struct channel *c);
#endif
