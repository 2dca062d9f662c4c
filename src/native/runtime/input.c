/* Pipes and sockets: what goes through them is a step, and a thread that would block gives others the turn until it can go
   on. Files and devices are always ready, and no step. */
#include "heddle.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static int poll_now(struct pollfd *list, nfds_t n) {
  static int (*real)(struct pollfd *, nfds_t, int);
  if (!real) real = (int (*)(struct pollfd *, nfds_t, int))dlsym(RTLD_NEXT, "poll");
  return real(list, n, 0);
}
static int is_ready(struct thread *t) {
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
/* The step before a call that reads (POLLIN), writes (POLLOUT), or ends it (0). */
static void channel_step(int descriptor, short events_wanted, int waits, uintptr_t pc) {
  if (!is_channel(descriptor)) return;
  test_cancel(pc);
  short awaited = waits && may_block(descriptor) ? events_wanted : 0;
  step(WAIT_FD, (void *)(intptr_t)descriptor, (void *)(intptr_t)awaited, pc);
  hash_sync(&channels_hash);
}

#define CHANNEL_CALL(result, name, declared, given, wanted, waits) \
  INSTEAD result name declared { \
    static result (*real) declared; \
    if (!real) real = (result (*) declared)dlsym(RTLD_NEXT, #name); \
    if (CONTROLLED) channel_step(descriptor, wanted, waits, PC); \
    return real given; \
  }
CHANNEL_CALL(ssize_t, read, (int descriptor, void *to, size_t n), (descriptor, to, n), POLLIN, 1)
CHANNEL_CALL(ssize_t, write, (int descriptor, const void *from, size_t n), (descriptor, from, n), POLLOUT, 1)
CHANNEL_CALL(ssize_t, readv, (int descriptor, const struct iovec *parts, int n), (descriptor, parts, n), POLLIN, 1)
CHANNEL_CALL(ssize_t, writev, (int descriptor, const struct iovec *parts, int n), (descriptor, parts, n), POLLOUT, 1)
CHANNEL_CALL(ssize_t, recv, (int descriptor, void *to, size_t n, int flags), (descriptor, to, n, flags), POLLIN, !(flags & MSG_DONTWAIT))
CHANNEL_CALL(ssize_t, send, (int descriptor, const void *from, size_t n, int flags), (descriptor, from, n, flags), POLLOUT, !(flags & MSG_DONTWAIT))
CHANNEL_CALL(int, accept, (int descriptor, struct sockaddr *restrict address, socklen_t *restrict n), (descriptor, address, n), POLLIN, 1)
CHANNEL_CALL(int, shutdown, (int descriptor, int how), (descriptor, how), 0, 0)
CHANNEL_CALL(int, close, (int descriptor), (descriptor), 0, 0)

/* With a limit the time is up whenever nothing is there; without one others go on meanwhile. */
INSTEAD int poll(struct pollfd *given, nfds_t n, int limit) {
  struct pollfd *list = given;
  __asm__("" : "+r"(list)); /* The header says that the list is only written, which is not so. */
  int waits = n == 1 && limit < 0;
  if (CONTROLLED && n > 0) channel_step(list[0].fd, waits ? list[0].events : 0, waits, PC);
  int ready = poll_now(list, n);
  for (int rounds = 0; CONTROLLED && ready == 0 && limit != 0 && (limit < 0 || rounds < 3); rounds++) {
    yield_step(PC);
    if (n > 0) channel_step(list[0].fd, 0, 0, PC);
    ready = poll_now(list, n);
  }
  return ready;
}
