// The VS Code extension: starts `heddle lsp` and passes the settings on. Everything else is the language server's.
import { type ExtensionContext, workspace } from 'vscode'
import { LanguageClient } from 'vscode-languageclient/node'

let client: LanguageClient | undefined

export const activate = async (context: ExtensionContext): Promise<void> => {
  const settings = workspace.getConfiguration('heddle')
  const [command = 'heddle', ...args] = settings.get<string[]>('command') ?? []
  client = new LanguageClient(
    'heddle',
    'Heddle',
    { command, args },
    {
      documentSelector: [{ scheme: 'file', language: 'c' }],
      initializationOptions: settings,
      synchronize: { configurationSection: 'heddle' },
    },
  )
  context.subscriptions.push(client)
  await client.start()
}

export const deactivate = (): Promise<void> | undefined => client?.stop()
