// <semaphore.h>: one step a call. Semaphores with a name are known to this program only.
import { c, type LibraryPart } from '../part.js'

const HEADER = c`
#ifndef _SEMAPHORE_H
#define _SEMAPHORE_H 1
#include <heddle/types.h>
#include <time.h>
#define SEM_FAILED ((sem_t *)0)
#define SEM_VALUE_MAX 2147483647
extern int sem_init(sem_t *, int, unsigned int);
extern int sem_destroy(sem_t *);
extern int sem_wait(sem_t *);
extern int sem_trywait(sem_t *);
extern int sem_timedwait(sem_t *, const struct timespec *);
extern int sem_post(sem_t *);
extern int sem_getvalue(sem_t *, int *);
extern sem_t *sem_open(const char *, int, ...);
extern int sem_close(sem_t *);
extern int sem_unlink(const char *);
#endif
`

/** A timed wait fails only while the value is 0; waiting is nothing but not being scheduled. */
const MODELS = c`
#include <semaphore.h>
#include <errno.h>

extern void pthread_testcancel(void);
extern void __heddle_cancel_blocked(void);

int sem_init(sem_t *semaphore, int shared, unsigned int value)
{
  if (value > SEM_VALUE_MAX) {
    errno = EINVAL;
    return -1;
  }
  __heddle_atomic_begin();
  semaphore->__value = value;
  __heddle_atomic_end();
  return 0;
}

int sem_destroy(sem_t *semaphore)
{
  __heddle_note("no lock, condition variable or semaphore is used after it was destroyed");
  __heddle_atomic_begin();
  __heddle_sync("destroy-value", semaphore);
  (void)semaphore->__value;
  __heddle_atomic_end();
  return 0;
}

static void __heddle_acquire(sem_t *semaphore)
{
  unsigned int value;
  __heddle_atomic_begin();
  __heddle_sync("acquire", semaphore);
  value = semaphore->__value;
  __heddle_await(value != 0);
  semaphore->__value = value - 1;
  __heddle_atomic_end();
}

int sem_wait(sem_t *semaphore)
{
  if (__heddle_option("cancellation")) {
    pthread_testcancel();
    if (__heddle_choice()) {
      __heddle_cancel_blocked();
    } else {
      __heddle_acquire(semaphore);
    }
  } else {
    __heddle_acquire(semaphore);
  }
  return 0;
}

static int __heddle_try_wait(sem_t *semaphore, int failure)
{
  unsigned int value;
  int result = -1;
  __heddle_atomic_begin();
  __heddle_sync("trylock", semaphore);
  value = semaphore->__value;
  if (value != 0) {
    semaphore->__value = value - 1;
    result = 0;
  }
  __heddle_atomic_end();
  if (result != 0)
    errno = failure;
  return result;
}

int sem_trywait(sem_t *semaphore)
{
  return __heddle_try_wait(semaphore, EAGAIN);
}

int sem_timedwait(sem_t *semaphore, const struct timespec *until)
{
  pthread_testcancel();
  return __heddle_try_wait(semaphore, ETIMEDOUT);
}

int sem_post(sem_t *semaphore)
{
  unsigned int value;
  int result = 0;
  __heddle_atomic_begin();
  __heddle_sync("post", semaphore);
  value = semaphore->__value;
  if (value == SEM_VALUE_MAX)
    result = -1;
  else
    semaphore->__value = value + 1;
  __heddle_atomic_end();
  if (result != 0)
    errno = EOVERFLOW;
  return result;
}

int sem_getvalue(sem_t *semaphore, int *value)
{
  /* A look that orders nothing: POSIX does not name it among the functions that synchronise memory. */
  int now = (int)__atomic_load_n(&semaphore->__value, __ATOMIC_RELAXED);
  *value = now;
  return 0;
}
`

const NAMED = c`
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdarg.h>
#include <string.h>

#define SEMAPHORES 8
#define NAME 32

/* Removed ones have no name any more, and may still be used. */
static char __heddle_semaphore_names[SEMAPHORES][NAME];
static sem_t __heddle_named_semaphores[SEMAPHORES];
static int __heddle_semaphores;

static int __heddle_semaphore_number(const char *name)
{
  int i;
  for (i = 0; i < __heddle_semaphores; i++)
    if (strcmp(__heddle_semaphore_names[i], name) == 0)
      return i;
  return -1;
}

sem_t *sem_open(const char *name, int flags, ...)
{
  va_list arguments;
  unsigned int value = 0;
  sem_t *result = SEM_FAILED;
  int number;
  int error = 0;
  if (flags & O_CREAT) {
    va_start(arguments, flags);
    (void)va_arg(arguments, unsigned int);
    value = va_arg(arguments, unsigned int);
    va_end(arguments);
  }
  __heddle_note("no other program has semaphores with these names, and sem_open succeeds");
  if (strlen(name) >= NAME)
    __heddle_limit("a semaphore with a name of more than 31 characters");
  __heddle_atomic_begin();
  number = __heddle_semaphore_number(name);
  if (number >= 0) {
    if ((flags & O_CREAT) && (flags & O_EXCL))
      error = EEXIST;
    else
      result = &__heddle_named_semaphores[number];
  } else if (!(flags & O_CREAT)) {
    error = ENOENT;
  } else if (value > SEM_VALUE_MAX) {
    error = EINVAL;
  } else {
    number = __heddle_semaphores;
    if (number == SEMAPHORES)
      __heddle_limit("more than 8 semaphores with a name");
    strcpy(__heddle_semaphore_names[number], name);
    __heddle_semaphores = number + 1;
    result = &__heddle_named_semaphores[number];
    result->__value = value;
  }
  __heddle_atomic_end();
  if (error != 0)
    errno = error;
  return result;
}

int sem_close(sem_t *semaphore)
{
  __heddle_note("no semaphore is used after it was closed");
  return 0;
}

int sem_unlink(const char *name)
{
  int number;
  __heddle_atomic_begin();
  number = __heddle_semaphore_number(name);
  if (number >= 0)
    __heddle_semaphore_names[number][0] = 0;
  __heddle_atomic_end();
  if (number >= 0)
    return 0;
  errno = ENOENT;
  return -1;
}
`

export const SEMAPHORE: LibraryPart = {
  headers: { 'semaphore.h': HEADER },
  models: { '<heddle/semaphore.c>': MODELS, '<heddle/named-semaphore.c>': NAMED },
}
