// The paper's programs (peephole.txt, section 5), in our own words: dining philosophers without deadlock, and the
// indexer of Flanagan and Godefroid's dynamic partial order reduction, both with a parameter for the threads.

/**
 * N philosophers share chop-sticks, the last one takes them in the other order. pa: all eat at the same time, which
 * cannot be; pb: all have eaten, which can be. Where a philosopher is, is shared state of its own, as in the paper's model.
 */
export const philosophers = (n: number, property: 'pa' | 'pb'): string => dining(n, property, (meal) => meal)

/** Figure 8: they eat again and again. */
export const endlessPhilosophers = (n: number): string => dining(n, 'pa', (meal) => `for (;;) {\n${meal}\n  }`)

const dining = (n: number, property: 'pa' | 'pb', repeated: (meal: string) => string): string => {
  const index = Array.from({ length: n }, (_, i) => i)
  const body = (i: number): string => {
    const [first, second] = i === n - 1 ? [(i + 1) % n, i] : [i, (i + 1) % n]
    const meal = `  take(${first}); take(${second});
  eating[${i}] = 1;
  ${property === 'pa' ? `eating[${i}] = 0;` : ''}
  sticks[${second}] = 0; sticks[${first}] = 0;`
    return `void *philosopher${i}(void *argument) {
${repeated(meal)}
  return 0;
}`
  }
  return `#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); extern void __VERIFIER_assume(int);
int sticks[${n}]; int eating[${n}];
#define take(i) __VERIFIER_atomic_begin(); __VERIFIER_assume(sticks[i] == 0); sticks[i] = 1; __VERIFIER_atomic_end()
${index.map(body).join('\n')}
int main(void) {
  pthread_t t;
${index.map((i) => `  pthread_create(&t, 0, philosopher${i}, 0);`).join('\n')}
  __VERIFIER_atomic_begin();
  assert(!(${index.map((i) => `eating[${i}]`).join(' && ')}));
  __VERIFIER_atomic_end();
  return 0;
}
`
}

/**
 * Every thread writes values into a shared table by compare-and-swap; up to 11 threads never collide, which only the
 * values tell. unsat: a thread finds its entry taken; sat: all threads have finished.
 */
export const indexer = (n: number, values: number, sat: boolean): string => {
  // The original has 128 entries; 7 is odd, so 64 keep the values of up to 11 threads (all below 44) apart as well.
  const SIZE = 64
  const goal = sat ? `__VERIFIER_atomic_begin(); assert(done != ${n}); __VERIFIER_atomic_end();` : ''
  // One step for each value: the swap. That an entry is taken fails, or (sat) is left out.
  const swap = (m: number): string => {
    const free = `${sat ? '__VERIFIER_assume' : 'assert'}(table[h] == 0);`
    const step = `__VERIFIER_atomic_begin(); ${free} table[h] = w + 1; __VERIFIER_atomic_end();`
    return `  w = ${m * 11} + tid; h = (w * 7) % ${SIZE}; ${step}`
  }
  return `#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); extern void __VERIFIER_assume(int);
int table[${SIZE}]; int done;
void *work(void *argument) {
  unsigned tid = (unsigned)(long)argument, w, h;
${Array.from({ length: values }, (_, m) => swap(m)).join('\n')}
  ${sat ? '__VERIFIER_atomic_begin(); done++; __VERIFIER_atomic_end();' : ''}
  return 0;
}
int main(void) {
  pthread_t t;
${Array.from({ length: n }, (_, i) => `  pthread_create(&t, 0, work, (void *)${i}L);`).join('\n')}
  ${goal}
  return 0;
}
`
}
