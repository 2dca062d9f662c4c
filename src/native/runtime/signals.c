/* Signals that the program sends to itself, and its timers. A signal is noted for a thread, which takes it before its next
   step, or while it waits: then the real handler runs, in that thread, while it has the turn. Timers go by our clock: one
   that is due sends its signal, or starts its thread, and where nobody else can go on the time of the next one comes. */
#include "heddle.h"
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#define BIT(number) ((uint64_t)1 << ((number) - 1))
#define HIGHEST_SIGNAL 64

static uint64_t bits_of(const sigset_t *set) {
  uint64_t bits = 0;
  for (int n = 1; n <= HIGHEST_SIGNAL; n++)
    if (sigismember(set, n) == 1) bits |= BIT(n);
  return bits;
}

/* Of the process: no thread lets it through yet. */
static uint64_t undirected_signals;
/* Who takes a signal comes after who sent it, or set the timer. */
static struct clock signal_clock;

static int takes_signal(struct thread *t) {
  if (t->in_handler || t->finished || t->stopped || (t->kind == BARRIER_LEAVE && !t->wakes)) return 0;
  return (t->signals & ~t->blocked) != 0;
}

/* These come from what the thread itself does wrong, or cannot be handled at all. */
static int is_immediate(int number) {
  switch (number) {
    case SIGSEGV: case SIGBUS: case SIGFPE: case SIGILL: case SIGTRAP: case SIGABRT: case SIGSYS: case SIGKILL: case SIGSTOP: return 1;
    default: return 0;
  }
}

/* What a thread is about to do, put aside while it does something else. */
struct aside {
  enum kind kind;
  void *object, *other;
  struct object *target, *mutex;
  int wakes, gave_up, timed, error;
  uintptr_t pc;
  struct pollfd *files;
  uint32_t file_count;
};
static struct aside put_aside(void) {
  return (struct aside){ self->kind, self->object, self->other, self->target, self->mutex, self->wakes, self->gave_up, self->timed, errno, self->pc, self->files, self->file_count };
}
static void take_up(const struct aside *a) {
  self->kind = a->kind, self->object = a->object, self->other = a->other, self->target = a->target, self->mutex = a->mutex;
  self->wakes = a->wakes, self->gave_up = a->gave_up, self->timed = a->timed, self->pc = a->pc;
  self->files = a->files, self->file_count = a->file_count;
  errno = a->error;
}

/* Nobody could signal its condition meanwhile: a wait that is interrupted wakes by itself, as it may. */
static void after_handler(const struct sigaction *action) {
  self->is_interrupted = !(action->sa_flags & SA_RESTART);
  self->took_signal = 1;
  if ((self->kind == COND_WAKE || self->kind == WORD_WAIT) && !self->wakes) self->wakes = 2;
}

static void take_signal(void) {
  uint64_t ready = self->signals & ~self->blocked;
  int number = __builtin_ctzll(ready) + 1;
  struct aside before = put_aside();
  struct sigaction action;
  self->signals &= ~BIT(number);
  self->kind = TAKE_SIGNAL;
  self->object = (void *)(intptr_t)number;
  self->other = 0;
  self->file_count = 0;
  count_step(control->record ? enabled_mask() : 0);
  acquire_from(&signal_clock);
  sigaction(number, 0, &action);
  self->in_handler = 1;
  syscall_raw(SYS_tgkill, getpid(), syscall_raw(SYS_gettid, 0, 0, 0, 0, 0, 0), number, 0, 0, 0);
  self->in_handler = 0;
  take_up(&before);
  if (action.sa_handler != SIG_IGN && action.sa_handler != SIG_DFL) after_handler(&action);
}

/* The first one that does not block it: Linux prefers main. */
static struct thread *receiver(int number) {
  for (uint32_t i = 0; i < thread_count; i++)
    if (!threads[i].finished && !(threads[i].blocked & BIT(number))) return &threads[i];
  return 0;
}

static void send_signal(struct thread *to, int number, uintptr_t pc) {
  step(SEND_SIGNAL, 0, (void *)(intptr_t)number, pc);
  release_to(&signal_clock);
  if (!to) to = receiver(number);
  if (!to) {
    undirected_signals |= BIT(number);
    about(self->id);
    return;
  }
  about(to->id);
  self->hash = mix(self->hash, to->hash);
  to->signals |= BIT(number);
  if (to == self && takes_signal(self)) take_signal();
}

INSTEAD int raise(int number) {
  if (CONTROLLED && !is_immediate(number) && number > 0 && number <= HIGHEST_SIGNAL) return send_signal(self, number, PC), 0;
  return (int)syscall_raw(SYS_tgkill, getpid(), syscall_raw(SYS_gettid, 0, 0, 0, 0, 0, 0), number, 0, 0, 0);
}
INSTEAD int pthread_kill(pthread_t handle, int number) {
  if (is_late(handle)) return 0;
  struct thread *t = CONTROLLED ? thread_of(handle) : 0;
  if (number < 0 || number > HIGHEST_SIGNAL) return EINVAL;
  if (t && t->finished) return 0; /* glibc says so of a thread that ended and was not joined */
  if (!t || is_immediate(number)) return REAL(pthread_kill)(handle, number);
  if (number > 0) send_signal(t, number, PC);
  return 0;
}
/* Other processes are none of the program's business here: of its group there may be our own. */
INSTEAD int kill(pid_t process, int number) {
  if (!CONTROLLED) return (int)syscall_raw(SYS_kill, process, number, 0, 0, 0, 0);
  if (number < 0 || number > HIGHEST_SIGNAL) return errno = EINVAL, -1;
  if (process != getpid() && process != 0 && process != -getpid() && number != 0)
    end_run(UNSUPPORTED, PC, "the program sends a signal to another process");
  if (number == 0) return (int)syscall_raw(SYS_kill, process, 0, 0, 0, 0, 0);
  if (is_immediate(number)) return (int)syscall_raw(SYS_kill, getpid(), number, 0, 0, 0, 0);
  send_signal(0, number, PC);
  return 0;
}
INSTEAD int sigqueue(pid_t process, int number, const union sigval value) { return (void)value, kill(process, number); }
INSTEAD int pthread_sigqueue(pthread_t handle, int number, const union sigval value) {
  return (void)value, pthread_kill(handle, number);
}

/* ---- what a thread lets through */

static void set_blocked(uint64_t blocked) {
  self->blocked = blocked;
  uint64_t now = undirected_signals & ~blocked;
  undirected_signals &= ~now;
  self->signals |= now;
  if (CONTROLLED && takes_signal(self)) take_signal();
}
static int set_mask(int how, const sigset_t *set, sigset_t *old) {
  int problem = REAL(pthread_sigmask)(how, set, old);
  if (problem || !set || !self) return problem;
  uint64_t bits = bits_of(set);
  set_blocked(how == SIG_BLOCK ? self->blocked | bits : how == SIG_UNBLOCK ? self->blocked & ~bits : bits);
  return 0;
}
INSTEAD int pthread_sigmask(int how, const sigset_t *set, sigset_t *old) { return set_mask(how, set, old); }
INSTEAD int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old) {
  int problem = set_mask(how, set, old);
  return problem ? (errno = problem, -1) : 0;
}
static uint64_t waiting_signals(struct thread *t) { return (t->signals | undirected_signals) & t->awaited; }
INSTEAD int sigpending(sigset_t *set) {
  sigemptyset(set);
  for (int n = 1; self && n <= HIGHEST_SIGNAL; n++)
    if ((self->signals | undirected_signals) & BIT(n)) sigaddset(set, n);
  return 0;
}

/* ---- waiting for one */

static int pause_here(uintptr_t pc) {
  test_cancel(pc);
  self->took_signal = 0;
  self->awaited = 0;
  if (takes_signal(self)) take_signal();
  if (!self->took_signal) step(WAIT_SIGNAL, 0, 0, pc);
  test_cancel(pc);
  return errno = EINTR, -1;
}
INSTEAD int pause(void) { return CONTROLLED ? pause_here(PC) : -1; }
INSTEAD int sigsuspend(const sigset_t *set) {
  if (!CONTROLLED) return -1;
  sigset_t old;
  self->took_signal = 0;
  set_mask(SIG_SETMASK, set, &old);
  if (!self->took_signal) pause_here(PC);
  set_mask(SIG_SETMASK, &old, 0);
  return errno = EINTR, -1;
}
static int wait_for_signal(const sigset_t *set, int is_timed, uintptr_t pc) {
  test_cancel(pc);
  self->took_signal = 0;
  self->awaited = bits_of(set);
  self->timed = is_timed;
  if (is_timed && waiting_signals(self) == 0 && choose_rare(4)) self->gave_up = 1;
  step(WAIT_SIGNAL, 0, 0, pc);
  self->timed = self->gave_up = 0;
  uint64_t ready = waiting_signals(self);
  self->awaited = 0;
  test_cancel(pc);
  if (!ready) return 0;
  acquire_from(&signal_clock);
  uint64_t lowest = ready & -ready;
  if (self->signals & lowest) self->signals &= ~lowest;
  else undirected_signals &= ~lowest;
  return __builtin_ctzll(lowest) + 1;
}
INSTEAD int sigwait(const sigset_t *set, int *number) {
  if (!CONTROLLED) return EINVAL;
  while ((*number = wait_for_signal(set, 0, PC)) == 0) {}
  return 0;
}
INSTEAD int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info, const struct timespec *restrict limit) {
  if (!CONTROLLED) return errno = EAGAIN, -1;
  int number = wait_for_signal(set, limit != 0, PC);
  if (info) *info = (siginfo_t){ .si_signo = number, .si_code = SI_USER };
  return number ? number : (errno = self->took_signal ? EINTR : EAGAIN, -1);
}
INSTEAD int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info) { return sigtimedwait(set, info, 0); }

/* Somebody waits who could be woken from outside, or by a handler: nothing is known of that. */
static int may_be_woken_by_signal(void) {
  int has_handlers = 0;
  for (uint32_t i = 0; i < thread_count; i++) {
    if (threads[i].finished) continue;
    if (threads[i].kind == WAIT_SIGNAL) return 1;
    has_handlers |= threads[i].kind == SEM_WAIT || threads[i].kind == WAIT_FD;
  }
  for (int n = 1; has_handlers && n <= HIGHEST_SIGNAL; n++) {
    struct sigaction action;
    if (is_immediate(n) || sigaction(n, 0, &action)) continue;
    if (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN) return 1;
  }
  return 0;
}

/* ---- timers */

struct timer {
  int is_used, number; /* the signal; 0: a thread */
  uint64_t due, interval;
  void (*function)(union sigval);
  union sigval value;
};
#define MAX_TIMERS 64
static struct timer timers[MAX_TIMERS]; /* the first three are those of setitimer */
#define NEVER ((uint64_t)-1)

static void find_next_due(void) {
  next_due = NEVER;
  for (int i = 0; i < MAX_TIMERS; i++)
    if (timers[i].is_used && timers[i].due < next_due) next_due = timers[i].due;
}

static void *run_timer(void *given) {
  struct timer *t = given;
  t->function(t->value);
  return 0;
}
static void fire(struct timer *t) {
  t->due = t->interval ? clock_now() + t->interval : NEVER;
  if (t->number == 0) {
    pthread_t handle;
    join_clock(&start_thread(&handle, run_timer, t, 1, self->pc)->clock, &signal_clock);
    return;
  }
  struct thread *to = receiver(t->number);
  if (to) to->signals |= BIT(t->number);
  else undirected_signals |= BIT(t->number);
}
static void fire_timers(void) {
  uint64_t now = clock_now();
  for (int i = 0; i < MAX_TIMERS; i++)
    if (timers[i].is_used && timers[i].due <= now) fire(&timers[i]);
  find_next_due();
}
/* Nobody can go on. */
static int let_timers_pass(void) {
  if (next_due == NEVER) return 0;
  if (next_due > clock_now()) advance_clock(next_due - clock_now());
  fire_timers();
  return 1;
}

static uint64_t left_of(const struct timer *t) {
  uint64_t now = clock_now();
  return !t->is_used || t->due == NEVER ? 0 : t->due > now ? t->due - now : 1;
}
static void set_timer(struct timer *t, uint64_t after, uint64_t interval) {
  t->due = after ? clock_now() + after : NEVER;
  t->interval = interval;
  if (CONTROLLED) release_to(&signal_clock);
  find_next_due();
}
#define SECOND 1000000000u
static uint64_t of_timeval(struct timeval t) { return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_usec * 1000; }
static uint64_t of_timespec(struct timespec t) { return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec; }
static struct timeval timeval_of(uint64_t n) { return (struct timeval){ (time_t)(n / SECOND), (suseconds_t)(n % SECOND / 1000) }; }
static struct timespec timespec_of(uint64_t n) { return (struct timespec){ (time_t)(n / SECOND), (long)(n % SECOND) }; }

INSTEAD int setitimer(enum __itimer_which which, const struct itimerval *restrict wanted, struct itimerval *restrict old) {
  static const int numbers[] = { SIGALRM, SIGVTALRM, SIGPROF };
  if (!CONTROLLED) return (int)syscall_raw(SYS_setitimer, (long)which, (long)wanted, (long)old, 0, 0, 0);
  if ((unsigned)which > 2) return errno = EINVAL, -1;
  struct timer *t = &timers[which];
  if (old) *old = (struct itimerval){ timeval_of(t->interval), timeval_of(left_of(t)) };
  if (!wanted) return 0;
  t->is_used = 1;
  t->number = numbers[which];
  set_timer(t, of_timeval(wanted->it_value), of_timeval(wanted->it_interval));
  return 0;
}
INSTEAD unsigned alarm(unsigned seconds) {
  struct itimerval wanted = { { 0, 0 }, { (time_t)seconds, 0 } }, old = { { 0, 0 }, { 0, 0 } };
  setitimer(ITIMER_REAL, &wanted, &old);
  return (unsigned)old.it_value.tv_sec + (old.it_value.tv_usec > 0);
}
INSTEAD useconds_t ualarm(useconds_t us, useconds_t interval) {
  struct itimerval wanted = { timeval_of((uint64_t)interval * 1000), timeval_of((uint64_t)us * 1000) }, old = { { 0, 0 }, { 0, 0 } };
  setitimer(ITIMER_REAL, &wanted, &old);
  return (useconds_t)(old.it_value.tv_sec * 1000000 + old.it_value.tv_usec);
}
static struct timer *timer_at(timer_t id) {
  uintptr_t i = (uintptr_t)id;
  return i >= 3 && i < MAX_TIMERS && timers[i].is_used ? &timers[i] : 0;
}
INSTEAD int timer_create(clockid_t clock, struct sigevent *restrict event, timer_t *restrict id) {
  (void)clock;
  uintptr_t i = 3;
  while (i < MAX_TIMERS && timers[i].is_used) i++;
  if (i == MAX_TIMERS) return errno = EAGAIN, -1;
  timers[i] = (struct timer){ .is_used = 1, .number = SIGALRM, .due = NEVER };
  if (event && event->sigev_notify == SIGEV_THREAD) {
    timers[i].number = 0;
    timers[i].function = event->sigev_notify_function;
    timers[i].value = event->sigev_value;
  } else if (event) timers[i].number = event->sigev_notify == SIGEV_NONE ? SIGURG : event->sigev_signo;
  *id = (timer_t)i;
  return 0;
}
INSTEAD int timer_settime(timer_t id, int flags, const struct itimerspec *restrict wanted, struct itimerspec *restrict old) {
  struct timer *t = timer_at(id);
  if (!t) return errno = EINVAL, -1;
  if (old) *old = (struct itimerspec){ timespec_of(t->interval), timespec_of(left_of(t)) };
  uint64_t after = of_timespec(wanted->it_value), now = clock_now();
  if ((flags & TIMER_ABSTIME) && after) after = after > now ? after - now : 1;
  set_timer(t, after, of_timespec(wanted->it_interval));
  return 0;
}
INSTEAD int timer_gettime(timer_t id, struct itimerspec *now) {
  struct timer *t = timer_at(id);
  if (!t) return errno = EINVAL, -1;
  *now = (struct itimerspec){ timespec_of(t->interval), timespec_of(left_of(t)) };
  return 0;
}
INSTEAD int timer_delete(timer_t id) {
  struct timer *t = timer_at(id);
  if (!t) return errno = EINVAL, -1;
  t->is_used = 0;
  find_next_due();
  return 0;
}
INSTEAD int timer_getoverrun(timer_t id) { return timer_at(id) ? 0 : (errno = EINVAL, -1); }
