/* Mutexes, conditions and the like, as records of ours: who holds what and who can go on must be known here. A record
   belongs to an address; a tag in the object's first bytes tells whether it is still the same object, so that memory
   which is initialised again, or used anew, is a new object. */
#include "heddle.h"
#include <string.h>

static struct object **object_table;
static size_t object_room, objects_used;
static uint32_t next_tag = 0x48000000;

static size_t object_slot(uintptr_t address, size_t room) { return (size_t)(mix(address, 3) >> 13) & (room - 1); }

static struct object *find_object(uintptr_t address) {
  if (!object_room) return 0;
  for (size_t s = object_slot(address, object_room); object_table[s]; s = (s + 1) & (object_room - 1))
    if (object_table[s]->address == address) return object_table[s];
  return 0;
}

static void insert_object(struct object *o) {
  if (2 * objects_used >= object_room) {
    struct object **old = object_table;
    size_t room = object_room;
    object_room = room ? 4 * room : 64;
    object_table = take(object_room * sizeof *object_table);
    for (size_t i = 0; i < room; i++) {
      if (!old[i]) continue;
      size_t s = object_slot(old[i]->address, object_room);
      while (object_table[s]) s = (s + 1) & (object_room - 1);
      object_table[s] = old[i];
    }
  }
  size_t s = object_slot(o->address, object_room);
  while (object_table[s]) s = (s + 1) & (object_room - 1);
  object_table[s] = o;
  objects_used++;
}

static void make_object(struct object *o, enum object_type type) {
  uintptr_t address = o->address;
  memset(o, 0, offsetof(struct object, clock) + thread_count * sizeof *o->clock.at);
  o->address = address;
  o->type = type;
  o->tag = next_tag++;
  o->owner = -1;
  if (type == MUTEX) {
    int kind = ((pthread_mutex_t *)address)->__data.__kind;
    o->size = kind & 3;
    o->robust = (kind & 16) != 0;
  }
  if (type == FILE_LOCK) o->size = PTHREAD_MUTEX_RECURSIVE;
}

/* The record of the object; a new one if its bytes do not say that it is the one we know. */
static struct object *object_at(void *address, enum object_type type) {
  uint32_t tag;
  struct object *o = find_object((uintptr_t)address);
  memcpy(&tag, address, sizeof tag);
  int has_tag = type != FUTEX && type != FILE_LOCK;
  if (o && o->type == (uint32_t)type && (o->tag == tag || !has_tag)) return o;
  if (!o) {
    o = take(sizeof *o);
    o->address = (uintptr_t)address;
    insert_object(o);
  }
  make_object(o, type);
  if (has_tag) memcpy(address, &o->tag, sizeof o->tag);
  return o;
}

/* A new object even where the old one was in use. */
static struct object *new_object(void *address, enum object_type type) {
  uint32_t none = 0;
  memcpy(address, &none, sizeof none);
  return object_at(address, type);
}

/* Its bytes may hold anything now, also what they held before. */
static void forget_object(struct object *o) { o->type = NO_OBJECT; }

static void forget_objects(uintptr_t address, size_t size) {
  for (size_t i = 0; i < object_room; i++)
    if (object_table[i] && object_table[i]->address - address < size) forget_object(object_table[i]);
}

/* ---- who can go on */

static int is_free(struct object *m, struct thread *t) {
  if (!m || m->owner < 0) return 1;
  if (m->owner == (int)t->id) return (m->type == MUTEX || m->type == FILE_LOCK) && m->size != PTHREAD_MUTEX_NORMAL && m->size != 3;
  return m->robust && threads[m->owner].finished;
}

static int is_cancellation_point(enum kind kind) {
  return kind == JOIN || kind == SEM_WAIT || kind == WAIT_FD || kind == WAIT_SIGNAL;
}

/* Whoever waits at a semaphore of the C++ library goes on while it is free: see symbols.ts. */
static int may_pass_semaphore(struct thread *t, const void *word) { return t->at_semaphore > 0 && *(const int *)word > 0; }

static int is_enabled(struct thread *t) {
  if (t->stopped) return 0;
  if (t->signals && takes_signal(t)) return 1;
  if (t->cancel_now && !t->cancel_off && (t->kind == COND_WAKE ? is_free(t->mutex, t) : is_cancellation_point(t->kind))) return 1;
  switch (t->kind) {
    case LOCK:
      if (t->gave_up) return 1;
      if (t->target->type == RWLOCK) return t->target->owner < 0 && t->target->readers == 0;
      return is_free(t->target, t);
    case READ_LOCK: return t->gave_up || t->target->owner < 0;
    case COND_WAKE: return (t->wakes || t->gave_up) && is_free(t->mutex, t);
    case JOIN: return t->gave_up || ((struct thread *)t->object)->finished || would_wait_for(t, t->object);
    case SEM_WAIT: return t->gave_up || t->is_interrupted || t->target->count > 0;
    case BARRIER_LEAVE: return t->wakes || t->gave_up;
    case WORD_WAIT: return t->wakes || t->gave_up || may_pass_semaphore(t, t->object);
    case ONCE: return t->target->owner < 0;
    case WAIT_FD: return t->is_interrupted || is_ready(t);
    case WAIT_SIGNAL: return t->gave_up || t->took_signal || waiting_signals(t) != 0;
    default: return 1;
  }
}

/* The thread that stands in the way, or -1. */
static int holder_of(struct thread *t) {
  switch (t->kind) {
    case LOCK: case READ_LOCK: return t->target->owner;
    case COND_WAKE: return t->wakes && t->mutex ? t->mutex->owner : -1;
    case JOIN: return t->object ? (int)((struct thread *)t->object)->id : -1;
    case ONCE: return t->target->owner;
    default: return -1;
  }
}

/* Its object must still be there: not where a thread goes on that was woken, or wakes others by an address alone. */
static int uses_object(enum kind kind) {
  switch (kind) {
    case LOCK: case TRYLOCK: case UNLOCK: case READ_LOCK: case TRY_READ_LOCK: case READ_UNLOCK: case COND_WAIT: case SIGNAL:
    case BROADCAST: case BARRIER_ARRIVE: case SEM_WAIT: case SEM_TRYWAIT: case SEM_POST: case DESTROY: return 1;
    default: return 0;
  }
}

static void sync_step(enum kind kind, struct object *target, struct object *mutex, uintptr_t pc) {
  self->target = target;
  self->mutex = mutex;
  step(kind, (void *)target->address, mutex ? (void *)mutex->address : 0, pc);
  if (uses_object(kind) && target->type != FILE_LOCK) check_heap(target->address, 1, 1, pc);
  if (mutex) check_heap(mutex->address, 1, 1, pc);
  hash_sync(&target->hash);
  if (mutex) hash_sync(&mutex->hash);
}

/* ---- mutexes, which conditions need too */

static int own_mutex(struct object *m) {
  int result = 0;
  if (m->is_lost) return ENOTRECOVERABLE;
  if (m->owner >= 0 && m->owner != (int)self->id) {
    if (!m->robust || !threads[m->owner].finished) return EBUSY;
    result = EOWNERDEAD;
    m->count = 0;
    m->is_inconsistent = 1;
  } else if (m->owner == (int)self->id) {
    if (m->size == PTHREAD_MUTEX_ERRORCHECK) return EDEADLK;
    if (m->size != PTHREAD_MUTEX_RECURSIVE) return EBUSY;
  }
  m->owner = (int)self->id;
  m->count++;
  acquire_from(&m->clock);
  return result;
}

static int lock_mutex(struct object *m, int may_wait, uintptr_t pc) {
  sync_step(may_wait ? LOCK : TRYLOCK, m, 0, pc);
  int result = own_mutex(m);
  if (result == EDEADLK && !may_wait) result = EBUSY;
  if (result == EBUSY || result == EDEADLK || result == ENOTRECOVERABLE) {
    mark_last_event(NOTHING_DONE);
    saw(pc, m->address, EBUSY);
  } else if (!may_wait) did_something();
  return result;
}

/* Tries; where that fails, either the time is up, or the thread waits. */
static int lock_with_limit(struct object *m, uintptr_t pc) {
  int result = lock_mutex(m, 0, pc);
  if (result != EBUSY) return result;
  if (m->owner == (int)self->id && m->size == PTHREAD_MUTEX_ERRORCHECK) return EDEADLK;
  if (choose_rare(2)) return ETIMEDOUT;
  self->timed = 1;
  result = lock_mutex(m, 1, pc);
  self->timed = self->gave_up = 0;
  return result == EBUSY ? ETIMEDOUT : result;
}

/* Who unlocks a robust mutex that is still inconsistent makes it useless (POSIX, pthread_mutex_lock). */
static void give_up_mutex(struct object *m) {
  if (m->is_inconsistent) m->is_lost = 1;
  m->is_inconsistent = 0;
  m->owner = -1;
  m->count = 0;
  release_to(&m->clock);
}

static int unlock_mutex(struct object *m, uintptr_t pc) {
  sync_step(UNLOCK, m, 0, pc);
  if (m->owner != (int)self->id && (m->size == PTHREAD_MUTEX_ERRORCHECK || m->size == PTHREAD_MUTEX_RECURSIVE || m->robust)) {
    mark_last_event(NOTHING_DONE);
    return EPERM;
  }
  if (m->count > 0 && --m->count > 0) return 0;
  give_up_mutex(m);
  return 0;
}
