// The control file's layout (runtime/heddle.h, runtime/server.c): requests into bytes, bytes into answers.
import {
  type Choice,
  EVENT_BYTES,
  EventLog,
  KINDS,
  OUTCOMES,
  POLICIES,
  type RunAnswer,
  type RunRequest,
  type Segment,
  type Waiting,
} from './events.js'

const MAX_SEGMENTS = 1 << 20
const MAX_VALUES = 1 << 18
const MAX_EVENTS = 1 << 22
export const MAX_DICTIONARY = 1024
const HEADER_BYTES = 65536
const SEGMENT_BYTES = 8
const VALUE_BYTES = 24
const WAITING_BYTES = 32
export const COVERAGE_BYTES = 65536

const after = (offset: number, count: number, bytes: number): number => offset + count * bytes
const GIVEN_SEGMENTS = HEADER_BYTES
const SEGMENTS = after(GIVEN_SEGMENTS, MAX_SEGMENTS, SEGMENT_BYTES)
const GIVEN_VALUES = after(SEGMENTS, MAX_SEGMENTS, SEGMENT_BYTES)
const VALUES = after(GIVEN_VALUES, MAX_VALUES, VALUE_BYTES)
const DICTIONARY = after(VALUES, MAX_VALUES, VALUE_BYTES)
const COVERAGE = after(DICTIONARY, MAX_DICTIONARY, 8)
const SHARED = after(COVERAGE, COVERAGE_BYTES, 1)
const LEARNT = after(SHARED, (1 << 20) / 8, 1)
const EVENTS = after(LEARNT, 131_072, 1)
export const FILE_BYTES = after(EVENTS, MAX_EVENTS, EVENT_BYTES)
export const OFFSETS = {
  givenSegments: GIVEN_SEGMENTS,
  segments: SEGMENTS,
  givenValues: GIVEN_VALUES,
  values: VALUES,
  dictionary: DICTIONARY,
  coverage: COVERAGE,
  events: EVENTS,
} as const
const TEXT = 192
const FILE = 704
const WAITING = 1216
const TEXT_BYTES = 512

const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

export const requestHeader = (request: RunRequest, dictionary: number): Uint8Array => {
  const bytes = new Uint8Array(80)
  const v = view(bytes)
  const u32 = (offset: number, value: number): void => v.setUint32(offset, value, true)
  u32(0, POLICIES.indexOf(request.policy))
  u32(4, request.checks)
  u32(8, request.record)
  u32(12, request.depth)
  v.setBigUint64(16, BigInt.asUintN(64, request.seed), true)
  v.setBigUint64(24, BigInt(request.maxSteps), true)
  v.setBigUint64(32, BigInt(request.length), true)
  u32(40, Math.min(request.segments.length, MAX_SEGMENTS))
  u32(44, Math.min(request.values.length, MAX_VALUES))
  u32(48, request.fill)
  u32(52, request.reuse ? 1 : 0)
  u32(56, request.spurious)
  u32(60, request.runMs)
  u32(64, dictionary)
  u32(68, request.mallocMayFail ? 1 : 0)
  u32(72, request.maxThreads)
  u32(76, request.stopAtLimit ? 1 : 0)
  return bytes
}

export const segmentBytes = (segments: readonly Segment[]): Uint8Array => {
  const bytes = new Uint8Array(Math.min(segments.length, MAX_SEGMENTS) * SEGMENT_BYTES)
  const v = view(bytes)
  segments.slice(0, MAX_SEGMENTS).forEach(({ thread, steps }, i) => {
    v.setUint32(i * SEGMENT_BYTES, thread, true)
    v.setUint32(i * SEGMENT_BYTES + 4, steps, true)
  })
  return bytes
}

export const valueBytes = (values: RunRequest['values']): Uint8Array => {
  const bytes = new Uint8Array(Math.min(values.length, MAX_VALUES) * VALUE_BYTES)
  const v = view(bytes)
  values.slice(0, MAX_VALUES).forEach(({ thread, value }, i) => {
    v.setUint32(i * VALUE_BYTES, thread, true)
    v.setBigInt64(i * VALUE_BYTES + 8, BigInt.asIntN(64, value), true)
  })
  return bytes
}

export const dictionaryBytes = (words: readonly bigint[]): Uint8Array => {
  const bytes = new Uint8Array(words.length * 8)
  const v = view(bytes)
  words.forEach((word, i) => {
    v.setBigInt64(i * 8, BigInt.asIntN(64, word), true)
  })
  return bytes
}

/** Events of one run that the systematic search reads: it looks at fewer steps than that. */
const MAX_SEARCHED = 100_000

/** `read` gives bytes of the control file; the steps of an execution that is known by its hash are not read. */
export const readAnswer = (
  read: (offset: number, length: number) => Uint8Array,
  isKnown?: (hash: string) => boolean,
): RunAnswer => {
  const header = read(0, WAITING)
  const v = view(header)
  const u32 = (offset: number): number => v.getUint32(offset, true)
  const u64 = (offset: number): number => Number(v.getBigUint64(offset, true))
  const [segments, values, events, waiting] = [u32(168), u32(172), u32(176), u32(180)]
  const diverged = u32(184)
  const hash = v.getBigUint64(136, true).toString(16)
  const count = isKnown?.(hash) ? 0 : Math.min(events, isKnown ? MAX_SEARCHED : MAX_EVENTS)
  return withLists(read(SEGMENTS, segments * SEGMENT_BYTES), {
    log: new EventLog(words(read(EVENTS, count * EVENT_BYTES))),
    outcome: OUTCOMES[u32(80)] ?? 'killed',
    thread: u32(84),
    signal: u32(88),
    line: u32(92),
    pc: u64(96),
    address: u64(104),
    otherPc: u64(112),
    otherEvent: u64(120),
    steps: u64(128),
    hash,
    anchor: u64(144),
    sharedSteps: u64(152),
    otherThread: u32(160),
    threads: u32(164),
    diverged: diverged === 0 ? undefined : diverged - 1,
    unjoined: u32(188),
    text: textAt(header, TEXT),
    file: textAt(header, FILE),
    values: valuesIn(read(VALUES, values * VALUE_BYTES)),
    waiting: waitingIn(read(WAITING, waiting * WAITING_BYTES)),
  })
}

/** Of most runs of a search nobody asks for these lists: they are made when somebody does. */
const withLists = (segmentList: Uint8Array, answer: Omit<RunAnswer, 'events' | 'segments'>): RunAnswer => {
  let events: RunAnswer['events'] | undefined
  let segments: RunAnswer['segments'] | undefined
  return Object.defineProperties(answer, {
    events: {
      enumerable: true,
      get: () => (events ??= Array.from({ length: answer.log.length }, (_, at) => answer.log.event(at))),
    },
    segments: { enumerable: true, get: () => (segments ??= segmentsIn(segmentList)) },
  }) as RunAnswer
}

const words = (bytes: Uint8Array): Uint32Array => new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)

const textAt = (bytes: Uint8Array, offset: number): string => {
  if (bytes[offset] === 0) return ''
  const part = bytes.subarray(offset, offset + TEXT_BYTES)
  const end = part.indexOf(0)
  return new TextDecoder().decode(end < 0 ? part : part.subarray(0, end))
}

const records = <T>(bytes: Uint8Array, size: number, read: (v: DataView, at: number) => T): readonly T[] => {
  const v = view(bytes)
  return Array.from({ length: Math.floor(bytes.length / size) }, (_, i) => read(v, i * size))
}

const segmentsIn = (bytes: Uint8Array): readonly Segment[] =>
  records(bytes, SEGMENT_BYTES, (v, at) => ({ thread: v.getUint32(at, true), steps: v.getUint32(at + 4, true) }))

const valuesIn = (bytes: Uint8Array): readonly Choice[] =>
  records(bytes, VALUE_BYTES, (v, at) => ({
    thread: v.getUint32(at, true),
    bound: v.getUint32(at + 4, true),
    value: v.getBigInt64(at + 8, true),
    step: Number(v.getBigUint64(at + 16, true)),
  }))

const waitingIn = (bytes: Uint8Array): readonly Waiting[] =>
  records(bytes, WAITING_BYTES, (v, at) => {
    const holder = v.getInt32(at + 24, true)
    return {
      thread: v.getUint32(at, true),
      kind: KINDS[v.getUint32(at + 4, true)]!,
      object: Number(v.getBigUint64(at + 8, true)),
      pc: Number(v.getBigUint64(at + 16, true)),
      holder: holder < 0 ? undefined : holder,
    }
  })
