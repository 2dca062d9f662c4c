import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const root = fileURLToPath(new URL('.', import.meta.url))
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

/** The solver's WASM starts threads: that needs shared memory, and shared memory these headers. */
const headers = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' }

/** Memory models are imported as text, as the build does it. */
const catFiles = {
  name: 'cat-files',
  load: (id: string) =>
    id.endsWith('.cat') ? `export default ${JSON.stringify(readFileSync(id, 'utf8'))}` : undefined,
}

export default defineConfig({
  plugins: [catFiles],
  root,
  base: './',
  publicDir: false,
  define: { HEDDLE_VERSION: JSON.stringify(version) },
  build: { outDir: '../dist-playground', emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 4000 },
  preview: { headers, port: 5173 },
})
