/* What the parts of the runtime share; heddle-runtime.c makes one unit of them, so that no name of ours meets one of the program. The program under test is compiled with -fsanitize=thread, which puts a call
   before every access that another thread could see, and linked with these files instead of the sanitizer's library.
   One thread runs at a time; at every access and every synchronisation the scheduler decides who goes on. */
#ifndef HEDDLE_H
#define HEDDLE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* The linker leads calls of these functions to libc.c, ours too: what the runtime does itself is no access. */
void *__real_memcpy(void *to, const void *from, size_t n);
void *__real_memmove(void *to, const void *from, size_t n);
void *__real_memset(void *to, int value, size_t n);
int __real_memcmp(const void *a, const void *b, size_t n);
char *__real_strcpy(char *to, const char *from);
char *__real_strncpy(char *to, const char *from, size_t n);
int __real_snprintf(char *to, size_t n, const char *format, ...);
char *__real_fgets(char *to, int n, FILE *file);
char *__real_strstr(const char *s, const char *part);
char *__real_getenv(const char *name);
int __real_setenv(const char *name, const char *value, int again);
#define memcpy __real_memcpy
#define memmove __real_memmove
#define memset __real_memset
#define memcmp __real_memcmp
#define strcpy __real_strcpy
#define strncpy __real_strncpy
#define mmap __real_mmap
#define munmap __real_munmap
#define mprotect __real_mprotect

/* Threads of one run, those that have ended included; and how many of them an answer tells of. */
#define MAX_THREADS (sizeof(void *) == 8 ? 16384 : 512)
#define MAX_WAITING 512
/* Thousands of threads at a time take as much memory as a large program. */
#define MAX_LIVE_THREADS 2048
#define MAX_KEYS 256
/* More than these are many: see late.c. */
#define MANY_THREADS 12
/* What stands for a function of the C library: the program's own definition of that name wins. */
#define INSTEAD __attribute__((weak))
#define PC ((uintptr_t)__builtin_return_address(0))

/* The first bytes of an object as a number. */
static inline uint64_t load_value(const void *p, uint32_t size) {
  switch (size) {
    case 1: return *(const uint8_t *)p;
    case 2: { uint16_t v; __builtin_memcpy(&v, p, 2); return v; }
    case 4: { uint32_t v; __builtin_memcpy(&v, p, 4); return v; }
    default: {
      uint64_t v = 0;
      if (size >= 8) __builtin_memcpy(&v, p, 8);
      else for (uint32_t i = 0; i < size; i++) v |= (uint64_t)((const uint8_t *)p)[i] << (8 * i);
      return v;
    }
  }
}

/* ---- what a thread is about to do; src/native/events.ts has the same list */
enum kind {
  READ, WRITE, ATOMIC_READ, ATOMIC_WRITE, ATOMIC_UPDATE, CREATE, BEGIN, END, JOIN,
  LOCK, TRYLOCK, UNLOCK, READ_LOCK, TRY_READ_LOCK, READ_UNLOCK, COND_WAIT, COND_WAKE, SIGNAL, BROADCAST,
  BARRIER_ARRIVE, BARRIER_LEAVE, SEM_WAIT, SEM_TRYWAIT, SEM_POST, ONCE, ONCE_DONE, BLOCK_BEGIN, BLOCK_END, YIELD,
  WORD_WAIT, WORD_WAKE, INIT, DESTROY, CANCEL, WAIT_FD, FENCE, EXIT, SEND_SIGNAL, TAKE_SIGNAL,
  WAIT_SIGNAL,
  /* What follows is recorded, but is no step. */
  CHOICE, ENTER, LEAVE, ALLOCATE, FREE, FAILED
};

/* ---- how a run ends; src/native/outcome.ts has the same list */
enum outcome {
  RUNNING, FINISHED, ASSERT_FAILED, RACE, DEADLOCK, CRASH, LEAK, STEP_LIMIT, STOPPED, UNSUPPORTED, INVALID_ACCESS,
  ABORTED, HUNG, KILLED
};

/* How to choose who goes on when the given schedule is at its end. */
enum policy { STAY, RANDOM, PCT };

/* LATE_THREADS is no check: of many threads some do not begin (late.c). It is part of a schedule, as the checks are. */
enum { CHECK_RACES = 1, CHECK_ACCESSES = 2, CHECK_LEAKS = 4, CHECK_ABORT = 8, LATE_THREADS = 16 };

struct segment { uint32_t thread, steps; };
struct value { uint32_t thread, bound; int64_t value; uint64_t step; };
struct waiting { uint32_t thread, kind; uint64_t object, pc; int32_t holder; uint32_t padding; };
struct event {
  uint64_t pc, address, value, enabled;
  uint32_t size;
  uint16_t thread;
  uint8_t kind, flags;
};
enum { IN_BLOCK = 1, NO_STEP = 2, TIMED_OUT = 4, NOTHING_DONE = 8, SAME_STATEMENT = 16, OWN_STEP = 32 };

/* The file through which a run is asked for and answered; src/native/process/control.ts knows the offsets. */
struct control {
  /* the request */
  uint32_t policy, checks, record, depth;
  uint64_t seed, max_steps, length;
  uint32_t given_segments, given_values, fill, reuse, spurious, run_ms, dictionary_size, malloc_may_fail, max_threads, stop_at_limit;
  /* the answer */
  uint32_t outcome, thread, signal, line;
  uint64_t pc, address, other_pc, other_event, steps, hash, anchor, shared_steps;
  uint32_t other_thread, threads, segments, values, events, waiting_count, diverged, unjoined;
  char text[512], file[512];
  struct waiting waiting[MAX_WAITING];
};
#define MAX_SEGMENTS (1 << 20)
#define MAX_VALUES (1 << 18)
#define MAX_EVENTS (1 << 22)
#define MAX_DICTIONARY 1024
#define COVERAGE_BYTES 65536
#define CONTROL_BYTES 65536

/* What runs learn for later ones (learn.c, wanted.c). */
#define DELAY_SLOTS 4096
#define WANTED_SLOTS 256
#define WANTED_VALUES 16
#define RECENT_PLACES 3
#define KEPT_RUNS 64
#define KEPT_INPUTS 32
#define SEEN_SLOTS 8192
#define LEARNT_BYTES 131072
struct wanted { uint32_t count, padding; int64_t values[WANTED_VALUES]; };
struct kept { uint32_t count, padding; uint64_t pcs[KEPT_INPUTS]; int64_t values[KEPT_INPUTS]; };
struct learnt {
  uint32_t most_threads, has_delays, kept_count, padding;
  uint8_t delays[DELAY_SLOTS];
  struct wanted wanted[WANTED_SLOTS];
  struct kept kept[KEPT_RUNS];
  uint8_t seen[SEEN_SLOTS];
};

static struct control *control;
static struct segment *given_segments, *segments;
static struct value *given_values, *values;
static struct event *events;
static int64_t *dictionary;
static uint8_t *coverage, *shared_before;
static struct learnt *learnt;
#define SHARED_BITS (1 << 20)

/* ---- threads */
struct clock { uint32_t at[MAX_THREADS]; };

struct destructor { void (*function)(void *); void *argument; struct destructor *next; };

struct thread {
  uint32_t id, turn; /* turn is the futex word */
  enum kind kind;    /* what it is about to do */
  void *object, *other;
  struct object *target, *mutex; /* the same as our records, where it is about synchronisation */
  int wakes, gave_up, timed, stopped, finished, detached, joined, block_depth, inside, orders_all, at_semaphore;
  struct pollfd *files; /* one of which it waits for */
  uint32_t file_count;
  uint64_t steps, spin_epoch;
  uint32_t spin_seen[64], spin_repeats, priority;
  int spinning;
  uint64_t signals, blocked, awaited; /* noted for it, not let through, waited for */
  int in_handler, is_interrupted, took_signal;
  uintptr_t recent[RECENT_PLACES]; /* where it could have been made to wait */
  uint32_t recent_count, created, turns_used;
  uint64_t delayed_until; /* so many decisions */
  uintptr_t pc;
  void *(*start)(void *);
  void *argument, *result;
  pthread_t handle;
  struct clock clock, *release_fence, *acquire_fence;
  uint32_t value_next;
  int cancel_off, cancel_now, cancelled, cancel_anywhere;
  void *specific[MAX_KEYS];
  struct destructor *destructors;
  char *stack, *last_write;
  uintptr_t frame; /* where it waits for its turn */
  uintptr_t write_pc; /* where the last step was a write: its call */
  uint32_t last_write_size, last_write_event;
  int64_t events_of_own; /* number of its own events, for the trace hash */
  uint64_t hash, asked, asked_at; /* inputs asked for since the last step of anybody */
};
static struct thread *threads;
/* live: those that have not ended; unbegun: created, and never had the turn. */
static uint32_t thread_count, live_threads, unbegun;
static __thread struct thread *self;
static uint64_t steps, writes;
static uint64_t next_due = (uint64_t)-1; /* the time of the next timer */

/* ---- synchronisation objects */
struct object {
  uintptr_t address;
  uint32_t tag, type; /* tag: what stands in the object's first bytes while it is this one */
  int owner, count, readers, robust, shared;
  int is_inconsistent, is_lost; /* a robust mutex: its owner has died, and nobody has mended what it guards */
  uint32_t generation, arrived, size, waiters;
  uint64_t hash;
  struct clock clock;
};
enum object_type { NO_OBJECT, MUTEX, CONDITION, RWLOCK, BARRIER, SEMAPHORE, ONCE_FLAG, SPIN, FUTEX, FILE_LOCK };

/* scheduler.c */
static void init_scheduler(void);
static void step(enum kind kind, void *object, void *other, uintptr_t pc);
static void yield_step(uintptr_t pc);
static void visible(enum kind kind, uintptr_t address, uint32_t size, uintptr_t pc);
static void note(enum kind kind, uintptr_t address, uint64_t value, uint32_t size, uintptr_t pc);
static void finish_thread(void);
static void wait_for_turn(void);
static void mark_last_event(uint32_t flags);
static void about(uintptr_t address);
static void settle_last_write(struct thread *t);
static int64_t choose(uint32_t bound);
static int64_t draw(int bits, int is_signed, uintptr_t pc);
static int64_t draw_real(int is_double);
static uint64_t next_random(void);
static void leave_process(int status) __attribute__((noreturn));
static void end_run(enum outcome outcome, uintptr_t pc, const char *text) __attribute__((noreturn));
static void finish_program(int run_leak_check) __attribute__((noreturn));
static uint64_t clock_now(void);
static void advance_clock(uint64_t nanoseconds);
static uint64_t mix(uint64_t a, uint64_t b);
static uint32_t fresh_priority(void);
static int choose_rare(uint32_t odds);
static int choose_spurious(void);
static void report_counts(void);
static void begin_step(void);
static void tell_waiting(void);
static void stop_thread(uintptr_t pc) __attribute__((noreturn));
static long syscall_raw(long number, long a, long b, long c, long d, long e, long f);

/* learn.c */
static void remember_place(uintptr_t pc);
static void came_too_early(void);
static int lets_others_first(void);
static int is_patient;
static uint64_t rhythm;
static struct thread *by_rhythm(struct thread **list, uint32_t n, int self_can);

/* wanted.c */
static void note_input(uintptr_t pc, int64_t value);
static void keep_inputs(void);
static int kept_input(uintptr_t pc, int64_t *value);
static int wanted_value(uintptr_t pc, int64_t *value);

/* copies.c */
static int nothing_stored_between(uintptr_t from, uintptr_t to);

/* spin.c */
static void saw(uintptr_t pc, uintptr_t address, uint64_t value);
static void did_something(void);

/* own.c */
static void leave_out_own_steps(void);

/* races.c */
static void init_races(void);
static void check_access(uintptr_t address, uint32_t size, int is_write, int is_atomic, uintptr_t pc);
static void forget_accesses(uintptr_t address, size_t size);
static int is_shared(uintptr_t address);
static void tick(struct thread *t);
static void join_clock(struct clock *into, const struct clock *from);
static void acquire_from(const struct clock *from);
static void release_to(struct clock *to);
static void synchronise_atomic(uintptr_t address, int is_read, int is_write, int order);
static void *take(size_t bytes);
static void hash_sync(uint64_t *object_hash);
static void fence(int order);

/* objects.c */
static struct object *object_at(void *address, enum object_type type);
static struct object *find_object(uintptr_t address);
static void forget_object(struct object *o);
static void forget_objects(uintptr_t address, size_t size);
static int is_enabled(struct thread *t);
static int waits_inside(struct thread *t);
static int is_ready(struct thread *t);
static struct object *new_object(void *address, enum object_type type);
static int holder_of(struct thread *t);
static int may_pass_semaphore(struct thread *t, const void *word);
static void sync_step(enum kind kind, struct object *target, struct object *mutex, uintptr_t pc);
static int lock_mutex(struct object *m, int may_wait, uintptr_t pc);
static int lock_with_limit(struct object *m, uintptr_t pc);
static int unlock_mutex(struct object *m, uintptr_t pc);
static int own_mutex(struct object *m);
static void give_up_mutex(struct object *m);

/* signals.c */
static int takes_signal(struct thread *t);
static void take_signal(void);
static uint64_t waiting_signals(struct thread *t);
static int may_be_woken_by_signal(void);
static void fire_timers(void);
static int let_timers_pass(void);

/* late.c */
static int is_late(pthread_t handle);
static void need_late_threads(void);

/* threads.c */
#define REAL(name) ((__typeof__(&name))real_function(#name))
static void start_main(void);
static struct thread *thread_of(pthread_t handle);
static struct thread *start_thread(pthread_t *handle, void *(*start)(void *), void *argument, int is_detached, uintptr_t pc);
static int create_thread(pthread_t *handle, const pthread_attr_t *given, void *(*start)(void *), void *argument, uintptr_t pc);
enum join_mode { WAIT_FOR_END, WAIT_FOR_A_TIME, LOOK_ONLY };
static int join_thread(pthread_t handle, void **result, enum join_mode mode, uintptr_t pc);
static int would_wait_for(struct thread *t, struct thread *other);
static void leave_thread(void);
static void test_cancel(uintptr_t pc);
static int run_main(int argc, char **argv, char **env);

/* heap.c */
static void init_heap(void);
static void check_heap(uintptr_t address, uint32_t size, int is_write, uintptr_t pc);
static const char *find_leak(void);
static void *malloc_own(size_t bytes);
static void begin_heap(void);

/* verifier.c */
static void init_verifier(void);
static int is_atomic_function(uintptr_t pc);
static int is_assumption(uintptr_t pc);
static int is_ordering(uintptr_t pc);
static int is_semaphore_wait(uintptr_t pc);
static void block_begin(uintptr_t pc);
static void block_end(uintptr_t pc);

/* server.c */
static void serve(void);

/* crash.c */
static void init_crash(void);
static void *real_function(const char *name);
static void own_signal_stack(void);

#define CONTROLLED (self && !self->inside)
#endif
