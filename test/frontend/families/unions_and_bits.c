/* A lock word that is a union of a number and bit-fields, as kernels pack their queue locks.
 *
 * Verdicts: assert TRUE, no-data-race TRUE
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

typedef union {
  uint32_t word;
  struct {
    uint16_t owner;
    uint16_t next;
  } tickets;
} spin_t;

struct flags {
  unsigned dirty : 1;
  unsigned : 3;
  signed state : 4;
  unsigned long long wide : 40;
};

enum state { IDLE, BUSY = 3, DONE = BUSY + 2 };

static spin_t lock;
static struct flags flags = { .state = IDLE, .wide = 1ULL << 39 };

static void acquire(spin_t *l)
{
  uint32_t old = __sync_fetch_and_add(&l->word, 1u << 16);
  spin_t seen = { .word = old };
  uint16_t ticket = seen.tickets.next;
  while (__atomic_load_n(&l->tickets.owner, __ATOMIC_SEQ_CST) != ticket)
    ;
}

static void release(spin_t *l)
{
  __atomic_add_fetch(&l->tickets.owner, 1, __ATOMIC_SEQ_CST);
}

static void *work(void *argument)
{
  acquire(&lock);
  switch (flags.state) {
    case IDLE:
      flags.state = BUSY;
      break;
    case BUSY:
      flags.state = DONE;
      /* fall through */
    default:
      flags.dirty = 1;
  }
  release(&lock);
  return argument;
}

int main(void)
{
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  work(0);
  pthread_join(thread, 0);
  assert(flags.state == DONE && flags.dirty && flags.wide >> 39 == 1);
  assert(lock.word == 0x00020002);
  return 0;
}
