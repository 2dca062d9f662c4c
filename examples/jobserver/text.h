/* What jobs compute: each function returns a fresh text, or NULL if the input makes no sense. */
#ifndef TEXT_H
#define TEXT_H
#include <stddef.h>

struct buffer {
  char *bytes;
  size_t length, room;
};

char *text_copy(const char *text);
char *text_sum(const char *input);
char *text_sort(const char *input);
char *text_primes(const char *input);
char *text_reverse(const char *input);
char *text_count(const char *input);

int buffer_add(struct buffer *b, const char *text);
int buffer_add_number(struct buffer *b, long number);
char *buffer_take(struct buffer *b);
#endif
