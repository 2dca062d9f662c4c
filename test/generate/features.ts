// What a generated concurrent program may contain. An engine that cannot treat something switches it off.

export interface Features {
  /** Shared _Bool, unsigned char and short besides int. */
  readonly narrowTypes: boolean
  /** Shared arrays, indexed by constants and by masked variables. */
  readonly arrays: boolean
  /** Shared pointers to shared integers, and pointers as thread arguments. */
  readonly pointers: boolean
  /** A shared struct, accessed by name and through a pointer. */
  readonly structs: boolean
  readonly mutexes: boolean
  readonly trylock: boolean
  readonly conditions: boolean
  /** C11 _Atomic variables and operations. */
  readonly atomics: boolean
  /** __sync_* builtins. */
  readonly builtins: boolean
  /** __VERIFIER_atomic_begin/end. */
  readonly atomicBlocks: boolean
  readonly loops: boolean
  /** __VERIFIER_nondet_bool, also combined to small numbers. */
  readonly nondet: boolean
  /** __VERIFIER_nondet_uchar with an assumed small range, as an input of main. */
  readonly assumedRanges: boolean
  readonly assume: boolean
  /** Asserts inside threads besides the one at the end of main. */
  readonly threadAsserts: boolean
  /** Threads created in a loop, with their handles in an array. */
  readonly creationLoops: boolean
  /** main works too between creating and joining. */
  readonly busyMain: boolean
  /** Functions that threads call. */
  readonly calls: boolean
}

export const ALL_FEATURES: Features = {
  narrowTypes: true,
  arrays: true,
  pointers: true,
  structs: true,
  mutexes: true,
  trylock: true,
  conditions: true,
  atomics: true,
  builtins: true,
  atomicBlocks: true,
  loops: true,
  nondet: true,
  assumedRanges: true,
  assume: true,
  threadAsserts: true,
  creationLoops: true,
  busyMain: true,
  calls: true,
}

export const NO_FEATURES: Features = Object.fromEntries(
  Object.keys(ALL_FEATURES).map((name) => [name, false]),
) as unknown as Features

export interface ConcurrentOptions {
  /** Which features may occur; those not named do. */
  readonly features?: Partial<Features>
  /** At most this many threads besides main (default 3, at least 2 are made). */
  readonly threads?: number
  /** At most this many statements in a thread, nested ones included (default 4; 2 with three threads). */
  readonly statements?: number
}
