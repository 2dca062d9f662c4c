// What the documents name is there: files, links, options, functions. A document that describes another program than this
// one helps nobody.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BENCH_OPTIONS } from '../../src/cli/bench/options.js'
import { CHECK_OPTIONS } from '../../src/cli/check/options.js'
import { CI_OPTIONS } from '../../src/cli/ci/options.js'
import { HARNESS_OPTIONS } from '../../src/cli/harness-options.js'
import { INIT_OPTIONS } from '../../src/cli/init-options.js'
import { REPLAY_OPTIONS } from '../../src/cli/replay/options.js'
import { TEST_OPTIONS } from '../../src/cli/test/options.js'
import { verifyTable } from '../../src/run/call/request-from.js'
import { SHOW_OPTIONS } from '../../src/run/call/show-options.js'

const root = new URL('../..', import.meta.url).pathname
const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'bench/RESULTS.md'],
  ...readdirSync(join(root, 'docs'), { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
].sort()

const textOf = (page: string): string => readFileSync(join(root, page), 'utf8')

const OPTIONS = new Set(
  [
    ...[
      verifyTable(),
      BENCH_OPTIONS,
      CHECK_OPTIONS,
      CI_OPTIONS,
      HARNESS_OPTIONS,
      INIT_OPTIONS,
      REPLAY_OPTIONS,
      TEST_OPTIONS,
      SHOW_OPTIONS,
    ].flat(),
    ...[{ name: 'help' }, { name: 'version' }],
  ].map(({ name }) => name),
)

/** Words of all code: what a document calls by a name of code must be one of them. */
const words = new Set(
  ['src', 'test', 'scripts', 'bench', 'web', 'editors'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .map(String)
      .filter((file) => /\.(?:ts|mjs|js|c|h|lua|el|json|cat)$/.test(file) && !file.includes('node_modules'))
      .flatMap((file) => readFileSync(join(root, folder, file), 'utf8').match(/[A-Za-z_]\w*/g) ?? []),
  ),
)

const inlineCode = (page: string): readonly string[] =>
  [
    ...textOf(page)
      .replace(/^```.*?^```$/gms, '')
      .matchAll(/`([^`\n]+)`/g),
  ].map(([, code]) => code!)

describe.each(pages)('%s', (page) => {
  test('links lead somewhere', () => {
    const links = [...textOf(page).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link]) => link!)
    const broken = links.filter((link) => !/^\w+:/.test(link) && !existsSync(join(root, dirname(page), link)))
    expect(broken).toEqual([])
  })

  test('files exist', () => {
    const named = inlineCode(page)
      .flatMap(
        (code) =>
          code.match(/(?:^|(?<=[\s(]))(?:src|test|scripts|bench|docs|examples|schema|editors|web)\/[\w./-]*\w/g) ?? [],
      )
      .filter((path) => !/\b[A-Z]{3,}\b/.test(path) && !path.startsWith('bench/out'))
    expect(named.filter((path) => !existsSync(join(root, path)) && !existsSync(join(root, `${path}.ts`)))).toEqual([])
  })

  test('options of heddle exist', () => {
    const calls = [
      ...inlineCode(page).filter((code) => /^(?:npx )?heddle \w|^--/.test(code)),
      ...[...textOf(page).matchAll(/^ *(?:npx )?heddle \w.*$/gm)].map(([line]) => line),
    ].filter((code) => !code.includes('npm run'))
    const used = calls.flatMap((code) =>
      [...code.replace(/ -- .*/, '').matchAll(/(?:^|\s)--([a-z][\w-]*)/g)].map(([, name]) => name!),
    )
    expect([...new Set(used)].filter((name) => !OPTIONS.has(name))).toEqual([])
  })

  test('functions exist', () => {
    const named = inlineCode(page).filter((code) => /^[a-z]+(?:[A-Z][a-z]*)+(?:\(\))?$/.test(code))
    expect(named.filter((name) => !words.has(name.replace('()', '')))).toEqual([])
  })
})

test('every page of docs is linked from another one', () => {
  const linked = new Set(
    pages.flatMap((page) =>
      [...textOf(page).matchAll(/\]\(([^)#\s]+\.md)(?:#[^)]*)?\)/g)].map(([, link]) =>
        relative(root, join(root, dirname(page), link!)),
      ),
    ),
  )
  expect(pages.filter((page) => page.startsWith('docs/') && !linked.has(page))).toEqual([])
})
