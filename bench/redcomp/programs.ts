// The programs of redcomp.txt, written by us: Figure 1 with x statements a block (P1-x), the same with an access outside
// the lock (P2-x), and our own versions of what tables I and II name.
const lines = (count: number, line: string): string => Array.from({ length: count }, () => `  ${line}`).join('\n')

/** Figure 1. Thread 2 between the blocks of thread 1 would give 7 + 4x, which the lock mx rules out. */
const figure1 = (x: number, end: string, unsafe = false): string => `#include <assert.h>
#include <pthread.h>

int x = 2, y = 2;
pthread_mutex_t mx = PTHREAD_MUTEX_INITIALIZER, my = PTHREAD_MUTEX_INITIALIZER;

void *thread1(void *argument)
{
  int a;
  pthread_mutex_lock(&mx);
  a = x;
  pthread_mutex_lock(&my);
${lines(x, 'y = y + a;')}
  pthread_mutex_unlock(&my);
  a = a + 1;
  pthread_mutex_lock(&my);
${lines(x, 'y = y + a;')}
  pthread_mutex_unlock(&my);
  x = 2 * x + a;
  pthread_mutex_unlock(&mx);
  return 0;
}

void *thread2(void *argument)
{
  pthread_mutex_lock(&mx);
${lines(x, 'x = x + 2;')}
  pthread_mutex_unlock(&mx);
  return 0;
}

void *thread3(void *argument)
{
  pthread_mutex_lock(&my);
${lines(x, 'y = y + 2;')}
  pthread_mutex_unlock(&my);
${end}  return 0;
}

int main(void)
{
  pthread_t t1, t2, t3;
  pthread_create(&t1, 0, thread1, 0);
  pthread_create(&t2, 0, thread2, 0);
  pthread_create(&t3, 0, thread3, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  pthread_join(t3, 0);
  assert(x != ${unsafe ? 7 + 6 * x : 7 + 4 * x});
  return 0;
}
`

export const p1 = (x: number, unsafe = false): string => figure1(x, '', unsafe)
/** Thread 3 also writes y without its lock. */
export const p2 = (x: number): string => figure1(x, '  y = y + 1;\n')

/** A bounded stack under one lock, pushed by one thread and popped by another. Unsafe: pops do not wait for pushes. */
export const stack = (size: number, safe: boolean): string => `#include <assert.h>
#include <pthread.h>

#define SIZE ${size}
int top = 0;
int items[SIZE];
int filled = 0;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *pusher(void *argument)
{
  for (int i = 0; i < SIZE; i++) {
    pthread_mutex_lock(&m);
    assert(top < SIZE);
    items[top] = i;
    top = top + 1;
    filled = 1;
    pthread_mutex_unlock(&m);
  }
  return 0;
}

void *popper(void *argument)
{
  for (int i = 0; i < SIZE; i++) {
    pthread_mutex_lock(&m);
    if (${safe ? 'top > 0' : 'filled'}) {
      assert(top > 0);
      top = top - 1;
    }
    pthread_mutex_unlock(&m);
  }
  return 0;
}

int main(void)
{
  pthread_t t1, t2;
  pthread_create(&t1, 0, pusher, 0);
  pthread_create(&t2, 0, popper, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  return 0;
}
`

/** Two stages, each under its own lock: a reader between them sees the first value without the second. */
export const twostage = (writers: number): string => `#include <assert.h>
#include <pthread.h>

int first = 0, second = 0;
pthread_mutex_t m1 = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;

void *writer(void *argument)
{
  pthread_mutex_lock(&m1);
  first = 1;
  pthread_mutex_unlock(&m1);
  pthread_mutex_lock(&m2);
  second = first + 1;
  pthread_mutex_unlock(&m2);
  return 0;
}

void *reader(void *argument)
{
  int t1 = -1, t2 = -1;
  pthread_mutex_lock(&m1);
  if (first == 0) {
    pthread_mutex_unlock(&m1);
    return 0;
  }
  t1 = first;
  pthread_mutex_unlock(&m1);
  pthread_mutex_lock(&m2);
  t2 = second;
  pthread_mutex_unlock(&m2);
  assert(t2 == t1 + 1);
  return 0;
}

int main(void)
{
  pthread_t w[${writers}], r;
  for (int i = 0; i < ${writers}; i++)
    pthread_create(&w[i], 0, writer, 0);
  pthread_create(&r, 0, reader, 0);
  for (int i = 0; i < ${writers}; i++)
    pthread_join(w[i], 0);
  pthread_join(r, 0);
  return 0;
}
`
