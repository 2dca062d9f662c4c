// What is known about a file: the last result of each property, and when it was found. Lenses and inlays read it.
import type { Property } from '../property/names.js'

export interface KnownVerdict {
  readonly property: Property
  readonly verdict: 'true' | 'false' | 'unknown' | 'error'
  readonly reason?: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** The text has been edited since. */
  readonly stale: boolean
}

const MARK = { true: '✓', false: '✗', unknown: '?', error: '!' } as const

const SHORT: Readonly<Record<Property, string>> = {
  assert: 'assertions',
  'unreach-call': 'error calls',
  'no-data-race': 'races',
  'no-deadlock': 'deadlocks',
  termination: 'termination',
  'no-overflow': 'overflow',
  'valid-memsafety': 'memory',
}

export const shortName = (property: Property): string => SHORT[property]

export const verdictText = ({ property, verdict, reason, at, stale }: KnownVerdict, now: number): string => {
  const why = verdict === 'unknown' && reason ? ` (${reason})` : ''
  return `${MARK[verdict]} ${shortName(property)}${why}, ${ageText(now - at)}${stale ? ', edited since' : ''}`
}

const ageText = (ms: number): string => {
  const seconds = Math.floor(ms / 1000)
  if (seconds < 60) return 'just now'
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} h ago`
}
