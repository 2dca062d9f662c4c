// Copies the files that src/run/program/assets.ts names from the packages they come from to dist/assets, with their licences.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'

export const copyAssets = (root) => {
  const table = readFileSync(`${root}src/run/program/assets.ts`, 'utf8')
  mkdirSync(`${root}dist/assets`, { recursive: true })
  const packages = new Set()
  for (const [, name, path] of table.matchAll(/^ {2}'([^']+)': '([^']+)',$/gm)) {
    copyFileSync(`${root}node_modules/${path}`, `${root}dist/assets/${name}`)
    packages.add(path.split('/')[0])
  }
  const licences = [...packages].map((name) => {
    const folder = `${root}node_modules/${name}`
    const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.\w+)?$/i.test(entry))
    return `${name}\n\n${file ? readFileSync(`${folder}/${file}`, 'utf8') : 'MIT'}`
  })
  writeFileSync(`${root}dist/assets/LICENSES.txt`, licences.join('\n\n----\n\n'))
}
