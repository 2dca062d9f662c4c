// System calls by their numbers, <linux/futex.h> among them: what threads wait with where no lock of the library fits.
import { c, type LibraryPart } from '../part.js'

const SYSCALL = c`
#ifndef _SYS_SYSCALL_H
#define _SYS_SYSCALL_H 1
#ifdef __LP64__
#define SYS_sched_yield 24
#define SYS_getpid 39
#define SYS_gettid 186
#define SYS_futex 202
#else
#define SYS_sched_yield 158
#define SYS_getpid 20
#define SYS_gettid 224
#define SYS_futex 240
#endif
#define __NR_sched_yield SYS_sched_yield
#define __NR_getpid SYS_getpid
#define __NR_gettid SYS_gettid
#define __NR_futex SYS_futex
extern long syscall(long, ...);
#endif
`

const FUTEX = c`
#ifndef _LINUX_FUTEX_H
#define _LINUX_FUTEX_H
#define FUTEX_WAIT 0
#define FUTEX_WAKE 1
#define FUTEX_FD 2
#define FUTEX_REQUEUE 3
#define FUTEX_CMP_REQUEUE 4
#define FUTEX_WAKE_OP 5
#define FUTEX_LOCK_PI 6
#define FUTEX_UNLOCK_PI 7
#define FUTEX_TRYLOCK_PI 8
#define FUTEX_WAIT_BITSET 9
#define FUTEX_WAKE_BITSET 10
#define FUTEX_PRIVATE_FLAG 128
#define FUTEX_CLOCK_REALTIME 256
#define FUTEX_CMD_MASK ~(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME)
#define FUTEX_WAIT_PRIVATE (FUTEX_WAIT | FUTEX_PRIVATE_FLAG)
#define FUTEX_WAKE_PRIVATE (FUTEX_WAKE | FUTEX_PRIVATE_FLAG)
#define FUTEX_WAIT_BITSET_PRIVATE (FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG)
#define FUTEX_WAKE_BITSET_PRIVATE (FUTEX_WAKE_BITSET | FUTEX_PRIVATE_FLAG)
#define FUTEX_BITSET_MATCH_ANY 0xffffffff
#endif
`

const SYSCALL_MODELS = c`
#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

extern int __heddle_outcome(void);

/* futex(2): the word that a thread waits on; who wakes it clears that. */
static _Thread_local unsigned int *__heddle_futex;

static void __heddle_futex_woken(void)
{
  unsigned int *waiting;
  __heddle_atomic_begin();
  __heddle_sync("atomic");
  waiting = __heddle_futex;
  __heddle_await(waiting == 0);
  __heddle_atomic_end();
}

/* Nobody woke it: a spurious return, a signal. */
static void __heddle_futex_woken_spuriously(unsigned int *word)
{
  __heddle_atomic_begin();
  __heddle_sync("atomic");
  __heddle_spurious();
  __heddle_await(__heddle_futex == word);
  __heddle_futex = 0;
  __heddle_atomic_end();
}

/* Woken, or the time is over. */
static int __heddle_futex_over(unsigned int *word)
{
  int over;
  __heddle_atomic_begin();
  __heddle_sync("atomic");
  over = __heddle_futex == word;
  __heddle_futex = 0;
  __heddle_atomic_end();
  return over;
}

/* Looks at the word and waits, in one step. */
static long __heddle_futex_wait(unsigned int *word, unsigned int expected, const void *timeout)
{
  int waits = 0;
  __heddle_atomic_begin();
  __heddle_sync("atomic");
  if (*word == expected) {
    __heddle_futex = word;
    waits = 1;
  }
  __heddle_atomic_end();
  if (!waits) {
    errno = EAGAIN;
    return -1;
  }
  if (timeout != 0) {
    if (__heddle_futex_over(word)) {
      errno = ETIMEDOUT;
      return -1;
    }
    return 0;
  }
  if (__heddle_option("spurious-wakeups")) {
    if (__heddle_choice()) {
      __heddle_futex_woken_spuriously(word);
      if (__heddle_choice()) {
        errno = EINTR;
        return -1;
      }
    } else {
      __heddle_futex_woken();
    }
  } else {
    __heddle_futex_woken();
  }
  return 0;
}

/* Any of those who wait, as many as that. */
static long __heddle_futex_wake(unsigned int *word, unsigned int most)
{
  unsigned int thread, chosen, waiters = 0, woken = 0;
  __heddle_atomic_begin();
  __heddle_sync("atomic");
  for (thread = 0; thread < __heddle_thread_count(); thread++)
    if (*__heddle_thread_address(&__heddle_futex, thread) == word)
      waiters++;
  if (waiters <= most) {
    for (thread = 0; thread < __heddle_thread_count(); thread++)
      if (*__heddle_thread_address(&__heddle_futex, thread) == word)
        *__heddle_thread_address(&__heddle_futex, thread) = 0;
    woken = waiters;
  } else {
    for (; woken < most; woken++) {
      chosen = __heddle_nondet_range(0, __heddle_thread_count() - 1);
      __heddle_await(*__heddle_thread_address(&__heddle_futex, chosen) == word);
      *__heddle_thread_address(&__heddle_futex, chosen) = 0;
    }
  }
  __heddle_atomic_end();
  return woken;
}

static long __heddle_futex_call(va_list arguments)
{
  unsigned int *word = va_arg(arguments, unsigned int *);
  int operation = va_arg(arguments, int) & FUTEX_CMD_MASK;
  unsigned int value = va_arg(arguments, unsigned int);
  if (operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET) {
    const void *timeout = va_arg(arguments, const void *);
    if (operation == FUTEX_WAIT_BITSET) {
      va_arg(arguments, void *);
      if (va_arg(arguments, unsigned int) != FUTEX_BITSET_MATCH_ANY)
        __heddle_limit("a futex with a mask");
    }
    return __heddle_futex_wait(word, value, timeout);
  }
  if (operation == FUTEX_WAKE)
    return __heddle_futex_wake(word, value);
  if (operation == FUTEX_WAKE_BITSET) {
    va_arg(arguments, void *);
    va_arg(arguments, void *);
    if (va_arg(arguments, unsigned int) != FUTEX_BITSET_MATCH_ANY)
      __heddle_limit("a futex with a mask");
    return __heddle_futex_wake(word, value);
  }
  __heddle_limit("a futex operation other than to wait and to wake");
  return -1;
}

int prctl(int option, ...)
{
  return __heddle_outcome();
}

long syscall(long number, ...)
{
  if (number == SYS_gettid)
    return 1000 + (long)__heddle_self();
  if (number == SYS_getpid)
    return 1000;
  if (number == SYS_sched_yield)
    return 0;
  if (number == SYS_futex) {
    long result;
    va_list arguments;
    va_start(arguments, number);
    result = __heddle_futex_call(arguments);
    va_end(arguments);
    return result;
  }
  __heddle_unsupported("a system call by its number");
  return -1;
}

/* What is logged is seen by nobody. */
void openlog(const char *name, int option, int facility)
{
}

void syslog(int priority, const char *format, ...)
{
}

void closelog(void)
{
}
`

export const SYSTEM_CALLS: LibraryPart = {
  headers: {
    'sys/syscall.h': SYSCALL,
    'syscall.h': SYSCALL,
    'linux/futex.h': FUTEX,
  },
  models: { '<heddle/syscall.c>': SYSCALL_MODELS },
}
