/* Reading from descriptors: a thread that would block gives others the turn until there is something to read. */
#include "heddle.h"
#include <dlfcn.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

static int poll_now(struct pollfd *list, nfds_t n) {
  static int (*real)(struct pollfd *, nfds_t, int);
  if (!real) real = (int (*)(struct pollfd *, nfds_t, int))dlsym(RTLD_NEXT, "poll");
  return real(list, n, 0);
}
static int is_ready(struct thread *t) {
  struct pollfd one = { (int)(intptr_t)t->object, (short)(intptr_t)t->other, 0 };
  return poll_now(&one, 1) != 0;
}
static void wait_until_ready(int descriptor, short events_wanted, uintptr_t pc) {
  struct pollfd one = { descriptor, events_wanted, 0 };
  test_cancel(pc);
  if (poll_now(&one, 1) == 0) step(WAIT_FD, (void *)(intptr_t)descriptor, (void *)(intptr_t)events_wanted, pc);
}
INSTEAD ssize_t read(int descriptor, void *to, size_t n) {
  static ssize_t (*real)(int, void *, size_t);
  if (!real) real = (ssize_t (*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
  if (CONTROLLED) wait_until_ready(descriptor, POLLIN, PC);
  return real(descriptor, to, n);
}
INSTEAD ssize_t recv(int descriptor, void *to, size_t n, int flags) {
  static ssize_t (*real)(int, void *, size_t, int);
  if (!real) real = (ssize_t (*)(int, void *, size_t, int))dlsym(RTLD_NEXT, "recv");
  if (CONTROLLED && !(flags & MSG_DONTWAIT)) wait_until_ready(descriptor, POLLIN, PC);
  return real(descriptor, to, n, flags);
}
INSTEAD int accept(int descriptor, struct sockaddr *restrict address, socklen_t *restrict n) {
  static int (*real)(int, struct sockaddr *, socklen_t *);
  if (!real) real = (int (*)(int, struct sockaddr *, socklen_t *))dlsym(RTLD_NEXT, "accept");
  if (CONTROLLED) wait_until_ready(descriptor, POLLIN, PC);
  return real(descriptor, address, n);
}
/* With a limit the time is up whenever nothing is there; without one others go on meanwhile. */
INSTEAD int poll(struct pollfd *list, nfds_t n, int limit) {
  int ready = poll_now(list, n);
  for (int rounds = 0; CONTROLLED && ready == 0 && limit != 0 && (limit < 0 || rounds < 3); rounds++) {
    if (n == 1 && limit < 0) step(WAIT_FD, (void *)(intptr_t)list[0].fd, (void *)(intptr_t)list[0].events, PC);
    else yield_step(PC);
    ready = poll_now(list, n);
  }
  return ready;
}
