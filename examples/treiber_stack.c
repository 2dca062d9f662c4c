/* Treiber's stack (1986): a linked list whose top is changed by compare-and-swap, without locks. Each thread pushes
 * its node and pops one, its own or the other's. No node is pushed twice, so the ABA problem cannot occur.
 *
 * Verdicts: assert TRUE, no-data-race TRUE, no-deadlock TRUE
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
  struct node *next;
  int value;
};

struct node *_Atomic top;
struct node node1 = { NULL, 1 }, node2 = { NULL, 2 };
int popped1, popped2;

void push(struct node *node)
{
  struct node *old = atomic_load(&top);
  do
    node->next = old;
  while (!atomic_compare_exchange_strong(&top, &old, node));
}

int pop(void)
{
  struct node *old = atomic_load(&top);
  while (old != NULL && !atomic_compare_exchange_strong(&top, &old, old->next))
    ;
  return old == NULL ? 0 : old->value;
}

void *thread1(void *unused)
{
  push(&node1);
  popped1 = pop();
  return NULL;
}

void *thread2(void *unused)
{
  push(&node2);
  popped2 = pop();
  return NULL;
}

int main(void)
{
  pthread_t t1, t2;

  pthread_create(&t1, NULL, thread1, NULL);
  pthread_create(&t2, NULL, thread2, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  assert(popped1 + popped2 == 3 && popped1 != popped2);
  assert(atomic_load(&top) == NULL);
}
