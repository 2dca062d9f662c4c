/* How a run ends: by a finding, by a signal, or as the program wants. The answer goes to the control file. */
#include "heddle.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

static int by_hand; /* nobody asked for this run: the outcome is said on standard error */

extern char __executable_start[], etext[];
static int is_program_code(uintptr_t pc) { return pc >= (uintptr_t)__executable_start && pc < (uintptr_t)etext; }

static void leave_process(int status) {
  syscall_raw(SYS_exit_group, status, 0, 0, 0, 0, 0);
  __builtin_trap();
}

static void end_run(enum outcome outcome, uintptr_t pc, const char *text) {
  if (control->outcome == RUNNING) {
    if (self && outcome != RACE && outcome != INVALID_ACCESS && outcome != CRASH) settle_last_write(self);
    if (outcome != LEAK) {
      control->pc = pc;
      control->thread = self ? self->id : 0;
    }
    strncpy(control->text, text, sizeof control->text - 1);
    note(FAILED, control->address, outcome, 0, pc);
    if (control->waiting_count == 0) tell_waiting();
    leave_out_own_steps();
    report_counts();
    __atomic_store_n(&control->outcome, (uint32_t)outcome, __ATOMIC_RELEASE);
  }
  if (by_hand && outcome != FINISHED) fprintf(stderr, "heddle: %s\n", text);
  leave_process(outcome == FINISHED ? 0 : 70);
  __builtin_unreachable();
}

/* The end of the program is a step: what others do before it counts. */
static void finish_program(int run_leak_check) {
  if (CONTROLLED) step(EXIT, 0, 0, self->pc);
  if (self) self->inside = 1;
  /* Who has not begun holds what it was given. */
  if (run_leak_check && (control->checks & CHECK_LEAKS) && late_threads == 0) {
    const char *leak = find_leak();
    if (leak) end_run(LEAK, 0, leak);
  }
  fflush(0);
  end_run(FINISHED, 0, "");
}

static const char *signal_text(int number, siginfo_t *info) {
  switch (number) {
    case SIGSEGV: case SIGBUS:
      return (uintptr_t)info->si_addr < 4096 ? "null pointer dereference" : "invalid memory access";
    case SIGFPE: return "arithmetic error (division by zero)";
    case SIGILL: return "illegal instruction";
    case SIGTRAP: return "trap";
    default: return "abort";
  }
}

static void on_signal(int number, siginfo_t *info, void *given) {
  uintptr_t pc = 0;
#if defined __x86_64__
  pc = (uintptr_t)((ucontext_t *)given)->uc_mcontext.gregs[REG_RIP];
#elif defined __i386__
  pc = (uintptr_t)((ucontext_t *)given)->uc_mcontext.gregs[REG_EIP];
#elif defined __aarch64__
  pc = (uintptr_t)((ucontext_t *)given)->uc_mcontext.pc;
#else
  (void)given;
#endif
  control->signal = (uint32_t)number;
  control->address = (uintptr_t)info->si_addr;
  /* A crash in a library, or where the runtime looked at what the program is about to access, is the program's. */
  if (self && (!is_program_code(pc) || (uintptr_t)info->si_addr - (uintptr_t)self->object < 4096)) pc = self->pc;
  end_run(number == SIGABRT ? ABORTED : CRASH, pc, signal_text(number, info));
}

static void own_signal_stack(void) {
  static const size_t bytes = 65536;
  stack_t stack = { .ss_sp = take(bytes), .ss_size = bytes };
  sigaltstack(&stack, 0);
}

static void init_crash(void) {
  static const int numbers[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS };
  struct sigaction action = { .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER };
  action.sa_sigaction = on_signal;
  own_signal_stack();
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) sigaction(numbers[i], &action, 0);
}

static void fail_assertion(const char *expression, const char *file, unsigned line, uintptr_t pc) {
  if (!self) abort();
  strncpy(control->file, file ? file : "", sizeof control->file - 1);
  control->line = line;
  end_run(ASSERT_FAILED, pc, expression);
}
INSTEAD void __assert_fail(const char *expression, const char *file, unsigned line, const char *function) {
  (void)function;
  fail_assertion(expression, file, line, PC);
  __builtin_unreachable();
}
INSTEAD void __assert(const char *expression, const char *file, int line) {
  fail_assertion(expression, file, (unsigned)line, PC);
  __builtin_unreachable();
}
INSTEAD void abort(void) {
  /* The last instruction of a function may be the call: the return address lies behind it then. */
  if (CONTROLLED && is_assumption(PC - 1)) stop_thread(PC);
  if (control) end_run(ABORTED, PC, "abort() is called");
  leave_process(70);
  __builtin_unreachable();
}
INSTEAD void _exit(int status) {
  (void)status;
  if (self && !self->inside) finish_program(0);
  leave_process(status);
  __builtin_unreachable();
}
INSTEAD void _Exit(int status) { _exit(status); }
