// The runtime that is linked to a program for native replay, as C text. The program is compiled unchanged with
// `-fsanitize=thread`, which puts a call before every access to memory that another thread could see; these calls, and
// the pthread functions (by the linker's --wrap), end up here. They wait for their turn in the schedule, then the real
// access or the real pthread function happens. The sanitizer's own library is not used.
//
// Order: an access is matched with the thread's next event of the same object and direction. It may happen once every
// other thread's next event lies later. An event is over when its thread comes to its next call into this runtime, for
// the access itself follows the call. Threads that the schedule does not need any more are parked.
export const RUNTIME = String.raw`
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define QUIET __attribute__((no_instrument_function))
#define WEAK __attribute__((weak, no_instrument_function))
enum { READ, WRITE, START, JOIN, LOCK, TRYLOCK, UNLOCK, READ_LOCK, READ_UNLOCK, WAIT, WAKE, SPURIOUS, SIGNAL, BROADCAST,
       BARRIER, POST, ACQUIRE, ALLOCATE, RACE_READ, RACE_WRITE };
enum { ASSERT, RACE, DEADLOCK };
#define THREADS 512
#define LATE 0x7fffffff

struct event { int kind, unit, object, size, done, statement; long offset, value; };
struct object { uintptr_t address; long size; };
static struct thread {
  struct event *events; int count, room, first;   /* first: everything before it is done */
  long long *inputs; int input_count, input_next;
  int ends;          /* its end belongs to the schedule */
  int waiting;       /* unit that it waits for, or LATE */
  int current;       /* unit of the event that is happening, or LATE */
  int over, blocked, alive, racing;
} threads[THREADS];
static struct object *objects; static int object_count;
static int property, violator, released_set; static uintptr_t error_function;
static uintptr_t blocks[64]; static int block_count;
static pthread_mutex_t *released;
static pthread_mutex_t baton = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn = PTHREAD_COND_INITIALIZER;
static volatile long progress; static volatile int forced = -1; static int skipped, loaded;
static __thread int self; static __thread int inside, in_block;

#define REAL(type, name, ...) extern type __real_##name(__VA_ARGS__)
REAL(int, pthread_create, pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
REAL(int, pthread_join, pthread_t, void **);
REAL(void, pthread_exit, void *) __attribute__((noreturn));
REAL(int, pthread_mutex_lock, pthread_mutex_t *); REAL(int, pthread_mutex_trylock, pthread_mutex_t *);
REAL(int, pthread_mutex_unlock, pthread_mutex_t *);
REAL(int, pthread_cond_wait, pthread_cond_t *, pthread_mutex_t *);
REAL(int, pthread_cond_signal, pthread_cond_t *); REAL(int, pthread_cond_broadcast, pthread_cond_t *);
REAL(int, pthread_rwlock_rdlock, pthread_rwlock_t *); REAL(int, pthread_rwlock_wrlock, pthread_rwlock_t *);
REAL(int, pthread_rwlock_tryrdlock, pthread_rwlock_t *); REAL(int, pthread_rwlock_trywrlock, pthread_rwlock_t *);
REAL(int, pthread_rwlock_unlock, pthread_rwlock_t *);
REAL(int, pthread_spin_lock, pthread_spinlock_t *); REAL(int, pthread_spin_trylock, pthread_spinlock_t *);
REAL(int, pthread_spin_unlock, pthread_spinlock_t *);
REAL(int, pthread_barrier_wait, pthread_barrier_t *);
REAL(int, sem_wait, sem_t *); REAL(int, sem_trywait, sem_t *); REAL(int, sem_post, sem_t *);
REAL(void *, malloc, size_t); REAL(void *, calloc, size_t, size_t);
REAL(int, main, int, char **, char **);

QUIET static void say(const char *text, int thread, const char *file, int line, const char *what) {
  char buffer[1000];
  int n = snprintf(buffer, sizeof buffer, "\nHEDDLE %s thread=%d line=%d skipped=%d file=%s what=%s\n", text, thread, line, skipped, file, what);
  if (write(2, buffer, n) < 0) _exit(79);
  _exit(77);
}
QUIET static void park(void) { threads[self].over = 1; __real_pthread_cond_broadcast(&turn); __real_pthread_mutex_unlock(&baton); for (;;) pause(); }
QUIET static void enter(void) { __real_pthread_mutex_lock(&baton); inside = 1; }
QUIET static void leave(void) { inside = 0; __real_pthread_mutex_unlock(&baton); }

QUIET static int pending(struct thread *t) {
  while (t->first < t->count && t->events[t->first].done) t->first++;
  return t->first < t->count;
}
/* An access to an object whose address is not known cannot be recognised: nobody waits for it. */
QUIET static int is_known(struct event *e) { return e->kind > WRITE || objects[e->object].address != 0; }
QUIET static int lowest(struct thread *t) {
  if (t->over) return LATE;
  if (t->waiting != LATE) return t->waiting;
  if (t->blocked && t->current == LATE) return LATE;
  int unit = LATE;
  pending(t);
  for (int i = t->first; i < t->count && unit == LATE; i++) if (!t->events[i].done && is_known(&t->events[i])) unit = t->events[i].unit;
  return t->current < unit ? t->current : unit;
}
QUIET static int may_go(int unit) {
  for (int u = 0; u < THREADS; u++) if (u != self && threads[u].count + threads[u].alive > 0 && lowest(&threads[u]) < unit) return 0;
  return 1;
}
QUIET static void complete(void) {
  if (threads[self].current == LATE || in_block) return;
  threads[self].current = LATE; progress++;
  __real_pthread_cond_broadcast(&turn);
}
QUIET static void nap(int ms) { struct timespec t = { ms / 1000, ms % 1000 * 1000000L }; nanosleep(&t, 0); }

/* Waits for the turn of an event, which then happens until the thread comes back. Holds the baton. */
QUIET static void take(struct event *e) {
  struct thread *t = &threads[self];
  t->waiting = e->unit; __real_pthread_cond_broadcast(&turn);
  if (e->kind >= RACE_READ) {
    t->racing = 1;
    for (int u = 0; u < THREADS; u++) if (u != self && threads[u].racing) say("RACE", self, "", 0, "both threads are about to access");
  }
  while (e->kind >= RACE_READ || !may_go(e->unit)) {
    if (forced == e->unit) { forced = -1; skipped++; break; }
    struct timespec until; clock_gettime(CLOCK_REALTIME, &until); until.tv_nsec += 20000000L;
    if (until.tv_nsec >= 1000000000L) { until.tv_nsec -= 1000000000L; until.tv_sec++; }
    pthread_cond_timedwait(&turn, &baton, &until);
  }
  if (released_set) { /* somebody waits for a condition: it is asleep once its mutex is free */
    for (int i = 0; i < 2000; i++) {
      if (__real_pthread_mutex_trylock(released) == 0) { __real_pthread_mutex_unlock(released); break; }
      nap(1);
    }
    released_set = 0;
  }
  t->waiting = LATE; t->current = e->unit; e->done = 1; progress++;
}
/* The thread does something that the schedule does not have. */
QUIET static void beyond(void) {
  struct thread *t = &threads[self];
  if (property == DEADLOCK && !pending(t)) { /* what closes the circle comes after the whole schedule */
    struct event last = { .kind = JOIN, .unit = LATE - 1, .object = -1 };
    take(&last);
  }
  if (property == DEADLOCK || pending(t) || t->ends || (property == ASSERT && self == violator)) return;
  park();
}

QUIET static int object_at(uintptr_t address) {
  for (int i = 0; i < object_count; i++)
    if (objects[i].address && address >= objects[i].address && address < objects[i].address + objects[i].size) return i;
  return -1;
}
/* The thread's next access of this kind. The machine code may order the accesses of a statement in its own way, read
   twice what the schedule reads once, or the other way round: so it is looked for in this statement and the next few. */
QUIET static struct event *find(int write, int object, long offset, int size) {
  struct thread *t = &threads[self];
  pending(t);
  int statements = 0, last = -1;
  for (int i = t->first; i < t->count; i++) {
    struct event *e = &t->events[i];
    if (e->done) continue;
    if (in_block && t->current != LATE && e->unit != t->current) return 0;
    if (e->statement != last) { last = e->statement; if (++statements > 3) return 0; }
    if (e->object != object || (e->kind != (write ? WRITE : READ) && e->kind != (write ? RACE_WRITE : RACE_READ))) continue;
    if (offset < e->offset + e->size && e->offset < offset + size) return e;
  }
  return 0;
}
/* Accesses of earlier statements did not happen, and will not. */
QUIET static void pass_by(struct event *found) {
  struct thread *t = &threads[self];
  for (int i = t->first; i < t->count && &t->events[i] != found; i++)
    if (t->events[i].kind <= WRITE && t->events[i].statement != found->statement) t->events[i].done = 1;
}
/* modes: 1 read, 2 write, 3 both in one step */
QUIET static void access_memory(void *p, int size, int modes) {
  if (inside || !loaded) return;
  enter(); complete();
  int object = object_at((uintptr_t)p);
  if (object >= 0) {
    long offset = (uintptr_t)p - objects[object].address;
    struct event *r = modes & 1 ? find(0, object, offset, size) : 0, *w = modes & 2 ? find(1, object, offset, size) : 0;
    if (r && w && r->unit != w->unit) { if (r->unit < w->unit) w = 0; else r = 0; }
    if (r || w) pass_by(r ? r : w);
    if (r) take(r);
    if (w) { if (r) { w->done = 1; progress++; } else take(w); }
    if (!r && !w) beyond();
  }
  leave();
}

/* The next synchronisation of the thread if it is of this kind. */
QUIET static struct event *next_sync(int kind) {
  struct thread *t = &threads[self];
  for (int i = t->first; i < t->count; i++) {
    struct event *e = &t->events[i];
    if (e->done || e->kind <= WRITE || e->kind >= ALLOCATE) continue;
    return e->kind == kind ? e : 0;
  }
  return 0;
}
QUIET static void bind_object(struct event *e, void *p) {
  if (e->object >= 0 && objects[e->object].address == 0 && p) objects[e->object].address = (uintptr_t)p - e->offset;
}
QUIET static struct event *synchronise(int kind, void *p) {
  enter(); complete();
  struct event *e = next_sync(kind);
  if (e) { bind_object(e, p); take(e); } else beyond();
  leave();
  return e;
}
#define BLOCKING(call) ({ threads[self].blocked = 1; int r_ = (call); threads[self].blocked = 0; progress++; r_; })

/* ---- threads */
struct begin { void *(*function)(void *); void *argument; int number; };
QUIET static void ended(void) {
  enter(); complete(); threads[self].over = 1; threads[self].alive = 0; progress++;
  __real_pthread_cond_broadcast(&turn); leave();
}
QUIET static void *begin_thread(void *p) {
  struct begin b = *(struct begin *)p;
  free(p);
  self = b.number;
  void *result = b.function(b.argument);
  ended();
  return result;
}
QUIET int __wrap_pthread_create(pthread_t *id, const pthread_attr_t *a, void *(*f)(void *), void *argument) {
  static int spare = THREADS - 1;
  enter(); complete();
  struct event *e = next_sync(START);
  if (e) { bind_object(e, argument); take(e); } else beyond();
  struct begin *b = __real_malloc(sizeof *b);
  b->function = f; b->argument = argument; b->number = e ? e->value : spare--;
  threads[b->number].alive = 1;
  leave();
  return __real_pthread_create(id, a, begin_thread, b);
}
QUIET int __wrap_pthread_join(pthread_t id, void **result) {
  synchronise(JOIN, 0);
  return BLOCKING(__real_pthread_join(id, result));
}
QUIET void __wrap_pthread_exit(void *result) { ended(); __real_pthread_exit(result); }

/* ---- locks, semaphores, barriers, conditions: the real ones, in their turn */
QUIET int __wrap_pthread_mutex_lock(pthread_mutex_t *m) { synchronise(LOCK, m); return BLOCKING(__real_pthread_mutex_lock(m)); }
QUIET int __wrap_pthread_mutex_trylock(pthread_mutex_t *m) { synchronise(TRYLOCK, m); return __real_pthread_mutex_trylock(m); }
QUIET int __wrap_pthread_mutex_unlock(pthread_mutex_t *m) { synchronise(UNLOCK, m); return __real_pthread_mutex_unlock(m); }
QUIET int __wrap_pthread_spin_lock(pthread_spinlock_t *m) { synchronise(LOCK, (void *)m); return BLOCKING(__real_pthread_spin_lock(m)); }
QUIET int __wrap_pthread_spin_trylock(pthread_spinlock_t *m) { synchronise(TRYLOCK, (void *)m); return __real_pthread_spin_trylock(m); }
QUIET int __wrap_pthread_spin_unlock(pthread_spinlock_t *m) { synchronise(UNLOCK, (void *)m); return __real_pthread_spin_unlock(m); }
QUIET int __wrap_pthread_rwlock_wrlock(pthread_rwlock_t *m) { synchronise(LOCK, m); return BLOCKING(__real_pthread_rwlock_wrlock(m)); }
QUIET int __wrap_pthread_rwlock_rdlock(pthread_rwlock_t *m) { synchronise(READ_LOCK, m); return BLOCKING(__real_pthread_rwlock_rdlock(m)); }
QUIET int __wrap_pthread_rwlock_trywrlock(pthread_rwlock_t *m) { synchronise(TRYLOCK, m); return __real_pthread_rwlock_trywrlock(m); }
QUIET int __wrap_pthread_rwlock_tryrdlock(pthread_rwlock_t *m) { synchronise(TRYLOCK, m); return __real_pthread_rwlock_tryrdlock(m); }
QUIET int __wrap_pthread_rwlock_unlock(pthread_rwlock_t *m) {
  enter(); int reader = next_sync(READ_UNLOCK) != 0; leave();
  synchronise(reader ? READ_UNLOCK : UNLOCK, m);
  return __real_pthread_rwlock_unlock(m);
}
QUIET int __wrap_sem_wait(sem_t *s) { synchronise(ACQUIRE, s); return BLOCKING(__real_sem_wait(s)); }
QUIET int __wrap_sem_trywait(sem_t *s) { synchronise(ACQUIRE, s); return __real_sem_trywait(s); }
QUIET int __wrap_sem_post(sem_t *s) { synchronise(POST, s); return __real_sem_post(s); }
QUIET int __wrap_pthread_cond_signal(pthread_cond_t *c) { synchronise(SIGNAL, c); return __real_pthread_cond_signal(c); }
QUIET int __wrap_pthread_cond_broadcast(pthread_cond_t *c) { synchronise(BROADCAST, c); return __real_pthread_cond_broadcast(c); }
QUIET int __wrap_pthread_barrier_wait(pthread_barrier_t *b) {
  synchronise(BARRIER, b);
  enter(); complete(); leave();
  int r = BLOCKING(__real_pthread_barrier_wait(b));
  synchronise(BARRIER, b);
  return r;
}
QUIET int __wrap_pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) {
  synchronise(WAIT, c);
  enter();
  struct event *spurious = next_sync(SPURIOUS);
  complete();
  if (spurious) { /* a wake-up that nobody causes: the mutex is free meanwhile, and nobody's signal is used up */
    __real_pthread_mutex_unlock(m);
    take(spurious); complete();
    struct event *wake = next_sync(WAKE);
    if (wake) take(wake); else beyond();
    leave();
    return BLOCKING(__real_pthread_mutex_lock(m));
  }
  released = m; released_set = 1;
  leave();
  int r = BLOCKING(__real_pthread_cond_wait(c, m));
  enter();
  struct event *wake = next_sync(WAKE);
  if (wake && !may_go(wake->unit)) { /* woken earlier than the schedule has it: others may have the mutex until then */
    __real_pthread_mutex_unlock(m); __real_pthread_cond_signal(c);
    take(wake); leave();
    return BLOCKING(__real_pthread_mutex_lock(m));
  }
  if (wake) take(wake); else beyond();
  leave();
  return r;
}

/* ---- memory from the heap is known by the order of a thread's allocations */
QUIET static void allocated(void *p) {
  if (inside || !loaded || !p) return;
  enter();
  struct thread *t = &threads[self];
  for (int i = t->first; i < t->count; i++) if (t->events[i].kind == ALLOCATE && !t->events[i].done) {
    t->events[i].done = 1; objects[t->events[i].object].address = (uintptr_t)p;
    break;
  }
  leave();
}
QUIET void *__wrap_malloc(size_t n) { void *p = __real_malloc(n); allocated(p); return p; }
QUIET void *__wrap_calloc(size_t n, size_t m) { void *p = __real_calloc(n, m); allocated(p); return p; }

/* ---- the end */
QUIET void __wrap___assert_fail(const char *text, const char *file, unsigned line, const char *function) {
  (void)function; say("ASSERT", self, file, line, text); for (;;) ;
}
QUIET static void stop_here(void) { in_block = 0; enter(); complete(); park(); }
QUIET void __wrap_abort(void) {
  if (self == violator && property == ASSERT) { enter(); complete(); int left = pending(&threads[self]); leave(); if (!left) say("ABORT", self, "", 0, "abort"); }
  stop_here(); for (;;) ;
}
QUIET void __wrap_exit(int status) { (void)status; stop_here(); for (;;) ; }
WEAK void reach_error(void) { say("REACHED", self, "", 0, "reach_error"); }
WEAK void __VERIFIER_error(void) { say("REACHED", self, "", 0, "__VERIFIER_error"); }
WEAK void __VERIFIER_assume(int c) { if (!c) stop_here(); }
WEAK void assume_abort_if_not(int c) { if (!c) stop_here(); }
WEAK void __VERIFIER_atomic_begin(void) { enter(); complete(); leave(); in_block = 1; }
WEAK void __VERIFIER_atomic_end(void) { in_block = 0; enter(); complete(); leave(); }
QUIET static int is_block(void *f) { for (int i = 0; i < block_count; i++) if (blocks[i] == (uintptr_t)f) return 1; return 0; }
QUIET void __cyg_profile_func_enter(void *f, void *site) {
  if (error_function && (uintptr_t)f == error_function) say("REACHED", self, "", (int)(uintptr_t)site, "reach_error");
  if (is_block(f)) { enter(); complete(); leave(); in_block = 1; }
}
QUIET void __cyg_profile_func_exit(void *f, void *site) {
  (void)site;
  if (is_block(f)) { in_block = 0; enter(); complete(); leave(); }
}

QUIET static long long input(void) {
  struct thread *t = &threads[self];
  return t->input_next < t->input_count ? t->inputs[t->input_next++] : 0;
}
#define NONDET(type, name) WEAK type __VERIFIER_nondet_##name(void) { return (type)input(); }
NONDET(int, int) NONDET(unsigned, uint) NONDET(unsigned, unsigned) NONDET(unsigned, unsigned_int) NONDET(_Bool, bool) NONDET(_Bool, _Bool)
NONDET(char, char) NONDET(unsigned char, uchar) NONDET(unsigned char, unsigned_char) NONDET(short, short) NONDET(unsigned short, ushort)
NONDET(long, long) NONDET(unsigned long, ulong) NONDET(long long, longlong) NONDET(unsigned long long, ulonglong) NONDET(size_t, size_t)
NONDET(int8_t, s8) NONDET(uint8_t, u8) NONDET(uint16_t, u16) NONDET(uint32_t, u32) NONDET(uint64_t, u64) NONDET(long, loff_t)
WEAK void *__VERIFIER_nondet_pointer(void) { return (void *)(intptr_t)input(); }
WEAK double __VERIFIER_nondet_double(void) { long long bits = input(); double d; memcpy(&d, &bits, sizeof d); return d; }
WEAK float __VERIFIER_nondet_float(void) { long long bits = input(); double d; memcpy(&d, &bits, sizeof d); return (float)d; }

/* ---- what the compiler calls */
QUIET void __tsan_init(void) {}
QUIET void __tsan_func_entry(void *p) { (void)p; }
QUIET void __tsan_func_exit(void) {}
#define PLAIN(n) QUIET void __tsan_read##n(void *p) { access_memory(p, n, 1); } QUIET void __tsan_write##n(void *p) { access_memory(p, n, 2); } \
  QUIET void __tsan_unaligned_read##n(void *p) { access_memory(p, n, 1); } QUIET void __tsan_unaligned_write##n(void *p) { access_memory(p, n, 2); } \
  QUIET void __tsan_volatile_read##n(void *p) { access_memory(p, n, 1); } QUIET void __tsan_volatile_write##n(void *p) { access_memory(p, n, 2); }
PLAIN(1) PLAIN(2) PLAIN(4) PLAIN(8) PLAIN(16)
QUIET void __tsan_read_range(void *p, long n) { access_memory(p, n, 1); }
QUIET void __tsan_write_range(void *p, long n) { access_memory(p, n, 2); }
#define RMW(bits, type, name) QUIET type __tsan_atomic##bits##_##name(volatile type *p, type v, int o) { (void)o; access_memory((void *)p, sizeof(type), 3); return __atomic_##name(p, v, __ATOMIC_SEQ_CST); }
#define ATOMICS(bits, type) \
  QUIET type __tsan_atomic##bits##_load(const volatile type *p, int o) { (void)o; access_memory((void *)p, sizeof(type), 1); return __atomic_load_n(p, __ATOMIC_SEQ_CST); } \
  QUIET void __tsan_atomic##bits##_store(volatile type *p, type v, int o) { (void)o; access_memory((void *)p, sizeof(type), 2); __atomic_store_n(p, v, __ATOMIC_SEQ_CST); } \
  QUIET type __tsan_atomic##bits##_exchange(volatile type *p, type v, int o) { (void)o; access_memory((void *)p, sizeof(type), 3); return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST); } \
  RMW(bits, type, fetch_add) RMW(bits, type, fetch_sub) RMW(bits, type, fetch_and) RMW(bits, type, fetch_or) RMW(bits, type, fetch_xor) RMW(bits, type, fetch_nand) \
  QUIET int __tsan_atomic##bits##_compare_exchange_strong(volatile type *p, type *e, type v, int o, int f) { (void)o; (void)f; access_memory((void *)p, sizeof(type), 3); return __atomic_compare_exchange_n(p, e, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); } \
  QUIET int __tsan_atomic##bits##_compare_exchange_weak(volatile type *p, type *e, type v, int o, int f) { return __tsan_atomic##bits##_compare_exchange_strong(p, e, v, o, f); } \
  QUIET type __tsan_atomic##bits##_compare_exchange_val(volatile type *p, type e, type v, int o, int f) { __tsan_atomic##bits##_compare_exchange_strong(p, &e, v, o, f); return e; }
ATOMICS(8, unsigned char) ATOMICS(16, unsigned short) ATOMICS(32, unsigned int) ATOMICS(64, unsigned long long)
QUIET void __tsan_atomic_thread_fence(int o) { (void)o; __sync_synchronize(); }
QUIET void __tsan_atomic_signal_fence(int o) { (void)o; }

/* ---- when nothing moves: events that the machine code does not have are passed by, then it gives up */
QUIET static void *watch(void *unused) {
  (void)unused; inside = 1;
  long seen = -1; int still = 0, given_up = 0;
  for (;;) {
    nap(50);
    if (progress != seen) { seen = progress; still = 0; continue; }
    if (++still % 6) continue;
    __real_pthread_mutex_lock(&baton);
    int live = 0, blocked = 0, waits = LATE, happens = -1, left = 0;
    for (int u = 0; u < THREADS; u++) {
      struct thread *t = &threads[u];
      if (t->alive && !t->over) { live++; blocked += t->blocked; }
      if (t->alive && t->waiting < waits) waits = t->waiting;
      if (t->current != LATE) happens = u;
      if (!t->over && pending(t)) left++;
    }
    if (property == DEADLOCK && live > 0 && live == blocked) say("DEADLOCK", 0, "", left, "every thread is blocked");
    if (happens >= 0) threads[happens].current = LATE;
    else if (waits != LATE && property != RACE) forced = waits;
    __real_pthread_cond_broadcast(&turn);
    __real_pthread_mutex_unlock(&baton);
    if (++given_up > 20) say("STUCK", 0, "", waits, "nothing moves");
  }
}

QUIET static void load(void) {
  FILE *f = fopen(getenv("HEDDLE_SCHEDULE") ? getenv("HEDDLE_SCHEDULE") : "", "r");
  if (!f) { fprintf(stderr, "HEDDLE_SCHEDULE names no schedule\n"); _exit(79); }
  for (int i = 0; i < THREADS; i++) threads[i].waiting = threads[i].current = LATE;
  char line[400];
  while (fgets(line, sizeof line, f)) {
    int a; struct event e = { 0 }; long long v; unsigned long long p; long n;
    if (sscanf(line, "P %d %d", &property, &violator) == 2) continue;
    if (sscanf(line, "R %llx", &p) == 1) error_function = p;
    if (sscanf(line, "A %llx", &p) == 1 && block_count < 64) blocks[block_count++] = p;
    if (sscanf(line, "T %d", &a) == 1) threads[a].ends = 1;
    if (sscanf(line, "O %d %llx %ld", &a, &p, &n) == 3) {
      objects = realloc(objects, (a + 1) * sizeof *objects); object_count = a + 1;
      objects[a] = (struct object){ p, n };
    }
    if (sscanf(line, "N %d %lld", &a, &v) == 2) {
      struct thread *t = &threads[a];
      t->inputs = realloc(t->inputs, (t->input_count + 1) * sizeof v); t->inputs[t->input_count++] = v;
    }
    if (sscanf(line, "E %d %d %d %d %ld %d %ld %d", &a, &e.kind, &e.unit, &e.object, &e.offset, &e.size, &e.value, &e.statement) == 8) {
      struct thread *t = &threads[a];
      if (t->count == t->room) t->events = realloc(t->events, (t->room = 2 * t->room + 16) * sizeof e);
      t->events[t->count++] = e;
    }
  }
  fclose(f);
}
QUIET int __wrap_main(int argc, char **argv, char **environment) {
  pthread_t watcher;
  load();
  threads[0].alive = 1; loaded = 1;
  __real_pthread_create(&watcher, 0, watch, 0);
  __real_main(argc, argv, environment);
  stop_here();
  return 0;
}
`

/** Functions that the linker leads to the runtime. */
export const WRAPPED: readonly string[] = [...RUNTIME.matchAll(/__wrap_(\w+)\(/g)].map((match) => match[1]!)
