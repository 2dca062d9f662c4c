// The live page of heddle watch: one page, its state as server-sent events, and the report of each check. It listens on
// this machine only, and answers nobody who calls it by another name.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { htmlReport } from '../../output/index.js'
import { reasonText } from '../../output/reason.js'
import { UsageError } from '../../run/call/options.js'
import type { Outcome } from '../ci/outcome.js'
import { contextOf } from '../outputs.js'
import { PAGE } from './page.js'

export interface Row extends Outcome {
  readonly state: 'waiting' | 'running' | 'done'
  /** Of the last outcome. */
  readonly line?: string
  readonly at?: number
}

export interface LivePage {
  readonly url: string
  readonly update: () => void
  close(): void
}

export const serve = async (port: number, checks: { rows(): readonly Row[] }): Promise<LivePage> => {
  const listeners = new Set<ServerResponse>()
  const server = createServer(({ url = '/', headers }, response) => {
    if (!/^(?:localhost|127\.0\.0\.1)(?::\d+)?$/.test(headers.host ?? '')) return end(response, 403, 'text/plain', '')
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    switch (pathname) {
      case '/':
        return end(response, 200, 'text/html', PAGE)
      case '/events':
        response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
        response.write(eventOf(checks.rows()))
        listeners.add(response)
        response.on('close', () => listeners.delete(response))
        return
      case '/report': {
        const asked = checks.rows().find((row) => nameOf(row) === searchParams.get('of'))
        if (!asked?.report?.task) return end(response, 404, 'text/plain', 'There is no report of this check.')
        return end(response, 200, 'text/html', htmlReport(contextOf(asked.report, asked.report.task)))
      }
      default:
        return end(response, 404, 'text/plain', 'There is no such page.')
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new UsageError(`--port ${port}: ${error.code}`)))
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    update: () => {
      for (const listener of listeners) listener.write(eventOf(checks.rows()))
    },
    close: () => {
      for (const listener of listeners) listener.end()
      server.close()
      server.closeAllConnections()
    },
  }
}

const end = (response: ServerResponse, status: number, type: string, text: string): void => {
  response.writeHead(status, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' }).end(text)
}

const nameOf = ({ program, property }: Row): string => `${program} ${property}`

/** What the page shows: reports are fetched when somebody opens them. */
const eventOf = (rows: readonly Row[]): string => {
  const shown = rows.map((row) => ({
    ...{ name: nameOf(row), program: row.program, property: row.property, state: row.state, at: row.at },
    ...{ verdict: row.report?.verdict ?? (row.problem === undefined ? undefined : 'error') },
    text: row.report?.trace?.headline ?? (row.report?.reason && reasonText(row.report.reason)) ?? row.problem ?? '',
    seconds: row.report && row.report.time_ms / 1000,
    kept: row.report?.kept === true,
  }))
  return `data: ${JSON.stringify(shown)}\n\n`
}
