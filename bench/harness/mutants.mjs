// Faults seeded into the libraries of this folder: what, in which function, a text and what stands there instead, and
// whether it is a race, a deadlock, a memory error, a failed assertion of the library, or makes some client's results
// those of no order of its calls. A harmless one must not be reported; what only changes what the library does when its
// calls come one after the other is harmless here, since nobody said what it should do.
const LOCK = '  pthread_mutex_lock(&s->lock);\n'
const UNLOCK = '  pthread_mutex_unlock(&s->lock);\n'
const QLOCK = '  pthread_mutex_lock(&q->lock);\n'
const QUNLOCK = '  pthread_mutex_unlock(&q->lock);\n'
const CLOCK = '  pthread_mutex_lock(&c->lock);\n'
const CUNLOCK = '  pthread_mutex_unlock(&c->lock);\n'

/** The functions that the clients call, where not all: those that never wait can be linearizable. */
export const CALLED = {
  channel: {
    linear: ['channel_try_send', 'channel_try_receive'],
    client: ['channel_send', 'channel_receive'],
  },
  cache: {
    linear: ['cache_put', 'cache_get'],
    client: ['cache_put', 'cache_get', 'cache_remove'],
  },
}

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
  channel: [
    ['send without a lock', 'channel_send', [CLOCK, '', CUNLOCK, ''], true],
    ['receive without a lock', 'channel_receive', [CLOCK, '', CUNLOCK, ''], true],
    ['try_send without a lock', 'channel_try_send', [CLOCK, '', CUNLOCK, ''], true],
    ['send waits once', 'channel_send', ['while (c->count', 'if (c->count'], true],
    ['receive waits once', 'channel_receive', ['while (c->count', 'if (c->count'], true],
    ['send does not look at closed when it waits', 'channel_send', [' && !c->closed)', ')'], true],
    ['receive does not look at closed when it waits', 'channel_receive', [' && !c->closed)', ')'], true],
    ['close does not wake senders', 'channel_close', ['  pthread_cond_broadcast(&c->not_full);\n', ''], true],
    ['close does not wake receivers', 'channel_close', ['  pthread_cond_broadcast(&c->not_empty);\n', ''], true],
    ['close wakes one sender', 'channel_close', ['broadcast(&c->not_full)', 'signal(&c->not_full)'], true],
    [
      'close wakes before it closes',
      'channel_close',
      ['  c->closed = 1;\n', '', CUNLOCK, `  c->closed = 1;\n${CUNLOCK}`],
      false,
    ],
    ['close without a lock', 'channel_close', [CLOCK, '', CUNLOCK, ''], true],
    ['put does not wake', 'put', ['  pthread_cond_signal(&c->not_empty);\n', ''], true],
    ['put wakes all', 'put', ['signal', 'broadcast'], false],
    ['take writes the count twice', 'take', ['  c->count--;\n', '  c->count -= 2;\n'], true],
    [
      'try_receive looks before it locks',
      'channel_try_receive',
      [CLOCK, '', '  int received = c->count > 0;\n', `  int received = c->count > 0;\n${CLOCK}`],
      true,
    ],
    [
      'put counts first',
      'put',
      [
        '  c->items[(c->first + c->count) % CHANNEL_SIZE] = value;\n  c->count++;\n',
        '  c->count++;\n  c->items[(c->first + c->count - 1) % CHANNEL_SIZE] = value;\n',
      ],
      false,
    ],
    ['put goes beyond the end', 'put', ['(c->first + c->count) % CHANNEL_SIZE', 'c->first + c->count + 64'], true],
    ['receive does not unlock', 'channel_receive', [CUNLOCK, ''], true],
    [
      'try_receive unlocks too early',
      'channel_try_receive',
      [`  if (received)\n    take(c, value);\n${CUNLOCK}`, `${CUNLOCK}  if (received)\n    take(c, value);\n`],
      true,
    ],
  ],
  cache: [
    ['put without a lock', 'cache_put', [CLOCK, '', CUNLOCK, ''], true],
    ['get without a lock', 'cache_get', [CLOCK, '', CUNLOCK, ''], true],
    ['remove without a lock', 'cache_remove', [CLOCK, '', CUNLOCK, ''], true],
    ['put does not unlock', 'cache_put', [CUNLOCK, ''], true],
    [
      'get unlocks before it reads',
      'cache_get',
      [`  if (e)\n    *value = e->value;\n${CUNLOCK}`, `${CUNLOCK}  if (e)\n    *value = e->value;\n`],
      true,
    ],
    [
      'get tells after the lock what it found under it',
      'cache_get',
      [`${CUNLOCK}  return e != 0;\n`, `  int found = e != 0;\n${CUNLOCK}  return found;\n`],
      false,
    ],
    [
      'remove frees after the lock',
      'cache_remove',
      [
        '    free(e);\n',
        '',
        `${CUNLOCK}  return e != 0;\n`,
        `${CUNLOCK}  int found = e != 0;\n  free(e);\n  return found;\n`,
      ],
      false,
    ],
    [
      'remove frees too early',
      'cache_remove',
      ['    *link = e->next;\n    free(e);\n', '    free(e);\n    *link = e->next;\n'],
      true,
    ],
    ['remove does not free', 'cache_remove', ['    free(e);\n', ''], true],
    ['remove does not unlink', 'cache_remove', ['    *link = e->next;\n', ''], true],
    ['remove does not count', 'cache_remove', ['    c->count--;\n', ''], true],
    ['evict does not free', 'evict', ['  free(*link);\n', ''], true],
    ['evict frees and leaves the link', 'evict', ['  *link = 0;\n', ''], true],
    ['evict does not count', 'evict', ['  c->count--;\n', ''], false],
    ['put does not evict', 'cache_put', ['    if (c->count == CACHE_SIZE)\n      evict(c);\n', ''], false],
    [
      'put sets the entry up after it is linked',
      'cache_put',
      [
        '    e->key = key;\n    e->value = value;\n    e->next = c->entries;\n    c->entries = e;\n',
        '    e->next = c->entries;\n    c->entries = e;\n    e->key = key;\n    e->value = value;\n',
      ],
      false,
    ],
    ['put forgets the next', 'cache_put', ['    e->next = c->entries;\n', ''], true],
    [
      'put allocates before it locks',
      'cache_put',
      [
        CLOCK,
        `  struct entry *fresh = malloc(sizeof *fresh);\n${CLOCK}`,
        '    e->value = value;\n',
        '    e->value = value;\n    free(fresh);\n',
        'e = malloc(sizeof *e)',
        'e = fresh',
      ],
      false,
    ],
    ['put keeps the old value', 'cache_put', ['    e->value = value;\n', '    (void)value;\n'], false],
    ['destroy frees twice', 'cache_destroy', ['  free(c);\n', '  free(c);\n  free(c);\n'], true],
  ],
}
