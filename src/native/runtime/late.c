/* Threads that have not begun yet. Of a program that creates thousands, a run has only some: the others are created like
   any thread, and just do not get the turn, as may happen on any machine. Nobody can join them, and where the program
   cannot go on without them the run is cut. So a loop that creates ten thousand threads comes to its end, and
   what follows it is seen. */
#include "heddle.h"
#include <pthread.h>
#include <signal.h>

#define MAX_LATE_THREADS 25000
/* After k threads the next one begins with a probability of LATE_ODDS / k: some of every loop do. */
#define LATE_ODDS 8
/* Handles of real threads are addresses. */
#define FIRST_LATE_HANDLE 16

static uint32_t late_threads, created_threads;
static int64_t late_salt = -1;
static struct thread late_thread = { .kind = BEGIN };

static int is_late(pthread_t handle) { return (uintptr_t)handle - FIRST_LATE_HANDLE < late_threads; }

static int begins_late(void) {
  if (!(control->checks & LATE_THREADS)) return 0;
  if (++created_threads <= MANY_THREADS) return thread_count >= control->max_threads;
  if (late_salt < 0) late_salt = choose(16);
  int begins = (mix(created_threads, (uint64_t)late_salt) >> 16) % created_threads < LATE_ODDS;
  return !begins || thread_count >= control->max_threads;
}

static int create_late(pthread_t *handle, uintptr_t pc) {
  if (late_threads >= MAX_LATE_THREADS) end_run(STEP_LIMIT, pc, "more threads than one run may have");
  *handle = (pthread_t)(FIRST_LATE_HANDLE + late_threads++);
  /* A loop without end that only creates threads lets the others go, too. */
  if (late_threads % 16 == 0) step(YIELD, 0, 0, pc);
  return 0;
}

/* Nobody else can go on. */
static void need_late_threads(void) {
  if (late_threads == 0) return;
  tell_waiting();
  end_run(STEP_LIMIT, self->pc, "threads that were created have not begun");
}

/* What the C library would do with a handle, which it does not know. */
#define LATE_OR_REAL(name, declared, given) \
  INSTEAD int name declared { return is_late(thread) ? 0 : REAL(name) given; }
LATE_OR_REAL(pthread_setname_np, (pthread_t thread, const char *name), (thread, name))
LATE_OR_REAL(pthread_setschedparam, (pthread_t thread, int policy, const struct sched_param *parameter), (thread, policy, parameter))
LATE_OR_REAL(pthread_setschedprio, (pthread_t thread, int priority), (thread, priority))
LATE_OR_REAL(pthread_setaffinity_np, (pthread_t thread, size_t size, const cpu_set_t *set), (thread, size, set))
