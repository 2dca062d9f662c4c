// Handlers run where raise calls them; what is ignored, blocked or reset is so.
#include <signal.h>
#include <assert.h>
#include <errno.h>
#include <string.h>
static volatile sig_atomic_t got, info_got;
static void on(int n) { got = got * 10 + (n == SIGUSR1 ? 1 : 2); }
static void on_info(int n, siginfo_t *i, void *context) { info_got = i->si_signo == n; }
int main(void) {
  struct sigaction a, old;
  memset(&a, 0, sizeof a);
  a.sa_handler = on;
  sigemptyset(&a.sa_mask);
  assert(sigaction(SIGUSR1, &a, NULL) == 0);
  assert(raise(SIGUSR1) == 0 && got == 1);
  a.sa_flags = SA_RESETHAND;
  assert(sigaction(SIGUSR2, &a, &old) == 0 && old.sa_handler == SIG_DFL);
  raise(SIGUSR2); assert(got == 12);
  assert(sigaction(SIGUSR2, NULL, &old) == 0 && old.sa_handler == SIG_DFL);
  assert(signal(SIGUSR1, SIG_IGN) == on);
  raise(SIGUSR1); assert(got == 12);
  a.sa_flags = SA_SIGINFO; a.sa_sigaction = on_info;
  sigaction(SIGTERM, &a, NULL);
  raise(SIGTERM); assert(info_got == 1);
  raise(SIGCHLD);
  sigset_t s, before; sigemptyset(&s); sigaddset(&s, SIGINT);
  assert(pthread_sigmask(SIG_BLOCK, &s, NULL) == 0);
  assert(pthread_sigmask(SIG_SETMASK, NULL, &before) == 0 && sigismember(&before, SIGINT) == 1);
  assert(sigaction(SIGKILL, &a, NULL) == -1 && errno == EINVAL);
  return 0;
}
