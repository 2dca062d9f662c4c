// Files that are data for us: grammars and the runtime of the parser, libraries that go into pages. The build puts them
// beside the code (scripts/assets.mjs), so that installing Heddle does not install the packages they come from; where
// the code runs from its sources, they are taken from these packages.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const PACKAGES = {
  'web-tree-sitter.wasm': 'web-tree-sitter/web-tree-sitter.wasm',
  'tree-sitter-c.wasm': 'tree-sitter-c/tree-sitter-c.wasm',
  'tree-sitter-cpp.wasm': 'tree-sitter-cpp/tree-sitter-cpp.wasm',
  'cytoscape.min.js': 'cytoscape/dist/cytoscape.min.js',
  'uPlot.iife.min.js': 'uplot/dist/uPlot.iife.min.js',
  'uPlot.min.css': 'uplot/dist/uPlot.min.css',
} as const

export type Asset = keyof typeof PACKAGES

export const readAsset = (name: Asset): Buffer => {
  const built = fileURLToPath(new URL(`../assets/${name}`, import.meta.url))
  return readFileSync(existsSync(built) ? built : createRequire(import.meta.url).resolve(PACKAGES[name]))
}
