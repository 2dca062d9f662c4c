// Options and values that the contract (docs/cli.md) names are there: scripts rely on them.
import { describe, expect, test } from 'vitest'
import { ENGINES } from '../../src/engine/index.js'

const CONTRACT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  cegar: {
    domain: 'expl pred-cart pred-bool',
    por: 'none basic aapor',
    prune: 'full lazy',
    lbe: 'on off',
    refine: 'auto farkas newton spacer',
    search: 'bfs dfs err',
    dependence: 'objects read-write',
    sets: 'persistent source',
  },
  impact: {
    por: 'none spor dpor',
    'force-cover': 'on off',
    conditional: 'on off',
    interpolation: 'wp farkas spacer',
  },
  bmc: {
    depth: 'number',
    por: 'none static ppor-simple ppor-full',
    encoding: 'interleaving partial-order',
    'gir-encoding': 'plain merged dependent',
  },
  redcomp: { reduction: 'on off', 'horn-out': 'file' },
  esst: {
    por: 'none persistent sleep both',
    scheduler: 'fairthreads systemc priority',
    switches: 'number',
    regions: 'predicate impact',
  },
}

describe.each(Object.entries(CONTRACT))('%s', (engine, options) => {
  const table = ENGINES.find(({ name }) => name === engine)!.options
  test.each(Object.entries(options))('--%s', (name, values) => {
    const given = table[name]?.values ?? []
    for (const value of values.split(' '))
      expect(Array.isArray(given) ? given : [given], `--${name} ${value}`).toContain(value)
  })
})
