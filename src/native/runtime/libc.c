/* The rest of the C library that matters: time and randomness come from the schedule, copying is access to memory, and
   what would leave the scheduler's reach (other processes) ends the run with a word about it. */
#include "heddle.h"
#include <dlfcn.h>
#include <poll.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static long syscall_raw(long number, long a, long b, long c, long d, long e, long f) {
  static long (*real)(long, ...);
  if (!real) real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  return real(number, a, b, c, d, e, f);
}

/* ---- time */

static void sleep_for(uint64_t nanoseconds, uintptr_t pc) {
  advance_clock(nanoseconds);
  test_cancel(pc);
  yield_step(pc);
}
INSTEAD unsigned sleep(unsigned seconds) {
  if (CONTROLLED) sleep_for((uint64_t)seconds * 1000000000u, PC);
  return 0;
}
INSTEAD int usleep(useconds_t us) {
  if (CONTROLLED) sleep_for((uint64_t)us * 1000, PC);
  return 0;
}
INSTEAD int nanosleep(const struct timespec *time, struct timespec *left) {
  if (left) *left = (struct timespec){ 0 };
  if (CONTROLLED) sleep_for((uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_nsec, PC);
  return 0;
}
INSTEAD int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left) {
  (void)clock;
  if (left) *left = (struct timespec){ 0 };
  if (!CONTROLLED) return 0;
  uint64_t wanted = (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_nsec, now = clock_now();
  sleep_for(flags ? (wanted > now ? wanted - now : 0) : wanted, PC);
  return 0;
}
INSTEAD int sched_yield(void) {
  if (CONTROLLED) yield_step(PC);
  return 0;
}
INSTEAD int clock_gettime(clockid_t clock, struct timespec *time) {
  (void)clock;
  uint64_t now = control ? clock_now() : 0;
  *time = (struct timespec){ (time_t)(now / 1000000000u), (long)(now % 1000000000u) };
  if (control) advance_clock(1000);
  return 0;
}
INSTEAD int gettimeofday(struct timeval *time, void *zone) {
  (void)zone;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  *time = (struct timeval){ now.tv_sec, now.tv_nsec / 1000 };
  return 0;
}
INSTEAD time_t time(time_t *to) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (to) *to = now.tv_sec;
  return now.tv_sec;
}
INSTEAD clock_t clock(void) { return (clock_t)(steps + 1); }

/* ---- randomness */

INSTEAD ssize_t getrandom(void *to, size_t n, unsigned flags) {
  (void)flags;
  for (size_t i = 0; i < n; i++) ((unsigned char *)to)[i] = (unsigned char)(mix(steps + 1, i) >> 8);
  return (ssize_t)n;
}
INSTEAD int getentropy(void *to, size_t n) { return getrandom(to, n, 0) < 0; }

#undef mmap
#undef munmap
#undef mprotect
#undef memcpy
#undef memmove
#undef memset
#undef memcmp
#undef strcpy
#undef strncpy

/* ---- copying: the linker leads the program's own calls here, not those of libraries */

#define WRAP(type, name, ...) extern type __real_##name(__VA_ARGS__); extern type __wrap_##name(__VA_ARGS__); type __wrap_##name(__VA_ARGS__)
/* A small copy is not one step: others may come between its words. */
static void *copy(void *to, const void *from, size_t n, uintptr_t pc) {
  size_t done = 0;
  for (; n <= 128 && done < n; done += 8) {
    size_t part = n - done < 8 ? n - done : 8;
    access_range((const char *)from + done, part, 0, pc);
    access_range((char *)to + done, part, 1, pc);
    __real_memcpy((char *)to + done, (const char *)from + done, part);
  }
  if (done >= n) return to;
  access_range(from, n, 0, pc);
  access_range(to, n, 1, pc);
  return __real_memcpy(to, from, n);
}
WRAP(void *, memcpy, void *to, const void *from, size_t n) { return copy(to, from, n, PC); }
WRAP(void *, memmove, void *to, const void *from, size_t n) {
  access_range(from, n, 0, PC);
  access_range(to, n, 1, PC);
  return __real_memmove(to, from, n);
}
WRAP(void *, memset, void *to, int value, size_t n) {
  access_range(to, n, 1, PC);
  return __real_memset(to, value, n);
}
WRAP(int, memcmp, const void *a, const void *b, size_t n) {
  access_range(a, n, 0, PC);
  access_range(b, n, 0, PC);
  return __real_memcmp(a, b, n);
}
WRAP(size_t, strlen, const char *s) {
  access_range(s, __real_strlen(s) + 1, 0, PC);
  return __real_strlen(s);
}
WRAP(int, strcmp, const char *a, const char *b) {
  access_range(a, __real_strlen(a) + 1, 0, PC);
  access_range(b, __real_strlen(b) + 1, 0, PC);
  return __real_strcmp(a, b);
}
WRAP(int, strncmp, const char *a, const char *b, size_t n) {
  access_range(a, strnlen(a, n), 0, PC);
  access_range(b, strnlen(b, n), 0, PC);
  return __real_strncmp(a, b, n);
}
WRAP(char *, strcpy, char *to, const char *from) {
  access_range(from, __real_strlen(from) + 1, 0, PC);
  access_range(to, __real_strlen(from) + 1, 1, PC);
  return __real_strcpy(to, from);
}
WRAP(char *, strncpy, char *to, const char *from, size_t n) {
  access_range(from, strnlen(from, n), 0, PC);
  access_range(to, n, 1, PC);
  return __real_strncpy(to, from, n);
}
WRAP(char *, strcat, char *to, const char *from) {
  access_range(from, __real_strlen(from) + 1, 0, PC);
  access_range(to + __real_strlen(to), __real_strlen(from) + 1, 1, PC);
  return __real_strcat(to, from);
}
WRAP(char *, strchr, const char *s, int c) {
  access_range(s, __real_strlen(s) + 1, 0, PC);
  return __real_strchr(s, c);
}

/* ---- pages that are mapped are new objects, whatever lay there before */

static void add_mapping(char *from, char *to) {
  struct mapping *m = take(sizeof *m);
  *m = (struct mapping){ from, to, mappings };
  mappings = m;
}
/* What can be written may hold pointers to blocks. */
static void note_mapping(char *at, size_t size, int rights) {
  char *end = at + size;
  for (struct mapping *m = mappings; m; m = m->next) {
    if (m->to <= at || m->from >= end) continue;
    if (m->from < at && m->to > end) add_mapping(end, m->to);
    if (m->from < at) m->to = at;
    else m->from = m->to > end ? end : m->to;
  }
  if (rights & PROT_WRITE) add_mapping(at, end);
}
/* What was written there last is read before it cannot be read any more. */
static void settle_writes_in(char *at, size_t size) {
  for (uint32_t i = 0; i < thread_count; i++)
    if (threads[i].last_write >= at && threads[i].last_write < at + size) settle_last_write(&threads[i]);
}
WRAP(void *, mmap, void *at, size_t size, int rights, int flags, int descriptor, off_t offset) {
  void *p = __real_mmap(at, size, rights, flags, descriptor, offset);
  if (CONTROLLED && p != MAP_FAILED) {
    note_mapping(p, size, rights);
    forget_accesses((uintptr_t)p, size);
    forget_objects((uintptr_t)p, size);
  }
  return p;
}
WRAP(int, munmap, void *at, size_t size) {
  if (CONTROLLED) {
    settle_writes_in(at, size);
    forget_objects((uintptr_t)at, size);
    note_mapping(at, size, PROT_NONE);
  }
  return __real_munmap(at, size);
}
WRAP(int, mprotect, void *at, size_t size, int rights) {
  if (CONTROLLED) settle_writes_in(at, size);
  return __real_mprotect(at, size, rights);
}
WRAP(void *, mremap, void *at, size_t old, size_t size, int flags, void *to) {
  if (CONTROLLED) settle_writes_in(at, old);
  void *p = __real_mremap(at, old, size, flags, to);
  if (CONTROLLED && p != MAP_FAILED && p != at) {
    note_mapping(at, old, PROT_NONE);
    note_mapping(p, size, PROT_READ | PROT_WRITE);
    forget_accesses((uintptr_t)p, size);
  }
  return p;
}

/* ---- locks of streams: ours alone, as a real one would stop the thread that has the turn */

INSTEAD void flockfile(FILE *file) {
  if (CONTROLLED) lock_mutex(object_at(file, FILE_LOCK), 1, PC);
}
INSTEAD int ftrylockfile(FILE *file) { return CONTROLLED ? lock_mutex(object_at(file, FILE_LOCK), 0, PC) : 0; }
INSTEAD void funlockfile(FILE *file) {
  if (CONTROLLED) unlock_mutex(object_at(file, FILE_LOCK), PC);
}

/* ---- other processes are out of reach */


static void no_process(const char *text, uintptr_t pc) {
  if (self) end_run(UNSUPPORTED, pc, text);
  errno = ENOSYS;
}
#define STARTS "the program starts another process: "
INSTEAD pid_t vfork(void) { return no_process(STARTS "vfork", PC), -1; }
INSTEAD int system(const char *command) { return (void)command, no_process(STARTS "system", PC), -1; }
INSTEAD FILE *popen(const char *command, const char *mode) {
  return (void)command, (void)mode, no_process(STARTS "popen", PC), (FILE *)0;
}
INSTEAD int execve(const char *path, char *const arguments[], char *const environment[]) {
  return (void)path, (void)arguments, (void)environment, no_process("the program becomes another one: execve", PC), -1;
}
#define BECOMES(name, declared) \
  INSTEAD int name declared { return no_process("the program becomes another one: " #name, PC), -1; }
#define UNUSED_LIST __attribute__((unused)) const char *path, __attribute__((unused)) const char *first, ...
#define UNUSED_VECTOR __attribute__((unused)) const char *path, __attribute__((unused)) char *const arguments[]
BECOMES(execl, (UNUSED_LIST))
BECOMES(execlp, (UNUSED_LIST))
BECOMES(execle, (UNUSED_LIST))
BECOMES(execv, (UNUSED_VECTOR))
BECOMES(execvp, (UNUSED_VECTOR))
BECOMES(execvpe, (UNUSED_VECTOR, __attribute__((unused)) char *const environment[]))
BECOMES(fexecve, (__attribute__((unused)) int descriptor, __attribute__((unused)) char *const arguments[],
                  __attribute__((unused)) char *const environment[]))
INSTEAD int daemon(int stay, int quiet) { return (void)stay, (void)quiet, no_process(STARTS "daemon", PC), -1; }
INSTEAD int clone(int (*start)(void *), void *stack, int flags, void *argument, ...) {
  return (void)start, (void)stack, (void)flags, (void)argument, no_process(STARTS "clone", PC), -1;
}
INSTEAD int posix_spawnp(pid_t *restrict id, const char *restrict path, const posix_spawn_file_actions_t *restrict actions,
                         const posix_spawnattr_t *restrict attributes, char *const arguments[restrict],
                         char *const environment[restrict]) {
  (void)id, (void)path, (void)actions, (void)attributes, (void)arguments, (void)environment;
  return no_process(STARTS "posix_spawnp", PC), ENOSYS;
}
INSTEAD int posix_spawn(pid_t *restrict id, const char *restrict path, const posix_spawn_file_actions_t *restrict actions,
                        const posix_spawnattr_t *restrict attributes, char *const arguments[restrict],
                        char *const environment[restrict]) {
  (void)id, (void)path, (void)actions, (void)attributes, (void)arguments, (void)environment;
  return no_process(STARTS "posix_spawn", PC), ENOSYS;
}
/* Its threads wait for each other by system calls of its own. */
#define OPENMP(name) \
  void name(void); \
  INSTEAD void name(void) { end_run(UNSUPPORTED, PC, "the program starts threads by OpenMP, which cannot be scheduled"); }
OPENMP(GOMP_parallel) OPENMP(GOMP_parallel_start) OPENMP(GOMP_parallel_sections) OPENMP(GOMP_parallel_reductions)
OPENMP(GOMP_parallel_loop_static) OPENMP(GOMP_parallel_loop_dynamic) OPENMP(GOMP_parallel_loop_guided)
OPENMP(GOMP_parallel_loop_runtime) OPENMP(GOMP_parallel_loop_nonmonotonic_dynamic)
OPENMP(GOMP_parallel_loop_nonmonotonic_guided) OPENMP(GOMP_parallel_loop_nonmonotonic_runtime)
OPENMP(GOMP_parallel_loop_maybe_nonmonotonic_runtime) OPENMP(GOMP_task) OPENMP(GOMP_teams_reg)
OPENMP(__kmpc_fork_call) OPENMP(__kmpc_omp_task)
INSTEAD pid_t fork(void) {
  if (self) end_run(UNSUPPORTED, PC, STARTS "fork");
  return ((pid_t (*)(void))dlsym(RTLD_NEXT, "fork"))();
}
