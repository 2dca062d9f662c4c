// --fix proposes what is weakest first, changes code only, and admits only the orders that an operation may have.
import { describe, expect, it } from 'vitest'
import { occurrencesIn, placesForFences } from '../../src/run/fix.js'

describe('the orders that are written in a program', () => {
  const found = (text: string): readonly (readonly [string, readonly string[]])[] =>
    occurrencesIn(text).map(({ order, stronger }) => [order, stronger])

  it('are those of code, not of comments and strings', () => {
    expect(found('/* memory_order_relaxed */ // memory_order_relaxed\nputs("memory_order_relaxed");')).toEqual([])
  })

  it('become what the operation may have: a load no release, a store no acquire', () => {
    expect(found('atomic_load_explicit(&x, memory_order_relaxed);')).toEqual([['relaxed', ['acquire', 'seq_cst']]])
    expect(found('atomic_store_explicit(&x, f(1), memory_order_relaxed);')).toEqual([
      ['relaxed', ['release', 'seq_cst']],
    ])
    expect(found('atomic_thread_fence(memory_order_acquire);')).toEqual([['acquire', ['acq_rel', 'seq_cst']]])
    expect(found('atomic_fetch_add_explicit(&x, 1, memory_order_acq_rel);')).toEqual([['acq_rel', ['seq_cst']]])
    expect(found('#define LOOK memory_order_relaxed\n')).toEqual([['relaxed', ['acquire', 'release', 'seq_cst']]])
    expect(found('atomic_load_explicit(&x, memory_order_seq_cst);')).toEqual([])
  })
})

describe('fences', () => {
  it('stand after statements of functions that are followed by others, where adding one changes nothing else', () => {
    const text = [
      'atomic_int x = 1;',
      'void f(void) {',
      '  atomic_store(&x, 1);',
      '  if (x) // atomic_load(&x);',
      '    x = 2;',
      '  else',
      '    x = 3;',
      '  return;',
      '}',
      'int y = 1;',
    ].join('\n')
    expect(placesForFences(text)).toEqual([2, 6])
  })
})
