/* Pipes and sockets: what goes through them is a step, and a thread that would block gives others the turn until it can go
   on. Files and devices are always ready, and no step. */
#include "heddle.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

static int poll_now(struct pollfd *list, nfds_t n) {
  static int (*real)(struct pollfd *, nfds_t, int);
  if (!real) real = (int (*)(struct pollfd *, nfds_t, int))dlsym(RTLD_NEXT, "poll");
  return real(list, n, 0);
}
static int is_ready(struct thread *t) {
  if (t->file_count > 0) return t->took_signal || poll_now(t->files, t->file_count) != 0;
  struct pollfd one = { (int)(intptr_t)t->object, (short)(intptr_t)t->other, 0 };
  return one.events == 0 || poll_now(&one, 1) != 0;
}
/* Pipes, sockets, and what has no type of file: event counters and the like. */
static int is_channel(int descriptor) {
  struct stat about;
  if (fstat(descriptor, &about)) return 0;
  return S_ISFIFO(about.st_mode) || S_ISSOCK(about.st_mode) || (about.st_mode & S_IFMT) == 0;
}
/* Of the descriptor itself: who asked not to be blocked is told at once. */
static int may_block(int descriptor) {
  static int (*real)(int, int, ...);
  if (!real) real = (int (*)(int, int, ...))dlsym(RTLD_NEXT, "fcntl");
  int flags = real(descriptor, F_GETFL);
  return flags < 0 || !(flags & O_NONBLOCK);
}
static uint64_t channels_hash;

/* What is sent orders what is received, as for every lock. Both ends of a pipe have one number; sockets, and what has no
   file of its own, are taken together. */
struct channel { uint64_t device, number; struct clock clock; struct channel *next; };
static struct channel *channels;
static struct channel *channel_of(int descriptor) {
  struct stat about;
  if (fstat(descriptor, &about)) return 0;
  int is_pipe = S_ISFIFO(about.st_mode);
  uint64_t device = is_pipe ? about.st_dev : 0, number = is_pipe ? about.st_ino : 0;
  for (struct channel *c = channels; c; c = c->next)
    if (c->device == device && c->number == number) return c;
  struct channel *fresh = take(sizeof *fresh);
  fresh->device = device;
  fresh->number = number;
  fresh->next = channels;
  return channels = fresh;
}
static void pass_order(int descriptor, short events_wanted) {
  struct channel *c = channel_of(descriptor);
  if (!c) return;
  if (events_wanted & POLLIN) acquire_from(&c->clock);
  else release_to(&c->clock);
}
/* The step before a call that reads (POLLIN), writes (POLLOUT), or ends it (0). Returns 0 if a signal has ended it. */
static int channel_step(int descriptor, short events_wanted, int waits, uintptr_t pc) {
  if (!is_channel(descriptor)) return 1;
  test_cancel(pc);
  self->is_interrupted = 0;
  short awaited = waits && may_block(descriptor) ? events_wanted : 0;
  step(WAIT_FD, (void *)(intptr_t)descriptor, (void *)(intptr_t)awaited, pc);
  hash_sync(&channels_hash);
  int was_interrupted = self->is_interrupted;
  self->is_interrupted = 0;
  if (!is_ready(self)) {
    test_cancel(pc);
    if (was_interrupted) return errno = EINTR, 0;
  }
  pass_order(descriptor, events_wanted);
  return 1;
}

#define CHANNEL_CALL(result, name, declared, given, wanted, waits) \
  INSTEAD result name declared { \
    static result (*real) declared; \
    if (!real) real = (result (*) declared)dlsym(RTLD_NEXT, #name); \
    if (CONTROLLED && !channel_step(descriptor, wanted, waits, PC)) return -1; \
    return real given; \
  }
CHANNEL_CALL(ssize_t, read, (int descriptor, void *to, size_t n), (descriptor, to, n), POLLIN, 1)
CHANNEL_CALL(ssize_t, write, (int descriptor, const void *from, size_t n), (descriptor, from, n), POLLOUT, 1)
CHANNEL_CALL(ssize_t, readv, (int descriptor, const struct iovec *parts, int n), (descriptor, parts, n), POLLIN, 1)
CHANNEL_CALL(ssize_t, writev, (int descriptor, const struct iovec *parts, int n), (descriptor, parts, n), POLLOUT, 1)
CHANNEL_CALL(ssize_t, recv, (int descriptor, void *to, size_t n, int flags), (descriptor, to, n, flags), POLLIN, !(flags & MSG_DONTWAIT))
CHANNEL_CALL(ssize_t, send, (int descriptor, const void *from, size_t n, int flags), (descriptor, from, n, flags), POLLOUT, !(flags & MSG_DONTWAIT))
CHANNEL_CALL(int, accept, (int descriptor, struct sockaddr *restrict address, socklen_t *restrict n), (descriptor, address, n), POLLIN, 1)
CHANNEL_CALL(ssize_t, recvfrom, (int descriptor, void *restrict to, size_t n, int flags, struct sockaddr *restrict who, socklen_t *restrict length), (descriptor, to, n, flags, who, length), POLLIN, !(flags & MSG_DONTWAIT))
CHANNEL_CALL(ssize_t, sendto, (int descriptor, const void *from, size_t n, int flags, const struct sockaddr *who, socklen_t length), (descriptor, from, n, flags, who, length), POLLOUT, !(flags & MSG_DONTWAIT))
CHANNEL_CALL(ssize_t, recvmsg, (int descriptor, struct msghdr *to, int flags), (descriptor, to, flags), POLLIN, !(flags & MSG_DONTWAIT))
CHANNEL_CALL(ssize_t, sendmsg, (int descriptor, const struct msghdr *from, int flags), (descriptor, from, flags), POLLOUT, !(flags & MSG_DONTWAIT))
CHANNEL_CALL(int, accept4, (int descriptor, struct sockaddr *restrict address, socklen_t *restrict n, int flags), (descriptor, address, n, flags), POLLIN, 1)
CHANNEL_CALL(int, eventfd_read, (int descriptor, eventfd_t *to), (descriptor, to), POLLIN, 1)
CHANNEL_CALL(int, eventfd_write, (int descriptor, eventfd_t value), (descriptor, value), POLLOUT, 1)
CHANNEL_CALL(int, shutdown, (int descriptor, int how), (descriptor, how), 0, 0)
CHANNEL_CALL(int, close, (int descriptor), (descriptor), 0, 0)

/* Waiting for one of several. With a limit the time is up whenever nothing is there, after others had a few turns. What was
   sent before comes before: on any channel, as it is not known on which. */
static void acquire_channels(void) {
  for (struct channel *c = channels; c; c = c->next) acquire_from(&c->clock);
}
static void look_at_channels(uintptr_t pc) {
  test_cancel(pc);
  step(WAIT_FD, (void *)(intptr_t)-1, 0, pc);
  hash_sync(&channels_hash);
  acquire_channels();
}
/* Until one of these is ready; returns 0 if a signal has ended it, even one whose handler lets calls go on. */
static int wait_for_files(struct pollfd *list, nfds_t n, uintptr_t pc) {
  if (n == 0) return pause_here(pc), 0;
  test_cancel(pc);
  self->took_signal = 0;
  self->files = list;
  self->file_count = (uint32_t)n;
  step(WAIT_FD, (void *)(intptr_t)(n == 1 ? list->fd : -1), 0, pc);
  self->file_count = 0;
  hash_sync(&channels_hash);
  int is_there = poll_now(list, n) != 0;
  if (!is_there) test_cancel(pc);
  acquire_channels();
  return is_there || !self->took_signal || (errno = EINTR, 0);
}
#define LIMITED_ROUNDS 3
#define UNTIL_READY(ready, look, is_limited, at_once, files, count, pc) \
  if (CONTROLLED && !(is_limited) && !wait_for_files(files, count, pc)) return -1; \
  int ready = (CONTROLLED && (is_limited) ? look_at_channels(pc) : (void)0, look); \
  for (int rounds = 0; CONTROLLED && ready == 0 && !(at_once) && (!(is_limited) || rounds < LIMITED_ROUNDS); rounds++) { \
    yield_step(pc); \
    look_at_channels(pc); \
    ready = look; \
  }
/* With other signals let through than otherwise. */
#define WITH_MASK(mask, call) \
  sigset_t before; \
  if (CONTROLLED) self->took_signal = 0; \
  if (CONTROLLED && (mask)) set_mask(SIG_SETMASK, mask, &before); \
  int result = CONTROLLED && self->took_signal ? (errno = EINTR, -1) : (call); \
  if (CONTROLLED && (mask)) set_mask(SIG_SETMASK, &before, 0); \
  return result;

static int poll_within(struct pollfd *list, nfds_t n, int limit, uintptr_t pc) {
  UNTIL_READY(ready, poll_now(list, n), limit >= 0, limit == 0, list, n, pc)
  return ready;
}
INSTEAD int poll(struct pollfd *list, nfds_t n, int limit) { return poll_within(list, n, limit, PC); }
INSTEAD int ppoll(struct pollfd *list, nfds_t n, const struct timespec *limit, const sigset_t *mask) {
  WITH_MASK(mask, poll_within(list, n, !limit ? -1 : limit->tv_sec || limit->tv_nsec ? 1 : 0, PC))
}

static int select_now(int n, fd_set *const wanted[3], fd_set *result[3]) {
  static int (*real)(int, fd_set *, fd_set *, fd_set *, struct timeval *);
  if (!real) real = (int (*)(int, fd_set *, fd_set *, fd_set *, struct timeval *))dlsym(RTLD_NEXT, "select");
  struct timeval none = { 0, 0 };
  for (int i = 0; i < 3; i++)
    if (result[i]) *result[i] = *wanted[i];
  return real(n, result[0], result[1], result[2], &none);
}
static nfds_t selected(int n, fd_set *const wanted[3], struct pollfd *to) {
  static const short kinds[3] = { POLLIN, POLLOUT, POLLPRI };
  nfds_t count = 0;
  for (int descriptor = 0; descriptor < n && descriptor < FD_SETSIZE; descriptor++) {
    short asked = 0;
    for (int i = 0; i < 3; i++)
      if (wanted[i] && FD_ISSET(descriptor, wanted[i])) asked |= kinds[i];
    if (asked) to[count++] = (struct pollfd){ descriptor, asked, 0 };
  }
  return count;
}
static int select_within(int n, fd_set *result[3], int is_limited, int at_once, uintptr_t pc) {
  fd_set copies[3], *wanted[3];
  struct pollfd list[n > 0 ? n : 1];
  for (int i = 0; i < 3; i++) {
    wanted[i] = result[i] ? &copies[i] : 0;
    if (result[i]) copies[i] = *result[i];
  }
  UNTIL_READY(ready, select_now(n, wanted, result), is_limited, at_once, list, selected(n, wanted, list), pc)
  return ready;
}
INSTEAD int select(int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict odd, struct timeval *restrict limit) {
  fd_set *result[3] = { in, out, odd };
  return select_within(n, result, limit != 0, limit && !limit->tv_sec && !limit->tv_usec, PC);
}
INSTEAD int pselect(int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict odd,
                    const struct timespec *restrict limit, const sigset_t *restrict mask) {
  fd_set *sets[3] = { in, out, odd };
  WITH_MASK(mask, select_within(n, sets, limit != 0, limit && !limit->tv_sec && !limit->tv_nsec, PC))
}
static int epoll_now(int epoll, struct epoll_event *to, int most) {
  static int (*real)(int, struct epoll_event *, int, int);
  if (!real) real = (int (*)(int, struct epoll_event *, int, int))dlsym(RTLD_NEXT, "epoll_wait");
  return real(epoll, to, most, 0);
}
static int epoll_within(int epoll, struct epoll_event *to, int most, int limit, uintptr_t pc) {
  struct pollfd all = { epoll, POLLIN, 0 };
  UNTIL_READY(ready, epoll_now(epoll, to, most), limit >= 0, limit == 0, &all, 1, pc)
  return ready;
}
INSTEAD int epoll_wait(int epoll, struct epoll_event *to, int most, int limit) { return epoll_within(epoll, to, most, limit, PC); }
INSTEAD int epoll_pwait(int epoll, struct epoll_event *to, int most, int limit, const sigset_t *mask) {
  WITH_MASK(mask, epoll_within(epoll, to, most, limit, PC))
}

/* ---- who could end a wait */

static int is_pair(int descriptor) {
  struct sockaddr_un name;
  socklen_t own = sizeof name, other = sizeof name;
  return !getsockname(descriptor, (struct sockaddr *)&name, &own) && name.sun_family == AF_UNIX && own == sizeof name.sun_family &&
         !getpeername(descriptor, (struct sockaddr *)&name, &other) && other == sizeof name.sun_family;
}
/* Only this process can make it ready: pipes, pairs of sockets and event counters, which have no name that another one could
   open, and sets of these. */
static int is_inside(int descriptor);
static int are_members_inside(int epoll) {
  char path[64], text[4096];
  __real_snprintf(path, sizeof path, "/proc/self/fdinfo/%d", epoll);
  int file = (int)syscall_raw(SYS_openat, AT_FDCWD, (long)path, O_RDONLY, 0, 0, 0);
  if (file < 0) return 0;
  long n = syscall_raw(SYS_read, file, (long)text, sizeof text - 1, 0, 0, 0);
  syscall_raw(SYS_close, file, 0, 0, 0, 0, 0);
  if (n < 0 || n == sizeof text - 1) return 0;
  text[n] = 0;
  for (char *at = text; (at = __real_strstr(at, "tfd:")); at += 4)
    if (!is_inside(atoi(at + 4))) return 0;
  return 1;
}
static int is_inside(int descriptor) {
  static const char counter[] = "anon_inode:[eventfd]", set[] = "anon_inode:[eventpoll]";
  char path[64], target[64] = "";
  __real_snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  if (readlink(path, target, sizeof target - 1) < 0) return 0;
  if (!memcmp(target, "pipe:", 5) || !memcmp(target, counter, sizeof counter)) return 1;
  if (!memcmp(target, "socket:", 7)) return is_pair(descriptor);
  return !memcmp(target, set, sizeof set) && are_members_inside(descriptor);
}
static int waits_inside(struct thread *t) {
  if (t->file_count == 0) return is_inside((int)(intptr_t)t->object);
  for (uint32_t i = 0; i < t->file_count; i++)
    if (t->files[i].fd >= 0 && !is_inside(t->files[i].fd)) return 0;
  return 1;
}

/* Streams on pipes and sockets: the C library's own would read and write without our notice. */
struct stream { FILE *file; int descriptor; struct stream *next; };
static struct stream *streams;
static ssize_t read_stream(void *given, char *to, size_t n) { return read(((struct stream *)given)->descriptor, to, n); }
static ssize_t write_stream(void *given, const char *from, size_t n) {
  return write(((struct stream *)given)->descriptor, from, n);
}
static int close_stream(void *given) {
  struct stream *s = given;
  s->file = 0;
  return close(s->descriptor);
}
INSTEAD FILE *fdopen(int descriptor, const char *mode) {
  static FILE *(*real)(int, const char *);
  if (!real) real = (FILE * (*)(int, const char *)) dlsym(RTLD_NEXT, "fdopen");
  if (!CONTROLLED || !is_channel(descriptor)) return real(descriptor, mode);
  struct stream *s = take(sizeof *s);
  s->descriptor = descriptor;
  s->file = fopencookie(s, mode, (cookie_io_functions_t){ read_stream, write_stream, 0, close_stream });
  s->next = streams;
  streams = s;
  return s->file;
}
INSTEAD int fileno(FILE *file) {
  static int (*real)(FILE *);
  if (!real) real = (int (*)(FILE *))dlsym(RTLD_NEXT, "fileno");
  for (struct stream *s = streams; s; s = s->next)
    if (s->file == file) return s->descriptor;
  return real(file);
}
