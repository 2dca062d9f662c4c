// The playground: a program on the left, the verdict and its interleaving on the right. Everything runs in the page.
import { cpp } from '@codemirror/lang-cpp'
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint'
import { Compartment, Prec } from '@codemirror/state'
import { oneDark } from '@codemirror/theme-one-dark'
import { keymap } from '@codemirror/view'
import { basicSetup, EditorView } from 'codemirror'
import { ENGINES } from '../../src/engine/registry.js'
import { htmlReport } from '../../src/output/html/page.js'
import { reasonText } from '../../src/output/reason.js'
import { PROPERTIES } from '../../src/property/names.js'
import type { Request } from '../../src/run/call/request.js'
import type { Report } from '../../src/verdict/report.js'
import { type Answer, type Run, start, Workers } from './runs.js'
import { fromFragment, toFragment } from './share.js'

const FILE = 'program.c'
const BASE = new URL('.', document.baseURI).href
const examples = import.meta.glob('../../examples/*.c', { query: '?raw', import: 'default', eager: true }) as Record<
  string,
  string
>

const element = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T
const property = element<HTMLSelectElement>('property')
const engine = element<HTMLSelectElement>('engine')
const timeout = element<HTMLSelectElement>('timeout')
const example = element<HTMLSelectElement>('example')
const verify = element<HTMLButtonElement>('verify')
const status = element('status')
const report = element<HTMLIFrameElement>('report')
const welcome = element('welcome')

const options = (select: HTMLSelectElement, names: readonly string[]): void =>
  select.append(...names.map((name) => new Option(name, name)))

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1, -2).replaceAll('_', ' ')
options(property, PROPERTIES)
options(engine, ['auto', ...ENGINES.filter(({ name }) => name !== 'esst').map(({ name }) => name)])
for (const path of Object.keys(examples)) example.append(new Option(nameOf(path), path))

// ---- the editor

const clickVerify = (): boolean => {
  verify.click()
  return true
}

const theme = new Compartment()
const dark = matchMedia('(prefers-color-scheme: dark)')
const themeOf = () => (dark.matches ? oneDark : [])
const editor = new EditorView({
  doc: examples['../../examples/lost_update.c'] ?? '',
  parent: element('editor'),
  extensions: [
    basicSetup,
    cpp(),
    lintGutter(),
    theme.of(themeOf()),
    EditorView.contentAttributes.of({ 'aria-label': 'Program' }),
    Prec.highest(keymap.of([{ key: 'Mod-Enter', run: clickVerify }])),
  ],
})
dark.addEventListener('change', () => editor.dispatch({ effects: theme.reconfigure(themeOf()) }))
const textOf = (): string => editor.state.doc.toString()
const setText = (text: string): void =>
  editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } })

const squiggles = (diagnostics: readonly string[]): Diagnostic[] =>
  diagnostics.flatMap((line) => {
    const match = /^program\.c:(\d+):(\d+): (error|warning): (.*)$/s.exec(line)
    const number = Number(match?.[1] ?? 1)
    if (number > editor.state.doc.lines) return []
    const at = editor.state.doc.line(number)
    const from = Math.min(at.to, at.from + Number(match?.[2] ?? 1) - 1)
    const to = Math.max(from, at.to)
    return [{ from, to, severity: match?.[3] === 'warning' ? 'warning' : 'error', message: match?.[4] ?? line }]
  })

// ---- a run

let current: Run | undefined
const workers = new Workers(BASE)
workers.prepare()

const requestOf = (): Request => ({
  ...{ files: [FILE], texts: { [FILE]: textOf() }, property: property.value, engine: engine.value, engineOptions: {} },
  ...{ dataModel: 'lp64', entry: 'main', defines: [], includeDirs: [], arith: 'auto', solver: 'wasm' },
  ...{ memoryModel: 'sc', spuriousWakeups: true, mallocMayFail: false, memoryMb: 2000 },
  deadline: Date.now() + Number(timeout.value) * 1000,
})

const show = (answer: Answer, request: Request): void => {
  if (answer.kind === 'input-error') {
    editor.dispatch(setDiagnostics(editor.state, squiggles(answer.diagnostics)))
    status.textContent = answer.diagnostics[0] ?? 'wrong input'
    return
  }
  const { report: result } = answer
  status.textContent = `VERDICT: ${verdictOf(result)} · ${result.engine} · ${(result.time_ms / 1000).toFixed(1)} s`
  report.srcdoc = htmlReport({
    ...{ report: result, version: HEDDLE_VERSION, creationTime: new Date().toISOString(), uuid: crypto.randomUUID() },
    task: { ...request, includeDirs: [], defines: [] },
    sources: new Map([[FILE, request.texts![FILE]!]]),
    hashes: new Map(),
  })
  report.hidden = false
  welcome.hidden = true
}

const verdictOf = ({ verdict, property: of, violated, reason }: Report): string => {
  switch (verdict) {
    case 'true':
      return 'TRUE'
    case 'false':
      return `FALSE(${violated ?? of})`
    case 'unknown':
      return `UNKNOWN(${reason ? reasonText(reason) : ''})`
  }
}

declare const HEDDLE_VERSION: string

const run = async (): Promise<void> => {
  if (current) {
    current.cancel()
    return
  }
  const request = requestOf()
  editor.dispatch(setDiagnostics(editor.state, []))
  verify.textContent = 'Cancel'
  const began = Date.now()
  current = start(request, workers)
  const timer = setInterval(() => {
    const parts = current!.running().map(({ engine: name, progress }) => {
      const counts = Object.entries(progress?.counts ?? {}).map(([what, n]) => `${n.toLocaleString('en-US')} ${what}`)
      return [name, progress?.phase, ...counts.slice(0, 2)].filter(Boolean).join(' · ')
    })
    status.textContent = `${Math.round((Date.now() - began) / 1000)} s · ${parts.join(' │ ')}`
  }, 200)
  const answer = await current.answer
  clearInterval(timer)
  current = undefined
  workers.prepare()
  verify.textContent = 'Verify'
  show(answer, request)
}

verify.addEventListener('click', () => void run())
example.addEventListener('change', () => {
  const text = examples[example.value]
  if (text !== undefined) setText(text)
  example.selectedIndex = 0
})
element('share').addEventListener('click', async () => {
  const fragment = await toFragment({ text: textOf(), property: property.value, engine: engine.value })
  history.replaceState(null, '', fragment)
  await navigator.clipboard?.writeText(location.href).catch(() => {})
  status.textContent = 'The address of this page now contains the program; it was copied if the browser allows it.'
})

const restore = async (): Promise<void> => {
  const shared = await fromFragment(location.hash)
  if (!shared) return
  setText(shared.text)
  property.value = shared.property
  engine.value = shared.engine
}
void restore()
addEventListener('hashchange', () => void restore())

if (!crossOriginIsolated)
  status.textContent = 'This page is not cross-origin isolated: engines that need the solver cannot run, explicit can.'
if ('serviceWorker' in navigator && location.protocol.startsWith('http'))
  void navigator.serviceWorker.register(`${BASE}service-worker.js`).catch(() => {})
