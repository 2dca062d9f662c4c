// The page of heddle bench in a real browser: plots are drawn, runs are filtered, nothing is fetched, no errors.
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { expect, test } from 'vitest'
import { benchPage } from '../../src/output/bench/page.js'
import type { BenchRow } from '../../src/output/bench/table.js'

const BROWSER = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)
const LIBRARY = new URL('../../node_modules/uplot/dist/', import.meta.url).pathname

const row = (task: string, configuration: string, status: BenchRow['status'], wallMs: number): BenchRow => ({
  task: `folder/${task}.yml`,
  property: 'unreach-call',
  expected: 'true',
  configuration,
  repetition: 0,
  verdict: status === 'correct' ? 'true' : 'unknown',
  status,
  reason: status === 'timeout' ? 'timeout' : '',
  wallMs,
  cpuMs: wallMs,
  memoryMb: 80,
  engine: 'explicit',
  stats: {},
})
const ROWS = [
  row('a', 'por=none', 'correct', 900),
  row('b', 'por=none', 'timeout', 20_000),
  row('c', 'por=none', 'correct', 900),
  row('a', 'por=sleep', 'correct', 200),
  row('b', 'por=sleep', 'correct', 4_000),
  row('</script><b>', 'por=sleep', 'correct', 300),
]
const PAGE = benchPage(ROWS, {
  script: readFileSync(join(LIBRARY, 'uPlot.iife.min.js'), 'utf8'),
  style: readFileSync(join(LIBRARY, 'uPlot.min.css'), 'utf8'),
})

test('a name of a task cannot end a script', () => {
  expect(PAGE.match(/<\/script/g)).toHaveLength(2)
})

test.skipIf(!BROWSER).each([1280, 375])('at %d pixels', async (width) => {
  const file = join(mkdtempSync(join(tmpdir(), 'heddle-bench-')), 'results.html')
  writeFileSync(file, PAGE)
  const browser = await chromium.launch({ executablePath: BROWSER!, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const page = await browser.newPage({ viewport: { width, height: 800 } })
    const problems: string[] = []
    page.on('console', (message) => problems.push(message.text()))
    page.on('pageerror', (error) => problems.push(String(error)))
    page.on('request', (request) => {
      if (!/^(file|data):/.test(request.url())) problems.push(`asks for ${request.url()}`)
    })
    await page.goto(`file://${file}`)
    expect(await page.locator('canvas').count()).toBe(3)
    await page.selectOption('#across', '1')
    expect(await page.locator('#scatter canvas').count()).toBe(1)
    await page.fill('#filter', 'timeout')
    expect(await page.locator('#runs tr:visible').count()).toBe(2)
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
    // The page scrolls to its end.
    await page.keyboard.press('Tab')
    await page.keyboard.press('End')
    const lastRun = page.locator('#runs tr:visible').last()
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    expect((await lastRun.boundingBox())!.y).toBeLessThan(800)
    expect(problems).toEqual([])
  } finally {
    await browser.close()
  }
})
