// Allocations and frees as JavaScript: an object has so many instances, each with its size plus one while it lives.

import { inconclusive } from '../../../verdict/reason.js'
import type { Expr, Label } from '../../../xcfa/index.js'
import type { EdgeCode } from './edge.js'

/** The object gets its next instance. */
export const allocateCode = (code: EdgeCode, { target, object, size }: Extract<Label, { kind: 'allocate' }>): void => {
  const { heap } = code.generator.layout
  const instances = heap.instances.get(object)
  const number = code.generator.objectNumber(object)
  const bytes = code.named(code.value(size), 'z')
  code.emit(`if (!(${bytes} >= 0 && ${bytes} <= ${object.size})) ${tooLarge(code, bytes)}`)
  if (!instances) {
    code.emit(`R.needHeap(${number}, 0, ${bytes})`)
    code.assign(target, '0')
    return
  }
  const count = code.named(code.readCell(heap.allocated.get(object)!, 0), 'n')
  const most = Math.min(instances.count, object.instances ?? instances.count)
  const isSmall = `${count} < ${most} && ${bytes} <= ${instances.bytes}`
  code.emit(`if (!(${isSmall})) R.needHeap(${number}, ${count}, ${bytes})`)
  code.write(heap.extents!, code.named(`${instances.first} + ${count}`), `(${bytes} + 1)`)
  code.write(heap.allocated.get(object)!, 0, `(${count} + 1)`)
  code.assign(target, `${object.base} + ${count} * ${object.stride}`)
}

const tooLarge = (code: EdgeCode, bytes: string): string => {
  if (!code.generator.options.leaveOut) return `R.tooLarge(${bytes})`
  const { file, line } = code.edge.position
  const reason = code.generator.reasonNumber(inconclusive(`an allocation that is too large at ${file}:${line}`))
  return `{ R.partial(undefined, ${reason}); ${code.failure} }`
}

export const freeCode = (code: EdgeCode, address: Expr): void => {
  const { heap } = code.generator.layout
  const at = code.named(code.value(address), 'a')
  if (!heap.extents) {
    code.undefinedUnless(`${at} === 0`)
    return
  }
  const instance = code.named(`${code.generator.useHeapInstance()}(${at})`, 'k')
  code.undefinedUnless(`${at} === 0 || (${instance} >= 0 && ${code.readCell(heap.extents, instance)} > 0)`)
  code.copy()
  const { array, base } = code.state
  code.emit(`if (${at} !== 0) ${code.hash} = R.clear(${array}, ${base}, ${code.hash}, ${instance})`)
}
