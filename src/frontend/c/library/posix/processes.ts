// <unistd.h> and what else a process asks of the system about itself.
import { c, type LibraryPart } from '../part.js'

const SYS_TYPES = c`
#ifndef _SYS_TYPES_H
#define _SYS_TYPES_H 1
#include <stddef.h>
#include <heddle/types.h>
#ifdef __LP64__
typedef long ssize_t;
#else
typedef int ssize_t;
#endif
typedef int pid_t;
typedef unsigned int id_t;
typedef int key_t;
typedef unsigned long dev_t;
typedef unsigned long ino_t;
typedef unsigned long nlink_t;
typedef long blksize_t;
typedef long blkcnt_t;
typedef char *caddr_t;
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef unsigned char u_int8_t;
typedef unsigned short u_int16_t;
typedef unsigned int u_int32_t;
typedef unsigned long long u_int64_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned int mode_t;
typedef long off_t;
typedef unsigned int useconds_t;
typedef long suseconds_t;
#ifndef __HEDDLE_TIME_TYPES
#define __HEDDLE_TIME_TYPES
typedef long time_t;
typedef long clock_t;
typedef int clockid_t;
#endif
#endif
`

const UNISTD = c`
#ifndef _UNISTD_H
#define _UNISTD_H 1
#include <sys/types.h>
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define _SC_NPROCESSORS_ONLN 84
extern unsigned int sleep(unsigned int);
extern int usleep(useconds_t);
extern void _exit(int) __attribute__((__noreturn__));
#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE 30
#define _SC_NPROCESSORS_CONF 83
#define _SC_OPEN_MAX 4
#define _SC_CLK_TCK 2
#define _SC_IOV_MAX 60
#define _SC_PHYS_PAGES 85
#define R_OK 4
#define W_OK 2
#define X_OK 1
#define F_OK 0
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
extern pid_t getpid(void);
extern pid_t getppid(void);
extern pid_t gettid(void);
extern uid_t getuid(void);
extern uid_t geteuid(void);
extern gid_t getgid(void);
extern int getpagesize(void);
extern int access(const char *, int);
extern int unlink(const char *);
extern int dup(int);
extern int dup2(int, int);
extern int fsync(int);
extern int ftruncate(int, off_t);
extern off_t lseek(int, off_t, int);
extern ssize_t pread(int, void *, size_t, off_t);
extern ssize_t pwrite(int, const void *, size_t, off_t);
extern char *getcwd(char *, size_t);
extern int chdir(const char *);
extern int gethostname(char *, size_t);
extern long syscall(long, ...);
extern pid_t fork(void);
extern ssize_t read(int, void *, size_t);
extern ssize_t write(int, const void *, size_t);
extern int close(int);
extern int pipe(int *);
extern int isatty(int);
extern long sysconf(int);
extern unsigned int alarm(unsigned int);
extern int pause(void);
extern char *optarg;
extern int optind, opterr, optopt;
extern int getopt(int, char *const *, const char *);
#endif
`

const WAIT = c`
#ifndef _SYS_WAIT_H
#define _SYS_WAIT_H 1
#include <sys/types.h>
#define WNOHANG 1
#define WEXITSTATUS(status) (((status) >> 8) & 255)
#define WIFEXITED(status) (((status) & 127) == 0)
extern pid_t wait(int *);
extern pid_t waitpid(pid_t, int *, int);
#endif
`

const PRCTL = c`
#ifndef _SYS_PRCTL_H
#define _SYS_PRCTL_H 1
#define PR_SET_PDEATHSIG 1
#define PR_SET_NAME 15
#define PR_GET_NAME 16
#define PR_SET_TIMERSLACK 29
extern int prctl(int, ...);
#endif
`

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

const ERR = c`
#ifndef _ERR_H
#define _ERR_H 1
#include <stdarg.h>
extern void warn(const char *, ...);
extern void vwarn(const char *, va_list);
extern void warnx(const char *, ...);
extern void vwarnx(const char *, va_list);
extern void err(int, const char *, ...) __attribute__((noreturn));
extern void verr(int, const char *, va_list) __attribute__((noreturn));
extern void errx(int, const char *, ...) __attribute__((noreturn));
extern void verrx(int, const char *, va_list) __attribute__((noreturn));
#endif
`

const ERR_MODELS = c`
#include <err.h>
#include <stdlib.h>

/* What is printed is seen by nobody. */
void warn(const char *format, ...)
{
}

void vwarn(const char *format, va_list arguments)
{
}

void warnx(const char *format, ...)
{
}

void vwarnx(const char *format, va_list arguments)
{
}

void err(int status, const char *format, ...)
{
  exit(status);
}

void verr(int status, const char *format, va_list arguments)
{
  exit(status);
}

void errx(int status, const char *format, ...)
{
  exit(status);
}

void verrx(int status, const char *format, va_list arguments)
{
  exit(status);
}
`

const UNISTD_MODELS = c`
#include <unistd.h>

extern void pthread_testcancel(void);

unsigned int sleep(unsigned int seconds)
{
  pthread_testcancel();
  return 0;
}

int usleep(useconds_t time)
{
  pthread_testcancel();
  return 0;
}

int isatty(int file)
{
  return __heddle_choice();
}

pid_t getpid(void)
{
  return 1000;
}

pid_t getppid(void)
{
  return 1;
}

pid_t gettid(void)
{
  return 1000 + (int)__heddle_self();
}

uid_t getuid(void)
{
  return 1000;
}

uid_t geteuid(void)
{
  return 1000;
}

gid_t getgid(void)
{
  return 1000;
}

int getpagesize(void)
{
  return 4096;
}

/* The size of a page, or any number, -1 for what is not known. */
long sysconf(int name)
{
  if (name == _SC_PAGESIZE)
    return 4096;
  return (long)__heddle_nondet_range(0, 2147483647) - 1;
}

/* Signals never come (signal.c says so). */
unsigned int alarm(unsigned int seconds)
{
  __heddle_note("no signal is delivered");
  return 0;
}

/* Options end where there are none. */
char *optarg;
int optind = 1;
int opterr = 1;
int optopt;

int getopt(int count, char *const *arguments, const char *options)
{
  if (optind >= count)
    return -1;
  __heddle_unsupported("getopt with arguments");
  return -1;
}
`

const SYSCALL_MODELS = c`
#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

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

static int __heddle_outcome(void)
{
  return __heddle_choice() ? 0 : -1;
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

export const PROCESSES: LibraryPart = {
  headers: {
    'sys/types.h': SYS_TYPES,
    'unistd.h': UNISTD,
    'getopt.h': '#include <unistd.h>\n',
    'sys/wait.h': WAIT,
    'sys/prctl.h': PRCTL,
    'sys/syscall.h': SYSCALL,
    'linux/futex.h': FUTEX,
    'err.h': ERR,
    'syscall.h': SYSCALL,
  },
  models: {
    '<heddle/unistd.c>': UNISTD_MODELS,
    '<heddle/syscall.c>': SYSCALL_MODELS,
    '<heddle/err.c>': ERR_MODELS,
  },
}
