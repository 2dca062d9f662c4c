// Files by descriptor, and what reads or waits for them: results are any that the call may have, buffers hold any bytes.
import { c, type LibraryPart } from '../part.js'

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

const FILE_MODELS = c`
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

extern int __heddle_failed(void);
extern int __heddle_outcome(void);

/* Every descriptor is another number. */
static int __heddle_descriptors;

int __heddle_descriptor(void)
{
  int file;
  if (__heddle_choice())
    return __heddle_failed();
  __heddle_atomic_begin();
  file = 3 + __heddle_descriptors;
  __heddle_descriptors = __heddle_descriptors + 1;
  __heddle_atomic_end();
  return file;
}

/* -1, or so many bytes, which are any. */
long __heddle_received(void *buffer, size_t size)
{
  unsigned char *bytes = buffer;
  long count, i;
  if (__heddle_choice())
    return __heddle_failed();
  count = (long)__heddle_nondet_range(0, (unsigned int)size);
  for (i = 0; i < count; i++)
    bytes[i] = (unsigned char)__heddle_nondet_range(0, 255);
  return count;
}

long __heddle_sent(const void *buffer, size_t size)
{
  const unsigned char *bytes = buffer;
  size_t i;
  for (i = 0; i < size; i++)
    (void)bytes[i];
  if (__heddle_choice())
    return __heddle_failed();
  return (long)__heddle_nondet_range(0, (unsigned int)size);
}

/* Any bytes, or none and -1. */
int __heddle_filled(void *result, unsigned long size)
{
  unsigned char *bytes = result;
  unsigned long i;
  if (__heddle_choice())
    return __heddle_failed();
  for (i = 0; i < size; i++)
    bytes[i] = (unsigned char)__heddle_nondet_range(0, 255);
  return 0;
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
  return __heddle_choice() ? other : __heddle_failed();
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
    return __heddle_failed();
  files[0] = __heddle_descriptor();
  files[1] = __heddle_descriptor();
  __heddle_assume(files[0] != -1 && files[1] != -1);
  return 0;
}

int pipe2(int *files, int flags)
{
  return pipe(files);
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

/* Where it came from is any address. */
ssize_t recvfrom(int file, void *buffer, size_t size, int flags, struct sockaddr *from, socklen_t *length)
{
  if (from != 0)
    __heddle_filled(from, *length);
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

/* An address or an option: any bytes, no more than there is room for. */
static int __heddle_told(void *value, socklen_t *length)
{
  if (__heddle_filled(value, *length) < 0)
    return -1;
  *length = __heddle_nondet_range(0, *length);
  return 0;
}

int getsockopt(int file, int level, int option, void *value, socklen_t *length)
{
  return __heddle_told(value, length);
}

int getsockname(int file, struct sockaddr *address, socklen_t *length)
{
  return __heddle_told(address, length);
}

int getpeername(int file, struct sockaddr *address, socklen_t *length)
{
  return __heddle_told(address, length);
}

ssize_t readv(int file, const struct iovec *parts, int count)
{
  long total = 0;
  int i;
  for (i = 0; i < count; i++) {
    long got = __heddle_received(parts[i].iov_base, parts[i].iov_len);
    if (got < 0)
      return i == 0 ? -1 : total;
    total += got;
    if ((size_t)got < parts[i].iov_len)
      break;
  }
  return total;
}

ssize_t writev(int file, const struct iovec *parts, int count)
{
  long total = 0;
  int i;
  for (i = 0; i < count; i++) {
    long sent = __heddle_sent(parts[i].iov_base, parts[i].iov_len);
    if (sent < 0)
      return i == 0 ? -1 : total;
    total += sent;
    if ((size_t)sent < parts[i].iov_len)
      break;
  }
  return total;
}

int fcntl(int file, int command, ...)
{
  return __heddle_choice() ? __heddle_failed() : (int)__heddle_nondet_range(0, 2147483647);
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
  return __heddle_choice() ? __heddle_failed() : (off_t)__heddle_nondet_range(0, 2147483647);
}

int fstat(int file, struct stat *result)
{
  return __heddle_filled(result, sizeof *result);
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
    return __heddle_failed();
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
    return __heddle_failed();
  __heddle_ready(read);
  __heddle_ready(written);
  __heddle_ready(failed);
  return (int)__heddle_nondet_range(0, (unsigned int)count);
}
`

export const FILES: LibraryPart = {
  headers: {
    'sys/stat.h': STAT,
    'fcntl.h': FCNTL,
    'sys/fcntl.h': '#include <fcntl.h>\n',
    'sys/select.h': SELECT,
    'poll.h': POLL,
    'sys/poll.h': '#include <poll.h>\n',
  },
  models: {
    '<heddle/posix.c>': FILE_MODELS,
  },
}
