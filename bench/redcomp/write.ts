// Writes the programs of tables I and II as tasks for `heddle bench`, with their property files.
// Run: node scripts/run.mjs bench/redcomp/write.ts [FOLDER]
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { definitionOf, TASKS } from './tasks.js'

const folder = process.argv[2] ?? 'bench/out/redcomp'
mkdirSync(folder, { recursive: true })
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)
write('assert.prp', 'CHECK( init(main()), LTL(G assert) )\n')
write('termination.prp', 'CHECK( init(main()), LTL(F end) )\n')
for (const task of TASKS) {
  write(`${task.name}.c`, task.text)
  write(`${task.name}.yml`, definitionOf(task))
}
console.log(`${TASKS.length} tasks in ${folder}`)
