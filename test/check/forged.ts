// Certificates that somebody forged: proofs of safe programs by every engine, changed on purpose or at random, and given
// for the same program or for one of the same shape whose property is violated. What the checker may not do: accept
// anything about the second, throw, or touch what is not its own.
import { readCertificateFile } from '../../src/certificate/index.js'
import { type Answer, type Asked, checkCertificate, Rejected, requireSameClaim } from '../../src/check/index.js'
import { ENGINES, type Options } from '../../src/engine/index.js'
import type { CParser } from '../../src/frontend/c/index.js'
import { compileCooperative } from '../../src/frontend/cooperative/index.js'
import { errorsOf, type Property } from '../../src/property/index.js'
import type { Smt } from '../../src/smt/index.js'
import type { Certificate } from '../../src/verdict/index.js'
import type { Program } from '../../src/xcfa/index.js'

export interface Genuine {
  readonly name: string
  readonly property: Property
  readonly safe: Program
  readonly unsafe: Program
  /** As `heddle verify --certificate` writes it. */
  readonly file: Json
}

export type Json = { [name: string]: unknown }

const HEADER = `
#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
`
const threads = (globals: string, first: string, second: string, end: string): string =>
  `${HEADER}${globals}
void *first(void *argument) { ${first} return 0; }
void *second(void *argument) { ${second} return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, first, 0); pthread_create(&u, 0, second, 0);
  pthread_join(t, 0); pthread_join(u, 0); ${end} return 0; }`

const LOCK = 'pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;'
const locked = (body: string): string => `pthread_mutex_lock(&m); ${body} pthread_mutex_unlock(&m);`
const atomic = (body: string): string => `__VERIFIER_atomic_begin(); ${body} __VERIFIER_atomic_end();`
const COUNTER = (limit: number): string => threads(LOCK, locked('x++;'), locked('x++;'), `assert(x == ${limit});`)
const SUM = (n: number): string => threads('int x;', atomic('x = x + 1;'), atomic(`x = x + ${n};`), 'assert(x == 3);')
const RACES = (body: string): string => threads(LOCK, locked('x++;'), body, '')
const ROUNDS = (step: string): string => threads('int x;', `int i = 0; while (i < 4) { ${step} }`, 'x = 1;', '')
const FAIR = (limit: number): string => `
#include <fthread.h>
#include <assert.h>
int x;
void run(void *argument) { x = x + 1; ft_thread_cooperate(); assert(x <= ${limit}); }
int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  ft_thread_create(s, run, 0, 0); ft_thread_create(s, run, 0, 0);
  ft_scheduler_start(s); ft_exit();
}`

interface Source {
  readonly engine: string
  readonly options: Options
  readonly property: Property
  readonly safe: string
  readonly unsafe: string
}

const COUNTING = { property: 'assert', safe: COUNTER(2), unsafe: COUNTER(1) } as const
const SOURCES: readonly Source[] = [
  { engine: 'cegar', options: {}, ...COUNTING },
  { engine: 'cegar', options: { domain: 'pred-cart', por: 'aapor' }, ...COUNTING },
  { engine: 'cegar', options: { sets: 'source' }, ...COUNTING },
  { engine: 'impact', options: {}, ...COUNTING },
  { engine: 'impact', options: { por: 'spor' }, ...COUNTING },
  { engine: 'explicit', options: {}, ...COUNTING },
  { engine: 'bmc', options: {}, ...COUNTING },
  { engine: 'bmc', options: { encoding: 'interleaving' }, ...COUNTING },
  { engine: 'redcomp', options: {}, ...COUNTING },
  { engine: 'redcomp', options: {}, property: 'no-data-race', safe: RACES(locked('x++;')), unsafe: RACES('x++;') },
  { engine: 'redcomp', options: {}, property: 'termination', safe: ROUNDS('i++;'), unsafe: ROUNDS('i = 0;') },
  { engine: 'commute', options: { order: 'sequential' }, property: 'assert', safe: SUM(2), unsafe: SUM(3) },
  { engine: 'esst', options: {}, property: 'assert', safe: FAIR(2), unsafe: FAIR(1) },
]

/** SHA-256 of whichever program: the forger knows it. */
const HASH = 'c0ffee'

export const genuineCertificates = async (parser: CParser, smt: Smt): Promise<readonly Genuine[]> => {
  const found: Genuine[] = []
  for (const { engine: name, options, property, safe, unsafe } of SOURCES) {
    const program = (text: string): Program =>
      compileCooperative([{ name: 'forged.c', text }], { dataModel: 'lp64' }, parser).program
    const engine = await ENGINES.find((each) => each.name === name)!.load()
    const defaults = Object.fromEntries(Object.entries(engine.options).map(([key, spec]) => [key, spec.default]))
    const settings = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
    const env = { stopped: () => undefined, progress: () => {} }
    const raw = program(safe)
    const result = engine.verify({ raw, property, settings, smt }, { ...defaults, ...options }, env)
    if (result.verdict !== 'true') throw new Error(`${name} proves nothing: ${JSON.stringify(result)}`)
    const file = fileOf(name, property, result.certificate)
    found.push({
      name: `${name} ${JSON.stringify(options)} ${property}`,
      property,
      safe: raw,
      unsafe: program(unsafe),
      file,
    })
  }
  return found
}

const fileOf = (engine: string, property: Property, certificate: Certificate): Json =>
  copy({
    ...{ verdict: 'true', property, file: 'forged.c', engine, options: {}, stats: {}, assumptions: [], certificate },
    task: {
      ...{ files: ['forged.c'], dataModel: 'lp64', entry: 'main', defines: [], includeDirs: [], hashes: [HASH] },
      ...{ spuriousWakeups: true, mallocMayFail: false },
    },
  })

/** The text of a file with this proof of the property assert. */
export const certificateText = (certificate: Certificate): string =>
  JSON.stringify(fileOf('cegar', 'assert', certificate))

/** As the text of a file has it. */
export const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

/** What heddle check answers about a program for a certificate's text. */
export const answerTo = (json: string, raw: Program, property: Property, smt: Smt, seconds = 5): Answer => {
  const asked: Asked = {
    ...{ property, dataModel: 'lp64', entry: 'main', defines: [], spuriousWakeups: true, mallocMayFail: false },
    ...{ memoryModel: 'sc', hashes: [HASH] },
  }
  try {
    const file = readCertificateFile(json)
    requireSameClaim(file, asked)
    const deadline = Date.now() + 1000 * seconds
    const errors = errorsOf(raw, property)
    return checkCertificate({ raw, errors, property, memoryModel: 'sc', file, smt, now: Date.now, deadline })
  } catch (problem) {
    if (problem instanceof Rejected) return { kind: 'rejected', place: problem.message }
    throw problem
  }
}
