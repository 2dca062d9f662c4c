/* A ticket lock made of __atomic builtins behind small inline functions, with spinning written as a macro.
 *
 * Verdicts: assert TRUE, no-data-race TRUE
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

typedef uint32_t vuint32_t;
typedef struct vatomic32_s {
  vuint32_t _v;
} __attribute__((aligned(4))) vatomic32_t;

#define VATOMIC_INIT(v) { ._v = v }
#define V_ALIGN(n) __attribute__((aligned(n)))
#define await_while(cond) for (; cond;)

static inline vuint32_t vatomic32_read_acq(const vatomic32_t *a) __attribute__((unused));
static inline vuint32_t vatomic32_read_acq(const vatomic32_t *a)
{
  vuint32_t tmp = (vuint32_t)__atomic_load_n(&a->_v, __ATOMIC_SEQ_CST);
  return tmp;
}
static inline void vatomic32_write_rel(vatomic32_t *a, vuint32_t v) { __atomic_store_n(&a->_v, v, __ATOMIC_SEQ_CST); }
static inline vuint32_t vatomic32_get_inc_rlx(vatomic32_t *a)
{
  return __atomic_fetch_add(&a->_v, 1U, __ATOMIC_SEQ_CST);
}

typedef struct ticketlock_s {
  vatomic32_t next;
  vatomic32_t owner;
} ticketlock_t;

#define TICKETLOCK_INIT() { .next = VATOMIC_INIT(0), .owner = VATOMIC_INIT(0) }

static inline void ticketlock_acquire(ticketlock_t *l)
{
  vuint32_t ticket = vatomic32_get_inc_rlx(&l->next);
  await_while (vatomic32_read_acq(&l->owner) != ticket) { }
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static inline void ticketlock_release(ticketlock_t *l)
{
  vuint32_t owner = __atomic_load_n(&l->owner._v, __ATOMIC_SEQ_CST);
  vatomic32_write_rel(&l->owner, owner + 1U);
}

enum { NTHREADS = 2 };
static ticketlock_t lock V_ALIGN(64) = TICKETLOCK_INIT();
static vuint32_t g_cs_x, g_cs_y;

static void *run(void *arg)
{
  vuint32_t tid = (vuint32_t)(uintptr_t)arg;
  ticketlock_acquire(&lock);
  g_cs_x++;
  g_cs_y++;
  ticketlock_release(&lock);
  (void)tid;
  return 0;
}

int main(void)
{
  pthread_t t[NTHREADS];
  for (uintptr_t i = 0; i < NTHREADS; i++)
    (void)pthread_create(&t[i], 0, run, (void *)i);
  for (uintptr_t i = 0; i < NTHREADS; i++)
    (void)pthread_join(t[i], NULL);
  assert(g_cs_x == g_cs_y && "same");
  assert(g_cs_x == NTHREADS);
  return 0;
}
