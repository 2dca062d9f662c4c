/* A sequence lock: the writer makes the counter odd, writes, and makes it even; a reader that saw an even counter that has
 * not changed has read one version of the data. The release fence of the writer and the acquire fence of the reader keep
 * the data between the two accesses to the counter (Boehm: Can seqlocks get along with programming language memory
 * models? MSPC 2012).
 *
 * Verdicts under rc11: assert TRUE, no-data-race TRUE. With -DWEAK (a writer without its fence): assert FALSE
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WEAK
#define WRITER_FENCE memory_order_relaxed
#else
#define WRITER_FENCE memory_order_release
#endif

atomic_int sequence, first, second;

void *writer(void *argument)
{
  atomic_store_explicit(&sequence, 1, memory_order_relaxed);
  atomic_thread_fence(WRITER_FENCE);
  atomic_store_explicit(&first, 7, memory_order_relaxed);
  atomic_store_explicit(&second, 7, memory_order_relaxed);
  atomic_store_explicit(&sequence, 2, memory_order_release);
  return argument;
}

void *reader(void *argument)
{
  int before = atomic_load_explicit(&sequence, memory_order_acquire);
  int a = atomic_load_explicit(&first, memory_order_relaxed);
  int b = atomic_load_explicit(&second, memory_order_relaxed);
  atomic_thread_fence(memory_order_acquire);
  int after = atomic_load_explicit(&sequence, memory_order_relaxed);
  if (before == after && before % 2 == 0)
    assert(a == b);
  return argument;
}

int main(void)
{
  pthread_t one, two;
  pthread_create(&one, NULL, writer, NULL);
  pthread_create(&two, NULL, reader, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
