/* Choices that are no switches: which waiter a signal wakes, which value an input has, whether a wait wakes by itself.
   They come from the given schedule, for each thread in its order, then from the policy; all are recorded. */
#include "heddle.h"

static int given_value(int64_t *value) {
  for (uint32_t i = self->value_next; i < control->given_values; i++)
    if (given_values[i].thread == self->id) {
      self->value_next = i + 1;
      *value = given_values[i].value;
      return 1;
    }
  self->value_next = control->given_values;
  return 0;
}

/* A choice is part of the execution: two that differ in one are not the same, even if their steps are. */
static int64_t record_value(int64_t value, uint32_t bound) {
  self->hash = mix(self->hash, (uint64_t)value + 59);
  if (control->values < MAX_VALUES) values[control->values++] = (struct value){ self->id, bound, value, steps };
  note(CHOICE, bound, (uint64_t)value, 0, self->pc);
  return value;
}

/* One of 0 .. bound - 1. */
int64_t choose(uint32_t bound) {
  int64_t value = 0;
  if (bound <= 1) return 0;
  if (!given_value(&value) && control->policy != STAY) value = (int64_t)(next_random() % bound);
  return record_value(value < 0 || value >= bound ? 0 : value, bound);
}

/* Whether something unusual happens now: a spurious wake-up, a time-out, an allocation that fails. */
int choose_rare(uint32_t odds) {
  int64_t value = 0;
  if (!given_value(&value) && control->policy != STAY) value = next_random() % odds == 0;
  return record_value(value != 0, 2) != 0;
}

int choose_spurious(void) {
  if (spurious_left == 0 || !choose_rare(8)) return 0;
  spurious_left--;
  return 1;
}

/* In some runs most inputs are just yes or no. */
static int yes_or_no;
static int64_t interesting(int bits) {
  static const int64_t small[] = { 0, 1, 2, -1, 3, 4, 5, 8, 10, 16, 100, 255 };
  uint64_t r = next_random();
  if (yes_or_no && r >> 60 != 0) return r >> 8 & 1;
  switch (r % 8) {
    case 0: return r >> 8 & 1;
    case 1: case 2: return small[(r >> 8) % 12];
    case 3: return (int64_t)(r >> 8) % 20;
    case 4: return (int64_t)((uint64_t)1 << ((r >> 8) % (uint64_t)bits)) - (int64_t)((r >> 20) % 3) + 1;
    case 5: case 6: if (control->dictionary_size > 0) return dictionary[(r >> 8) % control->dictionary_size] + (int64_t)((r >> 40) % 3) - 1;
    /* fall through */
    default: return (int64_t)next_random();
  }
}

/* A loop that asks for inputs until it has one that it likes, without a step, would not end by itself: the value that is
   taken where nothing was chosen is 0 for a while, then every number in turn, and questions use up the step budget, too. */
static int64_t default_input(void) {
  if (self->asked_at != steps) self->asked_at = steps, self->asked = 0;
  if (++self->asked > control->max_steps) end_run(STEP_LIMIT, self->pc, "a thread asks for inputs without end");
  int64_t beyond = (int64_t)self->asked - 8;
  return beyond <= 0 ? 0 : beyond & 1 ? (beyond + 1) / 2 : -beyond / 2;
}

/* Any value of a type: small ones, the bounds, the program's own constants, or just any. */
int64_t draw(int bits, int is_signed, uintptr_t pc) {
  int64_t value = default_input();
  int is_free = !given_value(&value) && control->policy != STAY;
  if (is_free && !kept_input(pc, &value) && (next_random() % 2 || !wanted_value(pc, &value))) value = interesting(bits);
  if (bits == 1) value = value & 1;
  else if (bits < 64) {
    uint64_t mask = ((uint64_t)1 << bits) - 1, low = (uint64_t)value & mask;
    value = is_signed && (low >> (bits - 1)) ? (int64_t)(low | ~mask) : (int64_t)low;
  }
  note_input(pc, value);
  return record_value(value, 0);
}

/* A floating-point number, as its bits: eighths of integers. */
static int64_t draw_real(int is_double) {
  int64_t value = 0;
  if (!given_value(&value) && control->policy != STAY) {
    double wide = (double)interesting(is_double ? 53 : 24) / 8;
    float narrow = (float)wide;
    int32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    if (is_double) memcpy(&value, &wide, sizeof value);
    else value = bits;
  }
  return record_value(value, 0);
}
