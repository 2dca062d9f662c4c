/* Data races by vector clocks, as in FastTrack (Flanagan and Freund, PLDI 2009), over bytes: each granule of eight bytes
   has a record for each range of bytes accessed in it, with the last access of each kind of every thread. Threads are
   few, so records keep a clock a thread instead of switching between epochs and read vectors; accesses of the same
   epoch are recognised first. Synchronisation follows C11: an atomic access orders by its memory order. */
#include "heddle.h"
#include <string.h>
#include <sys/mman.h>

enum { PLAIN_READ, PLAIN_WRITE, ATOM_READ, ATOM_WRITE, KINDS };
struct last { uint32_t clock, event; uintptr_t pc; };
struct entry { uint32_t thread; struct entry *next; struct last last[KINDS]; };
struct record { uint8_t mask; struct record *next; struct entry *entries; uint64_t write_hash, read_hash; };
struct granule { uintptr_t key; struct record *records; };
struct atomic { uintptr_t address; uint64_t hash, releasers; struct clock *clock; };

static struct granule *granules;
static struct atomic *atomics;
static size_t granule_room, granules_used, atomic_room, atomics_used;
static char *pool, *pool_end;

/* Memory of a run is never given back: the process ends soon. */
static void *take(size_t bytes) {
  bytes = (bytes + 15) & ~(size_t)15;
  if (!pool || (size_t)(pool_end - pool) < bytes) {
    size_t chunk = bytes > (1 << 22) ? bytes : 1 << 22;
    pool = mmap(0, chunk, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pool == MAP_FAILED) end_run(UNSUPPORTED, 0, "no memory for the runtime's own tables");
    pool_end = pool + chunk;
  }
  void *taken = pool;
  pool += bytes;
  return taken;
}

static void init_races(void) {
  granule_room = atomic_room = 256;
  granules = take(granule_room * sizeof *granules);
  atomics = take(atomic_room * sizeof *atomics);
}

static size_t slot_of(uintptr_t key, size_t room) { return (size_t)(mix(key, 1) >> 7) & (room - 1); }

static struct granule *granule_at(uintptr_t key) {
  if (2 * granules_used >= granule_room) {
    struct granule *old = granules;
    size_t room = granule_room;
    granule_room *= 4;
    granules = take(granule_room * sizeof *granules);
    for (size_t i = 0; i < room; i++) {
      if (!old[i].key) continue;
      size_t s = slot_of(old[i].key, granule_room);
      while (granules[s].key) s = (s + 1) & (granule_room - 1);
      granules[s] = old[i];
    }
  }
  size_t s = slot_of(key, granule_room);
  while (granules[s].key && granules[s].key != key) s = (s + 1) & (granule_room - 1);
  if (!granules[s].key) {
    granules[s].key = key;
    granules_used++;
  }
  return &granules[s];
}

/* ---- places that more than one thread has been seen at, in this run or an earlier one */
static uint32_t shared_bit(uintptr_t key) { return (uint32_t)(mix(key, 7) >> 9) % SHARED_BITS; }
static int is_shared(uintptr_t address) {
  uint32_t bit = shared_bit(address >> 3);
  return shared_before[bit >> 3] >> (bit & 7) & 1;
}
static void mark_shared(uintptr_t key) {
  uint32_t bit = shared_bit(key);
  shared_before[bit >> 3] |= (uint8_t)(1 << (bit & 7));
}

/* ---- accesses */

static void found_race(struct entry *other, struct last *last, uintptr_t address, uintptr_t pc) {
  control->other_thread = other->thread;
  control->other_pc = last->pc;
  control->other_event = last->event;
  control->address = address;
  end_run(RACE, pc, "data race");
}

static void compare(struct record *r, int is_write, int is_atomic, uintptr_t address, uintptr_t pc) {
  for (struct entry *e = r->entries; e; e = e->next) {
    if (e->thread == self->id) continue;
    mark_shared(address >> 3);
    for (int kind = 0; kind < KINDS; kind++) {
      struct last *last = &e->last[kind];
      int other_writes = kind == PLAIN_WRITE || kind == ATOM_WRITE;
      if (last->clock == 0 || (!is_write && !other_writes)) continue;
      coverage[(mix(last->pc, pc) >> 11) % COVERAGE_BYTES] = 1;
      if (is_atomic && kind >= ATOM_READ) continue;
      if ((control->checks & CHECK_RACES) && last->clock > self->clock.at[e->thread]) found_race(e, last, address, pc);
    }
  }
}

static void access_granule(uintptr_t key, uint8_t mask, int is_write, int is_atomic, uintptr_t address, uintptr_t pc) {
  struct granule *g = granule_at(key);
  struct record *own = 0;
  int kind = (is_atomic ? ATOM_READ : PLAIN_READ) + is_write;
  uint64_t before = 0;
  for (struct record *r = g->records; r; r = r->next) {
    if (!(r->mask & mask)) continue;
    if (r->mask == mask) own = r;
    before += r->write_hash + (is_write ? r->read_hash : 0);
  }
  if (!own) {
    own = take(sizeof *own);
    own->mask = mask;
    own->next = g->records;
    g->records = own;
  }
  struct entry *mine = own->entries;
  while (mine && mine->thread != self->id) mine = mine->next;
  if (!mine) {
    mine = take(sizeof *mine);
    mine->thread = self->id;
    mine->next = own->entries;
    own->entries = mine;
  }
  self->hash = mix(mix(self->hash, (uint64_t)kind + 3), before);
  for (struct record *r = g->records; r; r = r->next) {
    if (!(r->mask & mask)) continue;
    if (is_write) r->write_hash = self->hash, r->read_hash = 0;
    else if (r == own) r->read_hash += self->hash;
  }
  uint32_t now = self->clock.at[self->id];
  if (mine->last[kind].clock != now)
    for (struct record *r = g->records; r; r = r->next)
      if (r->mask & mask) compare(r, is_write, is_atomic, address, pc);
  mine->last[kind] = (struct last){ now, control->events ? control->events - 1 : 0, pc };
}

static void check_access(uintptr_t address, uint32_t size, int is_write, int is_atomic, uintptr_t pc) {
  for (uintptr_t at = address, end = address + size; at < end;) {
    uintptr_t key = at >> 3, stop = (key + 1) << 3;
    if (stop > end) stop = end;
    uint8_t mask = (uint8_t)(((1u << (stop - at)) - 1) << (at & 7));
    access_granule(key, mask, is_write, is_atomic, at, pc);
    at = stop;
  }
}

/* Memory that is given out again is another object. */
static void forget_accesses(uintptr_t address, size_t size) {
  if (size >> 3 >= granule_room) { /* Then it is less work to look at all that is known. */
    for (size_t s = 0; s < granule_room; s++)
      if (granules[s].key && granules[s].key - (address >> 3) <= size >> 3) granules[s].records = 0;
    return;
  }
  for (uintptr_t key = address >> 3; key <= (address + size) >> 3; key++) {
    size_t s = slot_of(key, granule_room);
    while (granules[s].key && granules[s].key != key) s = (s + 1) & (granule_room - 1);
    granules[s].records = granules[s].key ? 0 : granules[s].records;
  }
}

/* ---- clocks */

static void tick(struct thread *t) { t->clock.at[t->id]++; }
static void join_clock(struct clock *into, const struct clock *from) {
  for (uint32_t i = 0; i < thread_count; i++)
    if (from->at[i] > into->at[i]) into->at[i] = from->at[i];
}
static void acquire_from(const struct clock *from) { join_clock(&self->clock, from); }
static void release_to(struct clock *to) {
  join_clock(to, &self->clock);
  tick(self);
}

static struct atomic *atomic_at(uintptr_t address) {
  if (2 * atomics_used >= atomic_room) {
    struct atomic *old = atomics;
    size_t room = atomic_room;
    atomic_room *= 4;
    atomics = take(atomic_room * sizeof *atomics);
    for (size_t i = 0; i < room; i++) {
      if (!old[i].address) continue;
      size_t s = slot_of(old[i].address, atomic_room);
      while (atomics[s].address) s = (s + 1) & (atomic_room - 1);
      atomics[s] = old[i];
    }
  }
  size_t s = slot_of(address, atomic_room);
  while (atomics[s].address && atomics[s].address != address) s = (s + 1) & (atomic_room - 1);
  if (!atomics[s].address) atomics_used++, atomics[s].address = address;
  return &atomics[s];
}

static void hash_sync(uint64_t *object_hash) {
  *object_hash = self->hash = mix(mix(self->hash, self->kind), *object_hash);
}

static int acquires(int order) { return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE; }
static int releases(int order) { return order >= __ATOMIC_RELEASE; }
static struct clock *fresh_clock(struct clock *old) { return old ? old : take(sizeof(struct clock)); }

/* What an atomic access orders: C11 5.1.2.4 and 7.17.3, with the release sequences of 5.1.2.4p10. */
static void synchronise_atomic(uintptr_t address, int is_read, int is_write, int order) {
  struct atomic *a = atomic_at(address);
  if (is_read && a->clock) {
    if (acquires(order)) acquire_from(a->clock);
    else join_clock(self->acquire_fence = fresh_clock(self->acquire_fence), a->clock);
  }
  if (!is_write) return;
  /* A later store of the thread that released continues its sequence (until C++20, which this forgoes). */
  uint64_t own = (uint64_t)1 << self->id % 64;
  if (!is_read && a->clock && !(a->releasers & own)) {
    memset(a->clock, 0, thread_count * sizeof *a->clock->at);
    a->releasers = 0;
  }
  if (!releases(order) && !self->release_fence) return;
  a->clock = fresh_clock(a->clock);
  a->releasers |= own;
  if (releases(order)) release_to(a->clock);
  else join_clock(a->clock, self->release_fence);
}

static void fence(int order) {
  if (acquires(order) && self->acquire_fence) acquire_from(self->acquire_fence);
  if (!releases(order)) return;
  self->release_fence = fresh_clock(self->release_fence);
  join_clock(self->release_fence, &self->clock);
  tick(self);
}
