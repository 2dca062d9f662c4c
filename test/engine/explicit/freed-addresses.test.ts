// Pointers to blocks that a program frees may be compared as long as the blocks live; a pointer to a freed one leaves
// nothing proved, since its address may belong to another block by then.
import { describe, expect, it } from 'vitest'
import { explicitEngine } from '../../../src/engine/explicit/index.js'
import { compile } from '../../../src/frontend/c/index.js'
import type { Property } from '../../../src/property/index.js'
import { parseArguments } from '../../../src/run/call/options.js'
import { requestFrom, verifyTable } from '../../../src/run/call/request-from.js'
import { loadProgram } from '../../../src/run/program/load.js'
import { outcomeOf } from '../../../src/run/run-engine.js'
import type { Result } from '../../../src/verdict/index.js'
import { testParser } from '../../frontend/parse/load.js'

const parser = await testParser()

const HEADERS = '#include <assert.h>\n#include <pthread.h>\n#include <stdint.h>\n#include <stdlib.h>\n'
const env = { stopped: () => undefined, progress: () => {} }

const compiled = (text: string, property: Property = 'assert') =>
  compile(
    [{ name: 'test.c', text: HEADERS + text }],
    {
      dataModel: 'lp64',
      watchesFreed: true,
      checkMemory: property === 'valid-memsafety',
      checkRaces: property === 'no-data-race',
    },
    parser,
  )

const verify = (text: string, property: Property = 'assert'): Result => {
  const { program, watched } = compiled(text, property)
  expect(watched).toBeDefined()
  const settings = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
  return explicitEngine.verify({ raw: program, property, settings, watchesFreed: true }, {}, env)
}

const QUEUE = `
  struct node { struct node *next; int value; } *head, *tail;
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  int taken;
  void put(int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value; node->next = 0;
    pthread_mutex_lock(&lock);
    if (tail) tail->next = node; else head = node;
    tail = node;
    pthread_mutex_unlock(&lock);
  }
  void *take(void *arg) {
    pthread_mutex_lock(&lock);
    struct node *node = head;
    if (node) { if (head == tail) head = tail = 0; else head = node->next; taken += node->value; }
    pthread_mutex_unlock(&lock);
    free(node);
    return 0;
  }
  int main(void) {
    pthread_t t;
    put(1);
    pthread_create(&t, 0, take, 0);
    put(2);
    take(0);
    pthread_join(t, 0);
    assert(taken == 3);
    return 0;
  }`

describe('a queue whose pointers are compared while their blocks live', () => {
  it.each<Property>(['assert', 'no-data-race', 'valid-memsafety'])('%s is proved', (property) => {
    expect(verify(QUEUE, property).verdict).toBe('true')
  })

  it('a violation is found as ever', () => {
    expect(verify(QUEUE.replace('taken == 3', 'taken == 4')).verdict).toBe('false')
  })
})

describe('a pointer to a freed block that is compared', () => {
  const unproved = { verdict: 'unknown', reason: { kind: 'freed-address' } }

  it.each([
    ['with the next one', 'int *p = malloc(4); free(p); int *q = malloc(4); assert(p != q);'],
    ['by its end', 'int *p = malloc(4); free(p); int *q = malloc(4); assert(p + 1 != q + 1);'],
    ['by what lies before it', 'char *p = malloc(4); free(p); char *q = malloc(4); assert(p - 8 != q - 8);'],
  ])('%s leaves nothing proved', (_, body) => {
    expect(verify(`int main(void) { ${body} return 0; }`)).toMatchObject(unproved)
  })

  it('is noticed in the one order of threads in which its address can come back', () => {
    const text = `
      int *shared;
      void *release(void *arg) { free(shared); return 0; }
      int main(void) {
        pthread_t t;
        shared = malloc(4);
        int *mine = shared;
        pthread_create(&t, 0, release, 0);
        int *other = malloc(4);
        assert(mine != other);
        pthread_join(t, 0);
        return 0;
      }`
    expect(verify(text)).toMatchObject(unproved)
  })
})

it('numbers made from addresses are not watched: the choice of addresses is part of the program', () => {
  const text = `int main(void) { int *p = malloc(4); uintptr_t n = (uintptr_t)p; free(p);
    int *q = malloc(4); assert(n >> 1 != (uintptr_t)q >> 1); return 0; }`
  const { watched, program } = compiled(text)
  expect(watched).toBeUndefined()
  expect(program.globals.some(({ name }) => name.startsWith('freed.'))).toBe(true)
})

it('the program is decided with addresses that come back where such a pointer is compared', async () => {
  const text = `${HEADERS}int main(void) { int *p = malloc(4); free(p); int *q = malloc(4); assert(p != q); return 0; }`
  const request = requestFrom(parseArguments(['test.c', '--engine', 'explicit'], verifyTable()), Date.now() + 60_000, {
    'test.c': text,
  })
  const outcome = await outcomeOf(request, { env, load: loadProgram, onFacts: () => {} })
  expect(outcome).toMatchObject({ kind: 'report', report: { verdict: 'false' } })
})
