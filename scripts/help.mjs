import { readFileSync } from 'node:fs'

/** `--help`: prints the comment that the file begins with, where its arguments are described, and ends. */
export const helpFrom = (file) => {
  if (!process.argv.includes('--help') && !process.argv.includes('-h')) return
  const lines = readFileSync(file, 'utf8').split('\n')
  const end = lines.findIndex((line) => !line.startsWith('//'))
  console.log(
    lines
      .slice(0, end)
      .map((line) => line.replace(/^\/\/ ?/, ''))
      .join('\n'),
  )
  process.exit(0)
}
