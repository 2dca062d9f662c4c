// Condition variables, barriers and once. Each thread keeps the condition that it waits on in `__heddle_waiting`; who
// wakes it clears that, and it goes on when its mutex is free too. A signal chooses any waiter in the very step that
// wakes it, so that no choice can turn out to be impossible later.
import { c } from '../part.js'

export const CONDITION_MODELS = c`
#include <pthread.h>
#include <errno.h>

extern _Thread_local int __heddle_cancelled;
extern _Thread_local int __heddle_cancel_state;
extern void __heddle_cancel_now(void);
static _Thread_local pthread_cond_t *__heddle_waiting;

int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes)
{
  __heddle_atomic_begin();
  __heddle_sync("init", condition);
  condition->__waiters = 0;
  __heddle_atomic_end();
  return 0;
}

int pthread_cond_destroy(pthread_cond_t *condition)
{
  __heddle_note("no lock, condition variable or semaphore is used after it was destroyed");
  __heddle_atomic_begin();
  __heddle_sync("destroy", condition);
  (void)condition->__waiters;
  __heddle_atomic_end();
  return 0;
}

/* Releases the mutex and waits, in one step. */
static int __heddle_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
  unsigned int self = __heddle_self() + 1;
  int result = 0;
  __heddle_atomic_begin();
  __heddle_sync("wait", condition);
  if (mutex->__owner != self) {
    if (mutex->__kind == PTHREAD_MUTEX_NORMAL)
      __heddle_undefined("wait with a mutex that the thread does not hold");
    result = EPERM;
  } else {
    if (mutex->__kind != PTHREAD_MUTEX_NORMAL && mutex->__count != 1)
      __heddle_undefined("wait with a mutex that is locked more than once");
    mutex->__owner = 0;
    condition->__waiters = condition->__waiters + 1;
    __heddle_waiting = condition;
  }
  __heddle_atomic_end();
  return result;
}

/* Woken, takes the mutex again: its count is still 1 if it counts at all. */
static void __heddle_wake(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
  unsigned int self = __heddle_self() + 1;
  unsigned int owner;
  pthread_cond_t *waiting;
  __heddle_atomic_begin();
  __heddle_sync("wake", condition);
  waiting = __heddle_waiting;
  owner = mutex->__owner;
  __heddle_await(waiting == 0 && owner == 0);
  mutex->__owner = self;
  __heddle_atomic_end();
}

/* Nobody woke it. */
static void __heddle_wake_spuriously(pthread_cond_t *condition)
{
  __heddle_atomic_begin();
  __heddle_sync("wake", condition);
  __heddle_spurious();
  __heddle_await(__heddle_waiting == condition);
  __heddle_waiting = 0;
  condition->__waiters = condition->__waiters - 1;
  __heddle_atomic_end();
}

/* Takes the mutex before handlers run (POSIX 2.9.5.2), and leaves signals to others. */
static void __heddle_wake_cancelled(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
  int cancelled, state;
  __heddle_atomic_begin();
  __heddle_sync("wake", condition);
  cancelled = __heddle_cancelled;
  state = __heddle_cancel_state;
  __heddle_await(cancelled != 0 && state == PTHREAD_CANCEL_ENABLE);
  if (__heddle_waiting == condition) {
    __heddle_waiting = 0;
    condition->__waiters = condition->__waiters - 1;
  }
  __heddle_atomic_end();
  __heddle_wake(condition, mutex);
  __heddle_cancel_now();
}

/* Until it is woken, one way or another. */
static void __heddle_wait_for(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
  if (__heddle_option("spurious-wakeups")) {
    if (__heddle_choice()) {
      __heddle_wake_spuriously(condition);
      __heddle_wake(condition, mutex);
    } else {
      __heddle_wake(condition, mutex);
    }
  } else {
    __heddle_wake(condition, mutex);
  }
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
  int result;
  pthread_testcancel();
  result = __heddle_wait(condition, mutex);
  if (result != 0)
    return result;
  if (__heddle_option("cancellation")) {
    if (__heddle_choice()) {
      __heddle_wake_cancelled(condition, mutex);
    } else {
      __heddle_wait_for(condition, mutex);
    }
  } else {
    __heddle_wait_for(condition, mutex);
  }
  return 0;
}

/* Woken with the mutex free, or the time is over; a later signal is then lost to others or for ever. That it wakes
   spuriously is no more than to say that time is not over. */
static int __heddle_wake_or_end(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
  unsigned int self = __heddle_self() + 1;
  unsigned int owner;
  int over = 0;
  pthread_cond_t *waiting;
  __heddle_atomic_begin();
  __heddle_sync("wake", condition);
  waiting = __heddle_waiting;
  owner = mutex->__owner;
  __heddle_await(waiting == condition || owner == 0);
  if (waiting == condition) {
    __heddle_waiting = 0;
    condition->__waiters = condition->__waiters - 1;
    over = 1;
  } else {
    mutex->__owner = self;
  }
  __heddle_atomic_end();
  return over;
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until)
{
  int result;
  pthread_testcancel();
  result = __heddle_wait(condition, mutex);
  if (result != 0)
    return result;
  if (__heddle_wake_or_end(condition, mutex)) {
    if (__heddle_option("spurious-wakeups"))
      result = __heddle_choice() ? 0 : ETIMEDOUT;
    else
      result = ETIMEDOUT;
    __heddle_wake(condition, mutex);
  }
  pthread_testcancel();
  return result;
}

int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                           const struct timespec *until)
{
  return pthread_cond_timedwait(condition, mutex, until);
}

/* Chooses thread 0 when nobody waits, else any waiter: a choice that fits always exists. */
int pthread_cond_signal(pthread_cond_t *condition)
{
  unsigned int chosen, waiters;
  pthread_cond_t *waiting;
  __heddle_atomic_begin();
  __heddle_sync("signal", condition);
  chosen = __heddle_nondet_range(0, __heddle_thread_count() - 1);
  waiters = condition->__waiters;
  waiting = *__heddle_thread_address(&__heddle_waiting, chosen);
  __heddle_await((waiters == 0 && chosen == 0) || waiting == condition);
  if (waiters != 0) {
    *__heddle_thread_address(&__heddle_waiting, chosen) = 0;
    condition->__waiters = waiters - 1;
  }
  __heddle_atomic_end();
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition)
{
  unsigned int thread;
  __heddle_atomic_begin();
  __heddle_sync("broadcast", condition);
  if (condition->__waiters != 0) {
    for (thread = 0; thread < __heddle_thread_count(); thread++)
      if (*__heddle_thread_address(&__heddle_waiting, thread) == condition)
        *__heddle_thread_address(&__heddle_waiting, thread) = 0;
    condition->__waiters = 0;
  }
  __heddle_atomic_end();
  return 0;
}

int pthread_condattr_init(pthread_condattr_t *attributes)
{
  attributes->__clock = 0;
  return 0;
}

int pthread_condattr_destroy(pthread_condattr_t *attributes)
{
  return 0;
}

int pthread_condattr_setclock(pthread_condattr_t *attributes, clockid_t clock)
{
  attributes->__clock = clock;
  return 0;
}

int pthread_condattr_getclock(const pthread_condattr_t *attributes, clockid_t *clock)
{
  *clock = attributes->__clock;
  return 0;
}

int pthread_condattr_setpshared(pthread_condattr_t *attributes, int shared)
{
  return 0;
}

int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes, unsigned int count)
{
  if (count == 0)
    return EINVAL;
  __heddle_atomic_begin();
  barrier->__count = count;
  __heddle_atomic_end();
  __heddle_atomic_begin();
  barrier->__state = 0;
  __heddle_atomic_end();
  return 0;
}

/* Threads that were let go may still be on their way out: as in glibc, they go first. */
int pthread_barrier_destroy(pthread_barrier_t *barrier)
{
  unsigned int count, state;
  __heddle_atomic_begin();
  count = barrier->__count;
  __heddle_atomic_end();
  __heddle_atomic_begin();
  __heddle_sync("barrier", barrier);
  state = barrier->__state;
  __heddle_await(state < count);
  if (state != 0)
    __heddle_undefined("destruction of a barrier at which threads wait");
  __heddle_atomic_end();
  return 0;
}

/* Who arrives last lets all go, and no one arrives for the next round before they have gone, in the order in which they
   came: to go is always possible then and changes nothing else, so no execution is lost by it, and the order of going
   makes none. Any one of them is the serial thread; that is chosen only if the program looks at it. */
int pthread_barrier_wait(pthread_barrier_t *barrier)
{
  unsigned int before, count, left, state;
  int serial = 0;
  __heddle_atomic_begin();
  count = barrier->__count;
  __heddle_atomic_end();
  __heddle_atomic_begin();
  __heddle_sync("barrier", barrier);
  before = barrier->__state;
  __heddle_await(before < count);
  barrier->__state = before + 1 == count ? 2 * count : before + 1;
  __heddle_atomic_end();
  __heddle_atomic_begin();
  __heddle_sync("barrier", barrier);
  state = barrier->__state;
  left = count - before;
  __heddle_await(state == count + left || state == 2 * count + left);
  if (__heddle_option("barrier-serial") && state == count + left) {
    serial = left == 1 ? 1 : __heddle_nondet_range(0, 1);
    if (serial == 1)
      state = state + count;
  }
  barrier->__state = left == 1 ? 0 : state - 1;
  __heddle_atomic_end();
  return serial == 1 ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

int pthread_barrierattr_init(pthread_barrierattr_t *attributes)
{
  attributes->__shared = 0;
  return 0;
}

int pthread_barrierattr_destroy(pthread_barrierattr_t *attributes)
{
  return 0;
}

int pthread_barrierattr_setpshared(pthread_barrierattr_t *attributes, int shared)
{
  attributes->__shared = shared;
  return 0;
}

/* 0: not yet; 1: the routine runs, others wait; 2: done. */
int pthread_once(pthread_once_t *control, void (*routine)(void))
{
  int state;
  int first = 0;
  __heddle_atomic_begin();
  __heddle_sync("once", control);
  state = *control;
  __heddle_await(state != 1);
  if (state == 0) {
    *control = 1;
    first = 1;
  }
  __heddle_atomic_end();
  if (first) {
    routine();
    __heddle_atomic_begin();
    __heddle_sync("once", control);
    *control = 2;
    __heddle_atomic_end();
  }
  return 0;
}
`
