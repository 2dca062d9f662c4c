/* A table of linked lists, a lock a bucket; one insertion takes the lock of the wrong bucket.
 *
 * Verdicts: assert TRUE, no-data-race FALSE, no-deadlock TRUE
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
  int datum;
  struct node *next;
};

struct bucket {
  pthread_mutex_t lock;
  struct node *head;
} table[2];

static struct node *new_node(int datum)
{
  struct node *node = malloc(sizeof *node);
  node->datum = datum;
  node->next = NULL;
  return node;
}

static void insert(int lock, int bucket, int datum)
{
  struct node *node = new_node(datum);
  pthread_mutex_lock(&table[lock].lock);
  node->next = table[bucket].head;
  table[bucket].head = node;
  pthread_mutex_unlock(&table[lock].lock);
}

void *writer(void *argument)
{
  insert(0, 0, 1);
  insert(0, 1, 2);
  return NULL;
}

int main(void)
{
  pthread_t thread;
  struct node *walk;
  int i, count = 0;
  for (i = 0; i < 2; i++)
    pthread_mutex_init(&table[i].lock, NULL);
  pthread_create(&thread, NULL, writer, NULL);
  pthread_mutex_lock(&table[1].lock);
  for (walk = table[1].head; walk != NULL; walk = walk->next)
    count += walk->datum;
  pthread_mutex_unlock(&table[1].lock);
  assert(count == 0 || count == 2);
  pthread_join(thread, NULL);
  assert(table[0].head->datum + table[1].head->datum == 3);
  return 0;
}
