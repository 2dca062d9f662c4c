// Small concurrent programs that compute near the ends of signed types. To be asked for no-overflow.
import type { Choices } from './choices.js'

const PRELUDE = `#include <limits.h>
#include <pthread.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
`
const VALUES: Readonly<Record<string, readonly string[]>> = {
  int: ['0', '1', '-1', 'INT_MAX', 'INT_MIN', 'INT_MAX - 1', '46340', '65536', 'INT_MIN + 1'],
  long: ['0', 'LONG_MAX', 'LONG_MIN', 'LONG_MAX - 1', '3037000499L', '1L << 40'],
}

export const overflowProgram = (choices: Choices): string => {
  const value = (type: string): string => choices.pick(VALUES[type]!)
  const operand = (): string => choices.pick(['1', 'y', 's', 'x', '-1', '2', '(int)c', 'INT_MAX'])
  const target = (): string => choices.pick(['x', 'y', 'z'])
  const assignment = (): string => {
    const to = target()
    const op = choices.pick(['+', '-', '*', '/', '%', '<<', '>>', '&'])
    switch (choices.below(6)) {
      case 0:
        return `${to}++;`
      case 1:
        return `${to} = ${to} ${op} ${op === '<<' || op === '>>' ? choices.pick(['1', '3', '30']) : op === '/' || op === '%' ? choices.pick(['2', '-1', '3']) : operand()};`
      case 2:
        return `${to} = -${to};`
      case 3:
        return choices.pick(['s++;', 'c += 100;', 's = s * s;', 'u = u - 1;', 'u = u * u;', '--s;'])
      case 4:
        return `${to} -= ${operand()};`
      default:
        return `${to} = ${value(to === 'z' ? 'long' : 'int')};`
    }
  }
  const statement = (): string => {
    const one = assignment()
    switch (choices.below(4)) {
      case 0:
        return `if (x < ${value('int')}) ${one}`
      case 1:
        return `if (__VERIFIER_nondet_bool()) ${one}`
      default:
        return one
    }
  }
  const body = (most: number): string => Array.from({ length: 1 + choices.below(most) }, statement).join('\n  ')
  const globals = [
    `int x = ${value('int')};`,
    `int y = ${value('int')};`,
    `long z = ${value('long')};`,
    'short s = 32767;',
    'signed char c = 100;',
    'unsigned u = 1;',
  ]
  return `${PRELUDE}${globals.join('\n')}

void *thread0(void *argument) {
  ${body(3)}
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread0, 0);
  ${body(3)}
  pthread_join(t, 0);
  ${body(1)}
  return 0;
}
`
}
