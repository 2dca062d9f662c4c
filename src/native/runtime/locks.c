/* pthread's mutexes, read-write locks and spin locks. */
#include "heddle.h"
#include <string.h>

/* ---- mutexes */

INSTEAD int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attributes) {
  int kind = 0, robust = 0;
  memset(m, 0, sizeof *m);
  if (attributes) {
    pthread_mutexattr_gettype(attributes, &kind);
    pthread_mutexattr_getrobust(attributes, &robust);
  }
  m->__data.__kind = kind | (robust == PTHREAD_MUTEX_ROBUST ? 16 : 0);
  if (CONTROLLED) new_object(m, MUTEX);
  return 0;
}

INSTEAD int pthread_mutex_destroy(pthread_mutex_t *m) {
  if (!CONTROLLED) return 0;
  struct object *o = object_at(m, MUTEX);
  sync_step(DESTROY, o, 0, PC);
  if (o->owner >= 0) return EBUSY;
  forget_object(o);
  return 0;
}

INSTEAD int pthread_mutex_lock(pthread_mutex_t *m) { return CONTROLLED ? lock_mutex(object_at(m, MUTEX), 1, PC) : 0; }
INSTEAD int pthread_mutex_trylock(pthread_mutex_t *m) {
  return CONTROLLED ? lock_mutex(object_at(m, MUTEX), 0, PC) : 0;
}
INSTEAD int pthread_mutex_unlock(pthread_mutex_t *m) { return CONTROLLED ? unlock_mutex(object_at(m, MUTEX), PC) : 0; }
INSTEAD int pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *until) {
  (void)until;
  return CONTROLLED ? lock_with_limit(object_at(m, MUTEX), PC) : 0;
}
INSTEAD int pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t clock, const struct timespec *until) {
  (void)clock, (void)until;
  return CONTROLLED ? lock_with_limit(object_at(m, MUTEX), PC) : 0;
}
INSTEAD int pthread_mutex_consistent(pthread_mutex_t *m) {
  if (!CONTROLLED) return 0;
  struct object *o = object_at(m, MUTEX);
  if (!o->robust || !o->is_inconsistent) return EINVAL;
  o->is_inconsistent = 0;
  return 0;
}

/* ---- read-write locks */

static int read_lock(struct object *o, int may_wait, uintptr_t pc) {
  sync_step(may_wait ? READ_LOCK : TRY_READ_LOCK, o, 0, pc);
  if (o->owner >= 0) {
    mark_last_event(NOTHING_DONE);
    saw(pc, o->address, EBUSY);
    return o->owner == (int)self->id && may_wait ? EDEADLK : EBUSY;
  }
  o->readers++;
  acquire_from(&o->clock);
  return 0;
}

static int write_lock(struct object *o, int may_wait, uintptr_t pc) {
  sync_step(may_wait ? LOCK : TRYLOCK, o, 0, pc);
  if (o->owner >= 0 || o->readers > 0) {
    mark_last_event(NOTHING_DONE);
    saw(pc, o->address, EBUSY);
    return EBUSY;
  }
  o->owner = (int)self->id;
  acquire_from(&o->clock);
  return 0;
}

static int with_limit(int (*lock)(struct object *, int, uintptr_t), struct object *o, uintptr_t pc) {
  int result = lock(o, 0, pc);
  if (result != EBUSY) return result;
  if (choose_rare(2)) return ETIMEDOUT;
  self->timed = 1;
  result = lock(o, 1, pc);
  self->timed = self->gave_up = 0;
  return result == EBUSY ? ETIMEDOUT : result;
}

INSTEAD int pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *attributes) {
  (void)attributes;
  memset(l, 0, sizeof *l);
  if (CONTROLLED) new_object(l, RWLOCK);
  return 0;
}
INSTEAD int pthread_rwlock_destroy(pthread_rwlock_t *l) {
  if (CONTROLLED) forget_object(object_at(l, RWLOCK));
  return 0;
}
/* One that holds it for writing is told so, as the C library does; everybody else waits. */
INSTEAD int pthread_rwlock_rdlock(pthread_rwlock_t *l) {
  if (!CONTROLLED) return 0;
  struct object *o = object_at(l, RWLOCK);
  return o->owner == (int)self->id ? EDEADLK : read_lock(o, 1, PC);
}
INSTEAD int pthread_rwlock_wrlock(pthread_rwlock_t *l) {
  if (!CONTROLLED) return 0;
  struct object *o = object_at(l, RWLOCK);
  return o->owner == (int)self->id ? EDEADLK : write_lock(o, 1, PC);
}
INSTEAD int pthread_rwlock_tryrdlock(pthread_rwlock_t *l) {
  return CONTROLLED ? read_lock(object_at(l, RWLOCK), 0, PC) : 0;
}
INSTEAD int pthread_rwlock_trywrlock(pthread_rwlock_t *l) {
  return CONTROLLED ? write_lock(object_at(l, RWLOCK), 0, PC) : 0;
}
INSTEAD int pthread_rwlock_timedrdlock(pthread_rwlock_t *l, const struct timespec *until) {
  (void)until;
  return CONTROLLED ? with_limit(read_lock, object_at(l, RWLOCK), PC) : 0;
}
INSTEAD int pthread_rwlock_timedwrlock(pthread_rwlock_t *l, const struct timespec *until) {
  (void)until;
  return CONTROLLED ? with_limit(write_lock, object_at(l, RWLOCK), PC) : 0;
}
INSTEAD int pthread_rwlock_clockrdlock(pthread_rwlock_t *l, clockid_t clock, const struct timespec *until) {
  (void)clock, (void)until;
  return CONTROLLED ? with_limit(read_lock, object_at(l, RWLOCK), PC) : 0;
}
INSTEAD int pthread_rwlock_clockwrlock(pthread_rwlock_t *l, clockid_t clock, const struct timespec *until) {
  (void)clock, (void)until;
  return CONTROLLED ? with_limit(write_lock, object_at(l, RWLOCK), PC) : 0;
}
INSTEAD int pthread_rwlock_unlock(pthread_rwlock_t *l) {
  if (!CONTROLLED) return 0;
  struct object *o = object_at(l, RWLOCK);
  sync_step(o->owner < 0 && o->readers > 0 ? READ_UNLOCK : UNLOCK, o, 0, PC);
  if (o->owner >= 0) o->owner = -1;
  else if (o->readers > 0) o->readers--;
  /* Readers release too: the next writer comes after them. */
  release_to(&o->clock);
  return 0;
}

/* ---- spin locks: their waiting is waiting */

INSTEAD int pthread_spin_init(pthread_spinlock_t *l, int shared) {
  (void)shared;
  *l = 0;
  if (CONTROLLED) new_object((void *)l, SPIN);
  return 0;
}
INSTEAD int pthread_spin_destroy(pthread_spinlock_t *l) {
  if (CONTROLLED) forget_object(object_at((void *)l, SPIN));
  return 0;
}
INSTEAD int pthread_spin_lock(pthread_spinlock_t *l) {
  return CONTROLLED ? lock_mutex(object_at((void *)l, SPIN), 1, PC) : 0;
}
INSTEAD int pthread_spin_trylock(pthread_spinlock_t *l) {
  return CONTROLLED ? lock_mutex(object_at((void *)l, SPIN), 0, PC) : 0;
}
INSTEAD int pthread_spin_unlock(pthread_spinlock_t *l) {
  return CONTROLLED ? unlock_mutex(object_at((void *)l, SPIN), PC) : 0;
}
