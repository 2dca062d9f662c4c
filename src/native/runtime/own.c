/* What the systematic search need not read. Most accesses of a run are to memory that no other thread touches, or that
   nobody changes while there are several threads: no order of theirs makes a difference. They are left out here, by the
   program's own process, of which several run at a time. A step is left out only if the same thread goes on after it:
   it is counted in with the next one, so that what is kept still says who ran when. */
#include "heddle.h"

/* Of a longer range the search looks at the beginning (src/native/units.ts). */
#define MAX_TOUCHED_BYTES 4096
#define LEFT_OUT 255

struct touched { uintptr_t key; uint16_t thread; uint8_t by_several, is_written; };
static struct touched *touched;
static size_t touched_room, touched_used;

static struct touched *touched_slot(uintptr_t key) {
  size_t s = slot_of(key, touched_room);
  while (touched[s].key && touched[s].key != key) s = (s + 1) & (touched_room - 1);
  return &touched[s];
}

static void make_room_for_touched(void) {
  struct touched *old = touched;
  size_t room = touched_room;
  if (2 * touched_used < room) return;
  touched_room = room ? 4 * room : 1024;
  touched = take(touched_room * sizeof *touched);
  for (size_t i = 0; i < room; i++)
    if (old[i].key) *touched_slot(old[i].key) = old[i];
}

static int is_access(uint32_t kind) { return kind <= ATOMIC_UPDATE || kind == FREE; }

static uintptr_t last_granule(const struct event *e) {
  uint64_t bytes = e->kind == FREE ? e->value : e->size;
  return (e->address + (bytes < MAX_TOUCHED_BYTES ? bytes : MAX_TOUCHED_BYTES) - (bytes > 0)) >> 3;
}

static void touch_granules(const struct event *e) {
  for (uintptr_t key = e->address >> 3, last = last_granule(e); key <= last; key++) {
    make_room_for_touched();
    struct touched *t = touched_slot(key);
    if (!t->key) {
      *t = (struct touched){ key, e->thread, 0, 0 };
      touched_used++;
    }
    t->by_several |= t->thread != e->thread;
    t->is_written |= e->kind != READ && e->kind != ATOMIC_READ;
  }
}

static int is_own(const struct event *e) {
  if (!is_access(e->kind)) return 0;
  if (e->flags & OWN_STEP) return 1;
  for (uintptr_t key = e->address >> 3, last = last_granule(e); key <= last; key++) {
    struct touched *t = touched_slot(key);
    if (t->key && t->by_several && t->is_written) return 0;
  }
  return 1;
}

/* Notes who touches what. While a thread is the only one, and all others are joined, nobody comes in between. */
static void find_touched(uint32_t count) {
  uint32_t started = 0, joined = 0, creates = 0;
  for (uint32_t i = 0; i < count; i++) creates += events[i].kind == CREATE;
  int is_simple = creates + 1 == thread_count; /* No thread comes from elsewhere. */
  make_room_for_touched();
  for (uint32_t i = 0; i < count; i++) {
    struct event *e = &events[i];
    started += e->kind == CREATE;
    joined += e->kind == JOIN && !(e->flags & NOTHING_DONE);
    if (is_simple && started == joined) e->flags |= OWN_STEP;
    else if (is_access(e->kind)) touch_granules(e);
  }
  for (uint32_t i = 0; i < control->waiting_count; i++) {
    struct waiting *w = &control->waiting[i];
    struct event e = { .address = w->object, .size = 1, .thread = (uint16_t)w->thread, .kind = (uint8_t)w->kind };
    if (is_access(w->kind)) touch_granules(&e);
  }
}

/* From the last event to the first, because what follows a step decides whether it may be left out. */
static void mark_left_out(uint32_t count) {
  struct event *next = 0;
  int is_kept = 1;
  for (uint32_t i = count; i-- > 0;) {
    struct event *e = &events[i];
    int own = is_own(e);
    if (e->kind >= CHOICE) {
      /* A choice stands between two steps, and a free belongs to the one before it. */
      is_kept |= e->kind == CHOICE || (e->kind == FREE && !own);
      if (e->kind != FREE || own) e->kind = LEFT_OUT;
      continue;
    }
    int is_one = ((e->flags | (next ? next->flags : 0)) & (IN_BLOCK | SAME_STATEMENT)) != 0;
    e->flags = (uint8_t)(own ? e->flags | OWN_STEP : e->flags & ~OWN_STEP);
    /* That a thread is about to join is something that others notice (would_wait_for). */
    if (own && !is_kept && !is_one && next->thread == e->thread && next->kind != JOIN) e->kind = LEFT_OUT;
    is_kept = 0;
    next = e;
  }
}

/* Events that are kept say how many steps before them were left out: places are not recorded for a search. */
static void leave_out_own_steps(void) {
  uint32_t count = control->events, kept = 0, left_out = 0;
  if (control->record != 1 || count >= MAX_EVENTS) return;
  /* Any step of a thread that is cancelled, or sent a signal, may be the one at which it is told. */
  for (uint32_t i = 0; i < count; i++)
    if (events[i].kind == CANCEL || events[i].kind == SEND_SIGNAL) return;
  find_touched(count);
  mark_left_out(count);
  for (uint32_t i = 0; i < count; i++) {
    struct event e = events[i];
    if (e.kind == LEFT_OUT) {
      left_out += !(e.flags & NO_STEP);
      continue;
    }
    e.pc = left_out;
    left_out = 0;
    events[kept++] = e;
  }
  control->events = kept;
}
