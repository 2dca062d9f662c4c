// heddle watch: a program is verified when it is saved, and the page knows.
import { spawn } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const program = (wanted: number): string =>
  `#include <assert.h>\n#include "step.h"\nint x;\nint main(void) { x = STEP; assert(x == ${wanted}); return 0; }\n`

interface Shown {
  readonly property: string
  readonly verdict?: string
  readonly state: string
}

/** The first event of the page's state that fits. */
const until = (url: string, fits: (rows: readonly Shown[]) => boolean): Promise<readonly Shown[]> =>
  new Promise((resolve, reject) => {
    const request = get(`${url}events`, (response) => {
      let text = ''
      response.on('data', (part: Buffer) => {
        text += part.toString()
        for (const event of text.split('\n\n').slice(0, -1)) {
          const rows = JSON.parse(event.slice('data: '.length)) as readonly Shown[]
          if (!fits(rows)) continue
          request.destroy()
          resolve(rows)
          return
        }
        text = text.slice(text.lastIndexOf('\n\n') + 2)
      })
    })
    request.on('error', reject)
  })

it('verifies again what was saved, also through an included file, and ends by a signal', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-watch-'))
  writeFileSync(join(folder, 'step.h'), '#define STEP 1\n')
  writeFileSync(join(folder, 'a.c'), program(1))
  const child = spawn(process.execPath, [MAIN, 'watch', '--property', 'assert', '.'], { cwd: folder })
  try {
    let output = ''
    const url = await new Promise<string>((resolve) =>
      child.stdout.on('data', (part: Buffer) => {
        output += part.toString()
        const found = /(http:\S+)/.exec(output)?.[1]
        if (found) resolve(found)
      }),
    )
    const isNow = (verdict: string) => (rows: readonly Shown[]) =>
      rows.length === 1 && rows[0]!.state === 'done' && rows[0]!.verdict === verdict
    await until(url, isNow('true'))
    writeFileSync(join(folder, 'a.c'), program(2))
    await until(url, isNow('false'))
    writeFileSync(join(folder, 'step.h'), '#define STEP 2 \n')
    await until(url, isNow('true'))
    expect(output).toMatch(/a\.c: assert holds[\s\S]*a\.c:4: error: .*\[assert\][\s\S]*a\.c: assert holds/)
    const page = await fetch(url)
    expect(await page.text()).toContain('Heddle watches')
    const report = await fetch(`${url}report?of=${encodeURIComponent('a.c assert')}`)
    expect(await report.text()).toContain('a.c')
    const elsewhere = await new Promise<number | undefined>((resolve) =>
      get(url, { headers: { host: 'example.com' } }, (response) => resolve(response.statusCode)),
    )
    expect(elsewhere).toBe(403)
  } finally {
    const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
    child.kill('SIGINT')
    expect(await ended).toBe(0)
  }
}, 60_000)
