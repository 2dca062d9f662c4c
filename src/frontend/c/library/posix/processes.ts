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
#include <error.h>
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

void error(int status, int number, const char *format, ...)
{
  if (status != 0)
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
#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern int __heddle_failed(void);
extern void *__heddle_failed_pointer(void);

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
  __heddle_note("no signal comes but by raise");
  return 0;
}

/* A signal that has no effect, so far as we know of signals. */
int pause(void)
{
  errno = EINTR;
  return -1;
}

/* There are none: fork is not modelled. */
pid_t waitpid(pid_t process, int *status, int options)
{
  errno = ECHILD;
  return -1;
}

pid_t wait(int *status)
{
  return waitpid(-1, status, 0);
}

/* Another program takes the place of this one. */
int execv(const char *path, char *const *arguments)
{
  if (__heddle_choice())
    __heddle_exit();
  return __heddle_failed();
}

int execvp(const char *path, char *const *arguments)
{
  return execv(path, arguments);
}

char *getcwd(char *buffer, size_t size)
{
  __heddle_note("the current folder is /");
  if (__heddle_choice())
    return __heddle_failed_pointer();
  if (buffer == 0)
    buffer = malloc(size < 2 ? 2 : size);
  else if (size < 2) {
    errno = ERANGE;
    return 0;
  }
  buffer[0] = '/';
  buffer[1] = 0;
  return buffer;
}

int gethostname(char *buffer, size_t size)
{
  __heddle_note("the name of the host is h");
  if (size < 2 || __heddle_choice())
    return __heddle_failed();
  buffer[0] = 'h';
  buffer[1] = 0;
  return 0;
}
`

export const PROCESSES: LibraryPart = {
  headers: {
    'sys/types.h': SYS_TYPES,
    'unistd.h': UNISTD,
    'sys/wait.h': WAIT,
    'sys/prctl.h': PRCTL,
    'err.h': ERR,
  },
  models: {
    '<heddle/unistd.c>': UNISTD_MODELS,
    '<heddle/err.c>': ERR_MODELS,
  },
}
