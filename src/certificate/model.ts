// Why a verdict is TRUE, as plain data: what engines write and `heddle check` reads. A certificate is a claim by somebody
// who may be wrong, or lie: nothing in it is executed, and each part is checked against the program (src/check).

/** One kind for each way to prove. */
export type Certificate =
  | { readonly kind: 'labelled-graph'; readonly data: GraphCertificate | TooLarge }
  | { readonly kind: 'horn'; readonly data: HornCertificate }
  | { readonly kind: 'bounded'; readonly data: BoundedCertificate }
  | { readonly kind: 'termination'; readonly data: TerminationCertificate }
  | { readonly kind: 'locks'; readonly data: LocksCertificate }
  | { readonly kind: 'reduced-product'; readonly data: ReducedCertificate | TooLarge }
  | { readonly kind: 'abstract-reachability'; readonly data: { readonly nodes: number } }
  | { readonly kind: 'exploration'; readonly data: ExplorationCertificate }
  | { readonly kind: 'forest'; readonly data: ForestCertificate }
  | { readonly kind: 'executions'; readonly data: ExecutionsCertificate }

export type CertificateKind = Certificate['kind']

/** The proof has more parts than are written down. */
interface TooLarge {
  readonly tooLarge: true
}

/**
 * A proof by abstraction (cegar, impact): a graph of nodes labelled with formulas. A node is reached from its parent by
 * one step of a thread; its location vector follows from the path to it. Everything else (the program as it was prepared,
 * what a step does, which steps may be left out) the checker works out by itself.
 */
export interface GraphCertificate {
  readonly arithmetic: 'int' | 'bv'
  /** Whether local work belongs to the step before it: the program's edges are numbered accordingly. */
  readonly largeBlocks: boolean
  /** Why not every thread is explored everywhere: a persistent set is enough, or only monotonic paths are followed. */
  readonly reduction: 'persistent' | 'monotonic'
  /** What an access outside its region does: the thread stops, or goes on with any value, which lets more happen. */
  readonly strayAccess: 'stops' | 'goes-on'
  /** Formulas in SMT-LIB; nodes name them by their index. */
  readonly formulas: readonly string[]
  readonly nodes: readonly CertificateNode[]
  /** For people: the statements of the edges, and what each refinement added. The checker reads neither. */
  readonly edges?: readonly EdgeText[]
  readonly history?: readonly { readonly nodes: number; readonly added: readonly string[] }[]
}

export interface CertificateNode {
  readonly id: number
  readonly parent?: number
  /** The step from the parent: who, by which edge of the prepared program. */
  readonly thread?: number
  readonly edge?: number
  /** Conjuncts, as indices of `formulas`; none is True. */
  readonly label: readonly number[]
  /** The threads whose steps were followed from here; absent for a leaf. */
  readonly threads?: readonly number[]
  readonly coveredBy?: number
}

export interface EdgeText {
  readonly id: number
  readonly file: string
  readonly line: number
  readonly text: string
}

/**
 * A proof up to commutativity (commute): the part of the product of all threads that was explored, with what holds at
 * each node, and the steps that sleep there. Location vectors and states of the order follow from the path to a node;
 * what a step does, and that sleeping steps may be swapped to where they were preferred, the checker works out by itself.
 */
export interface ReducedCertificate {
  /** Wrapping: of integers, signed operations wrap as unsigned ones do. */
  readonly arithmetic: 'int' | 'wrapping' | 'bv'
  /** Conditions that the proof does not need: labels of edges, which the checker leaves out of the program. */
  readonly relaxed: readonly { readonly edge: number; readonly labels: readonly number[] }[]
  readonly order: PreferenceOrder
  /** Assertions in SMT-LIB. */
  readonly formulas: readonly string[]
  /** Sets of assertions, as indices of `formulas`. */
  readonly states: readonly (readonly number[])[]
  readonly letters: readonly CertificateLetter[]
  /** The first is the root; every other one comes after its parent. */
  readonly nodes: readonly ReducedNode[]
  /** For people: the statements of the edges, and why sleeping steps commute. The checker reads neither. */
  readonly edges?: readonly EdgeText[]
  readonly facts?: readonly CommutingFact[]
}

/** Which thread should go first. */
export type PreferenceOrder =
  | { readonly kind: 'sequential' }
  /** Blocks one after the other; all threads of no block before them. */
  | { readonly kind: 'lanes'; readonly blocks: readonly (readonly Lane[])[] }
  | { readonly kind: 'random'; readonly seed: number }

/** The lanes of a block take turns of so many rounds of loops each; the threads of a lane come one after the other. */
export interface Lane {
  readonly threads: readonly number[]
  readonly rounds: number
}

/** A step of a thread: the edges of one atomic block, or a single one. */
export interface CertificateLetter {
  readonly thread: number
  readonly edges: readonly number[]
}

export interface ReducedNode {
  readonly parent?: number
  /** The step from the parent, as an index of `letters`. */
  readonly letter?: number
  readonly state: number
  /** Indices of `letters`. */
  readonly sleep: readonly number[]
  /** The node that stands for this one: it knows no more, and no more sleeps there. */
  readonly coveredBy?: number
  /** Nobody comes to an error from here without threads that sleep for good. */
  readonly deadEnd?: boolean
}

/** Two steps of different threads that commute. */
export interface CommutingFact {
  /** Indices of `letters`. */
  readonly letters: readonly [number, number]
  readonly why: 'disjoint' | 'same effect' | 'under'
  /** Where they commute under a condition only: what holds there. */
  readonly condition?: readonly number[]
}

/** A solution of the clauses of redcomp's proof rule. The checker uses its predicates, and believes none of them. */
export interface HornCertificate {
  /** How the engine made its clauses from the program. */
  readonly configuration: Readonly<Record<string, string | boolean>>
  /** In logic HORN. */
  readonly clauses: string
  /** One `define-fun` for each relation; absent: the solver's proof could not be written down. */
  readonly solution?: readonly string[]
  /** The atoms of the solution over the program's variables, by the names of xcfa/terms/path.ts. */
  readonly predicates?: readonly string[]
}

/** No error within the bound, and no execution goes beyond it. */
interface BoundedCertificate {
  readonly bound: number
  readonly encoding: 'partial-order' | 'interleaving'
}

/** Ranking functions and solutions of clauses, in the order of the questions that redcomp asks. */
export interface TerminationCertificate {
  readonly reduction: boolean
  readonly steps: readonly TerminationStep[]
}

export type TerminationStep =
  /** None, one, or several of which each round decreases some. */
  | { readonly kind: 'ranking'; readonly ranks: readonly string[] }
  /** Without definitions: there is none, or (`unwritten`) it could not be written down. */
  | { readonly kind: 'solution'; readonly definitions?: readonly string[]; readonly unwritten?: true }

/** Locks, starts and joins keep accesses apart: the checker works out which. */
type LocksCertificate = Readonly<Record<string, never>>

/** All states were visited; the counts are for people. */
interface ExplorationCertificate {
  readonly states: number
  readonly transitions: number
  readonly por: string
}

/** A forest of a cooperative program (esst): locations and states of the scheduler follow from the edges. */
export interface ForestCertificate {
  readonly scheduler: string
  readonly order: 'anew' | 'fixed'
  readonly arithmetic: 'int' | 'bv'
  /** Whether persistent sets were used; whether blocks commute by what regions let them do. */
  readonly persistent: boolean
  readonly guarded: boolean
  /** Cycles that no execution follows were not expanded. */
  readonly spuriousCycles: number
  readonly nodes: readonly ForestCertificateNode[]
}

export interface ForestCertificateNode {
  readonly id: number
  readonly parent?: number
  /** Executed by the running thread; absent: a connector. */
  readonly edge?: number
  /** Values of the primitive's arguments, where they are not all static. */
  readonly args?: readonly number[]
  /** Of a connector: the number of the scheduler's state, in the order in which it names them. */
  readonly choice?: number
  /** What holds of data, as SMT-LIB terms over the names of xcfa/terms/path.ts. */
  readonly label: readonly string[]
  readonly sleep?: readonly number[]
  readonly coveredBy?: number
}

/** Every execution graph was visited: how many there are, and a sum of what each is, whatever the order. */
export interface ExecutionsCertificate {
  readonly executions: number
  readonly blocked: number
  /** Of the complete ones (execution-digest.ts): 64 bits, hexadecimal. */
  readonly digest: string
  readonly memoryModel: string
}
