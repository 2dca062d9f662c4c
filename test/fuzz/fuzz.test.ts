// Some of the inputs of `npm run fuzz:inputs`, and what it found: nothing crashes the front end or the passes.
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { explicitEngine } from '../../src/engine/explicit/index.js'
import { testParser } from '../frontend/parse/load.js'
import { corpusOf } from './corpus.js'
import { outcomeOf } from './front-end.js'
import { inputOf } from './inputs.js'

const examples = fileURLToPath(new URL('../../examples', import.meta.url))

const parser = await testParser()

test('mutated inputs are programs, wrong, or unsupported by name', () => {
  const corpus = corpusOf(examples)
  const outcomes = new Set<string>()
  for (let i = 0; i < 60; i++) {
    // The input is in the message if this throws.
    const text = inputOf(1_000_000 + i, corpus)
    try {
      outcomes.add(outcomeOf(text, parser))
    } catch (problem) {
      throw new Error(`input ${1_000_000 + i}: ${(problem as Error).stack}\n${text}`)
    }
  }
  expect(outcomes).toContain('program')
  expect(outcomes).toContain('wrong input')
})

test('the same number is the same input', () => {
  const corpus = corpusOf(examples)
  expect(inputOf(5, corpus)).toBe(inputOf(5, corpus))
  expect(inputOf(5, corpus)).not.toBe(inputOf(6, corpus))
})

test('undefined behaviour on the way to an error is not the error', () => {
  // Found by running engines on mutated inputs: the counterexample did not replay.
  const text = `#include <assert.h>
    #include <pthread.h>
    #include <stdlib.h>
    int *current;
    void *reader(void *unused) { int *seen = current; assert(*seen == 2); return 0; }
    int main(void) {
      pthread_t t;
      current = malloc(sizeof(int));
      *current = 2;
      pthread_create(&t, 0, reader, 0);
      free(current);
      return 0;
    }`
  expect(outcomeOf(text, parser, { engine: explicitEngine, seconds: 5 })).toBe('true')
})
