// Generated C programs for tests. Each generator is there twice: by seed (`generate...(seed)`, the same text for the
// same seed), and as a fast-check arbitrary, whose failures shrink.
import type fc from 'fast-check'
import type { Property } from '../../src/property/index.js'
import { broadProgram } from './broad.js'
import { arbitraryFrom, seededChoices } from './choices.js'
import { concurrentProgram } from './concurrent.js'
import { cornerProgram } from './corners.js'
import type { ConcurrentOptions } from './features.js'
import { libraryProgram } from './library.js'
import { memoryProgram } from './memory.js'
import { oddProgram } from './oddities.js'
import { overflowProgram } from './overflow.js'
import { type SequentialOptions, type SequentialProgram, sequentialProgram } from './sequential.js'
import { trickyProgram } from './tricky.js'

export { type ConcurrentOptions, NO_FEATURES } from './features.js'
export { checkable, runnable, type SequentialOptions, type SequentialProgram } from './sequential.js'

/** A small concurrent program, to be asked whether an assertion can fail. */
export const generate = (seed: number, options?: ConcurrentOptions): string =>
  concurrentProgram(seededChoices(seed), options)

export const concurrentPrograms = (options?: ConcurrentOptions): fc.Arbitrary<string> =>
  arbitraryFrom((choices) => concurrentProgram(choices, options))

/** A small concurrent program over the rest of the library and of the language. */
export const generateLibrary = (seed: number): string => libraryProgram(seededChoices(seed))

export const libraryPrograms = (): fc.Arbitrary<string> => arbitraryFrom(libraryProgram)

/** A small concurrent program in the corners where wrong verdicts were found. */
export const generateTricky = (seed: number): string => trickyProgram(seededChoices(seed))

export const trickyPrograms = (): fc.Arbitrary<string> => arbitraryFrom(trickyProgram)

/** A small concurrent program over the breadth of the language and of the thread library. */
export const generateBroad = (seed: number): string => broadProgram(seededChoices(seed))

/** A small concurrent program for this property: those about memory and numbers have their own. */
export const generateFor = (property: Property, seed: number): string => {
  switch (property) {
    case 'valid-memsafety':
      return memoryProgram(seededChoices(seed))
    case 'no-overflow':
      return overflowProgram(seededChoices(seed))
    default:
      return generate(seed)
  }
}

/** A program without threads or inputs that computes one number: `runnable` prints it, `checkable` claims it. */
export const generateSequential = (seed: number, options?: SequentialOptions): SequentialProgram =>
  sequentialProgram(seededChoices(seed), options)

export const sequentialPrograms = (options?: SequentialOptions): fc.Arbitrary<SequentialProgram> =>
  arbitraryFrom((choices) => sequentialProgram(choices, options))

/** The same, of constructs that verifiers get wrong. */
export const generateOdd = (seed: number): SequentialProgram => oddProgram(seededChoices(seed))

export const oddPrograms = (): fc.Arbitrary<SequentialProgram> => arbitraryFrom(oddProgram)

/** The same, of what the language and the library have besides. */
export const generateCorner = (seed: number): SequentialProgram => cornerProgram(seededChoices(seed))
