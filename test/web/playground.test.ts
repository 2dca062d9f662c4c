// The playground in a real browser, built and served as a visitor gets it. Skipped where there is no Chromium.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { type PreviewServer, preview } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const BROWSER = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)
const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync'],
]
const MUTEX = readFileSync(`${root}examples/counter_mutex.c`, 'utf8')
const ENDLESS = `#include <assert.h>
#include <pthread.h>
unsigned long x, y;
void *run(void *a) { for (;;) x++; return a; }
int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); for (;;) { y += 3; assert(x * y != 77777); } }
`

it.runIf(process.env['CI'])('Chromium is installed in CI', () => expect(BROWSER).toBeDefined())

describe.skipIf(!BROWSER)('the playground', { timeout: 120_000 }, () => {
  let browser: Browser
  let server: PreviewServer
  let address: string
  beforeAll(async () => {
    execFileSync(process.execPath, ['scripts/playground.mjs'], { cwd: root, stdio: 'ignore' })
    server = await preview({ configFile: `${root}web/vite.config.ts`, preview: { port: 0 }, logLevel: 'error' })
    address = server.resolvedUrls!.local[0]!
    browser = await chromium.launch({ executablePath: BROWSER!, args: FLAGS })
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })

  const opened = async (path = ''): Promise<{ page: Page; problems: string[] }> => {
    const page = await (await browser.newContext()).newPage()
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(String(error)))
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    await page.goto(`${address}${path}`)
    return { page, problems }
  }
  const write = async (page: Page, text: string): Promise<void> => {
    await page.locator('.cm-content').click()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(text)
  }
  const verdict = async (page: Page): Promise<string> => {
    await page.locator('#status', { hasText: 'VERDICT' }).waitFor({ timeout: 90_000 })
    return (await page.textContent('#status'))!
  }

  it('finds the lost update and shows its interleaving', async () => {
    const { page, problems } = await opened()
    await page.click('#verify')
    expect(await verdict(page)).toMatch(/^VERDICT: FALSE\(assert\)/)
    const report = page.frameLocator('#report')
    expect(await report.locator('h1').textContent()).toContain('assertion can fail: balance == 200')
    await report.locator('[data-go=last]').click()
    expect(await report.locator('.step.now').textContent()).toContain('assert(balance == 200)')
    expect(problems).toEqual([])
  })

  it('proves the version with a mutex, by the solver in the page', async () => {
    const { page, problems } = await opened()
    expect(await page.evaluate('crossOriginIsolated')).toBe(true)
    await write(page, MUTEX)
    // All but bmc give the solver limits of time, for which it needs threads.
    for (const engine of ['bmc', 'cegar', 'impact']) {
      await page.selectOption('#engine', engine)
      await page.click('#verify')
      await page.locator('#status', { hasText: `TRUE · ${engine}` }).waitFor({ timeout: 30_000 })
    }
    expect(problems).toEqual([])
  })

  it('marks errors in the text', async () => {
    const { page } = await opened()
    await write(page, 'int main(void) {\n  return y;\n}\n')
    await page.click('#verify')
    await page.locator('.cm-lintRange-error').waitFor()
    expect(await page.textContent('#status')).toBe("program.c:2:10: error: 'y' undeclared")
  })

  it('cancels a long run', async () => {
    const { page } = await opened()
    await write(page, ENDLESS)
    await page.click('#verify')
    await page.locator('#status', { hasText: 'explicit' }).waitFor()
    await page.click('#verify')
    expect(await verdict(page)).toContain('UNKNOWN(cancelled)')
    expect(await page.textContent('#verify')).toBe('Verify')
  })

  it('shares a program in the fragment of its address', async () => {
    const { page } = await opened()
    await write(page, MUTEX)
    await page.selectOption('#property', 'no-deadlock')
    await page.click('#share')
    await page.waitForURL(/#.*code=/)
    const { page: other } = await opened(new URL(page.url()).hash)
    await expect.poll(() => other.inputValue('#property')).toBe('no-deadlock')
    expect(await other.locator('.cm-content').textContent()).toContain('pthread_mutex_lock(&mutex);')
  })

  it('works offline after the first load', async () => {
    const { page, problems } = await opened()
    await page.evaluate('navigator.serviceWorker.ready')
    await page.waitForFunction('navigator.serviceWorker.controller !== null')
    await page.context().setOffline(true)
    await page.reload()
    expect(await page.evaluate('crossOriginIsolated')).toBe(true)
    await page.selectOption('#engine', 'bmc')
    await page.click('#verify')
    expect(await verdict(page)).toMatch(/^VERDICT: FALSE\(assert\) · bmc/)
    expect(problems).toEqual([])
  })

  it.each([1400, 390])('fits a window of %d pixels', async (width) => {
    const { page } = await opened()
    await page.setViewportSize({ width, height: 800 })
    expect(
      await page.evaluate(
        'document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight',
      ),
    ).toBe(true)
  })
})
