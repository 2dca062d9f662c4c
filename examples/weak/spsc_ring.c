/* A ring buffer for one producer and one consumer: each owns an index, and publishes with it what it did to the slots.
 *
 * Verdicts under rc11: assert TRUE, no-data-race TRUE. With -DWEAK (the producer publishes with a relaxed store):
 * assert FALSE, no-data-race FALSE
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WEAK
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_release
#endif

#define SIZE 2
int slots[SIZE];
atomic_int head, tail;

int push(int value)
{
  int at = atomic_load_explicit(&tail, memory_order_relaxed);
  if (at - atomic_load_explicit(&head, memory_order_acquire) == SIZE)
    return 0;
  slots[at % SIZE] = value;
  atomic_store_explicit(&tail, at + 1, PUBLISH);
  return 1;
}

int pop(int *value)
{
  int at = atomic_load_explicit(&head, memory_order_relaxed);
  if (at == atomic_load_explicit(&tail, memory_order_acquire))
    return 0;
  *value = slots[at % SIZE];
  atomic_store_explicit(&head, at + 1, memory_order_release);
  return 1;
}

void *producer(void *argument)
{
  push(1);
  push(2);
  return argument;
}

void *consumer(void *argument)
{
  int value = 0;
  if (pop(&value))
    assert(value == 1);
  if (pop(&value))
    assert(value == 1 || value == 2);
  return argument;
}

int main(void)
{
  pthread_t one, two;
  pthread_create(&one, NULL, producer, NULL);
  pthread_create(&two, NULL, consumer, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
