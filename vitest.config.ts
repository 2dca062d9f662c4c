import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

/** Memory models are imported as text, as the build does it. */
const catFiles = {
  name: 'cat-files',
  load: (id: string) =>
    id.endsWith('.cat') ? `export default ${JSON.stringify(readFileSync(id, 'utf8'))}` : undefined,
}

export default defineConfig({
  plugins: [catFiles],
  test: {
    ...{ include: ['test/**/*.test.ts'], globalSetup: 'test/temporary-files.ts' },
    ...{ testTimeout: 120_000, pool: 'forks', maxWorkers: 2 },
  },
})
