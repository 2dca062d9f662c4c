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
#define ENXIO 6
#define E2BIG 7
#define ENOEXEC 8
#define EBADF 9
#define ECHILD 10
#define ENOMEM 12
#define EACCES 13
#define EFAULT 14
#define ENOTBLK 15
#define EBUSY 16
#define EEXIST 17
#define EXDEV 18
#define ENODEV 19
#define ENOTDIR 20
#define EISDIR 21
#define EINVAL 22
#define ENFILE 23
#define EMFILE 24
#define ENOTTY 25
#define ETXTBSY 26
#define EFBIG 27
#define ENOSPC 28
#define ESPIPE 29
#define EROFS 30
#define EMLINK 31
#define EPIPE 32
#define EDOM 33
#define ERANGE 34
#define ENAMETOOLONG 36
#define ENOLCK 37
#define ENOSYS 38
#define ENOTEMPTY 39
#define ELOOP 40
#define ENOMSG 42
#define EIDRM 43
#define ECHRNG 44
#define EL2NSYNC 45
#define EL3HLT 46
#define EL3RST 47
#define ELNRNG 48
#define EUNATCH 49
#define ENOCSI 50
#define EL2HLT 51
#define EBADE 52
#define EBADR 53
#define EXFULL 54
#define ENOANO 55
#define EBADRQC 56
#define EBADSLT 57
#define EBFONT 59
#define ENOSTR 60
#define ENODATA 61
#define ETIME 62
#define ENOSR 63
#define ENONET 64
#define ENOPKG 65
#define EREMOTE 66
#define ENOLINK 67
#define EADV 68
#define ESRMNT 69
#define ECOMM 70
#define EPROTO 71
#define EMULTIHOP 72
#define EDOTDOT 73
#define EBADMSG 74
#define EOVERFLOW 75
#define ENOTUNIQ 76
#define EBADFD 77
#define EREMCHG 78
#define ELIBACC 79
#define ELIBBAD 80
#define ELIBSCN 81
#define ELIBMAX 82
#define ELIBEXEC 83
#define EILSEQ 84
#define ERESTART 85
#define ESTRPIPE 86
#define EUSERS 87
#define ENOTSOCK 88
#define EDESTADDRREQ 89
#define EMSGSIZE 90
#define EPROTOTYPE 91
#define ENOPROTOOPT 92
#define EPROTONOSUPPORT 93
#define ESOCKTNOSUPPORT 94
#define EPFNOSUPPORT 96
#define EAFNOSUPPORT 97
#define EADDRINUSE 98
#define EADDRNOTAVAIL 99
#define ENETDOWN 100
#define ENETUNREACH 101
#define ENETRESET 102
#define ECONNABORTED 103
#define ECONNRESET 104
#define ENOBUFS 105
#define EISCONN 106
#define ENOTCONN 107
#define ESHUTDOWN 108
#define ETOOMANYREFS 109
#define ETIMEDOUT 110
#define ECONNREFUSED 111
#define EHOSTDOWN 112
#define EHOSTUNREACH 113
#define EALREADY 114
#define EINPROGRESS 115
#define ESTALE 116
#define EUCLEAN 117
#define ENOTNAM 118
#define ENAVAIL 119
#define EISNAM 120
#define EREMOTEIO 121
#define EDQUOT 122
#define ENOMEDIUM 123
#define EMEDIUMTYPE 124
#define ECANCELED 125
#define ENOKEY 126
#define EKEYEXPIRED 127
#define EKEYREVOKED 128
#define EKEYREJECTED 129
#define EOWNERDEAD 130
#define ENOTRECOVERABLE 131
#define ERFKILL 132
#define EAGAIN 11
#define EWOULDBLOCK EAGAIN
#define EDEADLK 35
#define EDEADLOCK EDEADLK
#define EOPNOTSUPP 95
#define ENOTSUP EOPNOTSUPP
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
  long tm_gmtoff;
  const char *tm_zone;
};
#define CLOCKS_PER_SEC 1000000L
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCK_MONOTONIC_RAW 4
#define CLOCK_REALTIME_COARSE 5
#define CLOCK_MONOTONIC_COARSE 6
#define CLOCK_BOOTTIME 7
#define TIMER_ABSTIME 1
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
extern struct tm *localtime_r(const time_t *, struct tm *);
extern struct tm *gmtime_r(const time_t *, struct tm *);
extern time_t mktime(struct tm *);
extern size_t strftime(char *, size_t, const char *, const struct tm *);
extern char *asctime(const struct tm *);
extern char *asctime_r(const struct tm *, char *);
extern char *ctime(const time_t *);
extern char *ctime_r(const time_t *, char *);
extern int clock_getres(clockid_t, struct timespec *);
extern void tzset(void);
#endif
`

const SYS_TIME = c`
#ifndef _SYS_TIME_H
#define _SYS_TIME_H 1
#include <sys/types.h>
#ifndef __HEDDLE_TIMEVAL
#define __HEDDLE_TIMEVAL
struct timeval {
  time_t tv_sec;
  suseconds_t tv_usec;
};
#endif
struct timezone {
  int tz_minuteswest, tz_dsttime;
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

/* Which date belongs to which time is not modelled: one that is valid stands for all of them. */
static void __heddle_date(struct tm *date)
{
  __heddle_note("every date is 1 January 1970");
  date->tm_sec = 0;
  date->tm_min = 0;
  date->tm_hour = 0;
  date->tm_mday = 1;
  date->tm_mon = 0;
  date->tm_year = 70;
  date->tm_wday = 4;
  date->tm_yday = 0;
  date->tm_isdst = 0;
  date->tm_gmtoff = 0;
  date->tm_zone = "UTC";
}

/* One object for all threads, as C has it: calls at the same time race. */
static struct tm __heddle_tm;

struct tm *localtime(const time_t *time)
{
  (void)*time;
  __heddle_date(&__heddle_tm);
  return &__heddle_tm;
}

struct tm *gmtime(const time_t *time)
{
  (void)*time;
  __heddle_date(&__heddle_tm);
  return &__heddle_tm;
}

struct tm *localtime_r(const time_t *time, struct tm *result)
{
  (void)*time;
  __heddle_date(result);
  return result;
}

struct tm *gmtime_r(const time_t *time, struct tm *result)
{
  (void)*time;
  __heddle_date(result);
  return result;
}

time_t mktime(struct tm *date)
{
  time_t time = (long)(__heddle_nondet_ulong() >> 1);
  __heddle_date(date);
  return time;
}

/* Its format, where that fits: what a date looks like is not modelled. */
size_t strftime(char *buffer, size_t size, const char *format, const struct tm *date)
{
  size_t length = 0;
  __heddle_note("the text of a date is its format");
  (void)date->tm_sec;
  while (format[length] != 0) {
    if (length + 1 >= size)
      return 0;
    buffer[length] = format[length];
    length++;
  }
  if (size > 0)
    buffer[length] = 0;
  return length;
}

char *asctime_r(const struct tm *date, char *buffer)
{
  const char *text = "Thu Jan  1 00:00:00 1970\n";
  int i;
  __heddle_note("every date is 1 January 1970");
  for (i = 0; i < 26; i++)
    buffer[i] = text[i];
  return buffer;
}

static char __heddle_asctime[26];

char *asctime(const struct tm *date)
{
  return asctime_r(date, __heddle_asctime);
}

char *ctime_r(const time_t *time, char *buffer)
{
  (void)*time;
  return asctime_r(0, buffer);
}

char *ctime(const time_t *time)
{
  (void)*time;
  return asctime_r(0, __heddle_asctime);
}

int clock_getres(clockid_t clock, struct timespec *result)
{
  if (result != 0) {
    result->tv_sec = 0;
    result->tv_nsec = 1;
  }
  return 0;
}

void tzset(void)
{
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

const SCHED = c`
#ifndef _SCHED_H
#define _SCHED_H 1
struct sched_param {
  int sched_priority;
};
#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
#define SCHED_BATCH 3
#define SCHED_IDLE 5
#define CPU_SETSIZE 1024
typedef struct {
  unsigned long __bits[1024 / (8 * sizeof(unsigned long))];
} cpu_set_t;
#define CPU_ZERO(set) ((void)(*(set) = (cpu_set_t){ { 0 } }))
#define CPU_SET(cpu, set) \
  ((void)((set)->__bits[(cpu) / (8 * sizeof(unsigned long))] |= 1UL << (cpu) % (8 * sizeof(unsigned long))))
#define CPU_CLR(cpu, set) \
  ((void)((set)->__bits[(cpu) / (8 * sizeof(unsigned long))] &= ~(1UL << (cpu) % (8 * sizeof(unsigned long)))))
#define CPU_ISSET(cpu, set) \
  (((set)->__bits[(cpu) / (8 * sizeof(unsigned long))] >> (cpu) % (8 * sizeof(unsigned long))) & 1)
extern int sched_setaffinity(int, unsigned long, const cpu_set_t *);
extern int sched_getaffinity(int, unsigned long, cpu_set_t *);
extern int sched_getcpu(void);
extern int sched_yield(void);
extern int sched_get_priority_max(int);
extern int sched_get_priority_min(int);
#endif
`

const SCHED_MODELS = c`
#include <sched.h>

int sched_get_priority_max(int policy)
{
  return policy == SCHED_FIFO || policy == SCHED_RR ? 99 : 0;
}

int sched_get_priority_min(int policy)
{
  return policy == SCHED_FIFO || policy == SCHED_RR ? 1 : 0;
}

int sched_setaffinity(int process, unsigned long size, const cpu_set_t *set)
{
  return __heddle_choice() ? 0 : -1;
}

int sched_getcpu(void)
{
  return (int)__heddle_nondet_range(0, 1023);
}

int sched_yield(void)
{
  return 0;
}
`

export const SYSTEM: LibraryPart = {
  headers: {
    'errno.h': ERRNO,
    'time.h': TIME,
    'sys/time.h': SYS_TIME,
    'sys/types.h': SYS_TYPES,
    'unistd.h': UNISTD,
    'sched.h': SCHED,
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
