// Properties by the names of semantics.md, and by SV-COMP's property files.
export const PROPERTIES = [
  'assert',
  'unreach-call',
  'no-data-race',
  'no-deadlock',
  'termination',
  'no-overflow',
  'valid-memsafety',
] as const
export type Property = (typeof PROPERTIES)[number]

/** Those that speak of executions one by one: a state shows that one is violated. */
export const SAFETY_PROPERTIES: readonly Property[] = PROPERTIES.filter((property) => property !== 'termination')

export const isProperty = (name: string): name is Property => PROPERTIES.some((p) => p === name)

/** What a `.prp` text asks for, or what is wrong with it. */
export type PropertyText =
  | { readonly kind: 'property'; readonly property: Property }
  | { readonly kind: 'wrong'; readonly reason: string }

/** `CHECK( init(main()), LTL(G ! call(reach_error())) )` and its relatives, several lines for one property. */
export const parsePropertyFile = (text: string): PropertyText => {
  const found = new Set<Property>()
  let checks = 0
  for (const line of text.split('\n')) {
    const stripped = line.replace(/\/\/.*$/, '').replace(/\s+/g, '')
    if (stripped === '') continue
    checks++
    const formula = /^CHECK\(init\([A-Za-z_]\w*\(\)\),LTL\((.*)\)\)$/.exec(stripped)?.[1]
    if (formula === undefined) return { kind: 'wrong', reason: `not a CHECK(init(main()), LTL(...)): ${line.trim()}` }
    const property = ofFormula(formula)
    if (!property) return { kind: 'wrong', reason: `unknown property ${line.trim()}` }
    found.add(property)
  }
  const [property, another] = [...found]
  if (checks === 0 || !property) return { kind: 'wrong', reason: 'no CHECK in the property file' }
  if (another) return { kind: 'wrong', reason: `several properties in one file: ${[...found].join(', ')}` }
  return { kind: 'property', property }
}

/** The formula without its spaces. */
const ofFormula = (formula: string): Property | undefined => {
  if (/^G!call\((reach_error|__VERIFIER_error)\(\)\)$/.test(formula)) return 'unreach-call'
  switch (formula) {
    case 'G!call(__assert_fail())':
    case 'Gassert':
      return 'assert'
    case 'G!data-race':
      return 'no-data-race'
    case 'G!deadlock':
      return 'no-deadlock'
    case 'G!overflow':
      return 'no-overflow'
    case 'Fend':
      return 'termination'
    case 'Gvalid-free':
    case 'Gvalid-deref':
    case 'Gvalid-memtrack':
    case 'Gvalid-memcleanup':
      return 'valid-memsafety'
    default:
      return undefined
  }
}
