// Small concurrent programs that do with memory what often goes wrong: pointers that are NULL, freed, or one past the
// end, objects freed twice or never, indices that another thread moves. To be asked for valid-memsafety.
import type { Choices } from './choices.js'

const PRELUDE = `#include <pthread.h>
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);
struct node { int value; struct node *next; };
int x;
int i;
int a[3];
int *p;
int *q;
struct node *head;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
`

const SIMPLE: readonly string[] = [
  'x = 1;',
  'if (p) *p = 1;',
  'a[i] = x;',
  'i = (i + 1) & 1;',
  'p = &x;',
  'p = malloc(sizeof *p);',
  'free(p);',
  'q = p;',
  'if (q) x = *q;',
  '*p = 2;',
  'p = 0;',
  'i++;',
  'p = malloc(2 * sizeof *p);',
  'p = &a[1];',
  'p[1] = 3;',
  'x = *q;',
  'if (p) { free(p); p = 0; }',
  'a[i & 1] = a[x & 1];',
  'q = a + 2;',
  'free(q);',
  'head = malloc(sizeof *head); head->next = 0;',
  'if (head) x = head->value;',
  'if (head) { struct node *old = head; head = old->next; free(old); }',
  'if (head) head->next->value = 1;',
  '{ int *mine = malloc(4); *mine = x; free(mine); }',
  '{ int b[2]; b[0] = x; b[1] = b[0]; x = b[i & 1]; }',
  '{ int *mine = __VERIFIER_nondet_bool() ? &x : p; if (mine) *mine = 1; }',
]

export const memoryProgram = (choices: Choices): string => {
  const statement = (): string => {
    const one = choices.pick(SIMPLE)
    return choices.rarely(3) ? `pthread_mutex_lock(&mutex); ${one} pthread_mutex_unlock(&mutex);` : one
  }
  const body = (most: number): string => Array.from({ length: 1 + choices.below(most) }, statement).join('\n  ')
  const threads = 1 + choices.below(2)
  const names = Array.from({ length: threads }, (_, n) => `thread${n}`)
  const functions = names.map((name) => `void *${name}(void *argument) {\n  ${body(3)}\n  return 0;\n}`)
  const created = names.map((name, n) => `pthread_create(&t[${n}], 0, ${name}, 0);`)
  const joined = names.map((_, n) => `pthread_join(t[${n}], 0);`)
  const end = choices.pick(['return 0;', 'if (p) free(p);\n  return 0;', 'exit(0);', 'p = 0;\n  return 0;'])
  const lines = [
    `pthread_t t[${threads}];`,
    body(2),
    ...created,
    ...(choices.rarely(2) ? [statement()] : []),
    ...joined,
    end,
  ]
  return `${PRELUDE}\n${functions.join('\n\n')}\n\nint main(void) {\n  ${lines.join('\n  ')}\n}\n`
}
