// Programs whose loops start one to six instances of one or two threads: locked and unlocked counters, flags, trylocks,
// own slots, tickets, threads that end with a lock held, joins of all, of some, of none, and in any order.
import { type Choices, seededChoices } from './choices.js'

export interface InstancesOptions {
  readonly most?: number
}

export const generateInstances = (seed: number, { most = 6 }: InstancesOptions = {}): string => {
  const choices = seededChoices(seed)
  const kinds = choices.below(3) === 0 ? 2 : 1
  const counts = Array.from({ length: kinds }, () => 1 + choices.below(kinds === 2 ? 2 : most))
  const bodies = counts.map((_, kind) => threadText(kind, counts[kind]!, choices))
  return `#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
int x, y, slots[8];
_Atomic int ticket, flag;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t locks[2];
extern int __VERIFIER_nondet_int(void);
${bodies.join('')}int main(void) {
${counts.map((count, kind) => `  pthread_t t${kind}[${count}];\n`).join('')}  for (int i = 0; i < 2; i++) pthread_mutex_init(&locks[i], 0);
${mainText(counts, choices)}  return 0;
}
`
}

const pick = (choices: Choices, ...texts: readonly string[]): string => texts[choices.below(texts.length)]!

const threadText = (kind: number, count: number, choices: Choices): string => {
  const lines = Array.from({ length: 1 + choices.below(count > 3 ? 1 : 2) }, () => statement(choices))
  return `void *w${kind}(void *arg) {\n  long me = (long)arg;\n${lines.map((line) => `  ${line}\n`).join('')}  return 0;\n}\n`
}

const update = (choices: Choices): string =>
  pick(choices, 'x++;', 'x = x + 1;', 'y = x + 1;', 'slots[me & 7]++;', 'x = 1 - x;')

const check = (choices: Choices): string =>
  pick(
    choices,
    `assert(x <= ${1 + choices.below(4)});`,
    `assert(ticket <= ${1 + choices.below(5)});`,
    'assert(flag == 1);',
    'assert(slots[me & 7] <= 1);',
    `assert(y < ${1 + choices.below(4)});`,
  )

const statement = (choices: Choices): string => {
  const lock = pick(choices, '&m', '&k', '&locks[me & 1]')
  switch (choices.below(8)) {
    case 0:
      return `pthread_mutex_lock(${lock}); ${update(choices)} pthread_mutex_unlock(${lock});`
    case 1:
      return `pthread_mutex_lock(${lock}); ${update(choices)} ${check(choices)} pthread_mutex_unlock(${lock});`
    case 2:
      return `if (pthread_mutex_trylock(${lock}) == 0) { ${update(choices)} pthread_mutex_unlock(${lock}); }`
    case 3:
      return `int mine${choices.below(1000)} = ticket++; ${check(choices)}`
    case 4:
      return `if (!atomic_exchange(&flag, 1)) { ${update(choices)} flag = 0; }`
    case 5:
      return `pthread_mutex_lock(${lock}); ${update(choices)} if (x > ${choices.below(3)}) return 0; pthread_mutex_unlock(${lock});`
    case 6:
      return `if (__VERIFIER_nondet_int()) { ${update(choices)} } else { ${check(choices)} }`
    default:
      return update(choices)
  }
}

const mainText = (counts: readonly number[], choices: Choices): string => {
  const argument = pick(choices, '0', '(void *)(long)i', '(void *)(long)(i & 1)')
  const starts = counts.map(
    (count, kind) => `  for (int i = 0; i < ${count}; i++) pthread_create(&t${kind}[i], 0, w${kind}, ${argument});\n`,
  )
  const between = pick(
    choices,
    '',
    '',
    'pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);',
    'assert(x >= 0);',
    check(choices).replaceAll('me', '0'),
  )
  const joins = counts.map((count, kind) =>
    pick(
      choices,
      `  for (int i = 0; i < ${count}; i++) pthread_join(t${kind}[i], 0);\n`,
      `  for (int i = ${count - 1}; i >= 0; i--) pthread_join(t${kind}[i], 0);\n`,
      `  pthread_join(t${kind}[${choices.below(count)}], 0);\n`,
      '',
    ),
  )
  const total = counts.reduce((sum, count) => sum + count, 0)
  const end = pick(
    choices,
    `assert(x == ${total});`,
    `assert(x <= ${total});`,
    `assert(ticket == ${total});`,
    `assert(slots[0] <= ${choices.below(3)});`,
    'assert(x + y >= 0);',
  )
  return `${starts.join('')}  ${between}\n${joins.join('')}  ${end}\n`
}
