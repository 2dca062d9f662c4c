// <threads.h>: C11's threads, each function by its counterpart of <pthread.h>.
import { c, type LibraryPart } from '../part.js'

const HEADER = c`
#ifndef _THREADS_H
#define _THREADS_H 1
#include <heddle/types.h>
#include <time.h>
#define thread_local _Thread_local
#define ONCE_FLAG_INIT { 0 }
#define TSS_DTOR_ITERATIONS 4
typedef int (*thrd_start_t)(void *);
typedef void (*tss_dtor_t)(void *);
enum { thrd_success = 0, thrd_busy = 1, thrd_error = 2, thrd_nomem = 3, thrd_timedout = 4 };
enum { mtx_plain = 0, mtx_recursive = 1, mtx_timed = 2 };
extern int thrd_create(thrd_t *, thrd_start_t, void *);
extern int thrd_join(thrd_t, int *);
extern void thrd_exit(int) __attribute__((__noreturn__));
extern thrd_t thrd_current(void);
extern int thrd_equal(thrd_t, thrd_t);
extern int thrd_detach(thrd_t);
extern void thrd_yield(void);
extern int thrd_sleep(const struct timespec *, struct timespec *);
extern int mtx_init(mtx_t *, int);
extern void mtx_destroy(mtx_t *);
extern int mtx_lock(mtx_t *);
extern int mtx_trylock(mtx_t *);
extern int mtx_timedlock(mtx_t *, const struct timespec *);
extern int mtx_unlock(mtx_t *);
extern int cnd_init(cnd_t *);
extern void cnd_destroy(cnd_t *);
extern int cnd_wait(cnd_t *, mtx_t *);
extern int cnd_timedwait(cnd_t *, mtx_t *, const struct timespec *);
extern int cnd_signal(cnd_t *);
extern int cnd_broadcast(cnd_t *);
extern int tss_create(tss_t *, tss_dtor_t);
extern void tss_delete(tss_t);
extern int tss_set(tss_t, void *);
extern void *tss_get(tss_t);
extern void call_once(once_flag *, void (*)(void));
#endif
`

const MODELS = c`
#include <threads.h>
#include <pthread.h>
#include <errno.h>

int thrd_create(thrd_t *thread, thrd_start_t routine, void *argument)
{
  __heddle_atomic_begin();
  __heddle_sync("start");
  *thread = __heddle_start(routine, argument) + 1;
  __heddle_atomic_end();
  return thrd_success;
}

int thrd_join(thrd_t thread, int *result)
{
  void *value = 0;
  if (pthread_join(thread, &value) != 0)
    return thrd_error;
  if (result != 0)
    *result = (int)(long)value;
  return thrd_success;
}

void thrd_exit(int result)
{
  pthread_exit((void *)(long)result);
}

thrd_t thrd_current(void)
{
  return pthread_self();
}

int thrd_equal(thrd_t left, thrd_t right)
{
  return left == right;
}

int thrd_detach(thrd_t thread)
{
  return pthread_detach(thread) == 0 ? thrd_success : thrd_error;
}

void thrd_yield(void)
{
}

int thrd_sleep(const struct timespec *time, struct timespec *remaining)
{
  return 0;
}

static int __heddle_status(int error)
{
  return error == 0 ? thrd_success : error == EBUSY ? thrd_busy : error == ETIMEDOUT ? thrd_timedout : thrd_error;
}

int mtx_init(mtx_t *mutex, int kind)
{
  __heddle_atomic_begin();
  __heddle_sync("init", mutex);
  mutex->__owner = 0;
  mutex->__count = 0;
  mutex->__kind = (kind & mtx_recursive) != 0 ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL;
  __heddle_atomic_end();
  return thrd_success;
}

void mtx_destroy(mtx_t *mutex)
{
  pthread_mutex_destroy(mutex);
}

int mtx_lock(mtx_t *mutex)
{
  return __heddle_status(pthread_mutex_lock(mutex));
}

int mtx_trylock(mtx_t *mutex)
{
  return __heddle_status(pthread_mutex_trylock(mutex));
}

int mtx_timedlock(mtx_t *mutex, const struct timespec *until)
{
  return __heddle_status(pthread_mutex_timedlock(mutex, until));
}

int mtx_unlock(mtx_t *mutex)
{
  return __heddle_status(pthread_mutex_unlock(mutex));
}

int cnd_init(cnd_t *condition)
{
  return pthread_cond_init(condition, 0);
}

void cnd_destroy(cnd_t *condition)
{
  pthread_cond_destroy(condition);
}

int cnd_wait(cnd_t *condition, mtx_t *mutex)
{
  return __heddle_status(pthread_cond_wait(condition, mutex));
}

int cnd_timedwait(cnd_t *condition, mtx_t *mutex, const struct timespec *until)
{
  return __heddle_status(pthread_cond_timedwait(condition, mutex, until));
}

int cnd_signal(cnd_t *condition)
{
  return pthread_cond_signal(condition);
}

int cnd_broadcast(cnd_t *condition)
{
  return pthread_cond_broadcast(condition);
}

int tss_create(tss_t *key, tss_dtor_t destructor)
{
  return pthread_key_create(key, destructor);
}

void tss_delete(tss_t key)
{
  pthread_key_delete(key);
}

int tss_set(tss_t key, void *value)
{
  return pthread_setspecific(key, value);
}

void *tss_get(tss_t key)
{
  return pthread_getspecific(key);
}

void call_once(once_flag *flag, void (*routine)(void))
{
  pthread_once(&flag->__data, routine);
}
`

export const C11_THREADS: LibraryPart = {
  headers: { 'threads.h': HEADER },
  models: { '<heddle/c11threads.c>': MODELS },
}
