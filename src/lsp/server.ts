// heddle lsp: the language server. It verifies on save and on demand, shows violations as diagnostics with the
// interleaving as related information, and answers lenses, hovers and inlays from what is known by then. Nothing here
// decides anything: runs go through the library, in processes that a cancelled request ends at once.
import { execFile } from 'node:child_process'
import { dirname, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import {
  type CancellationToken,
  type CodeLens,
  type Connection,
  createConnection,
  type Diagnostic,
  ProposedFeatures,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver/node.js'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { verify } from '../api/index.js'
import { isProperty, type Property } from '../property/names.js'
import { diagnosticsOf } from './diagnostics.js'
import { hoverText, type SharedVariable } from './hover.js'
import { Runs } from './runs.js'
import { readSettings, type Settings } from './settings.js'
import { hasFunction, threadFunctionsOf, wordAt } from './source.js'
import { type KnownVerdict, shortName, verdictText } from './verdicts.js'

const VERIFY = 'heddle.verify'
const LENSES: readonly Property[] = ['assert', 'no-data-race', 'no-deadlock']
const LENS_TITLES: Readonly<Partial<Record<Property, string>>> = {
  assert: 'verify',
  'no-data-race': 'races',
  'no-deadlock': 'deadlocks',
}
const ANALYSIS_MS = 10_000

interface FileState {
  readonly verdicts: Map<Property, KnownVerdict>
  /** What each property published, by the address it was published to. */
  readonly published: Map<Property, ReadonlyMap<string, readonly Diagnostic[]>>
  shared: Promise<readonly SharedVariable[]> | undefined
}

class Server {
  private settings: Settings = readSettings(undefined)
  private readonly documents = new TextDocuments(TextDocument)
  private readonly files = new Map<string, FileState>()
  private readonly runs = new Runs()
  private showsProgress = false

  constructor(
    private readonly connection: Connection,
    private readonly commandLine: string,
  ) {
    connection.onInitialize(({ initializationOptions, capabilities }) => {
      this.settings = readSettings(initializationOptions)
      this.showsProgress = capabilities.window?.workDoneProgress === true
      return {
        serverInfo: { name: 'heddle' },
        capabilities: {
          textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
          codeLensProvider: {},
          hoverProvider: true,
          inlayHintProvider: true,
          executeCommandProvider: { commands: [VERIFY] },
        },
      }
    })
    connection.onDidChangeConfiguration(({ settings }) => {
      const given = (settings as { readonly heddle?: unknown } | null)?.heddle
      if (given !== undefined) this.settings = readSettings(given)
    })
    this.documents.onDidOpen(({ document }) => this.onSave(document))
    this.documents.onDidSave(({ document }) => this.onSave(document))
    this.documents.onDidChangeContent(({ document }) => this.onEdit(document))
    this.documents.onDidClose(({ document }) => this.onClose(document))
    connection.onCodeLens(({ textDocument }) => this.lenses(textDocument.uri))
    connection.onHover(({ textDocument, position }) => this.hover(textDocument.uri, position))
    connection.languages.inlayHint.on(({ textDocument }) => this.inlays(textDocument.uri))
    connection.onExecuteCommand(({ command, arguments: args }, token) => {
      const [uri, property] = args ?? []
      if (command !== VERIFY || typeof uri !== 'string' || typeof property !== 'string' || !isProperty(property))
        return undefined
      return this.verify(uri, property, token)
    })
    connection.onShutdown(() => this.runs.cancel(''))
    this.documents.listen(connection)
    connection.listen()
  }

  private state(uri: string): FileState {
    const known = this.files.get(uri)
    if (known) return known
    const state: FileState = { verdicts: new Map(), published: new Map(), shared: undefined }
    this.files.set(uri, state)
    return state
  }

  private onSave(document: TextDocument): void {
    this.state(document.uri).shared = undefined
    // A file without the entry is a part of some program: there is nothing to run.
    if (!this.settings.runOnSave || !hasFunction(document.getText(), this.settings.entry)) return
    for (const property of this.settings.properties) void this.verify(document.uri, property)
  }

  private onEdit({ uri, version }: TextDocument): void {
    if (version <= 1) return
    const { verdicts } = this.state(uri)
    for (const [property, verdict] of verdicts) verdicts.set(property, { ...verdict, stale: true })
  }

  private onClose({ uri }: TextDocument): void {
    this.runs.cancel(`${uri} `)
    for (const property of this.state(uri).published.keys()) this.publish(uri, property, new Map())
    this.files.delete(uri)
  }

  /** The result's verdict, for clients that ask by command. */
  private async verify(uri: string, property: Property, token?: CancellationToken): Promise<string> {
    const file = fileURLToPath(uri)
    const outer = new AbortController()
    token?.onCancellationRequested(() => outer.abort())
    let verdict = 'cancelled'
    const work = async (signal: AbortSignal): Promise<void> => {
      const progress = this.showsProgress ? await this.connection.window.createWorkDoneProgress() : undefined
      progress?.begin(`heddle: ${shortName(property)}`, undefined, file, true)
      const inner = new AbortController()
      signal.addEventListener('abort', () => inner.abort())
      progress?.token.onCancellationRequested(() => inner.abort())
      const { timeout, defines, includeDirs, entry } = this.settings
      const result = await verify(file, {
        ...{ property, timeout, defines, includeDirs, entry, signal: inner.signal },
        onProgress: (running) => {
          const [first] = running
          if (first) progress?.report([first.engine, first.phase].filter(Boolean).join(': '))
        },
      })
      progress?.done()
      if (inner.signal.aborted) return
      verdict = result.verdict
      const reason = 'reason' in result && result.reason !== undefined ? { reason: result.reason } : {}
      this.state(uri).verdicts.set(property, {
        property,
        verdict: result.verdict,
        ...reason,
        at: Date.now(),
        stale: false,
      })
      const byUri = new Map<string, Diagnostic[]>()
      const toUri = (path: string): string => pathToFileURL(resolve(dirname(file), path)).href
      for (const { uri: at, diagnostic } of diagnosticsOf(result, file, toUri)) {
        // The file that was opened keeps the name that the client gave it.
        const address = at === pathToFileURL(file).href ? uri : at
        byUri.set(address, [...(byUri.get(address) ?? []), diagnostic])
      }
      this.publish(uri, property, byUri)
      void this.connection.languages.inlayHint.refresh().catch(() => {})
    }
    await this.runs.start(`${uri} ${property}`, work, outer.signal)
    return verdict
  }

  /** A file's diagnostics are those of all properties, of every file that names it; an input error is told once. */
  private publish(uri: string, property: Property, found: ReadonlyMap<string, readonly Diagnostic[]>): void {
    const { published } = this.state(uri)
    const addresses = new Set([...(published.get(property)?.keys() ?? []), ...found.keys(), uri])
    published.set(property, found)
    for (const address of addresses) {
      const all = [...this.files.values()].flatMap((state) =>
        [...state.published.values()].flatMap((of) => of.get(address) ?? []),
      )
      const distinct = new Map(all.map((diagnostic) => [JSON.stringify(diagnostic), diagnostic]))
      void this.connection.sendDiagnostics({ uri: address, diagnostics: [...distinct.values()] })
    }
  }

  private lenses(uri: string): CodeLens[] {
    const text = this.documents.get(uri)?.getText() ?? ''
    return threadFunctionsOf(text, this.settings.entry).flatMap(({ line }) =>
      LENSES.map((property) => ({
        range: { start: { line, character: 0 }, end: { line, character: 0 } },
        command: { title: LENS_TITLES[property] ?? property, command: VERIFY, arguments: [uri, property] },
      })),
    )
  }

  private inlays(uri: string): { position: { line: number; character: number }; label: string; paddingLeft: true }[] {
    const lines = (this.documents.get(uri)?.getText() ?? '').split('\n')
    const entry = threadFunctionsOf(lines.join('\n'), this.settings.entry).find(
      ({ name }) => name === this.settings.entry,
    )
    const known = [...this.state(uri).verdicts.values()]
    if (!entry || known.length === 0) return []
    const label = known.map((verdict) => verdictText(verdict, Date.now())).join('   ')
    return [{ position: { line: entry.line, character: lines[entry.line]?.length ?? 0 }, label, paddingLeft: true }]
  }

  private async hover(uri: string, { line, character }: { line: number; character: number }) {
    const document = this.documents.get(uri)
    const word = document && wordAt(document.getText().split('\n')[line] ?? '', character)
    if (!word) return null
    const state = this.state(uri)
    state.shared ??= this.sharedVariables(fileURLToPath(uri))
    const value = hoverText(await state.shared, word)
    return value === undefined ? null : { contents: { kind: 'markdown' as const, value } }
  }

  /** In a process of its own: reading a large program must not keep the editor waiting for anything else. */
  private sharedVariables(file: string): Promise<readonly SharedVariable[]> {
    const { defines, includeDirs, entry } = this.settings
    const flags = [...defines.map((d) => `-D${d}`), ...includeDirs.map((d) => `-I${d}`), '--entry', entry]
    const args = [this.commandLine, 'show', '--shared', '--as', 'json', ...flags, '--', file]
    return new Promise((done) => {
      execFile(process.execPath, args, { timeout: ANALYSIS_MS, maxBuffer: 1 << 26 }, (error, stdout) =>
        done(error ? [] : (JSON.parse(stdout) as readonly SharedVariable[])),
      )
    })
  }
}

/** Serves on standard input and output until the client ends it. */
export const serve = (commandLine: string): void => {
  new Server(createConnection(ProposedFeatures.all, process.stdin, process.stdout), commandLine)
}
