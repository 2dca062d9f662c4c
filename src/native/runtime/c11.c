/* C11's <threads.h>, by the same means as pthread's. */
#include "heddle.h"
#include <string.h>
#include <threads.h>

static int thrd_of(int problem) {
  switch (problem) {
    case 0: return thrd_success;
    case EBUSY: return thrd_busy;
    case ETIMEDOUT: return thrd_timedout;
    case ENOMEM: return thrd_nomem;
    default: return thrd_error;
  }
}

struct c11_start { thrd_start_t function; void *argument; };
static void *c11_main(void *given) {
  struct c11_start *start = given;
  return (void *)(intptr_t)start->function(start->argument);
}

INSTEAD int thrd_create(thrd_t *thread, thrd_start_t function, void *argument) {
  if (!CONTROLLED) return thrd_error;
  struct c11_start *start = take(sizeof *start);
  *start = (struct c11_start){ function, argument };
  pthread_t handle;
  int problem = create_thread(&handle, 0, c11_main, start, PC);
  *thread = (thrd_t)handle;
  return thrd_of(problem);
}
INSTEAD int thrd_join(thrd_t thread, int *result) {
  void *value = 0;
  int problem = CONTROLLED ? join_thread((pthread_t)thread, &value, WAIT_FOR_END, PC) : EINVAL;
  if (result) *result = (int)(intptr_t)value;
  return thrd_of(problem);
}
INSTEAD int thrd_detach(thrd_t thread) { return thrd_of(pthread_detach((pthread_t)thread)); }
INSTEAD void thrd_exit(int result) { pthread_exit((void *)(intptr_t)result); }
INSTEAD void thrd_yield(void) {
  if (CONTROLLED) yield_step(PC);
}
INSTEAD int thrd_sleep(const struct timespec *time, struct timespec *left) {
  if (left) *left = (struct timespec){ 0 };
  if (!CONTROLLED) return 0;
  advance_clock((uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_nsec);
  yield_step(PC);
  return 0;
}

INSTEAD int mtx_init(mtx_t *m, int type) {
  memset(m, 0, sizeof *m);
  ((pthread_mutex_t *)m)->__data.__kind = type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL;
  if (CONTROLLED) new_object(m, MUTEX);
  return thrd_success;
}
INSTEAD int mtx_lock(mtx_t *m) { return CONTROLLED ? thrd_of(lock_mutex(object_at(m, MUTEX), 1, PC)) : thrd_success; }
INSTEAD int mtx_trylock(mtx_t *m) { return CONTROLLED ? thrd_of(lock_mutex(object_at(m, MUTEX), 0, PC)) : thrd_success; }
INSTEAD int mtx_timedlock(mtx_t *m, const struct timespec *until) {
  (void)until;
  return CONTROLLED ? thrd_of(lock_with_limit(object_at(m, MUTEX), PC)) : thrd_success;
}
INSTEAD int mtx_unlock(mtx_t *m) { return CONTROLLED ? thrd_of(unlock_mutex(object_at(m, MUTEX), PC)) : thrd_success; }
INSTEAD void mtx_destroy(mtx_t *m) {
  if (CONTROLLED) forget_object(object_at(m, MUTEX));
}

INSTEAD int cnd_init(cnd_t *c) { return thrd_of(pthread_cond_init((pthread_cond_t *)c, 0)); }
INSTEAD void cnd_destroy(cnd_t *c) {
  if (CONTROLLED) forget_object(object_at(c, CONDITION));
}
INSTEAD int cnd_wait(cnd_t *c, mtx_t *m) { return CONTROLLED ? thrd_of(cond_wait(c, m, 0, PC)) : thrd_success; }
INSTEAD int cnd_timedwait(cnd_t *c, mtx_t *m, const struct timespec *until) {
  (void)until;
  return CONTROLLED ? thrd_of(cond_wait(c, m, 1, PC)) : thrd_success;
}
INSTEAD int cnd_signal(cnd_t *condition) {
  if (!CONTROLLED) return thrd_success;
  struct object *c = object_at(condition, CONDITION);
  sync_step(SIGNAL, c, 0, PC);
  signal_one(c);
  return thrd_success;
}
INSTEAD int cnd_broadcast(cnd_t *condition) { return thrd_of(pthread_cond_broadcast((pthread_cond_t *)condition)); }
INSTEAD void call_once(once_flag *flag, void (*routine)(void)) {
  if (CONTROLLED) once(flag, routine, PC);
  else routine();
}

INSTEAD int tss_create(tss_t *key, tss_dtor_t destructor) {
  return thrd_of(pthread_key_create((pthread_key_t *)key, destructor));
}
INSTEAD void *tss_get(tss_t key) { return pthread_getspecific((pthread_key_t)key); }
INSTEAD int tss_set(tss_t key, void *value) { return thrd_of(pthread_setspecific((pthread_key_t)key, value)); }
INSTEAD void tss_delete(tss_t key) { pthread_key_delete((pthread_key_t)key); }
