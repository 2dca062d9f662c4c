// The results of heddle bench as CSV (one row per run), as Markdown tables, and compared with earlier ones.

export interface BenchRow {
  readonly task: string
  readonly property: string
  readonly expected: string
  readonly configuration: string
  readonly repetition: number
  readonly verdict: string
  readonly status: 'correct' | 'wrong' | 'unknown' | 'timeout' | 'error'
  readonly reason: string
  readonly wallMs: number
  readonly cpuMs: number
  readonly memoryMb: number
  readonly engine: string
  readonly stats: Readonly<Record<string, number | string>>
}

const COLUMNS = [
  'task',
  'property',
  'expected',
  'configuration',
  'repetition',
  'verdict',
  'status',
  'reason',
  'wallMs',
  'cpuMs',
  'memoryMb',
  'engine',
  'stats',
] as const

export const csvHeader = (): string => `${COLUMNS.join(',')}\n`

export const csvRow = (row: BenchRow): string =>
  `${COLUMNS.map((c) => quote(c === 'stats' ? JSON.stringify(row.stats) : String(row[c]))).join(',')}\n`

const quote = (text: string): string =>
  /[",\n]/.test(text) ? `"${text.replaceAll('"', '""').replaceAll('\n', ' ')}"` : text

export const parseCsv = (text: string): BenchRow[] => {
  const [header, ...lines] = text.split('\n').filter(Boolean).map(fields)
  return lines
    .filter((line) => line.length === header!.length)
    .map((line) => {
      const at = new Map(header!.map((name, i) => [name, line[i]!]))
      const get = (name: (typeof COLUMNS)[number]): string => at.get(name) ?? ''
      return {
        task: get('task'),
        property: get('property'),
        expected: get('expected'),
        configuration: get('configuration'),
        repetition: Number(get('repetition')),
        verdict: get('verdict'),
        status: get('status') as BenchRow['status'],
        reason: get('reason'),
        wallMs: Number(get('wallMs')),
        cpuMs: Number(get('cpuMs')),
        memoryMb: Number(get('memoryMb')),
        engine: get('engine'),
        stats: JSON.parse(get('stats') || '{}') as BenchRow['stats'],
      }
    })
}

const fields = (line: string): string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map((m) =>
    m[1] !== undefined ? m[1].replaceAll('""', '"') : (m[2] ?? ''),
  )

export const TALLY_COLUMNS = [
  'correct true',
  'correct false',
  'wrong',
  'unknown',
  'timeout',
  'tasks',
  'median s',
] as const

export const tally = (rows: readonly BenchRow[]): string[] => {
  const n = (test: (row: BenchRow) => boolean): number => rows.filter(test).length
  const times = rows
    .filter((r) => r.status === 'correct')
    .map((r) => r.wallMs)
    .sort((a, b) => a - b)
  const median = times.length ? (times[Math.floor(times.length / 2)]! / 1000).toFixed(2) : '-'
  return [
    n((r) => r.status === 'correct' && r.verdict === 'true'),
    n((r) => r.status === 'correct' && r.verdict === 'false'),
    n((r) => r.status === 'wrong'),
    n((r) => r.status === 'unknown' || r.status === 'error'),
    n((r) => r.status === 'timeout'),
    rows.length,
    median,
  ].map(String)
}

/** By property and configuration. */
export const groups = (rows: readonly BenchRow[]): Map<string, BenchRow[]> => {
  const result = new Map<string, BenchRow[]>()
  for (const row of rows) {
    const key = [row.property, row.configuration].filter(Boolean).join(' · ')
    const group = result.get(key)
    if (group) group.push(row)
    else result.set(key, [row])
  }
  return result
}

export const summary = (rows: readonly BenchRow[]): string =>
  [...groups(rows)]
    .map(([key, group]) => {
      const [right, found, wrong, unknown, timeout, all, median] = tally(group)
      return `${key}: ${right} correct true, ${found} correct false, ${wrong} wrong, ${unknown} unknown, ${timeout} timeout, of ${all}; median ${median} s`
    })
    .join('\n')

export const markdownTables = (rows: readonly BenchRow[]): string => {
  const head = `| configuration | ${TALLY_COLUMNS.join(' | ')} |\n|---|---|---|---|---|---|---|---|\n`
  const body = [...groups(rows)].map(([key, group]) => `| ${key} | ${tally(group).join(' | ')} |\n`).join('')
  const detail = rows
    .map(
      (r) =>
        `| ${r.task} | ${r.configuration} | ${r.expected} | ${r.verdict} | ${r.status} | ${(r.wallMs / 1000).toFixed(2)} | ${r.engine} | ${r.reason.replaceAll('|', '\\|')} |\n`,
    )
    .join('')
  return `${head}${body}\n| task | configuration | expected | verdict | status | s | engine | reason |\n|---|---|---|---|---|---|---|---|\n${detail}`
}

/** Tasks whose status changed, and the ratio of the times of those that both runs decided. */
export const compareRows = (before: readonly BenchRow[], after: readonly BenchRow[]): string => {
  const key = (r: BenchRow): string => [r.task, r.property, r.configuration, r.repetition].join('|')
  const old = new Map(before.map((r) => [key(r), r]))
  const changed: string[] = []
  let ratio = 0
  let both = 0
  for (const row of after) {
    const was = old.get(key(row))
    if (!was) continue
    if (was.status !== row.status) changed.push(`  ${was.status} -> ${row.status}  ${row.task} ${row.configuration}`)
    else if (row.status === 'correct') {
      ratio += Math.log(row.wallMs / was.wallMs)
      both++
    }
  }
  return [
    `${changed.length} changed${both ? `; time of those decided both times: ${Math.exp(ratio / both).toFixed(2)} of before` : ''}`,
    ...changed,
  ].join('\n')
}
