/* Doubly linked lists inside records, as kernels have them: walked with a macro that declares by typeof.
 *
 * Verdicts: assert TRUE, no-data-race TRUE, no-deadlock TRUE
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

struct list_head { struct list_head *next, *prev; };

#define LIST_HEAD_INIT(name) { &(name), &(name) }
#define LIST_HEAD(name) struct list_head name = LIST_HEAD_INIT(name)
#define list_entry(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))
#define list_for_each_entry(pos, head, member)                          \
  for (pos = list_entry((head)->next, __typeof__(*pos), member);        \
       &pos->member != (head);                                          \
       pos = list_entry(pos->member.next, __typeof__(*pos), member))

static inline __attribute__((always_inline)) void __list_add(struct list_head *item, struct list_head *prev,
                                                             struct list_head *next)
{
  next->prev = item;
  item->next = next;
  item->prev = prev;
  prev->next = item;
}

static inline void list_add(struct list_head *item, struct list_head *head) { __list_add(item, head, head->next); }

static inline void list_del(struct list_head *entry)
{
  entry->next->prev = entry->prev;
  entry->prev->next = entry->next;
  entry->next = entry->prev = NULL;
}

struct item {
  int value;
  struct list_head node;
};

static LIST_HEAD(items);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *adds(void *value)
{
  struct item *one = malloc(sizeof(struct item));
  one->value = (int)(long)value;
  pthread_mutex_lock(&lock);
  list_add(&one->node, &items);
  pthread_mutex_unlock(&lock);
  return one;
}

int main(void)
{
  pthread_t first, second;
  struct item *pos;
  void *result;
  int sum = 0;
  pthread_create(&first, NULL, adds, (void *)1L);
  pthread_create(&second, NULL, &adds, (void *)2L);
  pthread_join(first, &result);
  pthread_join(second, NULL);
  list_for_each_entry(pos, &items, node) sum += pos->value;
  assert(sum == 3);
  list_del(&((struct item *)result)->node);
  free(result);
  assert(items.next == items.prev && list_entry(items.next, struct item, node)->value == 2);
  return 0;
}
