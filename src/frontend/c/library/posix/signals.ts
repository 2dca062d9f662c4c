// <signal.h>: signals are never delivered (a verdict says so).
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
  __heddle_note("no signal is delivered");
  return __heddle_outcome();
}

int raise(int number)
{
  if (number == SIGABRT || number == SIGKILL)
    __heddle_exit();
  __heddle_unsupported("raise");
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
