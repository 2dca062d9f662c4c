// The time to the first verdict in the playground beside that of the command line with the same solver: Chromium opens
// the page, waits until it is ready, asks, and waits for the verdict; the command line starts, and ends.
//   npm run build && npm run build:playground && node bench/playground/run.mjs [--rounds 5]
// The two take turns, so that both meet the same machine. Prints medians and their ratios.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { preview } from 'vite'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } })
const BROWSER = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)
if (!BROWSER) throw new Error('there is no Chromium')

const CASES = [
  { example: 'lost_update', engine: 'auto' },
  { example: 'counter_mutex', engine: 'auto' },
  { example: 'lost_update', engine: 'bmc' },
  { example: 'counter_mutex', engine: 'bmc' },
  { example: 'counter_mutex', engine: 'cegar' },
]

const now = () => performance.now()

const inPage = async (page, { example, engine }) => {
  await page.goto(address)
  await page.locator('.cm-content').click()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(readFileSync(`${root}examples/${example}.c`, 'utf8'))
  await page.selectOption('#engine', engine)
  const began = now()
  await page.click('#verify')
  await page.locator('#status', { hasText: 'VERDICT' }).waitFor({ timeout: 60_000 })
  return { ms: now() - began, verdict: /VERDICT: (\w+)/.exec(await page.textContent('#status'))[1] }
}

const onCommandLine = ({ example, engine }) => {
  const began = now()
  const args = ['verify', `${root}examples/${example}.c`, '--engine', engine, '--solver', 'wasm']
  const { stdout } = spawnSync(process.execPath, [`${root}dist/cli/main.js`, ...args], { encoding: 'utf8' })
  return { ms: now() - began, verdict: /VERDICT: (\w+)/.exec(stdout)[1] }
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]

const server = await preview({ configFile: `${root}web/vite.config.ts`, preview: { port: 0 }, logLevel: 'error' })
const address = server.resolvedUrls.local[0]
const browser = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox', '--disable-gpu'] })
const context = await browser.newContext()
const page = await context.newPage()
// Once, so that the page is the one that the visitor has kept.
await inPage(page, CASES[0])
for (const one of CASES) {
  const times = { page: [], line: [] }
  for (let i = 0; i < Number(values.rounds); i++) {
    const [shown, printed] = [await inPage(page, one), onCommandLine(one)]
    if (shown.verdict !== printed.verdict) throw new Error(`${shown.verdict} in the page, ${printed.verdict} otherwise`)
    times.page.push(shown.ms)
    times.line.push(printed.ms)
  }
  const [inTab, inShell] = [median(times.page), median(times.line)]
  const ratio = (inTab / inShell).toFixed(2)
  console.log(
    `${one.example} ${one.engine}: page ${inTab.toFixed(0)} ms, command line ${inShell.toFixed(0)} ms: ${ratio}`,
  )
}
await browser.close()
await server.close()
