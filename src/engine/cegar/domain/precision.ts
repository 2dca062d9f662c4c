// The precision (aapor.txt 2.2.2, 4.2.1): what an abstract state may speak of. An element is an abstract variable of
// the paper: a variable or region whose value is tracked, or a predicate. It is global and only grows (soundness.md 8),
// so that a state made earlier is one that knows nothing of the newer elements.
import { freeVariables, type Term } from '../../../logic/index.js'

export class Precision {
  private readonly trackedIndex = new Map<Term, number>()
  private readonly predicateIndex = new Map<Term, number>()
  private readonly trackedTerms: Term[] = []
  private readonly predicateTerms: Term[] = []

  /** Variables and regions whose values are tracked, in the order of their addition. */
  get tracked(): readonly Term[] {
    return this.trackedTerms
  }

  get predicates(): readonly Term[] {
    return this.predicateTerms
  }

  /** Changes whenever an element is added. */
  get version(): number {
    return this.trackedTerms.length + this.predicateTerms.length
  }

  indexOf(term: Term): number | undefined {
    return this.trackedIndex.get(term)
  }

  /** True if it is new. */
  track(term: Term): boolean {
    if (this.trackedIndex.has(term)) return false
    this.trackedIndex.set(term, this.trackedTerms.push(term) - 1)
    return true
  }

  addPredicate(predicate: Term): boolean {
    if (this.predicateIndex.has(predicate)) return false
    this.predicateIndex.set(predicate, this.predicateTerms.push(predicate) - 1)
    return true
  }

  /** orig(χ) for each abstract variable χ: the variables and regions that it is about. */
  origins(): readonly (readonly Term[])[] {
    return [...this.trackedTerms.map((term) => [term]), ...this.predicateTerms.map(freeVariables)]
  }
}
