// Threads of <pthread.h>: start, end, join, identity, and keys with destructors. A pthread_t is the thread's number + 1.
import { c } from '../part.js'

/** Runs at the end of each thread, and only needed in a program that creates keys. */
export const THREAD_EPILOGUE = {
  name: '__heddle_thread_epilogue',
  neededBy: ['pthread_key_create', 'tss_create'],
} as const

export const THREAD_MODELS = c`
#include <pthread.h>
#include <errno.h>

_Thread_local void *__heddle_result;
_Thread_local int __heddle_cancelled;
_Thread_local int __heddle_cancel_state;
static _Thread_local int __heddle_cancel_type;

extern void __heddle_thread_epilogue(void);
extern void __heddle_cancel_now(void);
extern void __heddle_cancel_blocked(void);

void __heddle_thread_main(void *(*routine)(void *), void *argument)
{
  __heddle_result = routine(argument);
  __heddle_thread_epilogue();
}

void __heddle_thread_main_int(int (*routine)(void *), void *argument)
{
  __heddle_result = (void *)(long)routine(argument);
  __heddle_thread_epilogue();
}

static _Thread_local int __heddle_detached;

/* Attributes may say that nobody joins the thread. */
static int __heddle_create_detached(pthread_t *thread, const pthread_attr_t *attributes, void *(*routine)(void *), void *argument)
{
  unsigned int number;
  int detached = attributes != 0 && attributes->__detached == PTHREAD_CREATE_DETACHED;
  __heddle_atomic_begin();
  __heddle_sync("start");
  number = __heddle_start(routine, argument);
  *__heddle_thread_address(&__heddle_detached, number) = detached;
  *thread = number + 1;
  __heddle_atomic_end();
  return 0;
}

/* Nothing is known of what happens then (POSIX, pthread_join and pthread_detach). */
static void __heddle_check_joinable(pthread_t thread)
{
  int detached;
  __heddle_atomic_begin();
  detached = *__heddle_thread_address(&__heddle_detached, (unsigned int)(thread - 1));
  if (detached)
    __heddle_undefined("join or detach of a thread that is detached");
  __heddle_atomic_end();
}

/* The new thread finds its identity stored, as with glibc. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*routine)(void *), void *argument)
{
  if (__heddle_option("detached-joins"))
    return __heddle_create_detached(thread, attributes, routine, argument);
  __heddle_atomic_begin();
  __heddle_sync("start");
  *thread = __heddle_start(routine, argument) + 1;
  __heddle_atomic_end();
  return 0;
}

static void *__heddle_joined(pthread_t thread)
{
  void *value;
  __heddle_atomic_begin();
  __heddle_sync("join");
  __heddle_join((unsigned int)(thread - 1));
  value = *__heddle_thread_address(&__heddle_result, (unsigned int)(thread - 1));
  __heddle_atomic_end();
  return value;
}

static _Thread_local pthread_t __heddle_joins;

static void __heddle_set_joins(pthread_t thread)
{
  __heddle_atomic_begin();
  __heddle_joins = thread;
  __heddle_atomic_end();
}

/* The other thread waits for the end of this one. */
static void __heddle_await_mutual_join(pthread_t thread)
{
  pthread_t other;
  __heddle_atomic_begin();
  other = *__heddle_thread_address(&__heddle_joins, (unsigned int)(thread - 1));
  __heddle_await(other == (pthread_t)__heddle_self() + 1);
  __heddle_joins = 0;
  __heddle_atomic_end();
}

/* The result is stored by a write of the program's own, which can race. Who joins itself is told so, as by glibc. Of two
   threads that join each other glibc tells the second; where both look before either has begun to wait, it tells none. */
int pthread_join(pthread_t thread, void **result)
{
  void *value;
  int looks = 0;
  if ((__heddle_option("own-handle") || __heddle_self() != 0) && thread == (pthread_t)__heddle_self() + 1)
    return EDEADLK;
  if (__heddle_option("detached-joins"))
    __heddle_check_joinable(thread);
  if (__heddle_option("mutual-joins")) {
    looks = __heddle_choice();
    __heddle_set_joins(thread);
    if (looks && __heddle_choice()) {
      __heddle_await_mutual_join(thread);
      return EDEADLK;
    }
  }
  if (__heddle_option("cancellation")) {
    pthread_testcancel();
    if (__heddle_choice()) {
      __heddle_cancel_blocked();
    } else {
      value = __heddle_joined(thread);
    }
  } else {
    value = __heddle_joined(thread);
  }
  if (__heddle_option("mutual-joins"))
    __heddle_set_joins(0);
  if (result != 0)
    *result = value;
  return 0;
}

static _Thread_local struct __heddle_handler *__heddle_handlers;

void __heddle_push_handler(struct __heddle_handler *handler, void (*routine)(void *), void *argument)
{
  handler->routine = routine;
  handler->argument = argument;
  handler->before = __heddle_handlers;
  __heddle_handlers = handler;
}

void __heddle_pop_handler(int execute)
{
  struct __heddle_handler *handler = __heddle_handlers;
  __heddle_handlers = handler->before;
  if (execute)
    handler->routine(handler->argument);
}

/* Handlers that are still there run, the last one first. */
void pthread_exit(void *result)
{
  __heddle_result = result;
  if (__heddle_option("cleanup-handlers")) {
    while (__heddle_handlers != 0)
      __heddle_pop_handler(1);
  }
  __heddle_thread_exit();
}

pthread_t pthread_self(void)
{
  return (pthread_t)__heddle_self() + 1;
}

int pthread_equal(pthread_t left, pthread_t right)
{
  return left == right;
}

int pthread_detach(pthread_t thread)
{
  if (__heddle_option("detached-joins")) {
    __heddle_check_joinable(thread);
    __heddle_atomic_begin();
    *__heddle_thread_address(&__heddle_detached, (unsigned int)(thread - 1)) = 1;
    __heddle_atomic_end();
  }
  return 0;
}

int pthread_setconcurrency(int level)
{
  return 0;
}

int pthread_getconcurrency(void)
{
  return 0;
}

int pthread_yield(void)
{
  return 0;
}

int pthread_setname_np(pthread_t thread, const char *name)
{
  return 0;
}

/* A request is acted upon at the cancellation points that POSIX requires; output is none of them here. */
int pthread_cancel(pthread_t thread)
{
  __heddle_atomic_begin();
  *__heddle_thread_address(&__heddle_cancelled, (unsigned int)(thread - 1)) = 1;
  __heddle_atomic_end();
  return 0;
}

void __heddle_cancel_now(void)
{
  __heddle_cancel_state = PTHREAD_CANCEL_DISABLE;
  pthread_exit(PTHREAD_CANCELED);
}

/* While the thread waits for something else. */
void __heddle_cancel_blocked(void)
{
  int cancelled, state;
  __heddle_atomic_begin();
  cancelled = __heddle_cancelled;
  state = __heddle_cancel_state;
  __heddle_await(cancelled != 0 && state == PTHREAD_CANCEL_ENABLE);
  __heddle_atomic_end();
  __heddle_cancel_now();
}

void pthread_testcancel(void)
{
  int cancelled;
  if (__heddle_option("cancellation")) {
    __heddle_atomic_begin();
    cancelled = __heddle_cancelled;
    __heddle_atomic_end();
    if (cancelled && __heddle_cancel_state == PTHREAD_CANCEL_ENABLE)
      __heddle_cancel_now();
  }
}

int pthread_setcancelstate(int state, int *old)
{
  int before = __heddle_cancel_state;
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
    return EINVAL;
  __heddle_cancel_state = state;
  if (old != 0)
    *old = before;
  return 0;
}

int pthread_setcanceltype(int type, int *old)
{
  int before = __heddle_cancel_type;
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
    return EINVAL;
  if (type == PTHREAD_CANCEL_ASYNCHRONOUS && __heddle_option("cancellation"))
    __heddle_unsupported("asynchronous cancellation");
  __heddle_cancel_type = type;
  if (old != 0)
    *old = before;
  return 0;
}

int pthread_attr_init(pthread_attr_t *attributes)
{
  attributes->__detached = PTHREAD_CREATE_JOINABLE;
  return 0;
}

int pthread_attr_destroy(pthread_attr_t *attributes)
{
  return 0;
}

int pthread_attr_setdetachstate(pthread_attr_t *attributes, int state)
{
  if (state != PTHREAD_CREATE_JOINABLE && state != PTHREAD_CREATE_DETACHED)
    return EINVAL;
  attributes->__detached = state;
  return 0;
}

int pthread_attr_getdetachstate(const pthread_attr_t *attributes, int *state)
{
  *state = attributes->__detached;
  return 0;
}

int pthread_attr_setstacksize(pthread_attr_t *attributes, unsigned long size)
{
  return 0;
}

int pthread_attr_setscope(pthread_attr_t *attributes, int scope)
{
  return 0;
}

int pthread_attr_setschedpolicy(pthread_attr_t *attributes, int policy)
{
  return 0;
}

int pthread_attr_setinheritsched(pthread_attr_t *attributes, int inherit)
{
  return 0;
}

int pthread_attr_setguardsize(pthread_attr_t *attributes, unsigned long size)
{
  return 0;
}
`

/** Numbers of keys are not used again. The order in which destructors run is not specified: it is chosen. */
export const KEY_MODELS = c`
#include <pthread.h>

#define KEYS 16

static unsigned int __heddle_keys;
static void (*__heddle_destructors[KEYS])(void *);
static _Thread_local void *__heddle_values[KEYS];

extern void __heddle_thread_epilogue(void);

/* A program that starts no thread needs the epilogue, too: main may call pthread_exit. */
int pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
  unsigned int created;
  if (0)
    __heddle_thread_epilogue();
  __heddle_atomic_begin();
  created = __heddle_keys;
  if (created >= KEYS)
    __heddle_limit("more than 16 keys");
  __heddle_destructors[created] = destructor;
  __heddle_keys = created + 1;
  __heddle_atomic_end();
  *key = created;
  return 0;
}

int pthread_key_delete(pthread_key_t key)
{
  __heddle_atomic_begin();
  __heddle_destructors[key] = 0;
  __heddle_atomic_end();
  return 0;
}

int pthread_setspecific(pthread_key_t key, const void *value)
{
  __heddle_values[key] = (void *)value;
  return 0;
}

void *pthread_getspecific(pthread_key_t key)
{
  return __heddle_values[key];
}

/* Rounds over all keys until a round finds no value, at most PTHREAD_DESTRUCTOR_ITERATIONS. */
void __heddle_thread_epilogue(void)
{
  unsigned int key, chosen, done;
  int round;
  int found = 1;
  void (*destructor)(void *);
  void *value;
  for (round = 0; found && round < 4; round++) {
    found = 0;
    done = 0;
    do {
      destructor = 0;
      value = 0;
      chosen = KEYS;
      key = 0;
      __heddle_atomic_begin();
      while (key < __heddle_keys) {
        if (!(done >> key & 1) && __heddle_values[key] != 0 && __heddle_destructors[key] != 0) {
          if (chosen == KEYS || __heddle_choice())
            chosen = key;
        }
        key++;
      }
      if (chosen < KEYS) {
        destructor = __heddle_destructors[chosen];
        value = __heddle_values[chosen];
        __heddle_values[chosen] = 0;
        done |= 1u << chosen;
      }
      __heddle_atomic_end();
      if (destructor != 0) {
        found = 1;
        destructor(value);
      }
    } while (destructor != 0);
  }
}
`
