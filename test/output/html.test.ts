// The HTML report in a real browser, wide and narrow: it steps by keyboard and by click, shows the values of each step,
// fits its width, asks the network for nothing, and has no errors. Skipped where there is no Chromium.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Certificate } from '../../src/certificate/index.js'
import type { ExecutionView } from '../../src/memory-model/index.js'
import { benchPage } from '../../src/output/bench/page.js'
import { litmusPage } from '../../src/output/html/litmus-page.js'
import { htmlReport } from '../../src/output/index.js'
import type { Invariants } from '../../src/semantics/index.js'
import { TIMEOUT } from '../../src/verdict/reason.js'
import { LONG, LOST_UPDATE, PHILOSOPHERS, PROOF, RACE, type Sample, sampleOf } from './sample.js'

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

/** The same program, not decided. */
const undecided = (sample: Sample): Sample => {
  const { certificate: _, ...report } = sample.report
  const attempts = [{ engine: 'bmc', outcome: TIMEOUT, stats: { depth: 4 } }] as const
  return { ...sample, report: { ...report, verdict: 'unknown', reason: TIMEOUT, hint: 'try --engine cegar', attempts } }
}

/** Message passing without a release: the reader sees the flag, but not the data. */
const EXECUTION: ExecutionView = {
  threads: [
    { number: 1, name: 'T1 put' },
    { number: 2, name: 'T2 get' },
  ],
  events: [
    { id: 0, thread: 1, label: 'W x=1', kind: 'W', tags: ['NA'], access: 'x=1', line: 4 },
    { id: 1, thread: 1, label: 'W f=1', kind: 'W', tags: ['A', 'RLX'], access: 'f=1', line: 5 },
    { id: 2, thread: 2, label: 'R f=1', kind: 'R', tags: ['A', 'ACQ'], access: 'f=1', line: 9 },
    { id: 3, thread: 2, label: 'R x=0', kind: 'R', tags: ['NA'], access: 'x=0', line: 10 },
  ],
  edges: [
    { relation: 'po', from: 0, to: 1 },
    { relation: 'po', from: 2, to: 3 },
    { relation: 'rf', from: 1, to: 2 },
    { relation: 'fr', from: 3, to: 0 },
  ],
}

const underMemoryModel = (sample: Sample): Sample => {
  const { certificate: _, trace: __, ...report } = sample.report
  return { ...sample, report: { ...report, verdict: 'false', execution: EXECUTION } }
}

const litmusFile = ({ path }: Sample): string => {
  const part = { verdict: 'true', name: 'MP', where: 'MP.litmus · rc11', answer: 'Allowed', notes: ['x=0'] } as const
  const { threads: _, ...view } = EXECUTION
  const file = path.replace(/\.c$/, '.litmus.html')
  writeFileSync(file, litmusPage('MP', [{ ...part, verdictLine: 'VERDICT: TRUE', view, text: 'C MP\n{}\n' }]))
  return file
}

const benchFile = ({ path }: Sample): string => {
  const rows = (['correct', 'wrong', 'timeout', 'unknown', 'error'] as const).flatMap((status, i) =>
    ['engine=bmc', 'engine=cegar'].map((configuration) => ({
      ...{ task: `t/${i}.yml`, property: 'assert', expected: 'true', configuration, repetition: 0 },
      ...{ verdict: 'true', status, reason: '', wallMs: 1000 + i, cpuMs: 9, memoryMb: 9, engine: 'bmc', stats: {} },
    })),
  )
  const library = (name: string): string => readFileSync(`node_modules/uplot/dist/${name}`, 'utf8')
  const file = path.replace(/\.c$/, '.bench.html')
  writeFileSync(file, benchPage(rows, { script: library('uPlot.iife.min.js'), style: library('uPlot.min.css') }))
  return file
}

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
    expect(await page.locator('[aria-selected=true]').getAttribute('data-step')).toBe('2')
    await page.locator('[data-go=on]').click()
    expect(await page.textContent('#position')).toBe(`step 4 of ${steps.length}`)
    // An arrow for each change of thread.
    expect(await page.locator('.arrows .switch').count()).toBe(sample.report.trace!.contextSwitches)
    expect(problems).toEqual([])
    await page.close()
  })

  /** The highlighted step and its line are inside the window, and the window itself never scrolls. */
  const inSight = (page: Page): Promise<unknown> =>
    page.evaluate(`(() => {
      const inside = (element) => {
        const { top, bottom, left, right } = element.getBoundingClientRect()
        const frame = element.closest('section').getBoundingClientRect()
        return top >= frame.top && bottom <= Math.min(frame.bottom, innerHeight) + 1 && left >= 0 && right <= innerWidth + 1
      }
      return [inside(document.querySelector('.step.now')), inside(document.querySelector('.code .now')), scrollY, document.documentElement.scrollHeight <= innerHeight]
    })()`)

  test.each([
    [1400, 900],
    [1024, 640],
    [390, 844],
  ])('the current step stays in sight, whatever the key, at %d by %d', async (width, height) => {
    const rounds = 120
    const long = LONG.replace('ROUNDS', String(rounds))
    const { page, problems } = await opened(fileOf(await sampleOf(long)), width)
    await page.setViewportSize({ width, height })
    const keys = [
      'ArrowRight',
      'ArrowDown',
      'End',
      'ArrowLeft',
      'PageUp',
      'PageUp',
      'j',
      'k',
      'Home',
      'PageDown',
      ']',
      'End',
      'Home',
    ]
    for (const key of keys) {
      await page.keyboard.press(key)
      expect(await inSight(page), key).toEqual([true, true, 0, true])
    }
    // Repeated rounds are folded; stepping into them opens them; a link leads to a step.
    const folded = await page.locator('.row[hidden]').count()
    expect(folded).toBeGreaterThan(rounds)
    const address = page.url().replace(/#.*/, '')
    await page.goto(`${address}#step=100`)
    await page.reload()
    expect(await page.textContent('#position')).toMatch(/^step 100 of/)
    expect(await inSight(page)).toEqual([true, true, 0, true])
    expect(problems).toEqual([])
    await page.close()
  })

  test('one tab stop for all steps; search, threads and what set a value lead to steps', async () => {
    const { page } = await opened(fileOf(await sampleOf(LOST_UPDATE)), 1280)
    expect(await page.locator('#chart [tabindex="0"], #chart button').count()).toBe(0)
    await page.keyboard.press('/')
    await page.keyboard.type('join')
    await page.keyboard.press('Enter')
    expect(await page.locator('.step.now').textContent()).toContain('join')
    await page.keyboard.press('Escape')
    await page.keyboard.press('End')
    const by = page.locator('#values tr', { hasText: /^x/ }).locator('button')
    const wanted = await by.textContent()
    await by.click()
    expect(await page.textContent('#position')).toContain(`${wanted} of`)
    await page.locator('[data-links=switch]').uncheck()
    expect(await page.locator('.arrows .switch').count()).toBe(0)
    await page.close()
  })

  test('a race shows both accesses side by side and marks both lines', async () => {
    const { page } = await opened(fileOf(await sampleOf(RACE, 'no-data-race')), 1280)
    await page.keyboard.press('End')
    const ends = page.locator('.ending.race .end')
    expect(await ends.count()).toBe(2)
    const tops = await ends.evaluateAll((boxes) => boxes.map((box) => Math.round(box.getBoundingClientRect().top)))
    expect(tops[0]).toBe(tops[1])
    expect(await page.locator('.code .ends').count()).toBeGreaterThan(0)
    expect(await page.locator('.arrows .conflict').count()).toBe(1)
    await page.close()
  })

  test.each([
    [1400, 900],
    [1024, 640],
    [390, 844],
  ])('a deadlock of many threads at %d by %d: boxes, holders, circle, nothing clipped', async (width, height) => {
    const { page, problems } = await opened(fileOf(await sampleOf(PHILOSOPHERS, 'no-deadlock')), width)
    await page.setViewportSize({ width, height })
    for (const key of ['End', 'ArrowLeft', 'PageUp', 'Home', 'PageDown', 'End']) {
      await page.keyboard.press(key)
      expect(await inSight(page), key).toEqual([true, true, 0, true])
    }
    expect(await page.locator('.ending.deadlock .end').count()).toBe(5)
    expect(await page.locator('.ending.deadlock .circle').count()).toBe(4)
    expect(await page.locator('.arrows .waits').count()).toBeGreaterThanOrEqual(4)
    const overflows = "[...document.querySelectorAll('.source, .values')].filter((s) => s.scrollWidth > s.clientWidth)"
    expect(await page.evaluate(`${overflows}.length`)).toBe(0)
    // On a wide screen all columns are in sight at once.
    const chart = "document.querySelector('.interleaving')"
    if (width === 1400) expect(await page.evaluate(`${chart}.scrollWidth <= ${chart}.clientWidth`)).toBe(true)
    expect(problems).toEqual([])
    await page.close()
  })

  test('a proof shows what holds at a line, and in every state', async () => {
    const sample = await sampleOf(PROOF)
    const invariants: Invariants = {
      ...{ expressions: ['x >= 0 && x <= 4'], places: [] },
      ghosts: [{ name: 'm_locked', updates: [], whileFree: ['(long long)a + b == 10'] }],
      lines: [{ file: sample.path, line: 4, expressions: ['x == 1'] }],
    }
    const { page } = await opened(fileOf({ ...sample, invariants }), 1280)
    const reasons = (await page.textContent('.reasons'))!
    expect(reasons).toContain('In every state 0 ≤ x ≤ 4.')
    expect(reasons).toContain('While no thread holds m, a + b = 10.')
    // The note stands above its line, with the line's indentation.
    expect(await page.textContent('.code .holds')).toBe('  x = 1')
    expect(await page.locator('.code .holds + li').getAttribute('data-line')).toBe('4')
    await page.close()
  })

  test('accessible by the rules of axe, in both themes', { timeout: 60_000 }, async () => {
    const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
    const proof = await sampleOf(PROOF)
    const samples = [
      ...[await sampleOf(LOST_UPDATE), await sampleOf(RACE, 'no-data-race'), proof],
      ...[await sampleOf(PHILOSOPHERS, 'no-deadlock'), undecided(proof), underMemoryModel(await sampleOf(RACE))],
    ]
    const files = [...samples.map(fileOf), benchFile(proof), litmusFile(proof)]
    for (const file of files)
      for (const colorScheme of ['light', 'dark'] as const) {
        const { page } = await opened(file, 1280)
        await page.emulateMedia({ colorScheme })
        await page.keyboard.press('End')
        await page.evaluate(axe)
        const found = (await page.evaluate('axe.run()')) as { violations: { id: string; nodes: { html: string }[] }[] }
        expect(found.violations.map(({ id, nodes }) => `${file} ${id}: ${nodes[0]!.html}`)).toEqual([])
        await page.close()
      }
  })

  test.each([1280, 375])('the graph of a proof at %d pixels', async (width) => {
    const sample = await sampleOf(PROOF)
    const graph: Certificate = {
      kind: 'labelled-graph',
      data: {
        ...{ arithmetic: 'int', largeBlocks: true, reduction: 'persistent', strayAccess: 'stops' },
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
    expect(await page.textContent('.graph .hint')).toContain('303 abstract states, coloured by thread. 1 of them')
    // What is below a node is closed where it would be too much, and opens with Enter.
    expect(await page.textContent('#graph-shown')).toBe('2 of 303 shown')
    await page.focus('#graph')
    await page.keyboard.press('ArrowDown')
    expect(await page.textContent('#graph-node')).toContain('State 1 after main executed line 3: int x = 1; </script>')
    expect(await page.locator('#graph-node li').allTextContents()).toEqual(['x = 0', 'T1.y ≤ 1'])
    expect(await page.locator('.code .now').getAttribute('data-line')).toBe('3')
    await page.keyboard.press('Enter')
    expect(await page.textContent('#graph-shown')).toBe('303 of 303 shown')
    await page.keyboard.press('ArrowDown')
    expect(await page.textContent('#graph-node')).toContain('covered by state 1')
    await page.locator('[data-graph=less]').click()
    expect(await page.textContent('#graph-shown')).not.toBe('303 of 303 shown')
    expect(await page.textContent('[aria-label=Refinements]')).toContain('T1.y ≤ 1')
    // No pane is smaller than what it holds: the next one would cover the rest.
    const panes = "[...document.querySelectorAll('.panes.proof > section')]"
    expect(await page.evaluate(`${panes}.filter((s) => s.scrollHeight > s.clientHeight + 1).length`)).toBe(0)
    expect(await fits(page)).toBe(true)
    expect(problems).toEqual([])
    await page.close()
  })

  test.each([
    [1400, 900],
    [1024, 640],
    [390, 844],
  ])(
    'an execution of a memory model at %d by %d: told in words, edges can be switched, lines are marked',
    async (width, height) => {
      const { page, problems } = await opened(fileOf(underMemoryModel(await sampleOf(RACE))), width)
      await page.setViewportSize({ width, height })
      expect(await page.textContent('header')).toContain('T2 get sees f = 1 (line 9), but not x = 1')
      expect(await page.locator('svg .heading').allTextContents()).toEqual(['T1 put', 'T2 get'])
      await page.focus('.execution')
      for (const line of ['4', '5', '9', '10']) {
        await page.keyboard.press('ArrowDown')
        expect(await page.locator('.code .now').getAttribute('data-line')).toBe(line)
        expect(
          await page.evaluate('document.querySelector(".code .now").getBoundingClientRect().bottom <= innerHeight'),
        ).toBe(true)
      }
      expect(await page.locator('g[data-relation=fr]').isVisible()).toBe(true)
      await page.locator('input[data-relation=fr]').uncheck()
      expect(await page.locator('g[data-relation=fr]').isVisible()).toBe(false)
      expect(await fits(page)).toBe(true)
      expect(problems).toEqual([])
      await page.close()
    },
  )

  test.each([1280, 375])('a proof at %d pixels', async (width) => {
    const { page, problems } = await opened(fileOf(await sampleOf(PROOF)), width)
    expect(await page.textContent('h1')).toContain('holds for every interleaving')
    expect(await page.textContent('.facts')).toContain('Assumptions')
    expect(await fits(page)).toBe(true)
    expect(problems).toEqual([])
    await page.close()
  })
})
