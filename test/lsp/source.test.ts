import { describe, expect, it } from 'vitest'
import { hoverText } from '../../src/lsp/hover.js'
import { threadFunctionsOf, wordAt } from '../../src/lsp/source.js'

describe('what lenses and hovers take from the text', () => {
  it('finds the entry and the functions that are started', () => {
    const text = `static void *run(void *a) {\n  if (a) { return 0; }\n}\nint helper(int x) {\n}\nint main(void)\n{\n  pthread_create(&t, 0, run, 0);\n}\n`
    expect(threadFunctionsOf(text, 'main')).toEqual([
      { name: 'run', line: 0 },
      { name: 'main', line: 5 },
    ])
  })
  it('takes the chain of members up to the cursor', () => {
    expect(wordAt('  q.head = p;', 3)).toBe('q')
    expect(wordAt('  q.head = p;', 5)).toBe('q.head')
    expect(wordAt('  q.head = p;', 9)).toBeUndefined()
  })
  it('says which lock is held at every access, or that none is', () => {
    const access = (thread: string, locks: string[]) => ({
      ...{ thread, position: { file: 'a.c', line: 3 }, text: 'x++', write: true, atomic: false, locks },
    })
    const always = [{ name: 's.x', accesses: [access('main', ['m', 'n']), access('run', ['m'])] }]
    expect(hoverText(always, 'x')).toContain('always under `m`')
    const never = [{ name: 'x', accesses: [access('main', []), access('run', ['m'])] }]
    expect(hoverText(never, 'x')).toContain('no lock is held at every access')
    expect(hoverText(never, 'y')).toBeUndefined()
  })
})
