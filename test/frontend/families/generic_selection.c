/* _Generic, _Static_assert, compound literals, designators, a flexible array member, _Alignas, inline assembly labels.
 *
 * Verdicts: assert TRUE, no-data-race TRUE
 */
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#define kind_of(x) _Generic((x), int: 1, long: 2, char *: 3, default: 0)
_Static_assert(sizeof(long) >= sizeof(int), "wide");

struct message {
  _Alignas(8) unsigned char length;
  char text[];
};

static struct message *box;
static _Thread_local int tries;
extern int renamed(int value) __asm__("renamed_by_the_linker");
int renamed(int value) { return value ^ INT_MIN; }

static bool take(void)
{
  struct message *seen = __atomic_exchange_n(&box, NULL, __ATOMIC_ACQ_REL);
  tries++;
  if (seen == NULL)
    return false;
  assert(seen->length == 2 && seen->text[1] == 'k');
  free(seen);
  return true;
}

static void *taker(void *unused)
{
  return (void *)(size_t)take();
}

int main(void)
{
  pthread_t thread;
  void *taken;
  struct message *made = malloc(offsetof(struct message, text) + 2);
  *made = (struct message){ .length = 2 };
  made->text[0] = 'o';
  made->text[1] = 'k';
  __atomic_store_n(&box, made, __ATOMIC_RELEASE);
  pthread_create(&thread, NULL, taker, NULL);
  bool mine = take();
  pthread_join(thread, &taken);
  assert(mine != (taken != NULL));
  assert(kind_of(1L) + kind_of("x") + kind_of(1.0f) == 5 && tries == 1);
  assert(renamed(renamed(5)) == 5);
  return 0;
}
