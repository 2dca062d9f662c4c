/* A sequence lock: the reader tries again until the number did not change and was even (structure assignment, do).
 *
 * Verdicts: assert TRUE
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

typedef struct { int a, b; } pair_t;
static _Atomic unsigned seq;
static pair_t shared;

static void *writer(void *unused)
{
  unsigned s = atomic_load_explicit(&seq, memory_order_seq_cst);
  atomic_store_explicit(&seq, s + 1, memory_order_seq_cst);
  shared = (pair_t){ 1, 1 };
  atomic_store(&seq, s + 2);
  return unused;
}

static pair_t read(void)
{
  unsigned before, after;
  pair_t copy;
  do {
    while ((before = atomic_load(&seq)) & 1)
      ;
    copy = shared;
    after = atomic_load(&seq);
  } while (before != after);
  return copy;
}

int main(void)
{
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  pair_t seen = read();
  assert(seen.a == seen.b);
  pthread_join(thread, 0);
  return 0;
}
