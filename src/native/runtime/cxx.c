/* C++: the guards of function-local statics, which libstdc++ would wait for by itself; operator new and delete, so that a
   block knows where the program asked for it; and the exceptions that several threads hold, which libstdc++ counts. */
#include "heddle.h"

INSTEAD int __cxa_guard_acquire(uint8_t *guard) {
  if (!CONTROLLED) return !*guard;
  struct object *o = object_at(guard + 4, ONCE_FLAG);
  sync_step(ONCE, o, 0, PC);
  acquire_from(&o->clock);
  if (*guard) return 0;
  o->owner = (int)self->id;
  return 1;
}
static void end_guard(uint8_t *guard, uint8_t done, uintptr_t pc) {
  if (!CONTROLLED) return (void)(*guard = done);
  struct object *o = object_at(guard + 4, ONCE_FLAG);
  sync_step(ONCE_DONE, o, 0, pc);
  *guard = done; /* Who sees it comes after what was done: no earlier than the release. */
  o->owner = -1;
  release_to(&o->clock);
  synchronise_atomic((uintptr_t)guard, 0, 1, __ATOMIC_RELEASE);
}
INSTEAD void __cxa_guard_release(uint8_t *guard) { end_guard(guard, 1, PC); }
INSTEAD void __cxa_guard_abort(uint8_t *guard) { end_guard(guard, 0, PC); }

/* Where there is no memory the library's own operator calls the program's new_handler, or throws. */
static void *new_or_throw(size_t size, size_t alignment, uintptr_t pc) {
  void *p = allocate(size, alignment, 0, pc);
  if (p || !control) return p;
  if (alignment > 16) return ((void *(*)(size_t, size_t))real_function("_ZnwmSt11align_val_t"))(size, alignment);
  return ((void *(*)(size_t))real_function("_Znwm"))(size);
}
#define NEW(label, ...) __VA_ARGS__ __asm__(label); INSTEAD __VA_ARGS__
NEW("_Znwm", void *heddle_new(size_t n)) { return new_or_throw(n, 16, PC); }
NEW("_Znam", void *heddle_new_array(size_t n)) { return new_or_throw(n, 16, PC); }
NEW("_ZnwmSt11align_val_t", void *heddle_new_aligned(size_t n, size_t a)) { return new_or_throw(n, a < 16 ? 16 : a, PC); }
NEW("_ZnwmRKSt9nothrow_t", void *heddle_new_quiet(size_t n, void *x)) { return (void)x, allocate(n, 16, 0, PC); }
NEW("_ZnamRKSt9nothrow_t", void *heddle_new_array_quiet(size_t n, void *x)) { return (void)x, allocate(n, 16, 0, PC); }
NEW("_ZdlPv", void heddle_delete(void *p)) { release(p, PC); }
NEW("_ZdaPv", void heddle_delete_array(void *p)) { release(p, PC); }
NEW("_ZdlPvm", void heddle_delete_sized(void *p, size_t n)) { (void)n, release(p, PC); }
NEW("_ZdaPvm", void heddle_delete_array_sized(void *p, size_t n)) { (void)n, release(p, PC); }
NEW("_ZdlPvmSt11align_val_t", void heddle_delete_aligned(void *p, size_t n, size_t a)) { (void)n, (void)a, release(p, PC); }

/* ---- counts inside of libstdc++ (as gcc has them on machines of 64 bits): who lets go of an exception, or of the text in
   one, comes before who frees it. The counts lie before what they count, where no access of the program is. */

struct caught { void *primary; uint64_t others[9], class; };
#define GNU_CXX 0x474e5543432b2b00u /* "GNUCC++" and 0; or 1, if it stands for another exception */
#define HEADER_BYTES 112
#define COUNT_BEFORE_EXCEPTION 128
#define COUNT_BEFORE_TEXT 8
extern __attribute__((weak)) struct caught **__cxa_get_globals(void);

static void let_go(const char *counted, size_t before, uintptr_t pc) {
  if (CONTROLLED && sizeof(void *) == 8 && counted) before_atomic(ATOMIC_UPDATE, counted - before, 4, __ATOMIC_ACQ_REL, pc);
}
static const char *caught_exception(void) {
  struct caught *c = sizeof(void *) == 8 && __cxa_get_globals ? *__cxa_get_globals() : 0;
  if (!c || (c->class & ~(uint64_t)1) != GNU_CXX) return 0;
  return c->class & 1 ? c->primary : (char *)c + HEADER_BYTES;
}
#define COUNTED(name, declared, given, counted, before) \
  extern __attribute__((weak)) void __real_##name declared; \
  void __wrap_##name declared; \
  void __wrap_##name declared { \
    let_go(counted, before, PC); \
    __real_##name given; \
  }
COUNTED(__cxa_end_catch, (void), (), caught_exception(), COUNT_BEFORE_EXCEPTION)
COUNTED(_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv, (const char **p), (p), *p, COUNT_BEFORE_EXCEPTION)
/* What holds an exception, behind a table: a future's result, and std::nested_exception. */
COUNTED(_ZNSt13__future_base12_Result_baseD1Ev, (const char **object), (object), object[1], COUNT_BEFORE_EXCEPTION)
COUNTED(_ZNSt13__future_base12_Result_baseD2Ev, (const char **object), (object), object[1], COUNT_BEFORE_EXCEPTION)
COUNTED(_ZNSt16nested_exceptionD1Ev, (const char **object), (object), object[1], COUNT_BEFORE_EXCEPTION)
COUNTED(_ZNSt16nested_exceptionD2Ev, (const char **object), (object), object[1], COUNT_BEFORE_EXCEPTION)
/* An object of std::runtime_error or std::logic_error: a table, then its text. */
COUNTED(_ZNSt13runtime_errorD1Ev, (const char **object), (object), object[1], COUNT_BEFORE_TEXT)
COUNTED(_ZNSt13runtime_errorD2Ev, (const char **object), (object), object[1], COUNT_BEFORE_TEXT)
COUNTED(_ZNSt11logic_errorD1Ev, (const char **object), (object), object[1], COUNT_BEFORE_TEXT)
COUNTED(_ZNSt11logic_errorD2Ev, (const char **object), (object), object[1], COUNT_BEFORE_TEXT)
