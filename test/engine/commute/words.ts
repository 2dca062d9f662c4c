// The reduction alone: the words of a product without loops that the search explores, the classes of all its words up
// to swaps, by enumeration, and programs to compare them on.
import { Commutativity, type CommutativityKind } from '../../../src/engine/commute/commutativity.js'
import { Alphabet, type Letter } from '../../../src/engine/commute/letters.js'
import { type Order, orderOf } from '../../../src/engine/commute/order.js'
import { commuteSteps } from '../../../src/engine/commute/policy.js'
import { Proof } from '../../../src/engine/commute/proof.js'
import { type SearchNode, type SearchParts, search } from '../../../src/engine/commute/search.js'
import { Statics } from '../../../src/engine/commute/statics.js'
import { errorsOf } from '../../../src/property/index.js'
import { type Control, ControlFlow } from '../../../src/semantics/control.js'
import type { Smt } from '../../../src/smt/index.js'
import { Transitions } from '../../../src/symbolic/index.js'
import type { Program } from '../../../src/xcfa/index.js'
import { prepare } from '../../../src/xcfa/passes/index.js'
import { createEncoding } from '../../../src/xcfa/terms/index.js'
import type { Choices } from '../../generate/choices.js'

/** Threads of a few steps over a few variables, without branches: all words are as long as the program. */
export const straightLines = (choices: Choices): string => {
  const variables = ['x', 'y', 'z']
  const one = () => variables[choices.below(variables.length)]!
  const statement = (): string => {
    switch (choices.below(4)) {
      case 0:
        return `${one()} = ${choices.below(3)};`
      case 1:
        return `${one()} = ${one()};`
      case 2:
        return `__VERIFIER_atomic_begin(); ${one()} = ${one()} + 1; __VERIFIER_atomic_end();`
      default:
        return `__VERIFIER_atomic_begin(); ${one()} = 1; ${one()} = ${one()}; __VERIFIER_atomic_end();`
    }
  }
  const threads = 2 + choices.below(2)
  // Joins have ways of their own to go: all words of larger programs with them would be too many to enumerate.
  const joins = choices.rarely(3)
  const length = joins ? 1 : threads === 2 ? 4 : 2
  const bodies = Array.from({ length: joins ? 2 : threads }, () =>
    Array.from({ length: 1 + choices.below(length) }, statement).join('\n  '),
  )
  return `#include <pthread.h>
#include <assert.h>
void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
int x, y, z;
${bodies.map((body, i) => `void *t${i}(void *p) {\n  ${body}\n  return 0;\n}`).join('\n')}
int main(void) {
  pthread_t ${bodies.map((_, i) => `h${i}`).join(', ')};
  ${bodies.map((_, i) => `pthread_create(&h${i}, 0, t${i}, 0);`).join('\n  ')}
  ${joins ? bodies.map((_, i) => `pthread_join(h${i}, 0);`).join('\n  ') : ''}
  return 0;
}
`
}

export interface Product {
  readonly alphabet: Alphabet
  readonly commutativity: Commutativity
  /** How many words the reduction has. */
  words(order: string, rules?: Partial<SearchParts>): number
  /** How many classes all words fall into. */
  classes(): number
  dispose(): void
}

export const productOf = (raw: Program, smt: Smt, kind: CommutativityKind): Product => {
  // No error ends a word, and nothing is left out.
  const program = prepare(errorsOf(raw, 'no-overflow'), { slice: false })
  const transitions = new Transitions(program, createEncoding('bv'), commuteSteps)
  const flow = new ControlFlow(program)
  const alphabet = new Alphabet(flow, transitions, new Set())
  const proof = new Proof(smt, (formula) => transitions.rangesOf(formula))
  const statics = new Statics(program, () => false)
  const templateOf = (letter: Letter) =>
    [...program.templates.values()].find(({ edges }) => edges.includes(letter.edges[0]!))!
  const waits = (end: Letter, join: Letter): boolean =>
    end.ends && join.joins && statics.mayJoin(join.edges, templateOf(end))
  const commutativity = new Commutativity(smt, proof, kind, (formula) => transitions.rangesOf(formula), waits)
  const nothing = proof.state([])
  /** A join is no letter of the product before its thread has ended, nor is what no state allows. */
  const lettersAt = (control: Control) =>
    alphabet.at(control).filter((letter) => isJoinable(letter, control) && !proof.contradicts(nothing, letter.guard))
  const isJoinable = (letter: Letter, control: Control): boolean => {
    const joined = letter.edges.flatMap(({ labels }) =>
      labels.flatMap((label) => (label.kind === 'join' ? [label] : [])),
    )
    return joined.every((label) => {
      const template = statics.joined(label)
      return control.threads.some((thread) => thread.template === template && thread.location === template.final)
    })
  }
  const enabled = Object.assign(Object.create(alphabet), { at: lettersAt }) as Alphabet
  return {
    alphabet: enabled,
    commutativity,
    words: (name, rules = {}) => {
      const order: Order = orderOf(name, 3)!
      const ends = new Set<string>()
      const env = { stopped: () => undefined, progress: () => {} }
      const parts: SearchParts = {
        ...{ flow, alphabet: enabled, proof, commutativity, statics, order, env, deadEnds: false, covers: false },
        ...{ isOwed: () => false, isKept: () => true },
        visit: (node) => {
          if (lettersAt(node.control).length === 0) ends.add(wordTo(node))
        },
        ...rules,
      }
      search(parts, proof.state([]), { nodes: 0, covered: 0, dead_ends: 0 })
      return ends.size
    },
    classes: () => {
      const state = proof.state([])
      const classes = new Set<string>()
      const visit = (control: Control, word: readonly Letter[]): void => {
        const letters = lettersAt(control)
        if (letters.length === 0) classes.add(normalForm(word, (a, b) => commutativity.commute(a, b, state)))
        for (const letter of letters) visit(enabled.after(control, letter), [...word, letter])
      }
      visit(flow.initial(), [])
      return classes.size
    },
    dispose: () => {
      commutativity.dispose()
      proof.dispose()
    },
  }
}

const wordTo = (node: SearchNode): string => {
  const word: string[] = []
  for (let at: SearchNode | undefined = node; at?.letter; at = at.parent) word.unshift(at.letter.key)
  return word.join(' ')
}

/** The least word of a class: again and again the least letter that all letters before it commute with. */
const normalForm = (word: readonly Letter[], commute: (a: Letter, b: Letter) => boolean): string => {
  const rest = [...word]
  const result: string[] = []
  while (rest.length > 0) {
    const free = rest.filter((letter, i) => rest.slice(0, i).every((before) => commute(before, letter)))
    const least = free.reduce((a, b) => (b.key < a.key ? b : a))
    rest.splice(rest.indexOf(least), 1)
    result.push(least.key)
  }
  return result.join(' ')
}
