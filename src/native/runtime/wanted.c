/* Inputs by what the program does with them, as fuzzers choose theirs. A value that was compared with something is replaced
   by it the next time, or by its neighbours; and the inputs of a run that came to a comparison, or to a result of one, which
   no run had come to before are kept: later runs take them, but for one. */
#include "heddle.h"

struct drawn { uintptr_t pc; int64_t value; };
#define MAX_DRAWN 32
static struct drawn drawn[MAX_DRAWN];
static uint32_t drawn_count;

static struct wanted *wanted_at(uintptr_t pc) { return &learnt->wanted[(mix(pc, 5) >> 9) % WANTED_SLOTS]; }

static void note_drawn(uintptr_t pc, int64_t value) { drawn[drawn_count++ % MAX_DRAWN] = (struct drawn){ pc, value }; }

static int64_t sign_extended(uint64_t value, int bits) {
  return bits == 64 ? (int64_t)value : (int64_t)(value << (64 - bits)) >> (64 - bits);
}

static void want(uintptr_t pc, int64_t value) {
  struct wanted *w = wanted_at(pc);
  for (uint32_t i = 0; i < w->count && i < WANTED_VALUES; i++)
    if (w->values[i] == value) return;
  w->values[w->count % WANTED_VALUES] = value;
  w->count++;
  if (w->count == 2 * WANTED_VALUES) w->count = WANTED_VALUES;
}

/* What should have been `other`: an input, or, as in `x + 3 == y`, one with something added. */
#define NEAR 16
static void want_instead(int64_t value, int64_t other) {
  int is_input = 0;
  for (uint32_t i = 0; i < MAX_DRAWN && i < drawn_count; i++) {
    if (drawn[i].value != value) continue;
    want(drawn[i].pc, other);
    is_input = 1;
  }
  for (uint32_t i = 0; !is_input && i < MAX_DRAWN && i < drawn_count; i++) {
    int64_t added = (int64_t)((uint64_t)value - (uint64_t)drawn[i].value);
    if (added > -NEAR && added < NEAR) want(drawn[i].pc, (int64_t)((uint64_t)other - (uint64_t)added));
  }
}
static int wanted_value(uintptr_t pc, int64_t *value) {
  struct wanted *w = wanted_at(pc);
  uint32_t known = w->count < WANTED_VALUES ? w->count : WANTED_VALUES;
  if (known == 0) return 0;
  uint64_t r = next_random();
  *value = w->values[(r >> 8) % known] + (r % 4 == 0) - (r % 4 == 1);
  return 1;
}


/* ---- how far a run came: how often each comparison had each result, roughly */

static uint8_t seen[SEEN_SLOTS];
static struct kept current; /* the inputs of this run */
static struct kept *followed;
static uint32_t changed_input;

static void compared(uint64_t left, uint64_t right, int bits, int is_constant, uintptr_t pc) {
  if (!CONTROLLED || drawn_count == 0) return;
  uint8_t *count = &seen[(mix(pc, left == right ? 1 : left < right ? 2 : 3) >> 9) % SEEN_SLOTS];
  if (*count < 255) ++*count;
  if (left == right) return;
  /* Half as far from each other is something new, too. */
  uint64_t distance = left < right ? right - left : left - right;
  seen[(mix(pc, 8 + (uint64_t)__builtin_clzll(distance)) >> 9) % SEEN_SLOTS] |= 1;
  want_instead(sign_extended(right, bits), sign_extended(left, bits));
  if (!is_constant) want_instead(sign_extended(left, bits), sign_extended(right, bits));
}
/* 1, 2, 3, 4 to 7, 8 to 15, ... times */
static uint8_t rough(uint8_t count) { return count < 4 ? (uint8_t)(1 << count >> 1) : (uint8_t)(8 << (count > 7) << (count > 15) << (count > 63)); }
static void keep_inputs(void) {
  if (current.count == 0) return;
  int is_new = 0;
  for (uint32_t i = 0; i < SEEN_SLOTS; i++) {
    if (seen[i] == 0 || (rough(seen[i]) & ~learnt->seen[i]) == 0) continue;
    learnt->seen[i] |= rough(seen[i]);
    is_new = 1;
  }
  if (is_new) learnt->kept[learnt->kept_count++ % KEPT_RUNS] = current;
}
static void note_input(uintptr_t pc, int64_t value) {
  note_drawn(pc, value);
  if (current.count >= KEPT_INPUTS) return;
  current.pcs[current.count] = pc;
  current.values[current.count++] = value;
}
static int kept_input(uintptr_t pc, int64_t *value) {
  uint32_t at = current.count, known = learnt->kept_count < KEPT_RUNS ? learnt->kept_count : KEPT_RUNS;
  if (at == 0) {
    uint64_t r = next_random();
    followed = known > 0 && r % 2 ? &learnt->kept[(r >> 8) % known] : 0;
    changed_input = followed ? (uint32_t)(r >> 32) % followed->count : 0;
  }
  if (!followed || at >= followed->count || followed->pcs[at] != pc) return 0;
  uint64_t r = at == changed_input ? next_random() : 0;
  if (r % 4 > 0) return 0;
  *value = followed->values[at];
  if (at == changed_input) *value += (r >> 8 & 1 ? 1 : -1) * (int64_t)(1 + (r >> 16) % 16);
  return 1;
}

#define COMPARED(bits, type) \
  void __sanitizer_cov_trace_cmp##bits(type a, type b); \
  void __sanitizer_cov_trace_cmp##bits(type a, type b) { compared(a, b, 8 * (int)sizeof(type), 0, PC); } \
  void __sanitizer_cov_trace_const_cmp##bits(type a, type b); \
  void __sanitizer_cov_trace_const_cmp##bits(type a, type b) { compared(a, b, 8 * (int)sizeof(type), 1, PC); }
COMPARED(1, uint8_t) COMPARED(2, uint16_t) COMPARED(4, uint32_t) COMPARED(8, uint64_t)
void __sanitizer_cov_trace_cmpf(float a, float b);
void __sanitizer_cov_trace_cmpf(float a, float b) { (void)a, (void)b; }
void __sanitizer_cov_trace_cmpd(double a, double b);
void __sanitizer_cov_trace_cmpd(double a, double b) { (void)a, (void)b; }
/* The number of cases, the bits of the value, then the cases. */
void __sanitizer_cov_trace_switch(uint64_t value, uint64_t *cases);
void __sanitizer_cov_trace_switch(uint64_t value, uint64_t *cases) {
  for (uint64_t i = 0; i < cases[0] && i < WANTED_VALUES; i++) compared(cases[2 + i], value, (int)cases[1], 1, PC + i);
}

