// Functions of which a program learns no more than how they ended. A line is what the function's body comes to, and the
// function; the header that it is named under declares it.
import type { LibraryPart } from '../part.js'

const BODIES: Readonly<Record<string, string>> = {
  /** 0, or -1 and errno. */
  outcome: 'return __heddle_outcome();',
  /** A new descriptor, or -1 and errno. */
  descriptor: 'return __heddle_descriptor();',
  /** Any number that is not negative, or -1 and errno. */
  count: 'return __heddle_choice() ? __heddle_failed() : (int)__heddle_nondet_range(0, 2147483647);',
  nothing: '',
  zero: 'return 0;',
  thousand: 'return 1000;',
  /** The name of C's locale, or none. */
  locale: 'return __heddle_choice() ? "C" : 0;',
  /** 0, or EINVAL. */
  error: 'return __heddle_choice() ? 0 : 22;',
  any: 'return __heddle_nondet_int();',
  /** Any number from 0 on. */
  natural: 'return (int)__heddle_nondet_range(0, 2147483647);',
  /** Any bytes behind `result`, or -1 and errno. */
  filled: 'return __heddle_filled(result, sizeof *result);',
  /** So many bytes of `buffer`, or -1 and errno. */
  received: 'return __heddle_received(buffer, size);',
  sent: 'return __heddle_sent(buffer, size);',
}

const FUNCTIONS: Readonly<Record<string, string>> = {
  'unistd.h': `
    outcome int chown(const char *path, uid_t user, gid_t group)
    outcome int fchown(int file, uid_t user, gid_t group)
    outcome int lchown(const char *path, uid_t user, gid_t group)
    outcome int fchdir(int file)
    outcome int link(const char *from, const char *to)
    outcome int symlink(const char *from, const char *to)
    outcome int rmdir(const char *path)
    outcome int truncate(const char *path, off_t length)
    outcome int lockf(int file, int command, off_t length)
    outcome int setuid(uid_t user)
    outcome int seteuid(uid_t user)
    outcome int setgid(gid_t group)
    outcome int setegid(gid_t group)
    outcome int setpgid(pid_t process, pid_t group)
    outcome int unlinkat(int folder, const char *path, int flags)
    outcome int faccessat(int folder, const char *path, int mode, int flags)
    descriptor int dup3(int file, int other, int flags)
    received ssize_t readlink(const char *path, char *buffer, size_t size)
    count int nice(int change)
    count pid_t setsid(void)
    count long pathconf(const char *path, int name)
    count long fpathconf(int file, int name)
    thousand gid_t getegid(void)
    thousand pid_t getpgrp(void)
    thousand pid_t getpgid(pid_t process)
    nothing void sync(void)`,
  'fcntl.h': `
    descriptor int openat(int folder, const char *path, int flags, ...)
    any int posix_fadvise(int file, off_t offset, off_t length, int advice)
    any int posix_fallocate(int file, off_t offset, off_t length)
    outcome int fallocate(int file, int mode, off_t offset, off_t length)`,
  'sys/stat.h': `
    outcome int fchmod(int file, mode_t mode)
    outcome int mkfifo(const char *path, mode_t mode)
    outcome int mkdirat(int folder, const char *path, mode_t mode)
    outcome int futimens(int file, const struct timespec times[2])
    outcome int utimensat(int folder, const char *path, const struct timespec times[2], int flags)
    filled int fstatat(int folder, const char *path, struct stat *result, int flags)
    count mode_t umask(mode_t mode)`,
  'sys/file.h': 'outcome int flock(int file, int operation)',
  'sys/eventfd.h': `
    filled int eventfd_read(int file, eventfd_t *result)
    outcome int eventfd_write(int file, eventfd_t value)`,
  'sys/timerfd.h': `
    descriptor int timerfd_create(clockid_t clock, int flags)
    outcome int timerfd_settime(int file, int flags, const struct itimerspec *time, struct itimerspec *old)
    filled int timerfd_gettime(int file, struct itimerspec *result)`,
  'sys/signalfd.h': 'descriptor int signalfd(int file, const sigset_t *set, int flags)',
  'sys/inotify.h': `
    descriptor int inotify_init(void)
    descriptor int inotify_init1(int flags)
    descriptor int inotify_add_watch(int file, const char *path, uint32_t mask)
    outcome int inotify_rm_watch(int file, int watch)`,
  'sys/sendfile.h': 'count ssize_t sendfile(int to, int from, off_t *offset, size_t size)',
  'sys/socket.h': `
    descriptor int accept4(int file, struct sockaddr *address, socklen_t *length, int flags)
    sent ssize_t sendto(int file, const void *buffer, size_t size, int flags, const struct sockaddr *to, socklen_t length)`,
  'sys/resource.h': `
    filled int getrlimit(int resource, struct rlimit *result)
    filled int getrusage(int who, struct rusage *result)
    outcome int setrlimit(int resource, const struct rlimit *limit)
    outcome int setpriority(int which, id_t who, int priority)
    any int getpriority(int which, id_t who)`,
  'sys/time.h': `
    outcome int utimes(const char *path, const struct timeval times[2])`,
  'sys/utsname.h': 'filled int uname(struct utsname *result)',
  'sys/statvfs.h': `
    filled int statvfs(const char *path, struct statvfs *result)
    filled int fstatvfs(int file, struct statvfs *result)`,
  'sys/sysinfo.h': `
    filled int sysinfo(struct sysinfo *result)
    natural int get_nprocs(void)
    natural int get_nprocs_conf(void)
    natural long get_phys_pages(void)
    natural long get_avphys_pages(void)`,
  'sys/random.h': `
    received ssize_t getrandom(void *buffer, size_t size, unsigned int flags)`,
  'sys/times.h': 'filled clock_t times(struct tms *result)',
  'termios.h': `
    filled int tcgetattr(int file, struct termios *result)
    outcome int tcsetattr(int file, int actions, const struct termios *settings)
    outcome int tcflush(int file, int queue)
    outcome int tcdrain(int file)`,
  'utime.h': 'outcome int utime(const char *path, const struct utimbuf *times)',
  'dirent.h': `
    outcome int closedir(DIR *folder)
    nothing void rewinddir(DIR *folder)
    count int dirfd(DIR *folder)`,
  'time.h': `
    outcome int clock_settime(clockid_t clock, const struct timespec *time)`,
  'sched.h': `
    filled int sched_rr_get_interval(pid_t process, struct timespec *result)`,
  'execinfo.h': `
    zero int backtrace(void **frames, int most)
    zero char **backtrace_symbols(void *const *frames, int count)
    nothing void backtrace_symbols_fd(void *const *frames, int count, int file)`,
  'sys/mman.h': 'outcome int munlockall(void)',
  'stdio.h': `
    outcome int fseeko(FILE *file, off_t offset, int whence)
    count off_t ftello(FILE *file)
    outcome int renameat(int from, const char *path, int to, const char *other)
    zero int ftrylockfile(FILE *file)`,
  'locale.h': 'locale char *setlocale(int category, const char *locale)',
  'pthread.h': `
    error int pthread_setschedprio(pthread_t thread, int priority)
    error int pthread_setaffinity_np(pthread_t thread, unsigned long size, const cpu_set_t *processors)
    error int pthread_attr_setaffinity_np(pthread_attr_t *attributes, unsigned long size, const cpu_set_t *processors)
    error int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *settings)
    error int pthread_attr_setschedparam(pthread_attr_t *attributes, const struct sched_param *settings)`,
  'stdlib.h': `
    descriptor int mkstemp(char *path)`,
  'syslog.h': `
    zero int setlogmask(int mask)
    nothing void vsyslog(int priority, const char *format, va_list arguments)`,
}

const FUNCTION = /^\s*(\w+) (.+)$/gm

const HELPERS = `
extern int __heddle_failed(void), __heddle_outcome(void), __heddle_descriptor(void);
extern int __heddle_filled(void *bytes, unsigned long size);
extern long __heddle_received(void *buffer, size_t size);
extern long __heddle_sent(const void *buffer, size_t size);
`

const definitions = (header: string, functions: string): string => {
  const bodies = [...functions.matchAll(FUNCTION)].map(([, body, signature]) =>
    [signature, '{', ...(BODIES[body!] === '' ? [] : [`  ${BODIES[body!]}`]), '}', ''].join('\n'),
  )
  return [`#include <stddef.h>\n#include <${header}>`, HELPERS, ...bodies].join('\n')
}

const modelFile = (header: string): string => `<heddle/outcomes/${header.replace(/\W/g, '-').replace(/-h$/, '')}.c>`

export const OUTCOMES: LibraryPart = {
  headers: {},
  models: Object.fromEntries(
    Object.entries(FUNCTIONS).map(([header, functions]) => [modelFile(header), definitions(header, functions)]),
  ),
}
