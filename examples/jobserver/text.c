#include "text.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *text_copy(const char *text) {
  size_t n = strlen(text) + 1;
  char *copy = malloc(n);
  if (copy) memcpy(copy, text, n);
  return copy;
}

/* ---- a text that grows */

int buffer_add(struct buffer *b, const char *text) {
  size_t n = strlen(text);
  if (b->length + n + 1 > b->room) {
    size_t room = 2 * (b->length + n) + 16;
    char *bytes = realloc(b->bytes, room);
    if (!bytes) return 0;
    b->bytes = bytes;
    b->room = room;
  }
  memcpy(b->bytes + b->length, text, n + 1);
  b->length += n;
  return 1;
}

int buffer_add_number(struct buffer *b, long number) {
  char digits[32];
  snprintf(digits, sizeof digits, "%ld", number);
  return buffer_add(b, digits);
}

char *buffer_take(struct buffer *b) {
  char *bytes = b->bytes ? b->bytes : text_copy("");
  b->bytes = NULL;
  b->length = b->room = 0;
  return bytes;
}

/* ---- numbers in a text */

struct numbers {
  long *values;
  size_t count, room;
};

static int add_number(struct numbers *n, long value) {
  if (n->count == n->room) {
    size_t room = n->room ? 2 * n->room : 8;
    long *values = realloc(n->values, room * sizeof *values);
    if (!values) return 0;
    n->values = values;
    n->room = room;
  }
  n->values[n->count++] = value;
  return 1;
}

/* 0 if something in it is no number. */
static int read_numbers(const char *text, struct numbers *n) {
  while (*text) {
    while (isspace((unsigned char)*text)) text++;
    if (!*text) break;
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || (*end && !isspace((unsigned char)*end)) || !add_number(n, value)) return 0;
    text = end;
  }
  return 1;
}

static char *write_numbers(const struct numbers *n) {
  struct buffer b = { 0 };
  for (size_t i = 0; i < n->count; i++) {
    if (i > 0) buffer_add(&b, " ");
    buffer_add_number(&b, n->values[i]);
  }
  return buffer_take(&b);
}

char *text_sum(const char *input) {
  struct numbers n = { 0 };
  char *result = NULL;
  if (read_numbers(input, &n)) {
    long sum = 0;
    for (size_t i = 0; i < n.count; i++) sum += n.values[i];
    struct buffer b = { 0 };
    buffer_add_number(&b, sum);
    result = buffer_take(&b);
  }
  free(n.values);
  return result;
}

static void sift_down(long *values, size_t root, size_t count) {
  for (;;) {
    size_t child = 2 * root + 1;
    if (child >= count) return;
    if (child + 1 < count && values[child] < values[child + 1]) child++;
    if (values[root] >= values[child]) return;
    long swapped = values[root];
    values[root] = values[child];
    values[child] = swapped;
    root = child;
  }
}

static void heap_sort(long *values, size_t count) {
  for (size_t i = count / 2; i-- > 0;) sift_down(values, i, count);
  for (size_t end = count; end-- > 1;) {
    long swapped = values[0];
    values[0] = values[end];
    values[end] = swapped;
    sift_down(values, 0, end);
  }
}

char *text_sort(const char *input) {
  struct numbers n = { 0 };
  char *result = NULL;
  if (read_numbers(input, &n)) {
    heap_sort(n.values, n.count);
    result = write_numbers(&n);
  }
  free(n.values);
  return result;
}

/* The primes up to the one number that is given. */
char *text_primes(const char *input) {
  struct numbers n = { 0 }, found = { 0 };
  char *result = NULL;
  if (read_numbers(input, &n) && n.count == 1 && n.values[0] >= 0 && n.values[0] <= 10000) {
    size_t limit = (size_t)n.values[0];
    unsigned char *composite = calloc(limit + 1, 1);
    if (composite) {
      for (size_t i = 2; i <= limit; i++) {
        if (composite[i]) continue;
        add_number(&found, (long)i);
        for (size_t k = i * i; k <= limit; k += i) composite[k] = 1;
      }
      result = write_numbers(&found);
    }
    free(composite);
  }
  free(n.values);
  free(found.values);
  return result;
}

char *text_reverse(const char *input) {
  size_t n = strlen(input);
  char *result = malloc(n + 1);
  if (!result) return NULL;
  for (size_t i = 0; i < n; i++) result[i] = input[n - 1 - i];
  result[n] = 0;
  return result;
}

/* Letters, digits, words. */
char *text_count(const char *input) {
  long letters = 0, digits = 0, words = 0;
  int inside = 0;
  for (const char *p = input; *p; p++) {
    unsigned char c = (unsigned char)*p;
    letters += isalpha(c) != 0;
    digits += isdigit(c) != 0;
    if (!isspace(c) && !inside) words++;
    inside = !isspace(c);
  }
  struct buffer b = { 0 };
  buffer_add_number(&b, letters);
  buffer_add(&b, " letters, ");
  buffer_add_number(&b, digits);
  buffer_add(&b, " digits, ");
  buffer_add_number(&b, words);
  buffer_add(&b, " words");
  return buffer_take(&b);
}
