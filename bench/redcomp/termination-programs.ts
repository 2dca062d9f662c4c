// Our own programs in the place of those that table II of redcomp.txt names.

/** Thread 1 counts x down, while thread 2 sets it anew a number of times that it decides once. */
export const fig2 = (): string => `#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *counter(void *argument)
{
  int again = 1;
  while (again) {
    pthread_mutex_lock(&m);
    if (x > 0)
      x = x - 1;
    else
      again = 0;
    pthread_mutex_unlock(&m);
  }
  return 0;
}

void *setter(void *argument)
{
  int y = __VERIFIER_nondet_int();
  while (y > 0) {
    pthread_mutex_lock(&m);
    x = __VERIFIER_nondet_int();
    pthread_mutex_unlock(&m);
    y = y - 1;
  }
  return 0;
}

int main(void)
{
  pthread_t t1, t2;
  x = __VERIFIER_nondet_int();
  pthread_create(&t1, 0, counter, 0);
  pthread_create(&t2, 0, setter, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  return 0;
}
`

/**
 * A buffer of one place. Each side waits for the other: as first written, before it looks whether it has to, so that a
 * signal that came before is lost; fixed, only while it has to.
 */
export const sync01 = (fixed: boolean): string => `#include <pthread.h>

int full = 1;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t emptied = PTHREAD_COND_INITIALIZER;
pthread_cond_t filled = PTHREAD_COND_INITIALIZER;

void *producer(void *argument)
{
  pthread_mutex_lock(&m);
${fixed ? '  while (full)\n    pthread_cond_wait(&emptied, &m);' : '  do\n    pthread_cond_wait(&emptied, &m);\n  while (full);'}
  full = 1;
  pthread_mutex_unlock(&m);
  pthread_cond_signal(&filled);
  return 0;
}

void *consumer(void *argument)
{
  pthread_mutex_lock(&m);
  while (!full)
    pthread_cond_wait(&filled, &m);
  full = 0;
  pthread_mutex_unlock(&m);
  pthread_cond_signal(&emptied);
  return 0;
}

int main(void)
{
  pthread_t t1, t2;
  pthread_create(&t1, 0, producer, 0);
  pthread_create(&t2, 0, consumer, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  return 0;
}
`

/** Philosophers that eat so many times. Each takes the fork with the lower number first: nobody waits in a circle. */
export const philosophers = (count: number, meals: number): string => `#include <pthread.h>

${Array.from({ length: count }, (_, i) => `pthread_mutex_t fork${i} = PTHREAD_MUTEX_INITIALIZER;`).join('\n')}
int eaten[${count}];

${Array.from({ length: count }, (_, i) => {
  const [first, second] = [i, (i + 1) % count].sort((a, b) => a - b)
  return `void *philosopher${i}(void *argument)
{
  for (int meal = 0; meal < ${meals}; meal++) {
    pthread_mutex_lock(&fork${first});
    pthread_mutex_lock(&fork${second});
    eaten[${i}] = eaten[${i}] + 1;
    pthread_mutex_unlock(&fork${second});
    pthread_mutex_unlock(&fork${first});
  }
  return 0;
}
`
}).join('\n')}
int main(void)
{
  pthread_t t[${count}];
${Array.from({ length: count }, (_, i) => `  pthread_create(&t[${i}], 0, philosopher${i}, 0);`).join('\n')}
  for (int i = 0; i < ${count}; i++)
    pthread_join(t[i], 0);
  return 0;
}
`
