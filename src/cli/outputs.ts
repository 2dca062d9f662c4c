// The files that `verify` writes besides its answer: witness, SARIF, HTML, certificate, graph.
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { protectionOf } from '../engine/redcomp/protection.js'
import {
  dotGraph,
  graphmlWitness,
  htmlReport,
  type OutputContext,
  type SharedUse,
  sarif,
  yamlWitness,
} from '../output/index.js'
import { reportJson } from '../output/report-json.js'
import type { Property } from '../property/index.js'
import { readAsset } from '../run/program/assets.js'
import { loadProgram } from '../run/program/load.js'
import { type Invariants, sharedInvariants } from '../semantics/index.js'
import type { Report, TaskReport } from '../verdict/index.js'
import { Unsupported } from '../xcfa/index.js'
import { prepare } from '../xcfa/passes/index.js'
import type { Output } from './output-names.js'
import { VERSION } from './version.js'

export const writeOutputs = async (
  report: Report,
  task: TaskReport,
  outputs: ReadonlyMap<string, string>,
): Promise<void> => {
  const showsInvariants = report.verdict === 'true' && (outputs.has('witness') || outputs.has('html'))
  const invariants = showsInvariants
    ? await invariantsOf(task, report, outputs.has('witness') ? INVARIANTS_MS : PAGE_INVARIANTS_MS)
    : undefined
  const shared = outputs.has('html') && report.verdict === 'true' ? await sharedOf(task, report) : undefined
  const context = { ...contextOf(report, task), ...(invariants && { invariants }), ...(shared && { shared }) }
  for (const [name, file] of outputs) {
    const text = textOf(name as Output, file, context)
    if (typeof text === 'object') console.error(`heddle: --${name}: ${text.nothing}`)
    else writeText(file, text)
  }
}

/** For a correctness witness and the page; none for cooperative threads and weak memory, whose states are others. */
const invariantsOf = async (task: TaskReport, report: Report, limit: number): Promise<Invariants | undefined> => {
  if (report.assumptions.some(({ kind }) => kind === 'memory-model')) return undefined
  const deadline = Date.now() + limit
  try {
    const { program } = await loadProgram({ ...task, property: report.property as Property })
    const prepared = prepare(program, { slice: false, largeBlocks: false })
    return sharedInvariants(prepared, { stopped: () => (Date.now() > deadline ? 'time is up' : undefined) })
  } catch (problem) {
    if (problem instanceof Unsupported) return undefined
    throw problem
  }
}

/** For a reader of a proof: the locks. What cannot be analysed is left out of the page. */
const sharedOf = async (task: TaskReport, report: Report): Promise<readonly SharedUse[] | undefined> => {
  try {
    const { program } = await loadProgram({ ...task, property: report.property as Property })
    return protectionOf(program)
  } catch (problem) {
    if (problem instanceof Unsupported) return undefined
    throw problem
  }
}

/** How long to look for invariants: a witness is nothing without them, a page opens with other reasons, too. */
const INVARIANTS_MS = 5000
const PAGE_INVARIANTS_MS = 1500

const writeText = (file: string, text: string): void => {
  try {
    writeFileSync(file, text)
  } catch (error) {
    console.error(`heddle: error: ${file}: ${(error as NodeJS.ErrnoException).code ?? 'cannot be written'}`)
  }
}

interface Nothing {
  readonly nothing: string
}

const textOf = (name: Output, file: string, context: OutputContext): string | Nothing => {
  const { report } = context
  const undecided: Nothing = { nothing: `nothing to write for ${report.verdict}` }
  switch (name) {
    case 'witness':
      return (/\.ya?ml$/.test(file) ? yamlWitness(context) : graphmlWitness(context)) ?? undecided
    case 'sarif':
      return sarif(context)
    case 'certificate':
      return report.certificate ? certificateText(context) : undecided
    case 'dot':
      return dotGraph(report) ?? { nothing: `${report.engine} gave no reachability graph` }
    case 'html':
      return htmlReport(context)
  }
}

const certificateText = ({ report, task, hashes }: OutputContext): string => {
  const of = { ...task, hashes: task.files.map((file) => hashes.get(file) ?? '') }
  return `${JSON.stringify(reportJson({ ...report, task: of }), null, 1)}\n`
}

export const contextOf = (report: Report, task: TaskReport): OutputContext => {
  const sources = new Map<string, string>()
  const hashes = new Map<string, string>()
  const files = new Set([...task.files, ...(report.trace?.steps ?? []).map((step) => step.file)])
  for (const file of files) {
    try {
      const bytes = readFileSync(file)
      sources.set(file, bytes.toString('utf8'))
      hashes.set(file, createHash('sha256').update(bytes).digest('hex'))
    } catch {
      // A library's model, or a name from a line marker: there is no such file to show.
    }
  }
  return {
    ...{ report, task, sources, hashes, version: VERSION, creationTime: isoTime(), uuid: randomUUID() },
    fromRoot,
    graphLibrary: readAsset('cytoscape.min.js').toString('utf8'),
  }
}

/** From the folder of the repository that this is called in, or from this folder if it is in none. */
const fromRoot = (file: string): string => {
  const path = relative(repositoryOf(process.cwd()), resolve(file)).replaceAll('\\', '/')
  return path.startsWith('../') ? resolve(file) : path
}

const repositoryOf = (folder: string): string => {
  for (let at = folder; dirname(at) !== at; at = dirname(at)) if (existsSync(join(at, '.git'))) return at
  return folder
}

const isoTime = (): string => new Date().toISOString().replace(/\.\d+Z$/, 'Z')
