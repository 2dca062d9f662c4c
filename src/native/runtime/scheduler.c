/* The scheduler: one thread has the turn. Before each step it asks who goes on; the answer comes from the given
   schedule while that lasts, then from the policy. Staying with the running thread costs no system call. */
#include "heddle.h"
#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int yes_or_no, creates_first;
static uint64_t random_state, shared_steps, change_points[16], advanced, alone;
static uint32_t period, given_at, given_used, spurious_left;
/* A thread that is not preempted for so long lets the others go; in a short run they go sooner. */
#define FAIR_STEPS 20000
static uint64_t fair_steps = FAIR_STEPS;
#define INPUT_WAIT_MS 1000

static long futex(uint32_t *word, int operation, uint32_t value) {
  return syscall_raw(SYS_futex, (long)word, operation | FUTEX_PRIVATE_FLAG, value, 0, 0, 0);
}

uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t x = (a ^ (b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2))) * 0xbf58476d1ce4e5b9u;
  return x ^ (x >> 29);
}

/* splitmix64 */
uint64_t next_random(void) {
  uint64_t z = (random_state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

void init_scheduler(void) {
  static const uint32_t periods[] = { 2, 3, 5, 10, 30, 100 };
  random_state = control->seed;
  uint64_t kind = next_random();
  period = periods[kind % 6];
  yes_or_no = (kind >> 44) % 4 == 0;
  is_patient = (kind >> 50) % 4 > 0;
  creates_first = control->policy != STAY && (kind >> 40) % 4 > 0 && learnt->most_threads <= MANY_THREADS;
  if (control->policy == RANDOM && (kind >> 9) % 4 == 0) rhythm = kind >> 11 | (uint64_t)1 << 40;
  spurious_left = control->spurious;
  if (control->max_steps / 8 < FAIR_STEPS) fair_steps = control->max_steps / 8;
  for (uint32_t i = 0; i + 1 < control->depth && i < 16; i++)
    change_points[i] = control->length ? 1 + next_random() % control->length : 0;
}

uint32_t fresh_priority(void) { return 1000 + (uint32_t)(next_random() % 1000000); }

/* ---- time is a number that moves with the steps */
uint64_t clock_now(void) { return 1600000000000000000u + advanced + steps * 1000; }
void advance_clock(uint64_t nanoseconds) { advanced += nanoseconds; }

/* ---- who can go on */

static int is_resting(struct thread *t) { return t->spinning && t->spin_epoch == writes; }

static uint64_t enabled_mask(void) {
  uint64_t mask = 0;
  for (uint32_t i = 0; i < thread_count && i < 64; i++)
    if (!threads[i].finished && is_enabled(&threads[i])) mask |= (uint64_t)1 << i;
  return mask;
}

static void tell_waiting(void) {
  control->waiting_count = 0;
  for (uint32_t i = 0; i < thread_count && control->waiting_count < MAX_WAITING; i++) {
    struct thread *t = &threads[i];
    if (t->finished || t->stopped) continue;
    struct waiting *w = &control->waiting[control->waiting_count++];
    *w = (struct waiting){ t->id, t->kind, (uintptr_t)t->object, t->pc, holder_of(t), 0 };
    if (t->kind == COND_WAKE && t->wakes) w->object = (uintptr_t)t->other; /* It only needs the mutex again. */
    if (t->kind == JOIN) w->object = t->object ? ((struct thread *)t->object)->id : 0;
  }
}

/* From outside: what only the program's own threads could send never comes. */
static int waits_for_input(void) {
  for (uint32_t i = 0; i < thread_count; i++)
    if (!threads[i].finished && threads[i].kind == WAIT_FD && !waits_inside(&threads[i])) return 1;
  return 0;
}

static int somebody_stopped(void) {
  for (uint32_t i = 0; i < thread_count; i++)
    if (threads[i].stopped) return 1;
  return 0;
}

/* Nobody can go on: those who wait with a limit wait no longer. */
static int let_time_pass(void) {
  int any = 0;
  for (uint32_t i = 0; i < thread_count; i++)
    if (!threads[i].finished && !threads[i].stopped && threads[i].timed && !threads[i].gave_up) threads[i].gave_up = any = 1;
  if (any) advance_clock(1000000000);
  return any;
}

/* Candidates in the order of their numbers, beginning after the running thread. */
static uint32_t candidates(struct thread **list, int resting_too) {
  uint32_t n = 0;
  for (uint32_t i = 1; i <= thread_count; i++) {
    struct thread *t = &threads[(self->id + i) % thread_count];
    if (!t->finished && (resting_too || (!is_resting(t) && shared_steps >= t->delayed_until)) && is_enabled(t)) list[n++] = t;
  }
  return n;
}

static struct thread *by_policy(struct thread **list, uint32_t n, int self_can) {
  switch (control->policy) {
    case RANDOM:
      if (rhythm) return by_rhythm(list, n, self_can);
      if (self_can && next_random() % period) return self;
      return list[next_random() % n];
    case PCT: {
      struct thread *best = list[0];
      for (uint32_t i = 1; i < n; i++)
        if (list[i]->priority > best->priority) best = list[i];
      return best;
    }
    default:
      return self_can ? self : list[0];
  }
}

static struct thread *pick(void) {
  /* Who has the turn is alone here, perhaps on a small stack. */
  static struct thread *list[MAX_THREADS];
  if (self->block_depth > 0) {
    if (!self->finished && is_enabled(self)) return self;
    tell_waiting();
    end_run(DEADLOCK, self->pc, "a thread is blocked inside an atomic block");
  }
  while (given_at < control->given_segments && given_used >= given_segments[given_at].steps) given_at++, given_used = 0;
  if (given_at < control->given_segments) {
    uint32_t wanted = given_segments[given_at].thread;
    if (wanted < thread_count && !threads[wanted].finished && is_enabled(&threads[wanted])) return &threads[wanted];
    control->diverged = (uint32_t)(steps + 1);
    given_at = control->given_segments;
  }
  /* What a new thread does it can do when all are there, too. */
  if (creates_first && self->kind == CREATE && !self->finished) return self;
  /* Most often the running thread goes on: then nobody need look at the others. */
  int decided = 0;
  int may_stay = !self->finished && shared_steps >= self->delayed_until && !is_resting(self);
  if (control->policy != PCT && !rhythm && alone <= fair_steps && may_stay && is_enabled(self)) {
    if (control->policy == STAY || next_random() % period) return self;
    decided = 1;
  }
  for (int waited = 0;; waited += 10) {
    uint32_t n = candidates(list, 0);
    if (n == 0) n = candidates(list, 1);
    if (n > 0) {
      int self_can = 0;
      for (uint32_t i = 0; i < n; i++) self_can |= list[i] == self;
      if (self_can && n > 1 && alone > fair_steps) {
        alone = 0;
        if (control->policy == PCT) self->priority = 0;
        self_can = 0;
        uint32_t others = 0;
        for (uint32_t i = 0; i < n; i++)
          if (list[i] != self) list[others++] = list[i];
        n = others;
      }
      return by_policy(list, n, self_can && !decided);
    }
    if (let_time_pass() || let_timers_pass()) continue;
    if (somebody_stopped()) end_run(STOPPED, self->pc, "an assumption does not hold");
    need_late_threads();
    int for_input = waits_for_input();
    if (!for_input && !may_be_woken_by_signal()) break;
    if (!for_input || waited >= INPUT_WAIT_MS) {
      tell_waiting();
      end_run(HUNG, self->pc, "every thread is blocked, some until input or a signal comes");
    }
    struct timespec nap = { 0, 10000000 };
    syscall_raw(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, (long)&nap, 0, 0, 0);
  }
  tell_waiting();
  end_run(DEADLOCK, self->pc, "every thread waits");
}

/* ---- the turn */

void wait_for_turn(void) {
  while (!__atomic_load_n(&self->turn, __ATOMIC_ACQUIRE)) futex(&self->turn, FUTEX_WAIT, 0);
  __atomic_store_n(&self->turn, 0, __ATOMIC_RELAXED);
}

static void give_turn(struct thread *next) {
  alone = 0;
  __atomic_store_n(&next->turn, 1, __ATOMIC_RELEASE);
  futex(&next->turn, FUTEX_WAKE, 1);
}

/* The value that the last write has put there is known only when the thread comes back. */
void settle_last_write(struct thread *t) {
  if (!t->last_write) return;
  events[t->last_write_event].value = load_value(t->last_write, t->last_write_size);
  t->last_write = 0;
}

void note(enum kind kind, uintptr_t address, uint64_t value, uint32_t size, uintptr_t pc) {
  if (!control->record || control->events >= MAX_EVENTS || !self) return;
  struct event *e = &events[control->events++];
  *e = (struct event){ control->record > 1 ? pc : 0, address, value, 0, size, (uint16_t)self->id, (uint8_t)kind,
                       (uint8_t)((self->block_depth > 0 ? IN_BLOCK : 0) | (kind >= CHOICE ? NO_STEP : 0)) };
}

void mark_last_event(uint32_t flags) {
  if (control->record && control->events > 0) events[control->events - 1].flags |= (uint8_t)flags;
}

/* What the step is about is known only after it. */
static void about(uintptr_t address) {
  if (control->record && control->events > 0) events[control->events - 1].address = address;
}

static void count_step(uint64_t enabled) {
  steps++;
  alone++;
  given_used++;
  self->steps++;
  self->hash = mix(self->hash, (uint64_t)self->kind + 41);
  uint32_t n = control->segments;
  if (n > 0 && segments[n - 1].thread == self->id) segments[n - 1].steps++;
  else if (n < MAX_SEGMENTS) {
    segments[n] = (struct segment){ self->id, 1 };
    control->segments = n + 1;
  }
  note(self->kind, self->kind == JOIN ? ((struct thread *)self->object)->id : (uintptr_t)self->object,
       (uintptr_t)self->other, 0, self->pc);
  if (control->record && control->events > 0) events[control->events - 1].enabled = enabled;
  if (steps >= control->max_steps) {
    tell_waiting();
    end_run(STEP_LIMIT, self->pc, "the step budget is used up");
  }
}

static void take_turn(void) {
  struct thread *next = pick();
  if (next == self) return;
  /* Registers may hold the only pointer to a block: leaks.c looks at the stack, as soon as the other thread runs. */
  volatile char lowest = 0;
  __builtin_unwind_init();
  self->frame = (uintptr_t)&lowest;
  give_turn(next);
  wait_for_turn();
}

/* Everything that threads could notice of each other goes through here: returns when it is this thread's turn. */
static void next_step(int may_switch) {
  settle_last_write(self);
  int given = given_at < control->given_segments;
  if (clock_now() >= next_due) fire_timers();
  if (may_switch || given || self->spinning || alone > fair_steps || self->signals) {
    shared_steps += self->block_depth == 0; /* Inside a block there is nothing to decide. */
    if (control->policy == PCT && !given && self->block_depth == 0)
      for (uint32_t i = 0; i + 1 < control->depth; i++)
        if (change_points[i] == shared_steps) self->priority = 16 - i;
    if (self->block_depth == 0) remember_place(self->pc);
    if (control->policy != STAY && !given && self->block_depth == 0) self->delayed_until = lets_others_first() ? shared_steps + ((uint64_t)2 << next_random() % 10) : 0;
    take_turn();
    self->delayed_until = 0;
    /* After a handler the thread is where it was, and perhaps it still waits. */
    while (self->signals && takes_signal(self)) {
      take_signal();
      take_turn();
    }
  }
  count_step(control->record ? enabled_mask() : 0);
  self->write_pc = 0;
}

void step(enum kind kind, void *object, void *other, uintptr_t pc) {
  self->kind = kind;
  self->object = object;
  self->other = other;
  self->pc = pc;
  next_step(1);
  if (kind != YIELD && kind != TRYLOCK && kind != TRY_READ_LOCK && kind != SEM_TRYWAIT) did_something();
}

/* The first step of a thread, whose turn it is. */
static void begin_step(void) {
  if (self->id > 0) unbegun--;
  count_step(control->record ? enabled_mask() : 0);
}

/* An access to memory: a place to switch if another thread has ever been seen there. */
void visible(enum kind kind, uintptr_t address, uint32_t size, uintptr_t pc) {
  self->kind = kind;
  self->object = (void *)address;
  self->other = 0;
  self->pc = pc;
  if (kind == READ && self->write_pc && nothing_stored_between(self->write_pc, pc)) {
    settle_last_write(self);
    count_step(control->record ? enabled_mask() : 0);
    mark_last_event(SAME_STATEMENT);
  } else next_step(kind >= ATOMIC_READ || control->policy == STAY || unbegun > 0 || is_shared(address));
  self->write_pc = kind == WRITE ? pc : 0;
  if (!control->record || control->events == 0) return;
  struct event *e = &events[control->events - 1];
  e->size = size;
  if (kind == WRITE) {
    self->last_write = (char *)address;
    self->last_write_size = size;
    self->last_write_event = control->events - 1;
  } else if (control->record > 1) e->value = load_value((void *)address, size);
}

/* The thread says that it has nothing to do: others first. */
void yield_step(uintptr_t pc) {
  self->spinning = 1;
  self->spin_epoch = writes;
  if (control->policy == PCT && given_at >= control->given_segments) self->priority = 0;
  step(YIELD, 0, 0, pc);
  self->spinning = 0;
}

/* An assumption of the thread does not hold: it goes no further. What the others do could have come before that. */
static void stop_thread(uintptr_t pc) {
  came_too_early();
  if (self->block_depth > 0) end_run(STOPPED, pc, "an assumption does not hold");
  settle_last_write(self);
  self->stopped = 1;
  self->pc = pc;
  give_turn(pick());
  for (;;) wait_for_turn();
}

void finish_thread(void) {
  self->finished = 1;
  if (--live_threads == 0) {
    need_late_threads();
    self->finished = 0;
    finish_program(1);
  }
  give_turn(pick());
}

void report_counts(void) {
  control->steps = steps;
  control->shared_steps = shared_steps;
  control->threads = thread_count;
  keep_inputs();
  if (thread_count > learnt->most_threads) learnt->most_threads = thread_count;
  for (uint32_t i = 0; i < thread_count; i++) {
    control->hash += mix(threads[i].hash, i + 1);
    control->unjoined += i > 0 && !threads[i].joined && !threads[i].detached;
  }
}
