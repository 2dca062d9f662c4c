// Arrays, one cell at a time (cell morphing: Monniaux and Gonnord, 2016): a relation over an array becomes one over an
// index and the cell there. It holds of an array if it holds of all its cells, so that a formula without quantifiers says
// something of every one of them: `cell <= 399`. What a clause reads is a cell, too, of which the same relations hold;
// what it writes is a case. That several cells have to do with each other is lost: an abstraction, sound for TRUE.
import { type ArraySort, and, eq, implies, ite, type Sort, type Term, variable } from '../../../logic/index.js'
import { rebuild } from '../../../logic/rewrite.js'
import type { Atom, Relation, Rule } from '../../../smt/index.js'
import { NotExpressible } from '../../../xcfa/terms/index.js'

export const hasArrays = (rules: readonly Rule[]): boolean =>
  rules.some(({ head }) => head?.relation.sorts.some(isArray))

/** The clauses about one cell of each array. */
export const byOneCell = (rules: readonly Rule[]): readonly Rule[] => {
  const relations = new Map<Relation, Relation>()
  return rules.map((rule) => new Clause(relations).of(rule))
}

const isArray = (sort: Sort): sort is ArraySort => sort.kind === 'array'

interface Cell {
  readonly index: Term
  readonly value: Term
}

class Clause {
  /** The cells of each array that the clause is about; first the one that its head is about. */
  private readonly cells = new Map<Term, Cell[]>()
  private readonly done = new Map<Term, Term>()

  constructor(private readonly relations: Map<Relation, Relation>) {}

  of({ head, body, constraint, name }: Rule): Rule {
    const ofCell = head && {
      relation: this.relation(head.relation),
      args: head.args.flatMap((arg, i) => this.inHead(arg, i)),
    }
    const condition = this.read(constraint)
    // All cells that the clause is about are to be known first.
    const atoms = body.map(({ relation, args }) => ({
      relation,
      args: args.map((arg) => (isArray(arg.sort) ? arg : this.read(arg))),
    }))
    return {
      head: ofCell,
      body: atoms.flatMap((atom) => this.instances(atom)),
      constraint: and(condition, ...[...this.cells.values()].flatMap(sameWhereSame)),
      ...(name !== undefined && { name }),
    }
  }

  private inHead(arg: Term, position: number): readonly Term[] {
    if (!isArray(arg.sort)) return [this.read(arg)]
    const index = variable(`index ${position}`, arg.sort.index)
    return [index, this.at(arg, index)]
  }

  /** What the body says of each cell that the clause is about; of two arrays, of their first cells together, and so on. */
  private instances({ relation, args }: Atom): readonly Atom[] {
    const arrays = args.filter(({ sort }) => isArray(sort))
    if (arrays.some(({ op }) => op !== 'var')) throw new NotExpressible('arrays that are computed')
    for (const array of arrays)
      if (!this.cells.has(array)) this.at(array, variable(`some ${array.name}`, (array.sort as ArraySort).index))
    const most = Math.max(1, ...arrays.map((array) => this.cells.get(array)!.length))
    return Array.from({ length: most }, (_, i) => ({
      relation: this.relation(relation),
      args: args.flatMap((arg) => {
        const cells = this.cells.get(arg)
        if (!cells) return [arg]
        const { index, value } = cells[Math.min(i, cells.length - 1)]!
        return [index, value]
      }),
    }))
  }

  private relation(relation: Relation): Relation {
    let found = this.relations.get(relation)
    if (!found) {
      const sorts = relation.sorts.flatMap((sort) => (isArray(sort) ? [sort.index, sort.element] : [sort]))
      this.relations.set(relation, (found = { name: relation.name, sorts }))
    }
    return found
  }

  /** A term without arrays: reads are cells. */
  private read(term: Term): Term {
    let found = this.done.get(term)
    if (!found) this.done.set(term, (found = this.readAnew(term)))
    return found
  }

  private readAnew(term: Term): Term {
    if (term.args.length === 0) return term
    if (term.op === 'select') return this.at(term.args[0]!, this.read(term.args[1]!))
    if (term.args.some(({ sort }) => isArray(sort))) throw new NotExpressible('arrays that are compared')
    return rebuild(
      term,
      term.args.map((arg) => this.read(arg)),
    )
  }

  /** What an array holds at an index that was read already. */
  private at(array: Term, index: Term): Term {
    switch (array.op) {
      case 'store': {
        const [before, where, value] = array.args as readonly [Term, Term, Term]
        return ite(eq(index, this.read(where)), this.read(value), this.at(before, index))
      }
      case 'ite': {
        const [condition, a, b] = array.args as readonly [Term, Term, Term]
        return ite(this.read(condition), this.at(a, index), this.at(b, index))
      }
      case 'const-array':
        return this.read(array.args[0]!)
      case 'var':
        return this.cell(array, array.sort as ArraySort, index)
      default:
        throw new NotExpressible('arrays that are computed')
    }
  }

  private cell(array: Term, { element }: ArraySort, index: Term): Term {
    const cells = this.cells.get(array) ?? []
    const found = cells.find((cell) => cell.index === index)
    if (found) return found.value
    const value = variable(`${array.name}[${cells.length}]`, element)
    this.cells.set(array, [...cells, { index, value }])
    return value
  }
}

const sameWhereSame = (cells: readonly Cell[]): readonly Term[] =>
  cells.flatMap((a, i) => cells.slice(0, i).map((b) => implies(eq(a.index, b.index), eq(a.value, b.value))))
