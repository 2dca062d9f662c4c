/* C++: the guards of function-local statics, which libstdc++ would wait for by itself, and operator new and delete, so
   that a block knows where the program asked for it. */
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

static void *new_or_die(size_t size, size_t alignment, uintptr_t pc) {
  void *p = allocate(size, alignment, 0, pc);
  if (!p && control) end_run(CRASH, pc, "operator new has no memory (std::bad_alloc)");
  return p;
}
#define NEW(label, ...) __VA_ARGS__ __asm__(label); INSTEAD __VA_ARGS__
NEW("_Znwm", void *heddle_new(size_t n)) { return new_or_die(n, 16, PC); }
NEW("_Znam", void *heddle_new_array(size_t n)) { return new_or_die(n, 16, PC); }
NEW("_ZnwmSt11align_val_t", void *heddle_new_aligned(size_t n, size_t a)) { return new_or_die(n, a < 16 ? 16 : a, PC); }
NEW("_ZnwmRKSt9nothrow_t", void *heddle_new_quiet(size_t n, void *x)) { return (void)x, allocate(n, 16, 0, PC); }
NEW("_ZnamRKSt9nothrow_t", void *heddle_new_array_quiet(size_t n, void *x)) { return (void)x, allocate(n, 16, 0, PC); }
NEW("_ZdlPv", void heddle_delete(void *p)) { release(p, PC); }
NEW("_ZdaPv", void heddle_delete_array(void *p)) { release(p, PC); }
NEW("_ZdlPvm", void heddle_delete_sized(void *p, size_t n)) { (void)n, release(p, PC); }
NEW("_ZdaPvm", void heddle_delete_array_sized(void *p, size_t n)) { (void)n, release(p, PC); }
NEW("_ZdlPvmSt11align_val_t", void heddle_delete_aligned(void *p, size_t n, size_t a)) { (void)n, (void)a, release(p, PC); }
