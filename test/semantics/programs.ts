// Labels and small programs that several tests of the concrete semantics share.
import {
  add,
  constant,
  type Expr,
  eq,
  INT,
  type Label,
  type Location,
  ne,
  POINTER,
  type Program,
  type Region,
  type Variable,
  varExpr,
} from '../../src/xcfa/index.js'
import { handMade, type ProgramBuilder, type TemplateBuilder } from '../xcfa/hand.js'

export const num = (value: number): Expr => constant(INT, value)
export const assign = (target: Variable, value: Expr): Label => ({ kind: 'assign', target, value })
export const assume = (condition: Expr): Label => ({ kind: 'assume', condition })
export const start = (target: Variable, procedure: string, ...args: Expr[]): Label => ({
  kind: 'start',
  target,
  procedure,
  args,
})
export const join = (thread: Variable): Label => ({ kind: 'join', thread: varExpr(thread) })
export const load = (target: Variable, region: Region, address: number): Label => ({
  kind: 'load',
  target,
  region,
  address: constant(POINTER[64], address),
  type: target.type,
})
export const store = (region: Region, address: number, value: Expr): Label => ({
  kind: 'store',
  region,
  address: constant(POINTER[64], address),
  value,
  type: value.type,
})

/** A main that starts the given templates and joins them; then `after` from where that ends. */
export const mainStarting = (
  p: ProgramBuilder,
  names: readonly string[],
  after: (t: TemplateBuilder, joined: Location) => void,
): void =>
  p.template('main', (t) => {
    const handles = names.map((_, i) => t.local(`t${i}`))
    const joined = t.location()
    t.path(t.initial, joined, ...names.map((name, i) => [start(handles[i]!, name)]), ...handles.map((h) => [join(h)]))
    after(t, joined)
  })

/** Two threads that each add 1 to a shared counter in two steps. */
export const lostUpdate = (expected: number): Program => {
  const p = handMade()
  const x = p.global('x')
  for (const name of ['A', 'B'])
    p.template(name, (t) => {
      const r = t.local('r')
      t.path(t.initial, t.final, [assign(r, varExpr(x))], [assign(x, add(varExpr(r), num(1)))])
    })
  mainStarting(p, ['A', 'B'], (t, joined) => {
    t.edge(joined, t.error(), [assume(ne(varExpr(x), num(expected)))])
    t.edge(joined, t.final, [assume(eq(varExpr(x), num(expected)))])
  })
  return p.program()
}

/** n philosophers with forks in memory; `polite`: the last one takes the other fork first. */
export const philosophers = (n: number, polite: boolean): Program => {
  const p = handMade()
  const forks = Array.from({ length: n }, (_, i) => p.object(`fork${i}`, 4))
  const object = (fork: number): Expr => constant(POINTER[64], forks[fork]!.base)
  const take = (t: TemplateBuilder, r: Variable, fork: number): Label[] => [
    load(r, p.memory, forks[fork]!.base),
    assume(eq(varExpr(r), num(0))),
    store(p.memory, forks[fork]!.base, add({ kind: 'cast', type: INT, arg: varExpr(t.self) }, num(1))),
  ]
  for (let i = 0; i < n; i++) {
    const order = [i, (i + 1) % n]
    if (polite && i === n - 1) order.reverse()
    p.template(`P${i}`, (t) => {
      const r = t.local('r')
      const [one, two, three] = [t.location(), t.location(), t.location()]
      const lock = (source: Location, target: Location, fork: number) =>
        t.edge(source, target, take(t, r, fork), { sync: { kind: 'lock', object: object(fork) } })
      const unlock = (source: Location, target: Location, fork: number) =>
        t.edge(source, target, [store(p.memory, forks[fork]!.base, num(0))], {
          sync: { kind: 'unlock', object: object(fork) },
        })
      lock(t.initial, one, order[0]!)
      lock(one, two, order[1]!)
      unlock(two, three, order[0]!)
      unlock(three, t.final, order[1]!)
    })
  }
  mainStarting(
    p,
    forks.map((_, i) => `P${i}`),
    (t, joined) => t.edge(joined, t.final, []),
  )
  return p.program()
}
