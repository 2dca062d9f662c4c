/* Condition variables, barriers, semaphores, once, futexes. */
#include "heddle.h"
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>

/* ---- condition variables: release and wait in one step, then take the mutex again. Whether a wait wakes by itself, or
   its time runs out, is chosen when it begins. */

static int cond_wait(void *condition, void *mutex, int timed, uintptr_t pc) {
  struct object *c = object_at(condition, CONDITION), *m = object_at(mutex, MUTEX);
  test_cancel(pc);
  sync_step(COND_WAIT, c, m, pc);
  int depth = m->count;
  if (m->owner != (int)self->id && m->size == PTHREAD_MUTEX_ERRORCHECK) return EPERM;
  give_up_mutex(m);
  self->wakes = self->gave_up = 0;
  c->waiters++;
  if (timed && choose_rare(4)) self->gave_up = 1;
  else if (choose_spurious()) self->wakes = 2;
  self->timed = timed;
  sync_step(COND_WAKE, c, m, pc);
  int out_of_time = self->gave_up && self->wakes != 1;
  if (self->wakes != 1) c->waiters--;
  if (self->wakes != 1) mark_last_event(self->gave_up ? TIMED_OUT : NOTHING_DONE);
  self->timed = self->gave_up = self->wakes = 0;
  int result = own_mutex(m);
  if (m->owner == (int)self->id) m->count = depth ? depth : 1;
  test_cancel(pc);
  return result ? result : out_of_time ? ETIMEDOUT : 0;
}

/* One of those who still wait, by choice; a signal that nobody waits for is lost. */
static void signal_one(struct object *c) {
  static struct thread *waiting[MAX_THREADS];
  uint32_t n = 0;
  for (uint32_t i = 0; i < thread_count; i++) {
    struct thread *t = &threads[i];
    if (!t->finished && t->kind == COND_WAKE && t->target == c && !t->wakes && !t->gave_up) waiting[n++] = t;
  }
  if (n == 0) {
    mark_last_event(NOTHING_DONE);
    return;
  }
  waiting[choose(n)]->wakes = 1;
  c->waiters--;
}

INSTEAD int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *attributes) {
  (void)attributes;
  memset(c, 0, sizeof *c);
  if (CONTROLLED) new_object(c, CONDITION);
  return 0;
}
INSTEAD int pthread_cond_destroy(pthread_cond_t *c) {
  if (CONTROLLED) forget_object(object_at(c, CONDITION));
  return 0;
}
INSTEAD int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) { return CONTROLLED ? cond_wait(c, m, 0, PC) : 0; }
INSTEAD int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until) {
  if (until->tv_nsec < 0 || until->tv_nsec >= 1000000000) return EINVAL;
  return CONTROLLED ? cond_wait(c, m, 1, PC) : 0;
}
INSTEAD int pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock, const struct timespec *until) {
  (void)clock, (void)until;
  return CONTROLLED ? cond_wait(c, m, 1, PC) : 0;
}
INSTEAD int pthread_cond_signal(pthread_cond_t *condition) {
  if (!CONTROLLED) return 0;
  struct object *c = object_at(condition, CONDITION);
  sync_step(SIGNAL, c, 0, PC);
  signal_one(c);
  return 0;
}
INSTEAD int pthread_cond_broadcast(pthread_cond_t *condition) {
  if (!CONTROLLED) return 0;
  struct object *c = object_at(condition, CONDITION);
  sync_step(BROADCAST, c, 0, PC);
  int any = 0;
  for (uint32_t i = 0; i < thread_count; i++) {
    struct thread *t = &threads[i];
    if (t->finished || t->kind != COND_WAKE || t->target != c || t->wakes || t->gave_up) continue;
    t->wakes = any = 1;
    c->waiters--;
  }
  if (!any) mark_last_event(NOTHING_DONE);
  return 0;
}

/* ---- barriers */

INSTEAD int pthread_barrier_init(pthread_barrier_t *b, const pthread_barrierattr_t *attributes, unsigned count) {
  (void)attributes;
  if (count == 0) return EINVAL;
  memset(b, 0, sizeof *b);
  if (CONTROLLED) new_object(b, BARRIER)->size = count;
  return 0;
}
INSTEAD int pthread_barrier_destroy(pthread_barrier_t *b) {
  if (CONTROLLED) forget_object(object_at(b, BARRIER));
  return 0;
}
INSTEAD int pthread_barrier_wait(pthread_barrier_t *barrier) {
  if (!CONTROLLED) return 0;
  struct object *b = object_at(barrier, BARRIER);
  self->wakes = 0;
  sync_step(BARRIER_ARRIVE, b, 0, PC);
  release_to(&b->clock);
  int last = ++b->arrived >= b->size;
  if (last) {
    b->arrived = 0;
    for (uint32_t i = 0; i < thread_count; i++)
      if (!threads[i].finished && threads[i].kind == BARRIER_LEAVE && threads[i].target == b) threads[i].wakes = 1;
    self->wakes = 1;
  }
  sync_step(BARRIER_LEAVE, b, 0, PC);
  self->wakes = 0;
  acquire_from(&b->clock);
  return last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

/* ---- semaphores */

static int sem_take(struct object *s, int may_wait, uintptr_t pc) {
  self->is_interrupted = 0;
  sync_step(may_wait ? SEM_WAIT : SEM_TRYWAIT, s, 0, pc);
  if (may_wait) test_cancel(pc);
  if (s->count <= 0) {
    mark_last_event(NOTHING_DONE);
    saw(pc, s->address, EAGAIN);
    errno = !may_wait ? EAGAIN : self->is_interrupted ? EINTR : ETIMEDOUT;
    self->is_interrupted = 0;
    return -1;
  }
  s->count--;
  acquire_from(&s->clock);
  return 0;
}
static int sem_take_with_limit(struct object *s, uintptr_t pc) {
  if (sem_take(s, 0, pc) == 0) return 0;
  errno = ETIMEDOUT;
  if (choose_rare(2)) return -1;
  self->timed = 1;
  int result = sem_take(s, 1, pc);
  self->timed = self->gave_up = 0;
  return result;
}

INSTEAD int sem_init(sem_t *s, int shared, unsigned value) {
  (void)shared;
  if (value > INT_MAX) return errno = EINVAL, -1;
  memset(s, 0, sizeof *s);
  if (CONTROLLED) new_object(s, SEMAPHORE)->count = (int)value;
  return 0;
}
INSTEAD int sem_destroy(sem_t *s) {
  if (CONTROLLED) forget_object(object_at(s, SEMAPHORE));
  return 0;
}
INSTEAD int sem_wait(sem_t *s) { return CONTROLLED ? sem_take(object_at(s, SEMAPHORE), 1, PC) : 0; }
INSTEAD int sem_trywait(sem_t *s) { return CONTROLLED ? sem_take(object_at(s, SEMAPHORE), 0, PC) : 0; }
INSTEAD int sem_timedwait(sem_t *s, const struct timespec *until) {
  (void)until;
  return CONTROLLED ? sem_take_with_limit(object_at(s, SEMAPHORE), PC) : 0;
}
INSTEAD int sem_clockwait(sem_t *s, clockid_t clock, const struct timespec *until) {
  (void)clock, (void)until;
  return CONTROLLED ? sem_take_with_limit(object_at(s, SEMAPHORE), PC) : 0;
}
INSTEAD int sem_post(sem_t *semaphore) {
  if (!CONTROLLED) return 0;
  struct object *s = object_at(semaphore, SEMAPHORE);
  sync_step(SEM_POST, s, 0, PC);
  if (s->count == INT_MAX) return errno = EOVERFLOW, -1;
  s->count++;
  release_to(&s->clock);
  return 0;
}
INSTEAD int sem_getvalue(sem_t *semaphore, int *value) {
  if (!CONTROLLED) return 0;
  struct object *s = object_at(semaphore, SEMAPHORE);
  sync_step(SEM_TRYWAIT, s, 0, PC);
  mark_last_event(NOTHING_DONE);
  *value = s->count;
  return 0;
}

/* Those with a name, which here are known to this process only. */
struct named { const char *name; sem_t semaphore; struct named *next; };
static struct named *named_semaphores;
static struct named *named_semaphore(const char *name) {
  struct named *n = named_semaphores;
  while (n && !(n->name && strcmp(n->name, name) == 0)) n = n->next;
  return n;
}
INSTEAD sem_t *sem_open(const char *name, int flags, ...) {
  va_list list;
  va_start(list, flags);
  unsigned value = flags & O_CREAT ? (va_arg(list, mode_t), va_arg(list, unsigned)) : 0;
  va_end(list);
  struct named *n = named_semaphore(name);
  if (n && (flags & O_CREAT) && (flags & O_EXCL)) return errno = EEXIST, SEM_FAILED;
  if (n) return &n->semaphore;
  if (!(flags & O_CREAT)) return errno = ENOENT, SEM_FAILED;
  if (value > INT_MAX) return errno = EINVAL, SEM_FAILED;
  n = take(sizeof *n);
  n->name = strcpy(take(strlen(name) + 1), name);
  n->next = named_semaphores;
  named_semaphores = n;
  sem_init(&n->semaphore, 1, value);
  return &n->semaphore;
}
INSTEAD int sem_close(sem_t *s) { return (void)s, 0; }
INSTEAD int sem_unlink(const char *name) {
  struct named *n = named_semaphore(name);
  if (!n) return errno = ENOENT, -1;
  n->name = 0;
  return 0;
}

/* ---- once: the routine runs between two steps */

struct once_call { struct object *flag; uintptr_t pc; int is_done; };
/* Also when an exception, pthread_exit or a cancellation leaves the routine: then the next caller runs it. */
static void leave_once(struct once_call *call) {
  sync_step(ONCE_DONE, call->flag, 0, call->pc);
  call->flag->owner = -1;
  call->flag->count = call->is_done;
  release_to(&call->flag->clock);
}
static int once(void *flag, void (*routine)(void), uintptr_t pc) {
  struct object *o = object_at(flag, ONCE_FLAG);
  sync_step(ONCE, o, 0, pc);
  acquire_from(&o->clock);
  if (o->count) return 0;
  o->owner = (int)self->id;
  __attribute__((cleanup(leave_once))) struct once_call call = { o, pc, 0 };
  routine();
  call.is_done = 1;
  return 0;
}
INSTEAD int pthread_once(pthread_once_t *flag, void (*routine)(void)) {
  if (CONTROLLED) return once(flag, routine, PC);
  routine();
  return 0;
}

/* ---- futexes that the program waits on by itself, or by std::atomic's wait */

static long futex_call(uint32_t *word, int operation, uint32_t value, int timed, uintptr_t pc) {
  struct object *f = object_at(word, FUTEX);
  int command = operation & 127;
  if (command == 0 || command == 9) { /* FUTEX_WAIT, FUTEX_WAIT_BITSET */
    visible(ATOMIC_READ, (uintptr_t)word, 4, pc);
    if (*word != value || may_pass_semaphore(self, word)) return errno = EAGAIN, -1;
    self->wakes = self->gave_up = 0;
    if (timed && choose_rare(4)) self->gave_up = 1;
    else if (choose_spurious()) self->wakes = 2;
    self->timed = timed;
    sync_step(WORD_WAIT, f, 0, pc);
    int out_of_time = self->gave_up;
    self->timed = self->gave_up = self->wakes = 0;
    return out_of_time ? (errno = ETIMEDOUT, -1) : 0;
  }
  sync_step(WORD_WAKE, f, 0, pc);
  long woken = 0;
  for (uint32_t i = 0; i < thread_count && woken < (long)value; i++) {
    struct thread *t = &threads[i];
    if (t->finished || t->kind != WORD_WAIT || t->target != f || t->wakes || t->gave_up) continue;
    t->wakes = 1;
    woken++;
  }
  return woken;
}

static int starts_process(long number) {
  switch (number) {
#ifdef SYS_fork
    case SYS_fork: case SYS_vfork:
#endif
#ifdef SYS_clone3
    case SYS_clone3:
#endif
    case SYS_clone: case SYS_execve: case SYS_execveat: return 1;
    default: return 0;
  }
}

INSTEAD long syscall(long number, ...) {
  long a[6];
  va_list list;
  va_start(list, number);
  for (int i = 0; i < 6; i++) a[i] = va_arg(list, long);
  va_end(list);
  int command = (int)a[1] & 127;
  if (CONTROLLED && number == SYS_futex && (command == 0 || command == 1 || command == 9 || command == 10))
    return futex_call((uint32_t *)a[0], (int)a[1], (uint32_t)a[2], a[3] != 0 && (command == 0 || command == 9), PC);
  if (CONTROLLED && starts_process(number)) end_run(UNSUPPORTED, PC, "the program starts another process by a system call");
  return syscall_raw(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
