// Signals, files by descriptor, sockets, mapped memory and what else POSIX and Linux have around threads: results are any
// that the call may have, buffers hold any bytes, and signals are never delivered (a verdict says so).
import { c, type LibraryPart } from './part.js'

const SIGNAL = c`
#ifndef _SIGNAL_H
#define _SIGNAL_H 1
#include <sys/types.h>
#include <time.h>
typedef int sig_atomic_t;
typedef struct {
  unsigned long __val[1024 / (8 * sizeof(unsigned long))];
} sigset_t;
union sigval {
  int sival_int;
  void *sival_ptr;
};
typedef struct {
  int si_signo, si_errno, si_code, si_pid;
  void *si_addr;
  int si_status;
  union sigval si_value;
  char __padding[80];
} siginfo_t;
typedef void (*sighandler_t)(int);
typedef void (*__sighandler_t)(int);
struct sigaction {
  union {
    void (*sa_handler)(int);
    void (*sa_sigaction)(int, siginfo_t *, void *);
  };
  sigset_t sa_mask;
  int sa_flags;
  void (*sa_restorer)(void);
};
typedef struct {
  void *ss_sp;
  int ss_flags;
  size_t ss_size;
} stack_t;
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGIOT 6
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGCHLD 17
#define SIGCONT 18
#define SIGSTOP 19
#define SIGTSTP 20
#define SIGTTIN 21
#define SIGTTOU 22
#define SIGURG 23
#define SIGXCPU 24
#define SIGXFSZ 25
#define SIGVTALRM 26
#define SIGPROF 27
#define SIGWINCH 28
#define SIGIO 29
#define SIGPOLL 29
#define SIGPWR 30
#define SIGSYS 31
#define SIGRTMIN 34
#define SIGRTMAX 64
#define NSIG 65
#define SA_NOCLDSTOP 1
#define SA_NOCLDWAIT 2
#define SA_SIGINFO 4
#define SA_ONSTACK 0x08000000
#define SA_RESTART 0x10000000
#define SA_NODEFER 0x40000000
#define SA_RESETHAND 0x80000000
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
#define SIG_DFL ((void (*)(int))0)
#define SIG_IGN ((void (*)(int))1)
#define SIG_ERR ((void (*)(int))-1)
extern void (*signal(int, void (*)(int)))(int);
extern int sigaction(int, const struct sigaction *, struct sigaction *);
extern int sigemptyset(sigset_t *);
extern int sigfillset(sigset_t *);
extern int sigaddset(sigset_t *, int);
extern int sigdelset(sigset_t *, int);
extern int sigismember(const sigset_t *, int);
extern int sigprocmask(int, const sigset_t *, sigset_t *);
extern int pthread_sigmask(int, const sigset_t *, sigset_t *);
extern int sigaltstack(const stack_t *, stack_t *);
extern int sigpending(sigset_t *);
extern int sigsuspend(const sigset_t *);
extern int sigwait(const sigset_t *, int *);
extern int siginterrupt(int, int);
extern int raise(int);
extern int kill(pid_t, int);
#endif
`

const SIGNAL_MODELS = c`
#include <signal.h>

sighandler_t signal(int number, sighandler_t handler)
{
  __heddle_note("no signal is delivered");
  return SIG_DFL;
}

int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
  __heddle_note("no signal is delivered");
  if (old != 0) {
    old->sa_handler = SIG_DFL;
    old->sa_flags = 0;
  }
  return 0;
}

int sigemptyset(sigset_t *set)
{
  unsigned long i;
  for (i = 0; i < sizeof(set->__val) / sizeof(set->__val[0]); i++)
    set->__val[i] = 0;
  return 0;
}

int sigfillset(sigset_t *set)
{
  unsigned long i;
  for (i = 0; i < sizeof(set->__val) / sizeof(set->__val[0]); i++)
    set->__val[i] = -1UL;
  return 0;
}

int sigaddset(sigset_t *set, int number)
{
  set->__val[0] |= 1UL << ((number - 1) % (8 * sizeof(unsigned long)));
  return 0;
}

int sigdelset(sigset_t *set, int number)
{
  set->__val[0] &= ~(1UL << ((number - 1) % (8 * sizeof(unsigned long))));
  return 0;
}

int sigismember(const sigset_t *set, int number)
{
  return (int)(set->__val[0] >> ((number - 1) % (8 * sizeof(unsigned long))) & 1);
}

int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
  if (old != 0)
    sigemptyset(old);
  return 0;
}

int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
  if (old != 0)
    sigemptyset(old);
  return 0;
}

int sigaltstack(const stack_t *stack, stack_t *old)
{
  return 0;
}

int siginterrupt(int number, int flag)
{
  return 0;
}

int raise(int number)
{
  if (number == SIGABRT || number == SIGKILL)
    __heddle_exit();
  __heddle_unsupported("raise");
  return 0;
}
`

/** Layouts are those of Linux on 64 bits. */
const STAT = c`
#ifndef _SYS_STAT_H
#define _SYS_STAT_H 1
#include <sys/types.h>
#include <time.h>
struct stat {
  dev_t st_dev;
  ino_t st_ino;
  nlink_t st_nlink;
  mode_t st_mode;
  uid_t st_uid;
  gid_t st_gid;
  int __padding;
  dev_t st_rdev;
  off_t st_size;
  blksize_t st_blksize;
  blkcnt_t st_blocks;
  struct timespec st_atim, st_mtim, st_ctim;
  long __reserved[3];
};
#define st_atime st_atim.tv_sec
#define st_mtime st_mtim.tv_sec
#define st_ctime st_ctim.tv_sec
#define S_IFMT 0170000
#define S_IFDIR 0040000
#define S_IFREG 0100000
#define S_IFLNK 0120000
#define S_ISDIR(mode) (((mode) & S_IFMT) == S_IFDIR)
#define S_ISREG(mode) (((mode) & S_IFMT) == S_IFREG)
#define S_IRWXU 0700
#define S_IRUSR 0400
#define S_IWUSR 0200
#define S_IXUSR 0100
#define S_IRWXG 0070
#define S_IRGRP 0040
#define S_IWGRP 0020
#define S_IXGRP 0010
#define S_IRWXO 0007
#define S_IROTH 0004
#define S_IWOTH 0002
#define S_IXOTH 0001
extern int stat(const char *, struct stat *);
extern int fstat(int, struct stat *);
extern int lstat(const char *, struct stat *);
extern int mkdir(const char *, mode_t);
extern int chmod(const char *, mode_t);
extern mode_t umask(mode_t);
#endif
`

const MMAN = c`
#ifndef _SYS_MMAN_H
#define _SYS_MMAN_H 1
#include <sys/types.h>
#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_FIXED 16
#define MAP_ANONYMOUS 32
#define MAP_ANON 32
#define MAP_NORESERVE 0x4000
#define MAP_POPULATE 0x8000
#define MAP_HUGETLB 0x40000
#define MAP_FAILED ((void *)-1)
#define MADV_NORMAL 0
#define MADV_WILLNEED 3
#define MADV_DONTNEED 4
#define MADV_HUGEPAGE 14
#define MS_SYNC 4
extern void *mmap(void *, size_t, int, int, int, off_t);
extern int munmap(void *, size_t);
extern int mprotect(void *, size_t, int);
extern int madvise(void *, size_t, int);
extern int mlock(const void *, size_t);
extern int munlock(const void *, size_t);
extern int mlockall(int);
extern int msync(void *, size_t, int);
extern int shm_open(const char *, int, mode_t);
extern int shm_unlink(const char *);
#endif
`

const SELECT = c`
#ifndef _SYS_SELECT_H
#define _SYS_SELECT_H 1
#include <sys/types.h>
#include <sys/time.h>
#include <signal.h>
typedef struct {
  long __fds_bits[1024 / (8 * sizeof(long))];
} fd_set;
#define FD_SETSIZE 1024
#define FD_ZERO(set) ((void)(*(set) = (fd_set){ { 0 } }))
#define FD_SET(file, set) ((void)((set)->__fds_bits[(file) / (8 * sizeof(long))] |= 1UL << (file) % (8 * sizeof(long))))
#define FD_CLR(file, set) \
  ((void)((set)->__fds_bits[(file) / (8 * sizeof(long))] &= ~(1UL << (file) % (8 * sizeof(long)))))
#define FD_ISSET(file, set) (((set)->__fds_bits[(file) / (8 * sizeof(long))] >> (file) % (8 * sizeof(long)) & 1) != 0)
extern int select(int, fd_set *, fd_set *, fd_set *, struct timeval *);
#endif
`

const POLL = c`
#ifndef _POLL_H
#define _POLL_H 1
typedef unsigned long nfds_t;
struct pollfd {
  int fd;
  short events, revents;
};
#define POLLIN 1
#define POLLPRI 2
#define POLLOUT 4
#define POLLERR 8
#define POLLHUP 16
#define POLLNVAL 32
extern int poll(struct pollfd *, nfds_t, int);
#endif
`

const SOCKET = c`
#ifndef _SYS_SOCKET_H
#define _SYS_SOCKET_H 1
#include <sys/types.h>
typedef unsigned int socklen_t;
typedef unsigned short sa_family_t;
struct sockaddr {
  sa_family_t sa_family;
  char sa_data[14];
};
struct sockaddr_storage {
  sa_family_t ss_family;
  char __padding[118];
  unsigned long __align;
};
#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define SOCK_NONBLOCK 2048
#define SOCK_CLOEXEC 524288
#define AF_UNSPEC 0
#define AF_UNIX 1
#define AF_LOCAL 1
#define AF_INET 2
#define AF_INET6 10
#define PF_UNIX AF_UNIX
#define PF_INET AF_INET
#define SOL_SOCKET 1
#define SO_REUSEADDR 2
#define SO_ERROR 4
#define SO_KEEPALIVE 9
#define SO_SNDBUF 7
#define SO_RCVBUF 8
#define SO_LINGER 13
#define SO_REUSEPORT 15
#define SO_RCVTIMEO 20
#define SO_SNDTIMEO 21
#define SHUT_RD 0
#define SHUT_WR 1
#define SHUT_RDWR 2
#define MSG_PEEK 2
#define MSG_DONTWAIT 64
#define MSG_NOSIGNAL 16384
#define SOMAXCONN 4096
extern int socket(int, int, int);
extern int socketpair(int, int, int, int *);
extern int bind(int, const struct sockaddr *, socklen_t);
extern int listen(int, int);
extern int accept(int, struct sockaddr *, socklen_t *);
extern int connect(int, const struct sockaddr *, socklen_t);
extern int shutdown(int, int);
extern int setsockopt(int, int, int, const void *, socklen_t);
extern ssize_t send(int, const void *, size_t, int);
extern ssize_t recv(int, void *, size_t, int);
#endif
`

const CDEFS = c`
#ifndef _SYS_CDEFS_H
#define _SYS_CDEFS_H 1
#define __BEGIN_DECLS
#define __END_DECLS
#define __P(args) args
#define __CONCAT(x, y) x##y
#define __STRING(x) #x
#define __THROW
#define __nonnull(params)
#define __predict_true(condition) __builtin_expect((condition) != 0, 1)
#define __predict_false(condition) __builtin_expect((condition) != 0, 0)
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

const MODELS = c`
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Every descriptor is another number. */
static int __heddle_descriptors;

static int __heddle_descriptor(void)
{
  int file = -1;
  if (__heddle_choice()) {
    __heddle_atomic_begin();
    file = 3 + __heddle_descriptors;
    __heddle_descriptors = __heddle_descriptors + 1;
    __heddle_atomic_end();
  }
  return file;
}

static int __heddle_outcome(void)
{
  return __heddle_choice() ? 0 : -1;
}

/* -1, or so many bytes, which are any. */
static long __heddle_received(unsigned char *bytes, size_t size)
{
  long count = (long)__heddle_nondet_range(0, (unsigned int)size + 1) - 1;
  long i;
  for (i = 0; i < count; i++)
    bytes[i] = (unsigned char)__heddle_nondet_range(0, 255);
  return count;
}

static long __heddle_sent(const unsigned char *bytes, size_t size)
{
  size_t i;
  for (i = 0; i < size; i++)
    (void)bytes[i];
  return (long)__heddle_nondet_range(0, (unsigned int)size + 1) - 1;
}

int open(const char *path, int flags, ...)
{
  return __heddle_descriptor();
}

int creat(const char *path, mode_t mode)
{
  return __heddle_descriptor();
}

int socket(int domain, int type, int protocol)
{
  return __heddle_descriptor();
}

int accept(int file, struct sockaddr *address, socklen_t *length)
{
  return __heddle_descriptor();
}

int dup(int file)
{
  return __heddle_descriptor();
}

int dup2(int file, int other)
{
  return __heddle_choice() ? other : -1;
}

int eventfd(unsigned int value, int flags)
{
  return __heddle_descriptor();
}

int epoll_create(int size)
{
  return __heddle_descriptor();
}

int epoll_create1(int flags)
{
  return __heddle_descriptor();
}

int shm_open(const char *name, int flags, mode_t mode)
{
  return __heddle_descriptor();
}

int pipe(int *files)
{
  if (__heddle_choice())
    return -1;
  files[0] = __heddle_descriptor();
  files[1] = __heddle_descriptor();
  __heddle_assume(files[0] != -1 && files[1] != -1);
  return 0;
}

int socketpair(int domain, int type, int protocol, int *files)
{
  return pipe(files);
}

ssize_t read(int file, void *buffer, size_t size)
{
  return __heddle_received(buffer, size);
}

ssize_t pread(int file, void *buffer, size_t size, off_t offset)
{
  return __heddle_received(buffer, size);
}

ssize_t recv(int file, void *buffer, size_t size, int flags)
{
  return __heddle_received(buffer, size);
}

ssize_t write(int file, const void *buffer, size_t size)
{
  return __heddle_sent(buffer, size);
}

ssize_t pwrite(int file, const void *buffer, size_t size, off_t offset)
{
  return __heddle_sent(buffer, size);
}

ssize_t send(int file, const void *buffer, size_t size, int flags)
{
  return __heddle_sent(buffer, size);
}

int close(int file)
{
  return __heddle_outcome();
}

int bind(int file, const struct sockaddr *address, socklen_t length)
{
  return __heddle_outcome();
}

int listen(int file, int backlog)
{
  return __heddle_outcome();
}

int connect(int file, const struct sockaddr *address, socklen_t length)
{
  return __heddle_outcome();
}

int shutdown(int file, int how)
{
  return __heddle_outcome();
}

int setsockopt(int file, int level, int option, const void *value, socklen_t length)
{
  return __heddle_outcome();
}

int fcntl(int file, int command, ...)
{
  return (int)__heddle_nondet_range(0, 2147483647) - 1;
}

int ioctl(int file, unsigned long request, ...)
{
  __heddle_unsupported("ioctl");
  return -1;
}

int access(const char *path, int mode)
{
  return __heddle_outcome();
}

int unlink(const char *path)
{
  return __heddle_outcome();
}

int shm_unlink(const char *name)
{
  return __heddle_outcome();
}

int mkdir(const char *path, mode_t mode)
{
  return __heddle_outcome();
}

int chmod(const char *path, mode_t mode)
{
  return __heddle_outcome();
}

int chdir(const char *path)
{
  return __heddle_outcome();
}

int fsync(int file)
{
  return __heddle_outcome();
}

int fdatasync(int file)
{
  return __heddle_outcome();
}

int ftruncate(int file, off_t length)
{
  return __heddle_outcome();
}

off_t lseek(int file, off_t offset, int whence)
{
  return (off_t)__heddle_nondet_range(0, 2147483647) - 1;
}

int fstat(int file, struct stat *result)
{
  unsigned char *bytes = (unsigned char *)result;
  size_t i;
  if (__heddle_choice())
    return -1;
  for (i = 0; i < sizeof(struct stat); i++)
    bytes[i] = (unsigned char)__heddle_nondet_range(0, 255);
  return 0;
}

int stat(const char *path, struct stat *result)
{
  return fstat(0, result);
}

int lstat(const char *path, struct stat *result)
{
  return fstat(0, result);
}

int poll(struct pollfd *files, nfds_t count, int time)
{
  nfds_t i;
  if (__heddle_choice())
    return -1;
  for (i = 0; i < count; i++)
    files[i].revents = (short)__heddle_nondet_range(0, 63);
  return (int)__heddle_nondet_range(0, (unsigned int)count);
}

/* Of the files that were asked for, any. */
static void __heddle_ready(fd_set *set)
{
  unsigned long i;
  if (set != 0)
    for (i = 0; i < sizeof(set->__fds_bits) / sizeof(long); i++)
      set->__fds_bits[i] &= (long)__heddle_nondet_ulong();
}

int select(int count, fd_set *read, fd_set *written, fd_set *failed, struct timeval *time)
{
  if (__heddle_choice())
    return -1;
  __heddle_ready(read);
  __heddle_ready(written);
  __heddle_ready(failed);
  return (int)__heddle_nondet_range(0, (unsigned int)count);
}

/* Anonymous memory is zero; files hold anything. */
void *mmap(void *wanted, size_t size, int protection, int flags, int file, off_t offset)
{
  if (__heddle_choice())
    return MAP_FAILED;
  if (flags & MAP_FIXED)
    __heddle_unsupported("mmap at a given address");
  return flags & MAP_ANONYMOUS ? __heddle_allocate(size, 1) : __heddle_allocate(size, 0);
}

int munmap(void *address, size_t size)
{
  __heddle_free(address);
  return 0;
}

int mprotect(void *address, size_t size, int protection)
{
  return __heddle_outcome();
}

int madvise(void *address, size_t size, int advice)
{
  if (advice == MADV_DONTNEED)
    __heddle_unsupported("madvise with MADV_DONTNEED");
  return __heddle_outcome();
}

int mlock(const void *address, size_t size)
{
  return __heddle_outcome();
}

int munlock(const void *address, size_t size)
{
  return __heddle_outcome();
}

int mlockall(int flags)
{
  return __heddle_outcome();
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
  __heddle_unsupported("a system call by its number");
  return -1;
}

unsigned short htons(unsigned short number)
{
  return (unsigned short)(number << 8 | number >> 8);
}

unsigned short ntohs(unsigned short number)
{
  return (unsigned short)(number << 8 | number >> 8);
}

unsigned int htonl(unsigned int number)
{
  return number << 24 | (number << 8 & 0xff0000) | (number >> 8 & 0xff00) | number >> 24;
}

unsigned int ntohl(unsigned int number)
{
  return number << 24 | (number << 8 & 0xff0000) | (number >> 8 & 0xff00) | number >> 24;
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

const BYTEORDER = c`
#ifndef _ARPA_INET_H
#define _ARPA_INET_H 1
extern unsigned short htons(unsigned short);
extern unsigned short ntohs(unsigned short);
extern unsigned int htonl(unsigned int);
extern unsigned int ntohl(unsigned int);
#endif
`

/** What lock-free code takes from the intrinsics of x86. */
const INTRINSICS = c`
#ifndef _HEDDLE_IMMINTRIN_H
#define _HEDDLE_IMMINTRIN_H 1
#define _MM_HINT_T0 3
#define _MM_HINT_T1 2
#define _MM_HINT_T2 1
#define _MM_HINT_NTA 0
#define _mm_pause() ((void)0)
#define _mm_mfence() __sync_synchronize()
#define _mm_lfence() __sync_synchronize()
#define _mm_sfence() __sync_synchronize()
#define _mm_prefetch(address, hint) ((void)(address))
#endif
`

export const POSIX: LibraryPart = {
  headers: {
    'signal.h': SIGNAL,
    'sys/signal.h': '#include <signal.h>\n',
    'sys/stat.h': STAT,
    'sys/mman.h': MMAN,
    'sys/select.h': SELECT,
    'poll.h': POLL,
    'sys/poll.h': '#include <poll.h>\n',
    'sys/socket.h': SOCKET,
    'arpa/inet.h': BYTEORDER,
    'sys/cdefs.h': CDEFS,
    'features.h': '#include <sys/cdefs.h>\n',
    'sys/prctl.h': PRCTL,
    'sys/syscall.h': SYSCALL,
    'syscall.h': SYSCALL,
    'sys/fcntl.h': '#include <fcntl.h>\n',
    'sys/errno.h': '#include <errno.h>\n',
    'memory.h': '#include <string.h>\n',
    'malloc.h': '#include <stdlib.h>\n',
    'immintrin.h': INTRINSICS,
    'x86intrin.h': INTRINSICS,
    'xmmintrin.h': INTRINSICS,
    'emmintrin.h': INTRINSICS,
  },
  models: { '<heddle/signal.c>': SIGNAL_MODELS, '<heddle/posix.c>': MODELS },
}
