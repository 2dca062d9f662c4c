import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const root = fileURLToPath(new URL('.', import.meta.url))
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

/** The solver's WASM starts threads: that needs shared memory, and shared memory these headers. */
const headers = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' }

export default defineConfig({
  root,
  base: './',
  publicDir: false,
  define: { HEDDLE_VERSION: JSON.stringify(version) },
  build: { outDir: '../dist-playground', emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 4000 },
  preview: { headers, port: 5173 },
})
