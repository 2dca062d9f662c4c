/* Threads: real ones, each waiting for its turn. Their stacks lie where their number says, so that addresses are the
   same in every run. Thread-specific data and C++'s thread_local destructors are kept here, because they are the
   program's code and must run before the thread's end is a step. */
#include "heddle.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define STACK_BYTES ((size_t)(sizeof(void *) == 8 ? 8 : 1) << 20)
#define GUARD_BYTES 65536

static struct key { int used; void (*destructor)(void *); } keys[MAX_KEYS];
static char *stacks;
static uint32_t max_threads; /* as many as there is room for */

static void *real_function(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) end_run(UNSUPPORTED, 0, name);
  return found;
}

static void *map_lazily(size_t bytes, int flags) {
  return mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
}
/* Only what is used takes memory; a system that reserves all of it at once may have less. */
static void reserve_threads(void) {
  for (max_threads = MAX_THREADS;; max_threads /= 2) {
    threads = map_lazily(max_threads * sizeof *threads, 0);
    if (threads != MAP_FAILED) break;
    if (max_threads < 16) leave_process(79);
  }
  stacks = map_lazily(max_threads * STACK_BYTES, MAP_STACK);
  if (stacks == MAP_FAILED) stacks = 0;
}

static struct thread *new_thread(void) {
  if (thread_count >= max_threads || thread_count >= control->max_threads || live_threads >= MAX_LIVE_THREADS)
    end_run(STEP_LIMIT, self ? self->pc : 0, "more threads than one run may have");
  struct thread *t = &threads[thread_count];
  t->id = thread_count++;
  live_threads++;
  t->clock.at[t->id] = 1;
  t->priority = fresh_priority();
  t->hash = mix(t->id, 17);
  return t;
}

static void start_main(void) {
  self = new_thread();
  self->kind = BEGIN;
  self->handle = pthread_self();
}

static struct thread *thread_of(pthread_t handle) {
  for (uint32_t i = thread_count; i-- > 0;)
    if (pthread_equal(threads[i].handle, handle) && !threads[i].joined) return &threads[i];
  return 0;
}

/* ---- the end of a thread */

static void run_destructors(void) {
  while (self->destructors) {
    struct destructor *d = self->destructors;
    self->destructors = d->next;
    d->function(d->argument);
  }
  int again = 1;
  for (int round = 0; again && round < 4; round++) {
    again = 0;
    for (int k = 0; k < MAX_KEYS; k++) {
      void *value = self->specific[k];
      if (!value || !keys[k].used || !keys[k].destructor) continue;
      self->specific[k] = 0;
      again = 1;
      keys[k].destructor(value);
    }
  }
}

static void leave_thread(void) {
  run_destructors();
  step(END, 0, 0, self->pc);
  settle_last_write(self);
  finish_thread();
  self->inside = 1; /* What the C library still does in this thread is not the program's. */
}

static void at_thread_end(void *unused) {
  (void)unused;
  leave_thread();
}

static void *thread_main(void *given) {
  self = given;
  own_signal_stack();
  wait_for_turn();
  pthread_cleanup_push(at_thread_end, 0);
  begin_step();
  self->result = self->start(self->argument);
  pthread_cleanup_pop(1);
  return self->result;
}

/* ---- create, join, detach, exit */

/* It is there from now on; that is no step. */
static struct thread *start_thread(pthread_t *handle, void *(*start)(void *), void *argument, int is_detached, uintptr_t pc) {
  pthread_attr_t attributes;
  struct thread *t = new_thread();
  t->kind = BEGIN;
  unbegun++;
  t->pc = (uintptr_t)start;
  t->start = start;
  t->argument = argument;
  t->detached = is_detached;
  t->blocked = self->blocked;
  t->hash = mix(self->hash, t->id);
  join_clock(&t->clock, &self->clock);
  tick(self);
  pthread_attr_init(&attributes);
  if (stacks) {
    t->stack = stacks + t->id * STACK_BYTES;
    mprotect(t->stack, GUARD_BYTES, PROT_NONE);
    pthread_attr_setstack(&attributes, t->stack + GUARD_BYTES, STACK_BYTES - GUARD_BYTES);
  }
  int was_inside = self->inside;
  self->inside = 1;
  int problem = REAL(pthread_create)(&t->handle, &attributes, thread_main, t);
  self->inside = was_inside;
  if (problem) end_run(thread_count > MANY_THREADS ? STEP_LIMIT : UNSUPPORTED, pc, "the system gives no more threads");
  *handle = t->handle;
  return t;
}

static int create_thread(pthread_t *handle, const pthread_attr_t *given, void *(*start)(void *), void *argument, uintptr_t pc) {
  int detached = PTHREAD_CREATE_JOINABLE;
  if (begins_late()) return create_late(handle, pc);
  if (given) pthread_attr_getdetachstate(given, &detached);
  self->created++;
  step(CREATE, 0, argument, pc); /* The argument tells where what it points to lies. */
  about(start_thread(handle, start, argument, detached == PTHREAD_CREATE_DETACHED, pc)->id);
  /* A loop that only creates threads would otherwise come to its limit before any of them runs. */
  if (thread_count > MANY_THREADS && !(control->checks & LATE_THREADS)) yield_step(pc);
  return 0;
}

/* Two threads that join each other: the C library tells the one that comes second, and which one that is nobody knows. */
static int would_wait_for(struct thread *t, struct thread *other) {
  return !other->finished && !other->stopped && other->kind == JOIN && other->object == t && !other->timed;
}

static int join_thread(pthread_t handle, void **result, enum join_mode mode, uintptr_t pc) {
  struct thread *t = is_late(handle) ? &late_thread : thread_of(handle);
  if (!t) return ESRCH;
  if (t->detached) return EINVAL;
  if (t == self) return EDEADLK;
  if (mode != LOOK_ONLY) test_cancel(pc);
  if (mode == LOOK_ONLY || (mode == WAIT_FOR_A_TIME && !t->finished && choose_rare(2))) self->gave_up = 1;
  self->timed = mode != WAIT_FOR_END;
  step(JOIN, t, 0, pc);
  self->timed = self->gave_up = 0;
  if (!t->finished) {
    mark_last_event(NOTHING_DONE);
    if (mode == LOOK_ONLY) return EBUSY;
    test_cancel(pc);
    return mode == WAIT_FOR_A_TIME ? ETIMEDOUT : EDEADLK;
  }
  t->joined = 1;
  acquire_from(&t->clock);
  self->hash = mix(self->hash, t->hash);
  self->inside = 1;
  REAL(pthread_join)(t->handle, 0);
  self->inside = 0;
  if (thread_count > MANY_THREADS && t->stack) madvise(t->stack + GUARD_BYTES, STACK_BYTES - GUARD_BYTES, MADV_DONTNEED);
  if (result) *result = t->result;
  return 0;
}

INSTEAD int pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  if (!CONTROLLED) return REAL(pthread_create)(handle, attributes, start, argument);
  return create_thread(handle, attributes, start, argument, PC);
}
INSTEAD int pthread_join(pthread_t handle, void **result) {
  return CONTROLLED ? join_thread(handle, result, WAIT_FOR_END, PC) : REAL(pthread_join)(handle, result);
}
INSTEAD int pthread_timedjoin_np(pthread_t handle, void **result, const struct timespec *until) {
  (void)until;
  return CONTROLLED ? join_thread(handle, result, WAIT_FOR_A_TIME, PC) : ESRCH;
}
INSTEAD int pthread_tryjoin_np(pthread_t handle, void **result) {
  return CONTROLLED ? join_thread(handle, result, LOOK_ONLY, PC) : ESRCH;
}
INSTEAD int pthread_detach(pthread_t handle) {
  if (is_late(handle)) return 0;
  struct thread *t = self ? thread_of(handle) : 0;
  if (!t) return ESRCH;
  if (t->detached) return EINVAL;
  t->detached = 1;
  return 0;
}
/* Unwinding runs the cleanup handlers and ends in at_thread_end. */
INSTEAD void pthread_exit(void *result) {
  if (self) self->result = result;
  ((void (*)(void *))real_function("pthread_exit"))(result);
  __builtin_unreachable();
}

/* ---- cancellation, at the points where the thread looks */

static void test_cancel(uintptr_t pc) {
  if (!self->cancel_now || self->cancel_off || self->cancelled) return;
  self->cancelled = 1;
  self->pc = pc;
  pthread_exit(PTHREAD_CANCELED);
}
INSTEAD int pthread_cancel(pthread_t handle) {
  if (is_late(handle)) return 0;
  struct thread *t = CONTROLLED ? thread_of(handle) : 0;
  if (!t) return ESRCH;
  step(CANCEL, 0, t, PC);
  about(t->id);
  self->hash = mix(self->hash, t->hash);
  t->cancel_now = 1;
  return 0;
}
INSTEAD int pthread_setcancelstate(int state, int *old) {
  if (!self) return 0;
  if (old) *old = self->cancel_off ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
  self->cancel_off = state == PTHREAD_CANCEL_DISABLE;
  return 0;
}
INSTEAD int pthread_setcanceltype(int type, int *old) {
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
  if (!self) return 0;
  if (old) *old = self->cancel_anywhere ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
  self->cancel_anywhere = type == PTHREAD_CANCEL_ASYNCHRONOUS;
  return 0;
}
INSTEAD void pthread_testcancel(void) {
  if (CONTROLLED) test_cancel(PC);
}

/* ---- thread-specific data */

INSTEAD int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
  for (unsigned k = 0; k < MAX_KEYS; k++)
    if (!keys[k].used) {
      keys[k] = (struct key){ 1, destructor };
      for (uint32_t i = 0; i < thread_count; i++) threads[i].specific[k] = 0;
      *key = k;
      return 0;
    }
  return EAGAIN;
}
INSTEAD int pthread_key_delete(pthread_key_t key) {
  if (key >= MAX_KEYS || !keys[key].used) return EINVAL;
  keys[key].used = 0;
  return 0;
}
static void *early[MAX_KEYS]; /* before there are threads */
INSTEAD int pthread_setspecific(pthread_key_t key, const void *value) {
  if (key >= MAX_KEYS || !keys[key].used) return EINVAL;
  (self ? self->specific : early)[key] = (void *)(uintptr_t)value;
  return 0;
}
INSTEAD void *pthread_getspecific(pthread_key_t key) {
  return key < MAX_KEYS && keys[key].used ? (self ? self->specific : early)[key] : 0;
}
static int add_destructor(void (*function)(void *), void *argument, void *library) {
  (void)library;
  struct destructor *d = malloc_own(sizeof *d);
  *d = (struct destructor){ function, argument, self ? self->destructors : 0 };
  if (self) self->destructors = d;
  return 0;
}
INSTEAD int __cxa_thread_atexit_impl(void (*f)(void *), void *a, void *l) { return add_destructor(f, a, l); }
INSTEAD int __cxa_thread_atexit(void (*f)(void *), void *a, void *l) { return add_destructor(f, a, l); }

/* ---- main */

static int (*program_main)(int, char **, char **);
static char **program_arguments;

static void at_main_end(void *unused) {
  (void)unused;
  leave_thread();
}
static int run_main(int argc, char **argv, char **env) {
  int result;
  pthread_cleanup_push(at_main_end, 0);
  result = program_main(argc, argv, env);
  pthread_cleanup_pop(0);
  run_destructors();
  return result;
}

static uintptr_t leaving_frame;
static void at_exit(void) {
  leaving_frame = (uintptr_t)__builtin_frame_address(0);
  finish_program(1);
}

/* The C library's start: here the server forks, so that everything of the program, constructors too, belongs to a run. */
INSTEAD int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                              void (*fini)(void), void (*rtld_fini)(void), void *stack_end) {
  typedef int start_main_function(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
                                  void (*)(void), void *);
  start_main_function *real = (start_main_function *)dlsym(RTLD_NEXT, "__libc_start_main");
  program_main = main;
  program_arguments = argv;
  init_heap();
  reserve_threads();
  serve();
  atexit(at_exit);
  return real(run_main, argc, argv, init, fini, rtld_fini, stack_end);
}
