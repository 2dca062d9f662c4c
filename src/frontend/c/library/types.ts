// Types of the C library that programs hold, with our fields and glibc's sizes. A preprocessed file also declares them,
// in glibc's way; there ours must win (OWNED_TYPES), and static initialisers in glibc's form must be read (initialise).
import { c } from './part.js'

/**
 * Threads are known by their number + 1, so that 0 is no thread: `pthread_t`, and the owner fields of locks.
 *
 * mutex: `__owner` 0 when free; `__count` times locked (kept for recursive ones only).
 * condition: `__waiters` threads whose `__heddle_waiting` is the condition's address.
 * barrier: `__state` is the number of threads that wait, if it is less than `__count`. When the last one has come, it is
 * `__count` + those who are still to go, once the serial thread has gone twice `__count` + those.
 */
export const OWNED_TYPES_TEXT = c`
#ifndef __HEDDLE_TYPES
#define __HEDDLE_TYPES
typedef unsigned long pthread_t;
typedef struct __heddle_attr {
  int __detached;
  int __unused;
  long __padding[sizeof(long) == 8 ? 6 : 7];
} pthread_attr_t;
typedef struct __heddle_mutex {
  unsigned int __owner;
  unsigned int __count;
  int __kind;
  int __unused;
  long __padding[sizeof(long) == 8 ? 3 : 2];
} pthread_mutex_t;
typedef struct __heddle_mutexattr {
  int __kind;
} pthread_mutexattr_t;
typedef struct __heddle_cond {
  unsigned int __waiters;
  unsigned int __unused;
  long __padding[sizeof(long) == 8 ? 5 : 10];
} pthread_cond_t;
typedef struct __heddle_condattr {
  int __clock;
} pthread_condattr_t;
typedef struct __heddle_rwlock {
  unsigned int __writer;
  unsigned int __readers;
  long __padding[6];
} pthread_rwlock_t;
typedef struct __heddle_rwlockattr {
  int __kind;
  int __shared;
} pthread_rwlockattr_t;
typedef struct __heddle_barrier {
  unsigned int __count;
  unsigned int __state;
  long __padding[3];
} pthread_barrier_t;
typedef struct __heddle_barrierattr {
  int __shared;
} pthread_barrierattr_t;
typedef unsigned int pthread_spinlock_t;
typedef int pthread_once_t;
typedef unsigned int pthread_key_t;
typedef struct __heddle_semaphore {
  unsigned int __value;
  unsigned int __unused;
  long __padding[sizeof(long) == 8 ? 3 : 2];
} sem_t;
typedef unsigned long thrd_t;
typedef pthread_mutex_t mtx_t;
typedef pthread_cond_t cnd_t;
typedef unsigned int tss_t;
typedef struct __heddle_once_flag {
  int __data;
} once_flag;
#endif
`

/** Records of ours that only their own initialisers make: a copy of one is none (POSIX 2.9.9). */
export const SYNC_RECORDS: ReadonlySet<string> = new Set([
  '__heddle_mutex',
  '__heddle_cond',
  '__heddle_rwlock',
  '__heddle_barrier',
  '__heddle_semaphore',
])

/** Fields in the order of their declaration, as far as an initialiser can name them. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  pthread_t: [],
  pthread_attr_t: [],
  pthread_mutex_t: ['__owner', '__count', '__kind'],
  pthread_mutexattr_t: ['__kind'],
  pthread_cond_t: ['__waiters'],
  pthread_condattr_t: ['__clock'],
  pthread_rwlock_t: ['__writer', '__readers'],
  pthread_rwlockattr_t: ['__kind', '__shared'],
  pthread_barrier_t: ['__count', '__state'],
  pthread_barrierattr_t: ['__shared'],
  pthread_spinlock_t: [],
  pthread_once_t: [],
  pthread_key_t: [],
  sem_t: ['__value'],
  thrd_t: [],
  mtx_t: ['__owner', '__count', '__kind'],
  cnd_t: ['__waiters'],
  tss_t: [],
  once_flag: ['__data'],
}

/** Names that a typedef of a preprocessed file must not redefine: the definitions of OWNED_TYPES_TEXT stay. */
export const OWNED_TYPES: ReadonlySet<string> = new Set(Object.keys(FIELDS))

/** A braced initialiser of integer constants. Enumerators, casts and designators are the caller's to resolve. */
export type Constants = readonly (bigint | Constants)[]

/**
 * What a braced static initialiser of an owned struct type means for our fields; those not named are zero. It is in
 * our own form (`{0, 0, kind}`, what our headers write) or in glibc's (`{ { ... } }`, of which only the kind of a
 * mutex may differ from zero). Undefined: not understood, the caller says unsupported.
 */
export const initialise = (
  typeName: string,
  constants: Constants,
): readonly { readonly field: string; readonly value: bigint }[] | undefined => {
  const fields = FIELDS[typeName]
  if (!fields) return undefined
  if (isZero(constants)) return []
  const [first] = constants
  if (typeof first === 'object') {
    const isMutex = typeName === 'pthread_mutex_t' || typeName === 'mtx_t'
    return isMutex && constants.length === 1 ? glibcMutex(first) : undefined
  }
  const named: { field: string; value: bigint }[] = []
  for (const [index, value] of constants.entries()) {
    const field = fields[index]
    if (typeof value !== 'bigint' || field === undefined) return undefined
    named.push({ field, value })
  }
  return named
}

/** A normal mutex that spins. */
const ADAPTIVE = 3n

/** `__kind` comes after `__nusers` in glibc's 64-bit layout, before it in the 32-bit one, whose initialiser is shorter. */
const glibcMutex = (data: Constants): readonly { field: string; value: bigint }[] | undefined => {
  const position = data.length > 6 ? 4 : 3
  const kind = data[position]
  if (typeof kind !== 'bigint') return undefined
  if (!isZero(data.filter((_, index) => index !== position))) return undefined
  return [{ field: '__kind', value: kind === ADAPTIVE ? 0n : kind }]
}

const isZero = (constants: Constants): boolean =>
  constants.every((value) => (typeof value === 'bigint' ? value === 0n : isZero(value)))
