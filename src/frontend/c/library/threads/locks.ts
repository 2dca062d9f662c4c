// Mutexes, read-write locks and spin locks. Each call is one step. A lock holds its owner's number + 1; a normal mutex
// blocks whoever locks it while it is held, its owner too. To unlock what one does not hold is undefined behaviour
// (only an error-checking or recursive mutex notices), so that an unlock never releases another thread's lock.
import { c } from '../part.js'

/**
 * A timed lock fails only while the lock is held, and waiting is nothing but not being scheduled: it is a trylock
 * that fails with another error.
 */
export const MUTEX_MODELS = c`
#include <pthread.h>
#include <errno.h>

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
  int kind = PTHREAD_MUTEX_NORMAL;
  if (attributes != 0)
    kind = attributes->__kind;
  __heddle_atomic_begin();
  __heddle_sync("init", mutex);
  mutex->__owner = 0;
  mutex->__count = 0;
  mutex->__kind = kind;
  __heddle_atomic_end();
  return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
  int result;
  __heddle_note("no lock, condition variable or semaphore is used after it was destroyed");
  __heddle_atomic_begin();
  __heddle_sync("destroy-if-free", mutex);
  result = mutex->__owner == 0 ? 0 : EBUSY;
  __heddle_atomic_end();
  return result;
}

/* The mutex is not normal, and free or held by self: takes it, or counts, or fails. */
static int __heddle_take(pthread_mutex_t *mutex, unsigned int self, unsigned int owner, int kind)
{
  if (owner == self && kind == PTHREAD_MUTEX_ERRORCHECK)
    return EDEADLK;
  mutex->__owner = self;
  mutex->__count = mutex->__count + 1;
  return 0;
}

/* The mutex is not normal: gives it back, or counts, or fails. */
static int __heddle_give(pthread_mutex_t *mutex, unsigned int self)
{
  unsigned int count;
  if (mutex->__owner != self)
    return EPERM;
  count = mutex->__count - 1;
  mutex->__count = count;
  if (count == 0)
    mutex->__owner = 0;
  return 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
  unsigned int self = __heddle_self() + 1;
  unsigned int owner;
  int kind;
  int result = 0;
  __heddle_atomic_begin();
  __heddle_sync("lock", mutex);
  owner = mutex->__owner;
  kind = mutex->__kind;
  __heddle_await(owner == 0 || (kind != PTHREAD_MUTEX_NORMAL && owner == self));
  if (kind == PTHREAD_MUTEX_NORMAL)
    mutex->__owner = self;
  else
    result = __heddle_take(mutex, self, owner, kind);
  __heddle_atomic_end();
  return result;
}

static int __heddle_try(pthread_mutex_t *mutex, int failure)
{
  unsigned int self = __heddle_self() + 1;
  unsigned int owner;
  int kind;
  int result = failure;
  __heddle_atomic_begin();
  __heddle_sync("trylock", mutex);
  owner = mutex->__owner;
  kind = mutex->__kind;
  if (kind == PTHREAD_MUTEX_NORMAL) {
    if (owner == 0) {
      mutex->__owner = self;
      result = 0;
    }
  } else if (owner == 0 || owner == self) {
    result = __heddle_take(mutex, self, owner, kind);
  }
  __heddle_atomic_end();
  return result;
}

/* An error-checking mutex that its owner tries again is busy, not a deadlock. */
int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
  int result = __heddle_try(mutex, EBUSY);
  return result == EDEADLK ? EBUSY : result;
}

int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until)
{
  return __heddle_try(mutex, ETIMEDOUT);
}

int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until)
{
  return __heddle_try(mutex, ETIMEDOUT);
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
  unsigned int self = __heddle_self() + 1;
  int result = 0;
  __heddle_atomic_begin();
  __heddle_sync("unlock", mutex);
  if (mutex->__kind == PTHREAD_MUTEX_NORMAL) {
    if (mutex->__owner != self)
      __heddle_undefined("unlock of a mutex that the thread does not hold");
    mutex->__owner = 0;
  } else {
    result = __heddle_give(mutex, self);
  }
  __heddle_atomic_end();
  return result;
}

int pthread_mutexattr_init(pthread_mutexattr_t *attributes)
{
  attributes->__kind = PTHREAD_MUTEX_NORMAL;
  return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes)
{
  return 0;
}

/* The adaptive kind is a normal mutex that spins. */
int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int kind)
{
  if (kind < 0 || kind > PTHREAD_MUTEX_ADAPTIVE_NP)
    return EINVAL;
  attributes->__kind = kind == PTHREAD_MUTEX_ADAPTIVE_NP ? PTHREAD_MUTEX_NORMAL : kind;
  return 0;
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t *attributes, int *kind)
{
  *kind = attributes->__kind;
  return 0;
}

int pthread_mutexattr_setpshared(pthread_mutexattr_t *attributes, int shared)
{
  return 0;
}
`

/** Readers are counted, not named; neither side is preferred. */
export const LOCK_MODELS = c`
#include <pthread.h>
#include <errno.h>

int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes)
{
  __heddle_atomic_begin();
  __heddle_sync("init", lock);
  lock->__writer = 0;
  lock->__readers = 0;
  __heddle_atomic_end();
  return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *lock)
{
  __heddle_note("no lock, condition variable or semaphore is used after it was destroyed");
  __heddle_atomic_begin();
  __heddle_sync("destroy", lock);
  (void)lock->__writer;
  __heddle_atomic_end();
  return 0;
}

/* POSIX lets whoever locks again what it holds for writing wait for ever, or be told so. */
int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
  unsigned int self = __heddle_self() + 1;
  unsigned int writer;
  __heddle_atomic_begin();
  __heddle_sync("read-lock", lock);
  writer = lock->__writer;
  if (writer == self)
    __heddle_undefined("a read-write lock is locked by the thread that holds it for writing");
  __heddle_await(writer == 0);
  lock->__readers = lock->__readers + 1;
  __heddle_atomic_end();
  return 0;
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
  unsigned int self = __heddle_self() + 1;
  unsigned int writer, readers;
  __heddle_atomic_begin();
  __heddle_sync("lock", lock);
  writer = lock->__writer;
  if (writer == self)
    __heddle_undefined("a read-write lock is locked by the thread that holds it for writing");
  readers = lock->__readers;
  __heddle_await(writer == 0 && readers == 0);
  lock->__writer = self;
  __heddle_atomic_end();
  return 0;
}

static int __heddle_try_read(pthread_rwlock_t *lock, int failure)
{
  int result = failure;
  __heddle_atomic_begin();
  __heddle_sync("trylock", lock);
  if (lock->__writer == 0) {
    lock->__readers = lock->__readers + 1;
    result = 0;
  }
  __heddle_atomic_end();
  return result;
}

static int __heddle_try_write(pthread_rwlock_t *lock, int failure)
{
  unsigned int self = __heddle_self() + 1;
  int result = failure;
  __heddle_atomic_begin();
  __heddle_sync("trylock", lock);
  if (lock->__writer == 0 && lock->__readers == 0) {
    lock->__writer = self;
    result = 0;
  }
  __heddle_atomic_end();
  return result;
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock)
{
  return __heddle_try_read(lock, EBUSY);
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *until)
{
  return __heddle_try_read(lock, ETIMEDOUT);
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock)
{
  return __heddle_try_write(lock, EBUSY);
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *until)
{
  return __heddle_try_write(lock, ETIMEDOUT);
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
  unsigned int self = __heddle_self() + 1;
  unsigned int readers;
  __heddle_atomic_begin();
  __heddle_sync("unlock", lock);
  if (lock->__writer == self) {
    lock->__writer = 0;
  } else {
    readers = lock->__readers;
    if (readers == 0)
      __heddle_undefined("unlock of a read-write lock that the thread does not hold");
    lock->__readers = readers - 1;
  }
  __heddle_atomic_end();
  return 0;
}

int pthread_rwlockattr_init(pthread_rwlockattr_t *attributes)
{
  attributes->__kind = 0;
  return 0;
}

int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attributes)
{
  return 0;
}

int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *attributes, int shared)
{
  return 0;
}

int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *attributes, int kind)
{
  attributes->__kind = kind;
  return 0;
}

int pthread_spin_init(pthread_spinlock_t *lock, int shared)
{
  __heddle_atomic_begin();
  __heddle_sync("init", lock);
  *lock = 0;
  __heddle_atomic_end();
  return 0;
}

int pthread_spin_destroy(pthread_spinlock_t *lock)
{
  __heddle_note("no lock, condition variable or semaphore is used after it was destroyed");
  __heddle_atomic_begin();
  __heddle_sync("destroy", lock);
  (void)*lock;
  __heddle_atomic_end();
  return 0;
}

int pthread_spin_lock(pthread_spinlock_t *lock)
{
  unsigned int self = __heddle_self() + 1;
  __heddle_atomic_begin();
  __heddle_sync("lock", lock);
  __heddle_await(*lock == 0);
  *lock = self;
  __heddle_atomic_end();
  return 0;
}

int pthread_spin_trylock(pthread_spinlock_t *lock)
{
  unsigned int self = __heddle_self() + 1;
  int result = EBUSY;
  __heddle_atomic_begin();
  __heddle_sync("trylock", lock);
  if (*lock == 0) {
    *lock = self;
    result = 0;
  }
  __heddle_atomic_end();
  return result;
}

/* An ordinary store on most machines: store buffers keep it. */
int pthread_spin_unlock(pthread_spinlock_t *lock)
{
  unsigned int self = __heddle_self() + 1;
  __heddle_atomic_begin();
  __heddle_sync("unlock-release", lock);
  if (*lock != self)
    __heddle_undefined("unlock of a spin lock that the thread does not hold");
  *lock = 0;
  __heddle_atomic_end();
  return 0;
}
`
