// <errno.h>, <time.h>, <unistd.h>, <sched.h>, <signal.h> and <sys/...>: sleeping and yielding are nothing, because a
// thread may be delayed anywhere and for any time; clocks give any time. Signals are declared and not modelled.
import { c, type LibraryPart } from './part.js'

const ERRNO = c`
#ifndef _ERRNO_H
#define _ERRNO_H 1
extern int *__errno_location(void);
#define errno (*__errno_location())
#define EPERM 1
#define ENOENT 2
#define ESRCH 3
#define EINTR 4
#define EIO 5
#define EBADF 9
#define ECHILD 10
#define EAGAIN 11
#define EWOULDBLOCK EAGAIN
#define ENOMEM 12
#define EACCES 13
#define EFAULT 14
#define EBUSY 16
#define EEXIST 17
#define ENODEV 19
#define EINVAL 22
#define ENOSPC 28
#define EPIPE 32
#define EDOM 33
#define ERANGE 34
#define EDEADLK 35
#define ENOSYS 38
#define EOVERFLOW 75
#define EOPNOTSUPP 95
#define ENOTSUP 95
#define ETIMEDOUT 110
#define ECANCELED 125
#define EOWNERDEAD 130
#define ENOTRECOVERABLE 131
#endif
`

const ERRNO_MODELS = c`
static _Thread_local int __heddle_errno;

int *__errno_location(void)
{
  return &__heddle_errno;
}
`

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

const TIME = c`
#ifndef _TIME_H
#define _TIME_H 1
#include <stddef.h>
#ifndef __HEDDLE_TIME_TYPES
#define __HEDDLE_TIME_TYPES
typedef long time_t;
typedef long clock_t;
typedef int clockid_t;
#endif
struct timespec {
  time_t tv_sec;
  long tv_nsec;
};
struct tm {
  int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
};
#define CLOCKS_PER_SEC 1000000L
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define TIME_UTC 1
extern time_t time(time_t *);
extern clock_t clock(void);
extern double difftime(time_t, time_t);
extern int nanosleep(const struct timespec *, struct timespec *);
extern int clock_nanosleep(clockid_t, int, const struct timespec *, struct timespec *);
extern int clock_gettime(clockid_t, struct timespec *);
extern int timespec_get(struct timespec *, int);
extern struct tm *localtime(const time_t *);
extern struct tm *gmtime(const time_t *);
extern char *ctime(const time_t *);
#endif
`

const SYS_TIME = c`
#ifndef _SYS_TIME_H
#define _SYS_TIME_H 1
#include <sys/types.h>
struct timeval {
  time_t tv_sec;
  suseconds_t tv_usec;
};
extern int gettimeofday(struct timeval *, void *);
#endif
`

const TIME_MODELS = c`
#include <time.h>
#include <sys/time.h>

time_t time(time_t *result)
{
  time_t now = (long)(__heddle_nondet_ulong() >> 1);
  if (result != 0)
    *result = now;
  return now;
}

clock_t clock(void)
{
  clock_t now = (long)(__heddle_nondet_ulong() >> 1);
  return now;
}

double difftime(time_t later, time_t earlier)
{
  return (double)later - (double)earlier;
}

extern void pthread_testcancel(void);

int nanosleep(const struct timespec *request, struct timespec *remaining)
{
  pthread_testcancel();
  return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *request, struct timespec *remaining)
{
  pthread_testcancel();
  return 0;
}

int clock_gettime(clockid_t clock, struct timespec *result)
{
  time_t seconds = (long)(__heddle_nondet_ulong() >> 1);
  result->tv_sec = seconds;
  result->tv_nsec = (long)__heddle_nondet_range(0, 999999999);
  return 0;
}

int timespec_get(struct timespec *result, int base)
{
  clock_gettime(CLOCK_REALTIME, result);
  return base;
}

int gettimeofday(struct timeval *result, void *zone)
{
  time_t seconds = (long)(__heddle_nondet_ulong() >> 1);
  result->tv_sec = seconds;
  result->tv_usec = (suseconds_t)__heddle_nondet_range(0, 999999);
  return 0;
}
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
extern pid_t getpid(void);
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

/** Declared, so that a program that uses them is told by name what is not modelled. */
const SETJMP = c`
#ifndef _SETJMP_H
#define _SETJMP_H 1
typedef struct {
  long __state[25];
} jmp_buf[1];
typedef jmp_buf sigjmp_buf;
extern int setjmp(jmp_buf);
extern int sigsetjmp(sigjmp_buf, int);
extern void longjmp(jmp_buf, int) __attribute__((__noreturn__));
extern void siglongjmp(sigjmp_buf, int) __attribute__((__noreturn__));
#endif
`

const FCNTL = c`
#ifndef _FCNTL_H
#define _FCNTL_H 1
#include <sys/types.h>
#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_CREAT 64
#define O_EXCL 128
#define O_TRUNC 512
#define O_APPEND 1024
#define O_NONBLOCK 2048
extern int open(const char *, int, ...);
extern int fcntl(int, int, ...);
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
`

const SCHED = c`
#ifndef _SCHED_H
#define _SCHED_H 1
struct sched_param {
  int sched_priority;
};
#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
extern int sched_yield(void);
extern int sched_get_priority_max(int);
extern int sched_get_priority_min(int);
#endif
`

const SCHED_MODELS = c`
int sched_yield(void)
{
  return 0;
}
`

const SIGNAL = c`
#ifndef _SIGNAL_H
#define _SIGNAL_H 1
#include <sys/types.h>
typedef int sig_atomic_t;
#define SIGABRT 6
#define SIGINT 2
#define SIGTERM 15
#define SIGALRM 14
#define SIG_DFL ((void (*)(int))0)
#define SIG_IGN ((void (*)(int))1)
#define SIG_ERR ((void (*)(int))-1)
extern void (*signal(int, void (*)(int)))(int);
extern int raise(int);
extern int kill(pid_t, int);
#endif
`

export const SYSTEM: LibraryPart = {
  headers: {
    'errno.h': ERRNO,
    'time.h': TIME,
    'sys/time.h': SYS_TIME,
    'sys/types.h': SYS_TYPES,
    'unistd.h': UNISTD,
    'sched.h': SCHED,
    'signal.h': SIGNAL,
    'setjmp.h': SETJMP,
    'fcntl.h': FCNTL,
    'sys/wait.h': WAIT,
    'getopt.h': '#include <unistd.h>\n',
  },
  models: {
    '<heddle/errno.c>': ERRNO_MODELS,
    '<heddle/time.c>': TIME_MODELS,
    '<heddle/unistd.c>': UNISTD_MODELS,
    '<heddle/sched.c>': SCHED_MODELS,
  },
}
