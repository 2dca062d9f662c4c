// How to write for whoever reads: a person at a terminal, or a pipe, a file, a log.
import type { TerminalStyle } from '../output/terminal.js'
import type { Parsed } from '../run/call/options.js'

export const styleOf = ({ options }: Pick<Parsed, 'options'>): TerminalStyle => ({
  width: process.stdout.isTTY ? (process.stdout.columns ?? 80) : Number.POSITIVE_INFINITY,
  colour: hasColour(options.get('color')?.[0] ?? 'auto'),
  stats: options.has('stats'),
  ...(options.has('quiet') && { quiet: true }),
})

const hasColour = (when: string): boolean => {
  if (when !== 'auto') return when === 'always'
  return Boolean(process.stdout.isTTY) && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb'
}

/** Whether a line that rewrites itself reaches somebody who can see it as one. */
export const showsProgress = ({ options }: Pick<Parsed, 'options'>): boolean =>
  Boolean(process.stderr.isTTY) && process.env['TERM'] !== 'dumb' && !options.has('json') && !options.has('quiet')
