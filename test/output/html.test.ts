// The HTML report in a real browser, wide and narrow: it steps by keyboard and by click, shows the values of each step,
// fits its width, asks the network for nothing, and has no errors. Skipped where there is no Chromium.
import { existsSync, writeFileSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

  test.each([1280, 375])('a proof at %d pixels', async (width) => {
    const { page, problems } = await opened(fileOf(await sampleOf(PROOF)), width)
    expect(await page.textContent('h1')).toContain('holds for every interleaving')
    expect(await page.textContent('.facts')).toContain('Assumptions')
    expect(await fits(page)).toBe(true)
    expect(problems).toEqual([])
    await page.close()
  })
})
