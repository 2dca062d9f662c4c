// The files that `verify` writes besides its answer: witness, SARIF, HTML, certificate, graph.
import { createHash, randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dotGraph, graphmlWitness, htmlReport, type OutputContext, sarif, yamlWitness } from '../output/index.js'
import type { Report, TaskReport } from '../verdict/index.js'
import type { Output } from './output-names.js'
import { VERSION } from './version.js'

export const writeOutputs = (report: Report, task: TaskReport, outputs: ReadonlyMap<string, string>): void => {
  const context = contextOf(report, task)
  for (const [name, file] of outputs) {
    const text = textOf(name as Output, file, context)
    if (typeof text === 'object') console.error(`heddle: --${name}: ${text.nothing}`)
    else writeText(file, text)
  }
}

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
  return `${JSON.stringify({ ...report, task: of }, null, 1)}\n`
}

const contextOf = (report: Report, task: TaskReport): OutputContext => {
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
  const library = graphLibrary()
  return {
    ...{ report, task, sources, hashes, version: VERSION, creationTime: isoTime(), uuid: randomUUID() },
    ...(library !== undefined && { graphLibrary: library }),
  }
}

const graphLibrary = (): string | undefined => {
  try {
    return readFileSync(createRequire(import.meta.url).resolve('cytoscape/dist/cytoscape.min.js'), 'utf8')
  } catch {
    return undefined
  }
}

const isoTime = (): string => new Date().toISOString().replace(/\.\d+Z$/, 'Z')
