/* A queue lock: each thread spins on its own node; exchange and compare-and-exchange on pointers.
 *
 * Verdicts: assert TRUE, no-data-race TRUE
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

typedef struct mcs_node {
  _Atomic(struct mcs_node *) next;
  atomic_int locked;
} mcs_node_t;

typedef struct { _Atomic(mcs_node_t *) tail; } mcslock_t;

static mcslock_t lock;
static mcs_node_t nodes[2];
static int counter;

static void acquire(mcslock_t *l, mcs_node_t *node)
{
  mcs_node_t *pred;
  atomic_store(&node->next, NULL);
  atomic_store(&node->locked, 1);
  pred = atomic_exchange(&l->tail, node);
  if (pred) {
    atomic_store(&pred->next, node);
    while (atomic_load(&node->locked))
      ;
  }
}

static void release(mcslock_t *l, mcs_node_t *node)
{
  mcs_node_t *next = atomic_load(&node->next);
  if (!next) {
    mcs_node_t *expected = node;
    if (atomic_compare_exchange_strong(&l->tail, &expected, NULL))
      return;
    do
      next = atomic_load(&node->next);
    while (next == NULL);
  }
  atomic_store(&next->locked, 0);
}

static void *run(void *arg)
{
  mcs_node_t *mine = &nodes[(size_t)arg];
  acquire(&lock, mine);
  int old = counter;
  counter = old + 1;
  release(&lock, mine);
  return NULL;
}

int main(void)
{
  pthread_t t;
  pthread_create(&t, NULL, run, (void *)(size_t)1);
  run((void *)0);
  pthread_join(t, NULL);
  assert(counter == 2);
  return 0;
}
