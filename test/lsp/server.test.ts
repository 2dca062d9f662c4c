// The language server over its protocol, with a client of the same library: what editors see.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CodeLens, Diagnostic, Hover, InlayHint } from 'vscode-languageserver'
import {
  CancellationTokenSource,
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node.js'

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const LOST_UPDATE = readFileSync(new URL('../../examples/lost_update.c', import.meta.url), 'utf8')
const ENDLESS = `#include <assert.h>
#include <pthread.h>
unsigned long x, y;
void *run(void *a) { for (;;) x++; return a; }
int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); for (;;) { y += 3; assert(x * y != 77777); } }
`

describe('the language server', () => {
  let server: ChildProcess
  let client: MessageConnection
  let folder: string
  const published = new Map<string, Diagnostic[]>()

  const openFile = async (name: string, text: string): Promise<string> => {
    const path = join(folder, name)
    writeFileSync(path, text)
    const uri = pathToFileURL(path).href
    await client.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'c', version: 1, text },
    })
    return uri
  }

  const initialize = (options: object): Promise<unknown> =>
    client.sendRequest('initialize', {
      ...{ processId: process.pid, rootUri: null, capabilities: {} },
      initializationOptions: options,
    })

  const verify = (uri: string, property: string): Promise<string> =>
    client.sendRequest('workspace/executeCommand', { command: 'heddle.verify', arguments: [uri, property] })

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'heddle-lsp-'))
    server = spawn(process.execPath, [main, 'lsp'], { stdio: ['pipe', 'pipe', 'inherit'] })
    client = createMessageConnection(new StreamMessageReader(server.stdout!), new StreamMessageWriter(server.stdin!))
    published.clear()
    client.onNotification('textDocument/publishDiagnostics', ({ uri, diagnostics }) => published.set(uri, diagnostics))
    client.listen()
  })
  afterEach(() => {
    client.dispose()
    server.kill('SIGKILL')
  })

  it('verifies on open, and relates the interleaving step by step to the source', { timeout: 60_000 }, async () => {
    await initialize({ properties: ['assert'] })
    const uri = await openFile('lost_update.c', LOST_UPDATE)
    await expect.poll(() => published.get(uri)?.length, { timeout: 30_000 }).toBe(1)
    const [found] = published.get(uri)!
    const failing = LOST_UPDATE.split('\n').findIndex((line) => line.includes('assert('))
    expect(found).toMatchObject({ code: 'assert', source: 'heddle', range: { start: { line: failing } } })
    const threads = found!.relatedInformation!.map(({ message }) => /^\d+\. (\S+)/.exec(message)![1])
    expect(new Set(threads)).toEqual(new Set(['main:', 'T1', 'T2']))
    for (const { location } of found!.relatedInformation!) expect(location.uri).toBe(uri)
  })

  it('tells input errors where they are, and forgets them when they are mended', { timeout: 60_000 }, async () => {
    await initialize({ properties: [] })
    const uri = await openFile('wrong.c', 'int main(void) {\n  return y;\n}\n')
    expect(await verify(uri, 'assert')).toBe('error')
    await expect.poll(() => published.get(uri)?.[0]?.range.start).toEqual({ line: 1, character: 9 })
    writeFileSync(fileURLToPath(uri), 'int main(void) {\n  return 0;\n}\n')
    expect(await verify(uri, 'assert')).toBe('true')
    await expect.poll(() => published.get(uri)).toEqual([])
  })

  it('has lenses, hovers and inlays', { timeout: 60_000 }, async () => {
    await initialize({ properties: [] })
    const text = readFileSync(new URL('../../examples/counter_mutex.c', import.meta.url), 'utf8')
    const uri = await openFile('counter.c', text)
    const textDocument = { uri }
    const lenses: CodeLens[] = await client.sendRequest('textDocument/codeLens', { textDocument })
    const lines = text.split('\n')
    const entry = lines.findIndex((line) => /\bmain\(/.test(line))
    expect(lenses.filter((lens) => lens.range.start.line === entry).map((lens) => lens.command!.title)).toEqual([
      ...['verify', 'races', 'deadlocks'],
    ])
    expect(await verify(uri, 'no-data-race')).toBe('true')
    const range = { start: { line: 0, character: 0 }, end: { line: lines.length, character: 0 } }
    const inlays: InlayHint[] = await client.sendRequest('textDocument/inlayHint', { textDocument, range })
    expect(inlays).toMatchObject([{ label: '✓ races, just now', position: { line: entry } }])
    const line = lines.findIndex((l) => /counter/.test(l) && /[+=]/.test(l))
    const position = { line, character: lines[line]!.indexOf('counter') + 2 }
    const hover: Hover = await client.sendRequest('textDocument/hover', { textDocument, position })
    expect(hover.contents).toMatchObject({
      value: expect.stringMatching(/counter.* is shared by main, count[\s\S]*write . count . `mutex`/),
    })
  })

  it('ends a run that is cancelled, and takes the next', { timeout: 60_000 }, async () => {
    await initialize({ properties: [], timeout: 60_000 })
    const uri = await openFile('endless.c', ENDLESS)
    const source = new CancellationTokenSource()
    const params = { command: 'heddle.verify', arguments: [uri, 'assert'] }
    const run = client.sendRequest('workspace/executeCommand', params, source.token)
    await new Promise((done) => setTimeout(done, 700))
    source.cancel()
    expect(await run).toBe('cancelled')
    const other = await openFile('small.c', 'int main(void) { return 0; }\n')
    expect(await verify(other, 'assert')).toBe('true')
  })
})
