/* Treiber's stack with tagged pointers: the top is a node's number and a count that every change increases, so that a top
 * that comes back is not taken for the old one (the ABA problem).
 *
 * Verdicts under rc11: assert TRUE, no-data-race TRUE. With -DWEAK (a push that does not release its node): assert FALSE,
 * no-data-race FALSE
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WEAK
#define PUSH memory_order_relaxed
#else
#define PUSH memory_order_release
#endif

/* The low byte is a node (0: none), the rest is the tag. */
atomic_int top;
int value[3];
int next[3];

void push(int node)
{
  int old = atomic_load_explicit(&top, memory_order_relaxed);
  do {
    next[node] = old % 256;
  } while (!atomic_compare_exchange_strong_explicit(&top, &old, (old / 256 + 1) * 256 + node, PUSH,
                                                    memory_order_relaxed));
}

int pop(void)
{
  int old = atomic_load_explicit(&top, memory_order_acquire);
  int node = old % 256;
  if (node == 0)
    return 0;
  if (!atomic_compare_exchange_strong_explicit(&top, &old, (old / 256 + 1) * 256 + next[node], memory_order_acquire,
                                               memory_order_relaxed))
    return 0;
  return node;
}

void *pusher(void *argument)
{
  value[1] = 10;
  push(1);
  return argument;
}

void *popper(void *argument)
{
  int node = pop();
  if (node != 0)
    assert(value[node] == 10 * node);
  return argument;
}

int main(void)
{
  pthread_t one, two;
  pthread_create(&one, NULL, pusher, NULL);
  pthread_create(&two, NULL, popper, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
