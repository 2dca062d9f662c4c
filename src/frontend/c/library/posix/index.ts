// What POSIX, Linux and compilers have around the C library and threads, one file a subject.
import type { LibraryPart } from '../part.js'
import { COMPILER_HEADERS } from './compiler-headers.js'
import { EPOLL } from './epoll.js'
import { ERRORS } from './errno.js'
import { FILES } from './files.js'
import { OPTIONS } from './getopt.js'
import { MAPPED_MEMORY } from './mapped-memory.js'
import { OUTCOMES } from './outcomes.js'
import { PROCESSES } from './processes.js'
import { SCHEDULING } from './scheduling.js'
import { SIGNALS } from './signals.js'
import { SOCKETS } from './sockets.js'
import { SYSTEM_CALLS } from './system-calls.js'
import { TIMES } from './time.js'

export const POSIX: readonly LibraryPart[] = [
  COMPILER_HEADERS,
  EPOLL,
  ERRORS,
  FILES,
  MAPPED_MEMORY,
  OPTIONS,
  OUTCOMES,
  PROCESSES,
  SCHEDULING,
  SIGNALS,
  SOCKETS,
  SYSTEM_CALLS,
  TIMES,
]
