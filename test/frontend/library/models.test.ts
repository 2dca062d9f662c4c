// What the library's functions do, decided by the brute-force explorer on the program as it was lowered.
import { describe, expect, it } from 'vitest'
import { compile } from '../../../src/frontend/c/index.js'
import { oracle } from '../../../src/semantics/index.js'
import type { Program } from '../../../src/xcfa/index.js'
import { testParser } from '../parse/load.js'
import {
  BARRIERS,
  C11,
  type Case,
  CONDITIONS,
  ENDS,
  MUTEXES,
  READ_WRITE,
  SEMAPHORES,
  STRINGS,
  SYSTEM,
  THREADS,
} from './programs.js'

const parser = await testParser()

const compiled = ({ text, options = {} }: Case, dataModel: 'lp64' | 'ilp32'): Program => {
  const spuriousWakeups = options['spurious-wakeups'] === true
  const mallocMayFail = options['malloc-may-fail'] === true
  return compile([{ name: 'test.c', text }], { dataModel, spuriousWakeups, mallocMayFail }, parser).program
}

const decide = (program: Program, property: string): string => {
  const { verdict, reason } = oracle(program, property)
  return reason ? `${verdict}: ${reason}` : verdict
}

const groups = { MUTEXES, READ_WRITE, CONDITIONS, BARRIERS, SEMAPHORES, THREADS, C11, STRINGS, SYSTEM, ENDS }
for (const [group, cases] of Object.entries(groups))
  describe(group.toLowerCase().replace('_', ' '), () => {
    for (const example of cases)
      it(example.name, () => {
        const program = compiled(example, 'lp64')
        for (const [property, holds] of example.expect)
          expect([property, decide(program, property)]).toEqual([property, `${holds}`])
      })

    it('the first of them with 32-bit pointers', () => {
      const [property, holds] = cases[0]!.expect[0]!
      expect(decide(compiled(cases[0]!, 'ilp32'), property)).toBe(`${holds}`)
    })
  })
