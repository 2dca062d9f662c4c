// Which assertions the passes before the search have proved: their errors are gone from the program that is searched,
// because no execution comes there. A statement may be there several times after inlining: it holds if all are gone.
import { errorsOf, type Property } from '../../property/index.js'
import { type Claim, claimAt } from '../../verdict/index.js'
import type { Program } from '../../xcfa/index.js'
import type { Env } from '../engine.js'

const ASSERTIONS: readonly Property[] = ['assert', 'unreach-call']

export const tellAssertions = (raw: Program, searched: Program, property: Property, env: Env): void => {
  if (!env.known || !ASSERTIONS.includes(property)) return
  const all = errorsIn(errorsOf(raw, property))
  const left = errorsIn(searched)
  if (all.size < 2) return
  const proved = [...all].filter(([key]) => !left.has(key)).map(([, claim]) => claim)
  if (proved.length === 0) return
  const open = [...all].filter(([key]) => left.has(key)).map(([, claim]) => claim)
  env.known({ kind: 'assertions', proved, open })
}

const errorsIn = ({ templates }: Program): ReadonlyMap<string, Claim> => {
  const found = new Map<string, Claim>()
  for (const { edges } of templates.values())
    for (const edge of edges) {
      if (edge.target.kind !== 'error') continue
      // Steps that were merged still lead to what each of them led to.
      for (const { target } of [edge, ...(edge.origins ?? [])]) {
        if (target.kind !== 'error' || !target.violation) continue
        const { file, line, column } = target.position
        found.set(`${file}:${line}:${column} ${target.violation.text}`, claimAt(target.position, target.violation.text))
      }
    }
  return found
}
