// Figure 5.3 of aapor.txt on a folder of SV-COMP tasks: how many each configuration decides, with the paper's figures
// (of its 763 tasks in 900 s) beside ours: node bench/aapor/figure53.mjs TASKS... [--timeout 20s] [--out DIR]. Needs a
// build (npm run build). DIR also gets the CSV and the quantile plots of `heddle bench`, one folder a domain.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const heddle = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const args = process.argv.slice(2)
const take = (name, otherwise) => {
  const at = args.indexOf(`--${name}`)
  return at < 0 ? otherwise : args.splice(at, 2)[1]
}
const timeout = take('timeout', '20s')
const out = take('out', 'bench/out/aapor')
const GRID = ['por=none,basic,aapor', 'lbe=off,on', 'prune=full,lazy']

/** NO_POR, BASIC, AAPOR. */
const PAPER = {
  'expl full off': [79, 216, 217],
  'expl full on': [194, 241, 249],
  'expl lazy off': [79, 223, 216],
  'expl lazy on': [198, 248, 251],
  'pred-cart full off': [15, 36, 45],
  'pred-cart full on': [54, 53, 52],
  'pred-cart lazy off': [17, 76, 85],
  'pred-cart lazy on': [60, 129, 130],
}

for (const domain of ['expl', 'pred-cart', 'product']) {
  const folder = join(out, domain)
  spawnSync(
    process.execPath,
    [heddle, 'bench', ...args, '--engine', 'cegar', '--domain', domain, '--dependence', 'objects']
      .concat(GRID.flatMap((each) => ['--grid', each]))
      .concat(['--timeout', timeout, '--jobs', '1', '--out', folder]),
    { stdio: 'inherit' },
  )
  const table = join(folder, 'results.md')
  if (existsSync(table)) console.log(`\n## ${domain}\n\n${readFileSync(table, 'utf8')}`)
}
console.log('\n## The paper: NO_POR / BASIC / AAPOR\n')
for (const [row, counts] of Object.entries(PAPER)) console.log(`- ${row} (domain, prune, lbe): ${counts.join(' / ')}`)
