// The HTML report in a real browser, wide and narrow: it steps by keyboard and by click, shows the values of each step,
// fits its width, asks the network for nothing, and has no errors. Skipped where there is no Chromium.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Certificate } from '../../src/certificate/index.js'
import { htmlReport } from '../../src/output/index.js'
import { LOST_UPDATE, PROOF, type Sample, sampleOf } from './sample.js'

const BROWSER = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const fileOf = (sample: Sample): string => {
  const path = sample.path.replace(/\.c$/, '.html')
  writeFileSync(path, htmlReport(sample))
  return path
}

test('one file: nothing is fetched, and text of the program cannot end a script', async () => {
  const hostile = LOST_UPDATE.replace('a < b & c -- d', '</script><script>alert(1)</script>')
  const page = htmlReport(await sampleOf(hostile))
  expect(page).not.toMatch(/(?:src|href)="(?!data:,")/)
  expect(page.match(/<script/g)).toHaveLength(2)
  expect(page.match(/<\/script/g)).toHaveLength(2)
})

describe.skipIf(!BROWSER)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: BROWSER!, args: FLAGS })
  })
  afterAll(() => browser?.close())

  const opened = async (file: string, width: number): Promise<{ page: Page; problems: string[] }> => {
    const page = await browser.newPage({ viewport: { width, height: 800 } })
    const problems: string[] = []
    page.on('console', (message) => problems.push(`${message.type()}: ${message.text()}`))
    page.on('pageerror', (error) => problems.push(String(error)))
    page.on('request', (request) => {
      if (!/^(file|data):/.test(request.url())) problems.push(`asks for ${request.url()}`)
    })
    await page.goto(`file://${file}`)
    return { page, problems }
  }
  const fits = (page: Page): Promise<boolean> =>
    page.evaluate('document.documentElement.scrollWidth <= window.innerWidth') as Promise<boolean>

  test.each([1280, 375])('a violation at %d pixels', async (width) => {
    const sample = await sampleOf(LOST_UPDATE)
    const { steps } = sample.report.trace!
    const { page, problems } = await opened(fileOf(sample), width)
    expect(await page.textContent('h1')).toContain('assertion can fail')
    expect(await page.locator('.step').count()).toBe(steps.length)
    expect(await fits(page)).toBe(true)
    for (const [i, step] of steps.entries()) {
      expect(await page.textContent('#position')).toBe(`step ${i + 1} of ${steps.length}`)
      expect(await page.locator('.code .now').getAttribute('data-line')).toBe(String(step.line))
      const fresh = await page.locator('#values .new').allTextContents()
      expect(fresh).toEqual(step.changed.map(({ name, value }) => `${name}${value}step ${i + 1}`))
      await page.keyboard.press('ArrowRight')
    }
    // Beyond the last step it stays; back and the ends work; a click chooses.
    expect(await page.textContent('#position')).toBe(`step ${steps.length} of ${steps.length}`)
    await page.keyboard.press('ArrowLeft')
    expect(await page.textContent('#position')).toBe(`step ${steps.length - 1} of ${steps.length}`)
    await page.keyboard.press('Home')
    expect(await page.textContent('#position')).toBe(`step 1 of ${steps.length}`)
    await page.locator('.step').nth(2).click()
    expect(await page.locator('[aria-current=step]').getAttribute('data-step')).toBe('2')
    await page.locator('[data-go=on]').click()
    expect(await page.textContent('#position')).toBe(`step 4 of ${steps.length}`)
    // An arrow for each change of thread.
    expect(await page.locator('.arrows .switch').count()).toBe(sample.report.trace!.contextSwitches)
    expect(problems).toEqual([])
    await page.close()
  })

  test.each([1280, 375])('the graph of a proof at %d pixels', async (width) => {
    const sample = await sampleOf(PROOF)
    const graph: Certificate = {
      kind: 'labelled-graph',
      data: {
        ...{ arithmetic: 'int', largeBlocks: true, reduction: 'persistent' },
        formulas: ['(and (= |x#1| 0) (<= |1:y#2| #b00000000000000000000000000000001))', 'false'],
        nodes: [
          { id: 0, label: [], threads: [0] },
          { id: 1, parent: 0, thread: 0, edge: 4, label: [0], threads: [0] },
          { id: 2, parent: 1, thread: 0, edge: 5, label: [0], coveredBy: 1 },
          ...Array.from({ length: 300 }, (_, i) => ({ id: i + 3, parent: 1, thread: 1, edge: 4, label: [0] })),
        ],
        edges: [{ id: 4, file: sample.path, line: 3, text: 'int x = 1; </script>' }],
        history: [{ nodes: 7, added: ['the value of x#1', '(<= |1:y#2| 1)'] }],
      },
    }
    const graphLibrary = readFileSync(createRequire(import.meta.url).resolve('cytoscape/dist/cytoscape.min.js'), 'utf8')
    const report = { ...sample.report, certificate: graph }
    const { page, problems } = await opened(fileOf({ ...sample, report, graphLibrary }), width)
    expect(await page.textContent('.graph .hint')).toContain('303 abstract states, 1 of them covered')
    // What is below a node is closed where it would be too much, and opens with Enter.
    expect(await page.textContent('#graph-shown')).toBe('2 of 303 shown')
    await page.focus('#graph')
    await page.keyboard.press('ArrowDown')
    expect(await page.textContent('#graph-node')).toContain('State 1 thread 0, line 3: int x = 1; </script>')
    expect(await page.locator('#graph-node li').allTextContents()).toEqual(['x = 0', 'T1.y ≤ 1'])
    expect(await page.locator('.code .now').getAttribute('data-line')).toBe('3')
    await page.keyboard.press('Enter')
    expect(await page.textContent('#graph-shown')).toBe('303 of 303 shown')
    await page.keyboard.press('ArrowDown')
    expect(await page.textContent('#graph-node')).toContain('covered by state 1')
    await page.locator('[data-graph=less]').click()
    expect(await page.textContent('#graph-shown')).not.toBe('303 of 303 shown')
    expect(await page.textContent('[aria-label=Refinements]')).toContain('T1.y ≤ 1')
    expect(await fits(page)).toBe(true)
    expect(problems).toEqual([])
    await page.close()
  })

  test.each([1280, 375])('a proof at %d pixels', async (width) => {
    const { page, problems } = await opened(fileOf(await sampleOf(PROOF)), width)
    expect(await page.textContent('h1')).toContain('holds for every interleaving')
    expect(await page.textContent('.facts')).toContain('Assumptions')
    expect(await fits(page)).toBe(true)
    expect(problems).toEqual([])
    await page.close()
  })
})
