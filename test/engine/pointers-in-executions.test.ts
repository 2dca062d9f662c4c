// Executions under a memory model name what pointers point to, not the numbers that stand for addresses.
import { expect, it } from 'vitest'
import { bmcEngine } from '../../src/engine/bmc/index.js'
import { graphsEngine } from '../../src/engine/graphs/index.js'
import { builtInModel } from '../../src/memory-model/index.js'
import { createSmt } from '../../src/smt/index.js'
import { testParser } from '../frontend/parse/load.js'
import { compileProgram } from '../generate/harness.js'

const parser = await testParser()
const smt = await createSmt('auto')

const PUBLISHED = `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
struct node { int value; struct node *next; } a;
struct node *_Atomic head;
void *reader(void *p) { struct node *n = atomic_load_explicit(&head, memory_order_relaxed); if (n) assert(n->value == 42); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, reader, 0); a.value = 42; atomic_store_explicit(&head, &a, memory_order_relaxed); }`

it.each([bmcEngine, graphsEngine])('$name', (engine) => {
  const settings = { arith: 'auto', solver: 'auto', memoryModel: 'rc11', spuriousWakeups: true } as const
  const raw = compileProgram(parser, PUBLISHED)
  const model = builtInModel('rc11')
  const options = { stopped: () => undefined, progress: () => {} }
  const result = engine.verify({ raw, property: 'assert', settings, smt, model }, {}, options)
  if (result.verdict !== 'false') throw new Error(`no violation by ${engine.name}`)
  const accesses = result.execution?.events.map(({ access }) => access)
  expect(accesses).toContain('head=NULL')
  expect(accesses?.filter((access) => access === 'head=&a')).toHaveLength(2)
})
