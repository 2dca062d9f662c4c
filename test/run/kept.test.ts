// Results kept from one run to the next: taken where the program is the same to engines, and nowhere else.
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkReport } from '../../src/cli/check/proof.js'
import { assumptionText } from '../../src/output/ledger.js'
import { parseArguments } from '../../src/run/call/options.js'
import type { Request } from '../../src/run/call/request.js'
import { requestFrom, verifyTable } from '../../src/run/call/request-from.js'
import { keptResultsOf } from '../../src/run/kept/results.js'
import { loadProgram } from '../../src/run/program/load.js'
import { outcomeOf } from '../../src/run/run-engine.js'
import { programText, type Report } from '../../src/verdict/index.js'
import { testParser } from '../frontend/parse/load.js'
import { compileProgram } from '../generate/harness.js'

const PROGRAM = `#define LEAST 2
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *add(void *a) {
  int *step = malloc(sizeof(int));
  *step = 1;
  pthread_mutex_lock(&m);
  x += *step;
  pthread_mutex_unlock(&m);
  free(step);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, add, 0);
  pthread_create(&u, 0, add, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(x >= LEAST);
  return 0;
}
`

/** As `auto` asks its first engine, or as a call that names one. */
class Folder {
  readonly path = mkdtempSync(join(tmpdir(), 'heddle-kept-'))
  readonly proofs = join(this.path, 'proofs')

  private readonly file = join(this.path, 'program.c')

  requestOf(...options: string[]): Request {
    const args = [this.file, '--proofs', this.proofs, '--timeout', '30s', ...options]
    return requestFrom(parseArguments(args, verifyTable()), Date.now())
  }

  async verify(text: string, ...options: string[]): Promise<Report> {
    writeFileSync(this.file, text)
    const asked = this.requestOf(...options)
    const request: Request = asked.engine === 'auto' ? { ...asked, engine: 'explicit', crossCheck: true } : asked
    const outcome = await outcomeOf(request, {
      env: { stopped: () => undefined, progress: () => {}, write: () => {} },
      load: loadProgram,
      onFacts: () => {},
      kept: keptResultsOf(request)!,
    })
    if (outcome.kind !== 'report') throw new Error(JSON.stringify(outcome))
    return outcome.report
  }
}

describe('kept results', { timeout: 90_000 }, () => {
  it('takes a proof over edits that engines do not see, with a certificate that still checks', async () => {
    const folder = new Folder()
    expect(await folder.verify(PROGRAM, '--engine', 'cegar')).toMatchObject({ verdict: 'true' })
    const edited = `/* What it does. */\n\nint nobody_calls_me(int a) { return a + 1; }\n${PROGRAM.replace('x += *step', 'x  +=  *step')}`
    const again = await folder.verify(edited, '--engine', 'cegar')
    expect(again).toMatchObject({ verdict: 'true', kept: true })
    expect(await checkReport(folder.requestOf('--engine', 'cegar'), again)).toMatchObject({ kind: 'accepted' })
  })

  it('assumes what a run from scratch assumes, at the lines of the text as it is now', async () => {
    const divides = PROGRAM.replace('  pthread_join(t, 0);', '  int part = 4 / (x + 1);\n  pthread_join(t, 0);')
    for (const [program, named] of [
      [PROGRAM, false],
      [divides, true],
    ] as const) {
      const edited = `// A line more.\n${program}`
      const folder = new Folder()
      await folder.verify(program, '--engine', 'cegar')
      const kept = await folder.verify(edited, '--engine', 'cegar')
      const scratch = await new Folder().verify(edited, '--engine', 'cegar')
      expect(kept).toMatchObject({ verdict: 'true', kept: true })
      expect(scratch.kept).toBeUndefined()
      const of = (report: Report): readonly string[] =>
        report.assumptions.map((each) => assumptionText(each).replace(/[^ ]*program/, ''))
      expect(of(kept)).toEqual(of(scratch))
      expect(of(kept).some((what) => what.includes('.c:'))).toBe(named)
    }
  })

  it('does not take it over an edit that matters, and replays an execution where it now is', async () => {
    const folder = new Folder()
    expect((await folder.verify(PROGRAM)).verdict).toBe('true')
    const broken = PROGRAM.replace('  pthread_mutex_lock(&m);\n', '').replace('  pthread_mutex_unlock(&m);\n', '')
    const first = await folder.verify(broken)
    expect(first).toMatchObject({ verdict: 'false', trace: { line: 20 } })
    expect(first.kept).toBeUndefined()
    expect(await folder.verify(`\n${broken}`)).toMatchObject({ verdict: 'false', kept: true, trace: { line: 21 } })
    // Another program, in which the execution is still one.
    const more = broken.replace('  free(step);', '  free(step);\n  int unused = 3;\n  unused++;')
    expect(await folder.verify(more)).toMatchObject({ verdict: 'false', kept: true })
    // Mended, by another meaning of the same statement, and by another one.
    const holds = await folder.verify(more.replace('LEAST 2', 'LEAST 1'))
    expect(holds.verdict).toBe('true')
    const mended = await folder.verify(more.replace('x += *step', '__atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST)'))
    expect(mended.verdict).toBe('true')
    expect(mended.kept).toBeUndefined()
    expect(await folder.verify(PROGRAM)).toMatchObject({ verdict: 'true', kept: true })
  })

  it('answers for no other property, engine or option, and ignores what is no result', async () => {
    const folder = new Folder()
    await folder.verify(PROGRAM)
    for (const property of ['no-data-race', 'no-deadlock', 'unreach-call'])
      expect((await folder.verify(PROGRAM, '--property', property)).kept).toBeUndefined()
    expect((await folder.verify(PROGRAM, '--engine', 'bmc')).kept).toBeUndefined()
    expect((await folder.verify(PROGRAM, '--malloc-may-fail')).kept).toBeUndefined()
    for (const name of readdirSync(folder.proofs)) writeFileSync(join(folder.proofs, name), '{"verdict":"true"}')
    expect(await folder.verify(PROGRAM)).toMatchObject({ verdict: 'true' })
    for (const name of readdirSync(folder.proofs)) writeFileSync(join(folder.proofs, name), '{')
    const afresh = await folder.verify(PROGRAM)
    expect(afresh.verdict).toBe('true')
    expect(afresh.kept).toBeUndefined()
  })
})

describe('the text of a program', () => {
  const textOf = async (source: string): Promise<string> =>
    programText(compileProgram(await testParser(), source, 'assert'))

  it('is the same over layout', async () => {
    expect(await textOf(`// A comment.\n${PROGRAM}`)).toBe(await textOf(PROGRAM))
  })

  it.each([
    ['a constant', '*step = 1', '*step = 2'],
    ['an operator', 'x >= LEAST', 'x > LEAST'],
    ['an object', 'lock(&m)', 'trylock(&m)'],
    ['a type', 'int x;', 'unsigned x;'],
    ['atomicity', 'int x;', '_Atomic int x;'],
    ['a first value', 'int x;', 'int x = 1;'],
    ['an order', '  pthread_join(t, 0);\n  pthread_join(u, 0);', '  pthread_join(u, 0);\n  pthread_join(t, 0);'],
    ['a memory order', 'x += *step', '__atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST)'],
  ])('differs in %s', async (_, from, to) => {
    expect(PROGRAM).toContain(from)
    expect(await textOf(PROGRAM.replace(from, to))).not.toBe(await textOf(PROGRAM))
  })

  it('differs in the order of an atomic operation alone', async () => {
    const add = (order: string): string => PROGRAM.replace('x += *step', `__atomic_fetch_add(&x, 1, __ATOMIC_${order})`)
    expect(await textOf(add('RELAXED'))).not.toBe(await textOf(add('SEQ_CST')))
  })
})
