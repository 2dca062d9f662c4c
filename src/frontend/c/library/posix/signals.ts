// <signal.h>: handlers run where `raise` calls them; no signal comes from outside (a verdict says so).
import { c, type LibraryPart } from '../part.js'

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
#include <errno.h>
#include <heddle/types.h>
#include <signal.h>
#include <sys/time.h>

extern int __heddle_failed(void);
extern int __heddle_outcome(void);

#define SIGNALS 65

/* Zero is SIG_DFL. */
static void (*__heddle_handlers[SIGNALS])(int);
static int __heddle_handler_flags[SIGNALS];
static _Thread_local unsigned long __heddle_blocked;

static int __heddle_may_handle(int number)
{
  return number > 0 && number < SIGNALS && number != SIGKILL && number != SIGSTOP;
}

int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
  struct sigaction before;
  __heddle_note("no signal comes but by raise");
  if (!__heddle_may_handle(number)) {
    errno = EINVAL;
    return -1;
  }
  if (action != 0) {
    void (*handler)(int) = action->sa_handler;
    int flags = action->sa_flags;
    __heddle_atomic_begin();
    before.sa_handler = __heddle_handlers[number];
    before.sa_flags = __heddle_handler_flags[number];
    __heddle_handlers[number] = handler;
    __heddle_handler_flags[number] = flags;
    __heddle_atomic_end();
  } else {
    __heddle_atomic_begin();
    before.sa_handler = __heddle_handlers[number];
    before.sa_flags = __heddle_handler_flags[number];
    __heddle_atomic_end();
  }
  if (old != 0) {
    old->sa_handler = before.sa_handler;
    old->sa_flags = before.sa_flags;
    sigemptyset(&old->sa_mask);
  }
  return 0;
}

sighandler_t signal(int number, sighandler_t handler)
{
  sighandler_t before;
  __heddle_note("no signal comes but by raise");
  if (!__heddle_may_handle(number)) {
    errno = EINVAL;
    return SIG_ERR;
  }
  __heddle_atomic_begin();
  before = __heddle_handlers[number];
  __heddle_handlers[number] = handler;
  __heddle_handler_flags[number] = SA_RESTART;
  __heddle_atomic_end();
  return before;
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

static int __heddle_change_mask(int how, const sigset_t *set, sigset_t *old)
{
  unsigned long before = __heddle_blocked;
  if (set != 0) {
    unsigned long named = set->__val[0];
    if (how == SIG_BLOCK)
      __heddle_blocked = before | named;
    else if (how == SIG_UNBLOCK)
      __heddle_blocked = before & ~named;
    else if (how == SIG_SETMASK)
      __heddle_blocked = named;
    else
      return EINVAL;
  }
  if (old != 0) {
    sigemptyset(old);
    old->__val[0] = before;
  }
  return 0;
}

int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
  int error = __heddle_change_mask(how, set, old);
  if (error != 0)
    errno = error;
  return error != 0 ? -1 : 0;
}

int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
  return __heddle_change_mask(how, set, old);
}

int sigaltstack(const stack_t *stack, stack_t *old)
{
  return 0;
}

int siginterrupt(int number, int flag)
{
  return 0;
}

/* Others may send a signal of the set at any time. */
int sigwait(const sigset_t *set, int *number)
{
  int arrived = (int)__heddle_nondet_range(1, 64);
  __heddle_assume(sigismember(set, arrived));
  *number = arrived;
  return 0;
}

int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *time)
{
  int arrived;
  if (__heddle_choice())
    return __heddle_failed();
  sigwait(set, &arrived);
  if (info != 0)
    info->si_signo = arrived;
  return arrived;
}

int sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
  return sigtimedwait(set, info, 0);
}

int pthread_kill(pthread_t thread, int number)
{
  if (number != 0)
    __heddle_unsupported("pthread_kill with a signal");
  return __heddle_choice() ? 0 : ESRCH;
}

int kill(pid_t process, int number)
{
  if (number != 0)
    __heddle_unsupported("kill with a signal");
  return __heddle_outcome();
}

int setitimer(int which, const struct itimerval *time, struct itimerval *old)
{
  __heddle_note("no signal comes but by raise");
  return __heddle_outcome();
}

static void __heddle_default_action(int number)
{
  switch (number) {
  case SIGCHLD:
  case SIGCONT:
  case SIGURG:
  case SIGWINCH:
    return;
  case SIGSTOP:
  case SIGTSTP:
  case SIGTTIN:
  case SIGTTOU:
    __heddle_limit("a signal that stops the program");
    return;
  default:
    __heddle_exit();
  }
}

/* The handler runs now, in this thread, and its signal is blocked meanwhile. */
int raise(int number)
{
  void (*handler)(int);
  int flags;
  unsigned long bit, before = __heddle_blocked;
  if (number <= 0 || number >= SIGNALS) {
    errno = EINVAL;
    return -1;
  }
  bit = 1UL << (number - 1);
  if (before & bit)
    __heddle_limit("raise of a signal that is blocked");
  __heddle_atomic_begin();
  handler = __heddle_handlers[number];
  flags = __heddle_handler_flags[number];
  __heddle_atomic_end();
  if (flags & SA_RESETHAND) {
    __heddle_atomic_begin();
    __heddle_handlers[number] = SIG_DFL;
    __heddle_atomic_end();
  }
  if (handler == SIG_IGN)
    return 0;
  if (handler == SIG_DFL) {
    __heddle_default_action(number);
    return 0;
  }
  if (!(flags & SA_NODEFER))
    __heddle_blocked = before | bit;
  if (flags & SA_SIGINFO) {
    siginfo_t info;
    info.si_signo = number;
    ((void (*)(int, siginfo_t *, void *))handler)(number, &info, 0);
  } else {
    handler(number);
  }
  __heddle_blocked = before;
  return 0;
}
`

export const SIGNALS: LibraryPart = {
  headers: {
    'signal.h': SIGNAL,
    'sys/signal.h': '#include <signal.h>\n',
  },
  models: {
    '<heddle/signal.c>': SIGNAL_MODELS,
  },
}
