import { describe, expect, it } from 'vitest'
import type { Edge, Procedure } from '../../../src/xcfa/index.js'
import { markBackEdges } from '../../../src/xcfa/passes/index.js'
import { programOf, template } from './sample.js'

const hasCycle = (procedure: Procedure, keep: (edge: Edge) => boolean): boolean => {
  let edges = procedure.edges.filter(keep)
  for (let before = -1; before !== edges.length; ) {
    before = edges.length
    edges = edges.filter((edge) => edges.some((next) => next.source === edge.target))
  }
  return edges.length > 0
}

describe('back edges', () => {
  it('cut every cycle, also of two entries, and mark nothing in a diamond', () => {
    const cyclic = template(
      'main',
      [],
      [
        { from: 'p', to: 'q' },
        { from: 'p', to: 'r' },
        { from: 'q', to: 'r' },
        { from: 'r', to: 'q' },
        { from: 'r', to: 'r' },
        { from: 'r', to: 'final' },
      ],
    )
    const diamond = template(
      'other',
      [],
      [
        { from: 'p', to: 'q' },
        { from: 'p', to: 'r' },
        { from: 'q', to: 'final' },
        { from: 'r', to: 'final' },
      ],
    )
    const program = markBackEdges(programOf([], [cyclic, diamond]))
    expect(hasCycle(cyclic, () => true)).toBe(true)
    expect(hasCycle(program.main, (edge) => !edge.back)).toBe(false)
    expect(program.templates.get('other')!.edges.some((edge) => edge.back)).toBe(false)
  })
})
