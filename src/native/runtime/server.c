/* The server: the program is loaded once, and every run is a fork of it, before any of the program's own code. Runs are
   asked for by a line on descriptor 3 and answered by a line on descriptor 4; the rest is in the control file. */
#include "heddle.h"
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t child;
static volatile sig_atomic_t was_late;
static volatile uint32_t ticks, last_tick;
#define TICK_MS 20

/* Offsets are those of src/native/process/control.ts. */
static void lay_out(char *base) {
  control = (struct control *)base;
  char *at = base + CONTROL_BYTES;
  given_segments = (struct segment *)at, at += MAX_SEGMENTS * sizeof(struct segment);
  segments = (struct segment *)at, at += MAX_SEGMENTS * sizeof(struct segment);
  given_values = (struct value *)at, at += MAX_VALUES * sizeof(struct value);
  values = (struct value *)at, at += MAX_VALUES * sizeof(struct value);
  dictionary = (int64_t *)at, at += MAX_DICTIONARY * sizeof(int64_t);
  coverage = (uint8_t *)at, at += COVERAGE_BYTES;
  shared_before = (uint8_t *)at, at += SHARED_BITS / 8;
  learnt = (struct learnt *)at, at += LEARNT_BYTES;
  events = (struct event *)at;
}
#define FILE_BYTES (CONTROL_BYTES + 2 * MAX_SEGMENTS * sizeof(struct segment) + 2 * MAX_VALUES * sizeof(struct value) + \
                    MAX_DICTIONARY * 8 + COVERAGE_BYTES + SHARED_BITS / 8 + LEARNT_BYTES + MAX_EVENTS * sizeof(struct event))
_Static_assert(sizeof(struct learnt) <= LEARNT_BYTES, "what is learnt fits its place");
_Static_assert(sizeof(struct control) <= CONTROL_BYTES, "the control block fits its place");
_Static_assert(sizeof(struct event) == 40 && sizeof(struct value) == 24 && sizeof(struct waiting) == 32, "as control.ts has it");
_Static_assert(offsetof(struct control, outcome) == 80 && offsetof(struct control, pc) == 96, "as control.ts has it");
_Static_assert(offsetof(struct control, other_thread) == 160 && offsetof(struct control, text) == 192, "as control.ts has it");

/* The timer ticks through a whole batch: a run costs no call for it. */
static void on_alarm(int number) {
  (void)number;
  if (++ticks < last_tick || child <= 0) return;
  was_late = 1;
  kill(child, SIGKILL);
}

static void clear_answer(void) {
  memset((char *)control + offsetof(struct control, outcome), 0, offsetof(struct control, waiting) - offsetof(struct control, outcome));
  control->anchor = (uintptr_t)&__tsan_init;
}

static void tick_each(uint32_t ms) {
  struct timeval time = { ms / 1000, ms % 1000 * 1000 };
  struct itimerval timer = { .it_interval = time, .it_value = time };
  setitimer(ITIMER_REAL, &timer, 0);
}

/* All threads of a run stay on the processor on which it began: one of them runs at a time, and to wake one on another
   processor costs several times as much. The server itself goes wherever the system likes. */
static void stay_on_processor(void) {
  cpu_set_t set;
  int cpu = sched_getcpu();
  if (cpu < 0) return;
  CPU_ZERO(&set);
  CPU_SET((size_t)cpu, &set);
  sched_setaffinity(0, sizeof set, &set);
}

/* Processes that a run has started in a way that the runtime does not see become ours when it ends. */
static int end_other_processes(void) {
  int any = 0;
  for (pid_t ended; (ended = waitpid(-1, 0, WNOHANG)) >= 0;) {
    any = 1;
    if (ended > 0) continue;
    char name[64];
    __real_snprintf(name, sizeof name, "/proc/self/task/%d/children", (int)getpid());
    FILE *list = fopen(name, "r");
    int id;
    while (list && fscanf(list, "%d", &id) == 1) kill(id, SIGKILL);
    if (!list) return any;
    fclose(list);
  }
  return any;
}

/* Becomes the child, and returns 1 in it. */
static int run_once(void) {
  clear_answer();
  was_late = 0;
  last_tick = ticks + control->run_ms / TICK_MS + 2;
  child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == 1) leave_process(0);
    stay_on_processor();
    signal(SIGALRM, SIG_DFL);
    close(3);
    close(4);
    return 1;
  }
  if (child < 0) {
    control->outcome = UNSUPPORTED;
    strcpy(control->text, "the system gives no more processes");
    return 0;
  }
  int status = 0;
  struct rusage usage;
  while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {}
  child = 0;
  /* Whatever the answer says: both may have written it. */
  if (end_other_processes()) {
    control->outcome = UNSUPPORTED;
    strcpy(control->text, "the program starts another process");
  }
  if (control->outcome != RUNNING) return 0;
  long used = usage.ru_utime.tv_sec * 1000 + usage.ru_utime.tv_usec / 1000;
  if (was_late) {
    int spins = used > (long)control->run_ms / 20; /* the machine may be busy; who waits uses nothing */
    control->outcome = spins ? STEP_LIMIT : HUNG;
    strcpy(control->text, spins ? "a thread computes without end, and without any access that others could see"
                                : "a thread waits in a system call");
  } else {
    control->outcome = KILLED;
    control->signal = WIFSIGNALED(status) ? (uint32_t)WTERMSIG(status) : 0;
    strcpy(control->text, "the process ended without the runtime's noticing");
  }
  return 0;
}

/* The answers of a batch go out together: who reads them is woken once. */
static char answers[1 << 16];
static size_t answers_used;
static void send_answers(void) {
  for (size_t sent = 0; sent < answers_used;) {
    ssize_t n = write(4, answers + sent, answers_used - sent);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) leave_process(0);
    sent += (size_t)n;
  }
  answers_used = 0;
}

static void answer(void) {
  if (answers_used + 256 > sizeof answers) send_answers();
  answers_used += (size_t)__real_snprintf(answers + answers_used, 200, "%u %u %llx %llx %llu %llu %u %llu\n", control->outcome,
                                   control->thread, (unsigned long long)control->pc, (unsigned long long)control->hash,
                                   (unsigned long long)control->steps, (unsigned long long)control->shared_steps,
                                   control->threads, (unsigned long long)control->seed);
}

/* Long runs make short batches: who asked has a limit of time to keep. */
#define BATCH_MS 300
static uint64_t milliseconds(void) {
  struct timespec now = { 0, 0 };
  syscall_raw(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&now, 0, 0, 0, 0);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}
static int is_plain(uint32_t outcome) {
  return outcome == FINISHED || outcome == STOPPED || (outcome == STEP_LIMIT && !control->stop_at_limit);
}

/* Returns in a child only, which goes on to the program's start. */
static void answer_requests(void) {
  char line[64];
  for (;;) {
    size_t n = 0;
    while (n + 1 < sizeof line) {
      ssize_t got = read(3, line + n, 1);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) leave_process(0);
      if (line[n++] == '\n') break;
    }
    line[n - 1] = 0;
    unsigned long count = strtoul(line, 0, 10);
    uint64_t began = milliseconds();
    tick_each(TICK_MS);
    for (unsigned long i = 0; i < count; i++, control->seed++) {
      if (run_once()) return;
      answer();
      if (!is_plain(control->outcome) || milliseconds() - began > BATCH_MS) break;
    }
    tick_each(0);
    memcpy(answers + answers_used, ".\n", 2);
    answers_used += 2;
    send_answers();
  }
}

static void become_predictable(void) {
  int now = personality(0xffffffff);
  if (now < 0 || (now & ADDR_NO_RANDOMIZE) || __real_getenv("HEDDLE_AGAIN")) return;
  if (personality((unsigned long)now | ADDR_NO_RANDOMIZE) < 0) return;
  __real_setenv("HEDDLE_AGAIN", "1", 1);
  execv("/proc/self/exe", program_arguments);
}

static void open_control(void) {
  const char *path = __real_getenv("HEDDLE_CONTROL");
  int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  by_hand = file < 0;
  char *base = mmap(0, FILE_BYTES, PROT_READ | PROT_WRITE, by_hand ? MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE : MAP_SHARED, file, 0);
  if (base == MAP_FAILED) leave_process(79);
  if (file >= 0) {
    close(file);
    close(5); /* as which it was given */
  }
  lay_out(base);
}

static void serve(void) {
  struct rlimit none = { 0, 0 };
  if (__real_getenv("HEDDLE_CONTROL")) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    become_predictable();
  }
  open_control();
  setrlimit(RLIMIT_CORE, &none);
  init_verifier();
  /* Before the fork, as these are the same for every run. */
  init_races();
  init_crash();
  if (by_hand) {
    clear_answer();
    control->policy = STAY;
    control->max_steps = (uint64_t)-1;
    control->max_threads = MAX_THREADS;
  } else {
    const char *cpu = __real_getenv("HEDDLE_CPU");
    cpu_set_t set;
    CPU_ZERO(&set);
    if (cpu) {
      CPU_SET((size_t)atoi(cpu), &set);
      sched_setaffinity(0, sizeof set, &set);
    }
    struct sigaction action = { .sa_handler = on_alarm, .sa_flags = SA_RESTART };
    sigaction(SIGALRM, &action, 0);
    answer_requests();
  }
  init_scheduler();
  begin_heap();
  start_main();
  begin_step();
}
