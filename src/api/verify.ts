// verify: decides a property of a program. The same run as `heddle verify`, without a terminal.

import { reportJson } from '../output/report-json.js'
import { verifyTable } from '../run/call/request-from.js'
import { taskOf } from '../run/call/task-report.js'
import { decide } from '../run/decide.js'
import { orInputError, requestOf } from './request.js'
import type { EngineProgress, Input, VerifyOptions, VerifyResult } from './types.js'

const PROGRESS_MS = 200

export const verify = (input: Input, options: VerifyOptions = {}): Promise<VerifyResult> =>
  orInputError(async () => {
    const request = requestOf(input, options, verifyTable())
    const run = decide(request)
    const { signal, onProgress } = options
    const abort = (): void => run.end({ kind: 'cancelled', by: 'aborted' })
    if (signal?.aborted) abort()
    signal?.addEventListener('abort', abort)
    const timer = onProgress && setInterval(() => onProgress(run.running().map(progressOf)), PROGRESS_MS)
    try {
      const decision = await run.decision
      return decision.kind === 'input-error'
        ? { version: 1, verdict: 'error', diagnostics: decision.diagnostics }
        : { version: 1, ...reportJson({ ...decision.report, task: taskOf(request) }) }
    } finally {
      clearInterval(timer)
      signal?.removeEventListener('abort', abort)
    }
  })

const progressOf = ({
  engine,
  progress,
}: ReturnType<ReturnType<typeof decide>['running']>[number]): EngineProgress => ({
  engine,
  ...(progress && { phase: progress.phase }),
  counts: progress?.counts ?? {},
})
