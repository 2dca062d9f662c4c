export { add, div, ge, gt, intConst, le, linearTerm, lt, mod, mul, neg, realConst, sub } from './arithmetic.js'
export * from './bitvector.js'
export {
  and,
  boolConst,
  conjuncts,
  constArray,
  disjuncts,
  distinct,
  eq,
  iff,
  implies,
  isConstant,
  ite,
  not,
  or,
  select,
  store,
  valueTerm,
} from './build.js'
export * from './evaluate.js'
export * from './float.js'
export { type LinearForm, linearForm } from './linear.js'
export { applyNamed, type Expression, parseExpression, parseSort, parseTerm, readExpressions } from './parse.js'
export { print, printName } from './print.js'
export { renameVariables, simplify, substitute, transform } from './rewrite.js'
export * from './sort.js'
export * from './ssa.js'
export {
  application,
  constant,
  FALSE,
  freeVariables,
  postorder,
  size,
  type Term,
  TRUE,
  variable,
} from './term.js'
export {
  type ArrayValue,
  arraySelect,
  arrayStore,
  floatToBits,
  type Rational,
  rational,
  toSigned,
  type Value,
} from './value.js'
