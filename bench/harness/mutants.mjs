// Faults seeded into the libraries of this folder: what, in which function, a text and what stands there instead, and
// whether some client can tell. A harmless one must not be reported.
const LOCK = '  pthread_mutex_lock(&s->lock);\n'
const UNLOCK = '  pthread_mutex_unlock(&s->lock);\n'
const QLOCK = '  pthread_mutex_lock(&q->lock);\n'
const QUNLOCK = '  pthread_mutex_unlock(&q->lock);\n'

export const MUTANTS = {
  stack: [
    ['push without a lock', 'stack_push', [LOCK, '', UNLOCK, ''], true],
    ['pop without a lock', 'stack_pop', [LOCK, '', UNLOCK, ''], true],
    ['push does not unlock', 'stack_push', [UNLOCK, ''], true],
    ['pop does not unlock', 'stack_pop', [UNLOCK, ''], true],
    ['pop does not unlock when empty', 'stack_pop', [UNLOCK, `  if (popped)\n  ${UNLOCK}`], true],
    [
      'push looks before it locks',
      'stack_push',
      [LOCK, '', '  if (s->top <', `  int room = s->top < STACK_SIZE;\n${LOCK}  if (room && 0 <`],
      true,
    ],
    [
      'push unlocks too early',
      'stack_push',
      [
        '    s->items[s->top] = value;\n',
        `  ${UNLOCK}    s->items[s->top] = value;\n`,
        `  }\n${UNLOCK}`,
        `  } else\n  ${UNLOCK}`,
      ],
      true,
    ],
    [
      'pop unlocks too early',
      'stack_pop',
      ['    *value', `  ${UNLOCK}    *value`, `  }\n${UNLOCK}`, `  } else\n  ${UNLOCK}`],
      true,
    ],
    [
      'push counts before it writes',
      'stack_push',
      ['    s->items[s->top] = value;\n    s->top++;\n', '    s->top++;\n    s->items[s->top - 1] = value;\n'],
      false,
    ],
    [
      'pop counts after it reads',
      'stack_pop',
      ['    s->top--;\n    *value = s->items[s->top];\n', '    *value = s->items[s->top - 1];\n    s->top--;\n'],
      false,
    ],
    ['the stack is never full', 'stack_push', ['s->top < STACK_SIZE', 's->top <= STACK_SIZE'], true],
    [
      'pop unlocks between look and take',
      'stack_pop',
      ['  if (s->top > 0) {\n', `  if (s->top > 0) {\n  ${UNLOCK}  ${LOCK}`],
      true,
    ],
    ['init does not set the top', 'stack_init', ['  s->top = 0;\n', ''], true],
    ['destroy does nothing', 'stack_destroy', ['  pthread_mutex_destroy(&s->lock);\n', '  (void)s;\n'], false],
    ['push locks twice', 'stack_push', [LOCK, LOCK + LOCK], true],
    [
      'the result is set after the lock',
      'stack_push',
      [
        '    pushed = 1;\n',
        '',
        'int pushed = 0',
        'int pushed',
        `${LOCK}  if`,
        `${LOCK}  pushed = s->top < STACK_SIZE;\n  if`,
      ],
      false,
    ],
    ['the lock is tried', 'stack_pop', [LOCK, '  if (pthread_mutex_trylock(&s->lock))\n    return 0;\n'], true],
    [
      'pop writes after the lock',
      'stack_pop',
      ['    *value = s->items[s->top];\n', '    int v = s->items[s->top];\n    *value = v;\n'],
      false,
    ],
    [
      'pop leaves the top',
      'stack_pop',
      ['    s->top--;\n    *value = s->items[s->top];\n', '    *value = s->items[s->top - 1];\n'],
      true,
    ],
    ['push ignores every second place', 'stack_push', ['    s->top++;\n', '    s->top += 2;\n'], true],
  ],
  queue: [
    ['put without a lock', 'queue_put', [QLOCK, '', QUNLOCK, ''], true],
    ['get without a lock', 'queue_get', [QLOCK, '', `  ${QUNLOCK}`, '', QUNLOCK, ''], true],
    ['length without a lock', 'queue_length', [QLOCK, '', QUNLOCK, ''], true],
    ['put does not unlock', 'queue_put', [QUNLOCK, ''], true],
    ['get does not unlock when empty', 'queue_get', [`  ${QUNLOCK}`, ''], true],
    ['length does not unlock', 'queue_length', [QUNLOCK, ''], true],
    [
      'get frees before it reads',
      'queue_get',
      ['  *value = n->value;\n  free(n);\n', '  free(n);\n  *value = n->value;\n'],
      true,
    ],
    [
      'get frees under the lock',
      'queue_get',
      [`${QUNLOCK}  *value = n->value;\n  free(n);\n`, `  *value = n->value;\n  free(n);\n${QUNLOCK}`],
      false,
    ],
    [
      'get frees too early',
      'queue_get',
      ['  q->head = n->next;\n', '  free(n);\n  q->head = n->next;\n', '  free(n);\n  return', '  return'],
      true,
    ],
    ['get does not free', 'queue_get', ['  free(n);\n', ''], true],
    [
      'get looks at the head before it locks',
      'queue_get',
      [`${QLOCK}  struct node *n = q->head;\n`, `  struct node *n = q->head;\n${QLOCK}`],
      true,
    ],
    ['get forgets the tail', 'queue_get', ['  if (!q->head)\n    q->tail = 0;\n', ''], true],
    ['put forgets the next', 'queue_put', ['  n->next = 0;\n', ''], true],
    [
      'put sets the node up under the lock',
      'queue_put',
      [`  n->value = value;\n  n->next = 0;\n${QLOCK}`, `${QLOCK}  n->value = value;\n  n->next = 0;\n`],
      false,
    ],
    [
      'put publishes before it writes',
      'queue_put',
      ['  n->value = value;\n', '', QUNLOCK, `${QUNLOCK}  n->value = value;\n`],
      true,
    ],
    ['put counts after the lock', 'queue_put', [`  q->length++;\n${QUNLOCK}`, `${QUNLOCK}  q->length++;\n`], true],
    [
      'put counts first',
      'queue_put',
      [QLOCK, `${QLOCK}  q->length++;\n`, '  q->tail = n;\n  q->length++;\n', '  q->tail = n;\n'],
      false,
    ],
    ['get counts the wrong way', 'queue_get', ['q->length--', 'q->length++'], true],
    ['destroy leaves the nodes', 'queue_destroy', ['    free(n);\n', ''], true],
    ['destroy frees twice', 'queue_destroy', ['  free(q);\n', '  free(q);\n  free(q);\n'], true],
  ],
}
