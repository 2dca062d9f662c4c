// <string.h> and <ctype.h> (of the C locale) as plain loops: each byte is an access of its own, as in any C.
import { c, type LibraryPart } from './part.js'

const STRING = c`
#ifndef _STRING_H
#define _STRING_H 1
#include <stddef.h>
extern void *memset(void *, int, size_t);
extern void *memcpy(void *, const void *, size_t);
extern void *memmove(void *, const void *, size_t);
extern int memcmp(const void *, const void *, size_t);
extern void *memchr(const void *, int, size_t);
extern size_t strlen(const char *);
extern size_t strnlen(const char *, size_t);
extern char *strcpy(char *, const char *);
extern char *strncpy(char *, const char *, size_t);
extern char *strcat(char *, const char *);
extern char *strncat(char *, const char *, size_t);
extern int strcmp(const char *, const char *);
extern int strncmp(const char *, const char *, size_t);
extern char *strchr(const char *, int);
extern char *strrchr(const char *, int);
extern char *strstr(const char *, const char *);
extern char *strdup(const char *);
extern char *strtok(char *, const char *);
extern char *strtok_r(char *, const char *, char **);
extern char *strerror(int);
extern size_t strspn(const char *, const char *);
extern size_t strcspn(const char *, const char *);
#include <strings.h>
#endif
`

const STRING_MODELS = c`
#include <string.h>
extern void *malloc(size_t);

void *memset(void *target, int value, size_t size)
{
  unsigned char *bytes = target;
  size_t i;
  for (i = 0; i < size; i++)
    bytes[i] = (unsigned char)value;
  return target;
}

void bzero(void *target, size_t size)
{
  memset(target, 0, size);
}

void *memcpy(void *target, const void *source, size_t size)
{
  unsigned char *to = target;
  const unsigned char *from = source;
  size_t i;
  for (i = 0; i < size; i++)
    to[i] = from[i];
  return target;
}

void *memmove(void *target, const void *source, size_t size)
{
  unsigned char *to = target;
  const unsigned char *from = source;
  size_t i;
  /* The first byte of the target is not in the source: which of two objects comes first does not matter. */
  if ((size_t)(to - from) >= size) {
    for (i = 0; i < size; i++)
      to[i] = from[i];
  } else {
    for (i = size; i > 0; i--)
      to[i - 1] = from[i - 1];
  }
  return target;
}

int memcmp(const void *left, const void *right, size_t size)
{
  const unsigned char *a = left;
  const unsigned char *b = right;
  size_t i;
  for (i = 0; i < size; i++) {
    unsigned char x = a[i];
    unsigned char y = b[i];
    if (x != y)
      return x < y ? -1 : 1;
  }
  return 0;
}

void *memchr(const void *memory, int value, size_t size)
{
  const unsigned char *bytes = memory;
  size_t i;
  for (i = 0; i < size; i++)
    if (bytes[i] == (unsigned char)value)
      return (void *)(bytes + i);
  return 0;
}

size_t strlen(const char *text)
{
  size_t length = 0;
  while (text[length] != 0)
    length++;
  return length;
}

size_t strnlen(const char *text, size_t limit)
{
  size_t length = 0;
  while (length < limit && text[length] != 0)
    length++;
  return length;
}

char *strcpy(char *target, const char *source)
{
  size_t i = 0;
  char letter;
  do {
    letter = source[i];
    target[i] = letter;
    i++;
  } while (letter != 0);
  return target;
}

char *strncpy(char *target, const char *source, size_t size)
{
  size_t i = 0;
  char letter = 1;
  while (i < size && letter != 0) {
    letter = source[i];
    target[i] = letter;
    i++;
  }
  while (i < size) {
    target[i] = 0;
    i++;
  }
  return target;
}

char *strcat(char *target, const char *source)
{
  strcpy(target + strlen(target), source);
  return target;
}

char *strncat(char *target, const char *source, size_t size)
{
  char *end = target + strlen(target);
  size_t i = 0;
  char letter;
  while (i < size) {
    letter = source[i];
    if (letter == 0)
      break;
    end[i] = letter;
    i++;
  }
  end[i] = 0;
  return target;
}

/* Any number of the same sign: what the comparison of texts may return. */
int __heddle_any_of_sign(int sign)
{
  int any;
  if (sign == 0)
    return 0;
  any = __heddle_nondet_int();
  __heddle_assume(sign < 0 ? any < 0 : any > 0);
  return any;
}

int strncmp(const char *left, const char *right, size_t size)
{
  size_t i;
  for (i = 0; i < size; i++) {
    unsigned char x = (unsigned char)left[i];
    unsigned char y = (unsigned char)right[i];
    if (x != y)
      return x < y ? -1 : 1;
    if (x == 0)
      break;
  }
  return 0;
}

int strcmp(const char *left, const char *right)
{
  return strncmp(left, right, (size_t)-1);
}

char *strchr(const char *text, int value)
{
  size_t i = 0;
  char letter;
  for (;;) {
    letter = text[i];
    if (letter == (char)value)
      return (char *)(text + i);
    if (letter == 0)
      return 0;
    i++;
  }
}

char *strrchr(const char *text, int value)
{
  size_t i = 0;
  const char *last = 0;
  char letter;
  do {
    letter = text[i];
    if (letter == (char)value)
      last = text + i;
    i++;
  } while (letter != 0);
  return (char *)last;
}

char *strstr(const char *text, const char *part)
{
  size_t length = strlen(part);
  for (; strncmp(text, part, length) != 0; text++)
    if (*text == 0)
      return 0;
  return (char *)text;
}

static size_t __heddle_span(const char *text, const char *set, int inside)
{
  size_t length = 0;
  char letter;
  for (letter = text[0]; letter != 0 && (strchr(set, letter) != 0) == inside; letter = text[length])
    length++;
  return length;
}

size_t strspn(const char *text, const char *set)
{
  return __heddle_span(text, set, 1);
}

size_t strcspn(const char *text, const char *set)
{
  return __heddle_span(text, set, 0);
}

char *strtok_r(char *text, const char *set, char **rest)
{
  char *word = text != 0 ? text : *rest;
  char *end;
  word += strspn(word, set);
  if (*word == 0) {
    *rest = word;
    return 0;
  }
  end = word + strcspn(word, set);
  if (*end != 0) {
    *end = 0;
    end++;
  }
  *rest = end;
  return word;
}

static char *__heddle_words;

char *strtok(char *text, const char *set)
{
  return strtok_r(text, set, &__heddle_words);
}

static int __heddle_lower(unsigned char letter)
{
  return letter >= 'A' && letter <= 'Z' ? letter + 32 : letter;
}

int strncasecmp(const char *left, const char *right, size_t size)
{
  size_t i;
  for (i = 0; i < size; i++) {
    int x = __heddle_lower((unsigned char)left[i]);
    int y = __heddle_lower((unsigned char)right[i]);
    if (x != y)
      return x < y ? -1 : 1;
    if (x == 0)
      break;
  }
  return 0;
}

int strcasecmp(const char *left, const char *right)
{
  return strncasecmp(left, right, (size_t)-1);
}

/* Which texts there are, an implementation says. POSIX lets it keep them where the next call overwrites them. */
static int __heddle_error_text;

char *strerror(int error)
{
  if (__heddle_option("races"))
    __heddle_error_text = error;
  return error == 0 ? "success" : "error";
}

char *strdup(const char *text)
{
  size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  if (copy == 0)
    return 0;
  return memcpy(copy, text, size);
}
`

const STRINGS = c`
#ifndef _STRINGS_H
#define _STRINGS_H 1
#include <stddef.h>
extern void bzero(void *, size_t);
extern int strcasecmp(const char *, const char *);
extern int strncasecmp(const char *, const char *, size_t);
#endif
`

const CTYPE = c`
#ifndef _CTYPE_H
#define _CTYPE_H 1
extern int isdigit(int);
extern int islower(int);
extern int isupper(int);
extern int isalpha(int);
extern int isalnum(int);
extern int isspace(int);
extern int isblank(int);
extern int iscntrl(int);
extern int isprint(int);
extern int isgraph(int);
extern int ispunct(int);
extern int isxdigit(int);
extern int tolower(int);
extern int toupper(int);
#endif
`

/** What is true is any number but zero (C11 7.4.1): glibc's isdigit returns 2048. */
const CTYPE_MODELS = c`
static int __heddle_truth(int holds)
{
  int truth;
  if (!holds)
    return 0;
  truth = __heddle_nondet_int();
  __heddle_assume(truth != 0);
  return truth;
}

static int __heddle_isdigit(int letter)
{
  return letter >= '0' && letter <= '9';
}

int isdigit(int letter)
{
  return __heddle_truth(__heddle_isdigit(letter));
}

static int __heddle_islower(int letter)
{
  return letter >= 'a' && letter <= 'z';
}

int islower(int letter)
{
  return __heddle_truth(__heddle_islower(letter));
}

static int __heddle_isupper(int letter)
{
  return letter >= 'A' && letter <= 'Z';
}

int isupper(int letter)
{
  return __heddle_truth(__heddle_isupper(letter));
}

static int __heddle_isalpha(int letter)
{
  return __heddle_islower(letter) || __heddle_isupper(letter);
}

int isalpha(int letter)
{
  return __heddle_truth(__heddle_isalpha(letter));
}

static int __heddle_isalnum(int letter)
{
  return __heddle_isalpha(letter) || __heddle_isdigit(letter);
}

int isalnum(int letter)
{
  return __heddle_truth(__heddle_isalnum(letter));
}

static int __heddle_isspace(int letter)
{
  return letter == ' ' || (letter >= 9 && letter <= 13);
}

int isspace(int letter)
{
  return __heddle_truth(__heddle_isspace(letter));
}

static int __heddle_isblank(int letter)
{
  return letter == ' ' || letter == 9;
}

int isblank(int letter)
{
  return __heddle_truth(__heddle_isblank(letter));
}

static int __heddle_iscntrl(int letter)
{
  return (letter >= 0 && letter < 32) || letter == 127;
}

int iscntrl(int letter)
{
  return __heddle_truth(__heddle_iscntrl(letter));
}

static int __heddle_isprint(int letter)
{
  return letter >= 32 && letter < 127;
}

int isprint(int letter)
{
  return __heddle_truth(__heddle_isprint(letter));
}

static int __heddle_isgraph(int letter)
{
  return letter > 32 && letter < 127;
}

int isgraph(int letter)
{
  return __heddle_truth(__heddle_isgraph(letter));
}

static int __heddle_ispunct(int letter)
{
  return __heddle_isgraph(letter) && !__heddle_isalnum(letter);
}

int ispunct(int letter)
{
  return __heddle_truth(__heddle_ispunct(letter));
}

static int __heddle_isxdigit(int letter)
{
  return __heddle_isdigit(letter) || (letter >= 'a' && letter <= 'f') || (letter >= 'A' && letter <= 'F');
}

int isxdigit(int letter)
{
  return __heddle_truth(__heddle_isxdigit(letter));
}

int tolower(int letter)
{
  return __heddle_isupper(letter) ? letter + 32 : letter;
}

int toupper(int letter)
{
  return __heddle_islower(letter) ? letter - 32 : letter;
}
`

export const STRING_PART: LibraryPart = {
  headers: { 'string.h': STRING, 'strings.h': STRINGS, 'ctype.h': CTYPE },
  models: { '<heddle/string.c>': STRING_MODELS, '<heddle/ctype.c>': CTYPE_MODELS },
}
