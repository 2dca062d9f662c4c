// Which arithmetic a program is told in: integers first, as solvers reason best there, then bit-vectors.
import type { Program } from '../index.js'
import { byteSize } from '../types.js'
import type { Arithmetic } from './encoding.js'

/** In integers a value over several bytes is a sum of quotients, on which solvers stick. */
const takesBytesApart = ({ templates }: Program): boolean =>
  [...templates.values()].some(({ edges }) =>
    edges.some(({ labels }) =>
      labels.some(
        (label) =>
          (label.kind === 'load' || label.kind === 'store') &&
          label.region.element === 'bytes' &&
          byteSize(label.type) > 1,
      ),
    ),
  )

/** In the order in which they are tried. */
export const arithmeticsFor = (program: Program, chosen: Arithmetic | 'auto'): readonly Arithmetic[] => {
  if (chosen !== 'auto') return [chosen]
  return takesBytesApart(program) ? ['bv'] : ['int', 'bv']
}
