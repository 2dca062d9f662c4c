// Sorts of the logic. Each is interned: two sorts are the same exactly if they are the same object.

export type Sort =
  | { readonly kind: 'bool'; readonly id: number }
  | { readonly kind: 'int'; readonly id: number }
  | { readonly kind: 'real'; readonly id: number }
  | { readonly kind: 'bv'; readonly id: number; readonly width: number }
  | { readonly kind: 'array'; readonly id: number; readonly index: Sort; readonly element: Sort }
  /** IEEE 754 with so many bits of exponent and significand (the hidden bit included). */
  | { readonly kind: 'float'; readonly id: number; readonly exponent: number; readonly significand: number }

export type BitVectorSort = Extract<Sort, { kind: 'bv' }>
export type ArraySort = Extract<Sort, { kind: 'array' }>
export type FloatSort = Extract<Sort, { kind: 'float' }>

export const BOOL_SORT: Sort = { kind: 'bool', id: 0 }
export const INT_SORT: Sort = { kind: 'int', id: 1 }
export const REAL_SORT: Sort = { kind: 'real', id: 2 }

const interned = new Map<string, Sort>()
const intern = <S extends Sort>(key: string, make: (id: number) => S): S => {
  let sort = interned.get(key)
  if (!sort) interned.set(key, (sort = make(interned.size + 3)))
  return sort as S
}

export const bvSort = (width: number): BitVectorSort => intern(`b${width}`, (id) => ({ kind: 'bv', id, width }))

export const arraySort = (index: Sort, element: Sort): ArraySort =>
  intern(`a${index.id},${element.id}`, (id) => ({ kind: 'array', id, index, element }))

export const floatSort = (exponent: number, significand: number): FloatSort =>
  intern(`f${exponent},${significand}`, (id) => ({ kind: 'float', id, exponent, significand }))

export const FLOAT32_SORT = floatSort(8, 24)
export const FLOAT64_SORT = floatSort(11, 53)

/** The sort as SMT-LIB writes it. */
export const printSort = (sort: Sort): string => {
  switch (sort.kind) {
    case 'bool':
      return 'Bool'
    case 'int':
      return 'Int'
    case 'real':
      return 'Real'
    case 'bv':
      return `(_ BitVec ${sort.width})`
    case 'array':
      return `(Array ${printSort(sort.index)} ${printSort(sort.element)})`
    case 'float':
      return `(_ FloatingPoint ${sort.exponent} ${sort.significand})`
  }
}
