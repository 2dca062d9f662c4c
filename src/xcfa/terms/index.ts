// From program expressions and labels to terms of the logic.
import { bitVectorEncoding } from './bitvectors.js'
import type { Arithmetic, Encoding, EncodingOptions } from './encoding.js'
import { integerEncoding } from './integers.js'

export { addressConstant, addressInRegion } from './address.js'
export { arithmeticsFor } from './arithmetic.js'
export type { Interval } from './encoding.js'
export { type Arithmetic, type Encoding, type EncodingOptions, NotExpressible } from './encoding.js'
export * from './execute.js'
export { hull, intervalOf, operationInterval, typeInterval, within } from './intervals.js'
export * from './obligation.js'
export * from './path.js'

export const createEncoding = (arithmetic: Arithmetic, options: EncodingOptions = {}): Encoding =>
  arithmetic === 'bv' ? bitVectorEncoding(options) : integerEncoding(options)
