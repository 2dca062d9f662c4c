/* A stack of nodes in an array with __VERIFIER_atomic_ functions as compare and swap; the empty case is forgotten.
 *
 * Verdicts: assert FALSE
 */
#include <pthread.h>
extern void __VERIFIER_assume(int);
extern void reach_error(void);
void __VERIFIER_assert(int expression) { if (!expression) { ERROR: {reach_error();}; } }

#define MEMSIZE (2 * 2 + 1)
#define NULL_INDEX 0
int memory[MEMSIZE];
#define INDIR(cell, idx) memory[cell + idx]
int next_alloc_idx = 1;
int top = 0;

void __VERIFIER_atomic_CAS(volatile int *v, int e, int u, int *r)
{
  if (*v == e) {
    *v = u, *r = 1;
  } else {
    *r = 0;
  }
}

void __VERIFIER_atomic_index_malloc(int *curr_alloc_idx)
{
  if (next_alloc_idx + 2 - 1 > MEMSIZE) *curr_alloc_idx = 0;
  else *curr_alloc_idx = next_alloc_idx, next_alloc_idx += 2;
}

static inline void push(int d)
{
  int oldTop = -1, newTop = -1, casret = -1;
  __VERIFIER_atomic_index_malloc(&newTop);
  if (newTop == 0)
    return;
  INDIR(newTop, 0) = d;
  while (1) {
    oldTop = top;
    INDIR(newTop, 1) = oldTop;
    __VERIFIER_atomic_CAS(&top, oldTop, newTop, &casret);
    if (casret == 1) return;
  }
}

static inline int pop(void)
{
  int oldTop = top, newTop, casret;
  newTop = INDIR(oldTop, 1);
  __VERIFIER_atomic_CAS(&top, oldTop, newTop, &casret);
  return casret ? INDIR(oldTop, 0) : -1;
}

void *thr1(void *arg)
{
  push(10);
  __VERIFIER_assert(top != 0);
  return 0;
}

int main()
{
  pthread_t t1;
  pthread_create(&t1, 0, thr1, 0);
  pop();
  pop();
  return 0;
}
