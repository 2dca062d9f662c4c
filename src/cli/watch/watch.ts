// heddle watch: verifies the programs below some folders again whenever one of their files is saved, prints what changed,
// and keeps a page with all verdicts open. One check runs at a time; an edit ends the check that it makes pointless.
import { type Parsed, parseArguments, UsageError } from '../../run/call/options.js'
import { DEFAULT_PROPERTIES, WATCH_OPTIONS } from '../ci/options.js'
import { beginCheck, type Check, lineOf, type Outcome } from '../ci/outcome.js'
import { changedPrograms, programsBelow } from '../ci/programs.js'
import { expandProperties } from '../several.js'
import { Files } from './files.js'
import { type Row, serve } from './server.js'

const POLL_MS = 300

export const watch = async (args: readonly string[]): Promise<number> => {
  const parsed = parseArguments(args, WATCH_OPTIONS)
  const port = Number(parsed.options.get('port')?.[0] ?? 0)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new UsageError(`--port ${port}: not a port`)
  const paths = parsed.files.length > 0 ? parsed.files : ['.']
  const watched = new Watched(parsed, paths)
  const page = await serve(port, watched)
  watched.onChange = page.update
  console.log(`watching ${paths.join(' ')}: ${page.url} (Ctrl-C ends it)`)
  const timer = setInterval(() => watched.look(), POLL_MS)
  watched.look()
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
  })
  clearInterval(timer)
  watched.end()
  page.close()
  return 0
}

/** The checks of all programs: those that wait, the one that runs, and the last outcome of each. */
class Watched {
  onChange = (): void => {}
  private readonly files: Files
  private readonly table = new Map<string, Row>()
  private waiting: readonly { readonly program: string; readonly property: string }[] = []
  private running: { readonly program: string; readonly check: Check } | undefined
  private ended = false
  private readonly properties: readonly string[]

  constructor(
    private readonly parsed: Parsed,
    private readonly paths: readonly string[],
  ) {
    this.properties = expandProperties(parsed.options.get('property') ?? DEFAULT_PROPERTIES)
    this.files = new Files(paths)
  }

  rows(): readonly Row[] {
    return [...this.table.values()]
  }

  /** Takes notice of files that were saved, added or removed since the last look. */
  look(): void {
    const changed = this.files.changed()
    if (changed.length === 0) return
    const programs = programsBelow(this.paths)
    for (const [key, { program }] of this.table) if (!programs.includes(program)) this.table.delete(key)
    const touched = new Set(changedPrograms(programs, changed))
    this.waiting = [
      ...this.waiting.filter(({ program }) => programs.includes(program) && !touched.has(program)),
      ...[...touched].flatMap((program) => this.properties.map((property) => ({ program, property }))),
    ]
    for (const check of this.waiting) this.show({ ...check, state: 'waiting' })
    if (this.running && touched.has(this.running.program))
      this.running.check.end({ kind: 'cancelled', by: 'the program was edited' })
    this.next()
  }

  end(): void {
    this.ended = true
    this.running?.check.end({ kind: 'cancelled', by: 'interrupted' })
  }

  private next(): void {
    const [first, ...others] = this.waiting
    if (this.ended || this.running || !first) return
    this.waiting = others
    const { program, property } = first
    this.show({ program, property, state: 'running' })
    const check = this.begin(program, property)
    this.running = { program, check }
    void check.outcome.then((outcome) => {
      this.running = undefined
      const isStale = this.waiting.some((other) => other.program === program && other.property === property)
      if (!isStale && !this.ended) this.tell(outcome)
      this.next()
    })
  }

  private begin(program: string, property: string): Check {
    try {
      return beginCheck(this.parsed, program, property)
    } catch (error) {
      // A file may be gone between two looks; anything else would have been told at the start.
      if (!(error instanceof UsageError)) throw error
      return { outcome: Promise.resolve({ program, property, problem: error.message }), end: () => {} }
    }
  }

  private tell(outcome: Outcome): void {
    console.log(`${new Date().toTimeString().slice(0, 8)} ${lineOf(outcome)}`)
    this.show({ ...outcome, state: 'done', line: lineOf(outcome), at: Date.now() })
  }

  private show(row: Row): void {
    const key = `${row.program}\n${row.property}`
    const before = this.table.get(key)
    // While a check waits or runs, its last outcome stays in view.
    this.table.set(key, { ...before, ...row })
    this.onChange()
  }
}
