// Threads that wait for descriptors: what only the program itself could send never comes if everybody waits.
import { describe, expect, it } from 'vitest'
import { findIn, hasCompiler, SKIPPED, search, withProgram } from './harness.js'

const HEAD = `#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ends[2], set, value;
static char c;
`

/** A thread waits with a lock that who would send needs first. */
const blocked = (make: string, wait: string): string => `${HEAD}
static void *receive(void *u) { pthread_mutex_lock(&m); ${wait} pthread_mutex_unlock(&m); return u; }
static void *deliver(void *u) { pthread_mutex_lock(&m); write(ends[1], "12345678", 8); pthread_mutex_unlock(&m); return u; }
int main(void) {
  pthread_t a, b;
  ${make}
  pthread_create(&a, 0, receive, 0);
  pthread_create(&b, 0, deliver, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
`
const PIPE = 'pipe(ends);'
const SET =
  'set = epoll_create1(0); struct epoll_event e = { .events = EPOLLIN }; epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &e);'
const WAITS = [
  ['read', PIPE, 'read(ends[0], &c, 1);'],
  ['recv, of a pair of sockets', 'socketpair(AF_UNIX, SOCK_STREAM, 0, ends);', 'recv(ends[0], &c, 1, 0);'],
  ['read, of an event counter', 'ends[0] = ends[1] = eventfd(0, 0);', 'eventfd_t n; eventfd_read(ends[0], &n);'],
  ['poll, of one', PIPE, 'struct pollfd p = { ends[0], POLLIN, 0 }; poll(&p, 1, -1);'],
  ['poll, of two', PIPE, 'struct pollfd p[] = { { ends[0], POLLIN, 0 }, { -1, POLLIN, 0 } }; poll(p, 2, -1);'],
  ['select', PIPE, 'fd_set s; FD_ZERO(&s); FD_SET(ends[0], &s); select(ends[0] + 1, &s, 0, 0, 0);'],
  ['epoll_wait', PIPE + SET, 'struct epoll_event e; epoll_wait(set, &e, 1, -1);'],
] as const

/** Nobody in the program connects: somebody else could. */
const LISTENS = `${HEAD}
int main(void) {
  struct sockaddr_in here = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
  int s = socket(AF_INET, SOCK_STREAM, 0);
  bind(s, (struct sockaddr *)&here, sizeof here);
  listen(s, 1);
  struct pollfd p = { s, POLLIN, 0 };
  return poll(&p, 1, -1);
}
`

const RIGHT = `${HEAD}
static int counter, pair[2];
static volatile sig_atomic_t caught;
static void on_signal(int number) { caught = number; }
static void *deliver(void *u) {
  long n = 1;
  value = 7;
  write(ends[1], "x", 1);
  write(counter, &n, 8);
  send(pair[0], "hello", 5, 0);
  pthread_kill(*(pthread_t *)u, SIGUSR1);
  return 0;
}
int main(void) {
  pthread_t t, me = pthread_self();
  sigset_t masked, before;
  struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
  sigemptyset(&masked);
  sigaddset(&masked, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &masked, &before);
  sigaction(SIGUSR1, &action, 0);
  pipe(ends);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
  counter = eventfd(0, 0);
  set = epoll_create1(0);
  struct epoll_event e = { .events = EPOLLIN | EPOLLET, .data.fd = counter };
  epoll_ctl(set, EPOLL_CTL_ADD, counter, &e);
  pthread_create(&t, 0, deliver, &me);
  struct pollfd one = { ends[0], POLLIN, 0 };
  assert(poll(&one, 1, -1) == 1 && one.revents == POLLIN);
  assert(read(ends[0], &c, 1) == 1 && value == 7);
  assert(epoll_wait(set, &e, 1, -1) == 1 && e.data.fd == counter);
  fd_set s;
  FD_ZERO(&s);
  FD_SET(pair[1], &s);
  assert(select(pair[1] + 1, &s, 0, 0, 0) == 1 && FD_ISSET(pair[1], &s));
  // A handler ends the wait, even one after which other calls go on.
  while (!caught) assert(ppoll(&one, 1, 0, &before) == -1 && errno == EINTR);
  close(ends[1]);
  assert(poll(&one, 1, -1) == 1 && one.revents == POLLHUP);
  pthread_join(t, 0);
  return 0;
}
`

describe.skipIf(!hasCompiler)(`waiting for descriptors${hasCompiler ? '' : ` (${SKIPPED})`}`, () => {
  it.each(WAITS)('%s, with a lock that the sender needs, is a deadlock', async (_, make, wait) => {
    expect(await findIn(blocked(make, wait), { maxRuns: 200 })).toBe('no-deadlock')
  })
  it('is no deadlock where somebody else could send', async () => {
    const { found, campaign } = await withProgram(LISTENS, (runner) => search(runner, { maxRuns: 1 }))
    expect(found).toBeUndefined()
    expect(campaign.counts.hung).toBe(1)
  })
  it('finds nothing in a program where what is waited for comes', async () => {
    expect(await findIn(RIGHT, { maxRuns: 200 })).toBe('nothing')
  })
})
