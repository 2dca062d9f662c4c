// The messages of a cancelled run, as docs/editors.md shows them: for those who write a client.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { type Message, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node.js'

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const DOCS = readFileSync(new URL('../../docs/editors.md', import.meta.url), 'utf8')
const ENDLESS = `#include <assert.h>
#include <pthread.h>
unsigned long x, y;
void *run(void *a) { for (;;) x++; return a; }
int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); for (;;) { y += 3; assert(x * y != 77777); } }
`

type Rpc = Message & {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly token?: string; readonly value?: { readonly kind: string } }
  readonly result?: unknown
}

/** As a line of the transcript: who speaks, what, and of a result only whether it is a verdict. */
const lineOf = (from: 'client' | 'server', { method, params, result }: Rpc): string => {
  const what = method ? [method, params?.value?.kind].filter(Boolean).join(' ') : 'result'
  return `${from}: ${what}${typeof result === 'string' ? ` "${result}"` : ''}`
}

it('is the transcript of the manual', { timeout: 60_000 }, async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'heddle-transcript-')), 'endless.c')
  writeFileSync(file, ENDLESS)
  const uri = pathToFileURL(file).href
  const server = spawn(process.execPath, [MAIN, 'lsp'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const writer = new StreamMessageWriter(server.stdin!)
  const lines: string[] = []
  const say = (message: object): Promise<void> => {
    lines.push(lineOf('client', message as Rpc))
    return writer.write({ jsonrpc: '2.0', ...message } as Message)
  }
  const ended = new Promise<void>((done) => {
    new StreamMessageReader(server.stdout!).listen((message) => {
      const { id, method, params, result } = message as Rpc
      const line = lineOf('server', message as Rpc)
      // How often it reports depends on the machine.
      if (!line.endsWith(' report') || !lines.includes(line)) lines.push(line)
      if (method === 'window/workDoneProgress/create') void say({ id, result: null })
      if (params?.value?.kind === 'report' && !lines.some((one) => one.includes('workDoneProgress/cancel')))
        void say({ method: 'window/workDoneProgress/cancel', params: { token: params.token } })
      if (result === 'cancelled') done()
    })
  })
  await say({
    ...{ id: 1, method: 'initialize' },
    params: {
      ...{ processId: process.pid, rootUri: null, initializationOptions: { properties: [], timeout: 50_000 } },
      capabilities: { window: { workDoneProgress: true } },
    },
  })
  await expect.poll(() => lines).toContain('server: result')
  await say({ method: 'initialized', params: {} })
  const textDocument = { uri, languageId: 'c', version: 1, text: ENDLESS }
  await say({ method: 'textDocument/didOpen', params: { textDocument } })
  const run = { command: 'heddle.verify', arguments: [uri, 'assert'] }
  await say({ id: 2, method: 'workspace/executeCommand', params: run })
  await ended
  server.kill('SIGKILL')
  const shown = /```transcript\n([\s\S]*?)```/.exec(DOCS)![1]!.trim().split('\n')
  expect(lines).toEqual(shown)
})
