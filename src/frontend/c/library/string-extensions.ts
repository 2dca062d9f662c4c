// Functions on text and bytes that POSIX and GNU have beside those of C.
import { c, type LibraryPart } from './part.js'

const MODELS = c`
#include <ctype.h>
#include <string.h>
#include <strings.h>

extern void *malloc(size_t);

char *strndup(const char *text, size_t most)
{
  size_t size = 0;
  char *copy;
  while (size < most && text[size] != 0)
    size++;
  copy = malloc(size + 1);
  if (copy == 0)
    return 0;
  memcpy(copy, text, size);
  copy[size] = 0;
  return copy;
}

char *strpbrk(const char *text, const char *letters)
{
  text = text + strcspn(text, letters);
  return *text == 0 ? 0 : (char *)text;
}

char *strsep(char **rest, const char *letters)
{
  char *start = *rest;
  char *end;
  if (start == 0)
    return 0;
  end = strpbrk(start, letters);
  if (end != 0) {
    *end = 0;
    end++;
  }
  *rest = end;
  return start;
}

char *stpcpy(char *target, const char *text)
{
  while (*text != 0)
    *target++ = *text++;
  *target = 0;
  return target;
}

char *stpncpy(char *target, const char *text, size_t size)
{
  size_t i = 0, end;
  for (; i < size && text[i] != 0; i++)
    target[i] = text[i];
  end = i;
  for (; i < size; i++)
    target[i] = 0;
  return target + end;
}

char *strchrnul(const char *text, int letter)
{
  while (*text != 0 && *text != (char)letter)
    text++;
  return (char *)text;
}

char *strcasestr(const char *text, const char *part)
{
  size_t size = strlen(part);
  for (;; text++) {
    if (strncasecmp(text, part, size) == 0)
      return (char *)text;
    if (*text == 0)
      return 0;
  }
}

void *memccpy(void *target, const void *source, int letter, size_t size)
{
  unsigned char *to = target;
  const unsigned char *from = source;
  size_t i;
  for (i = 0; i < size; i++) {
    to[i] = from[i];
    if (from[i] == (unsigned char)letter)
      return to + i + 1;
  }
  return 0;
}

void *mempcpy(void *target, const void *source, size_t size)
{
  return (char *)memcpy(target, source, size) + size;
}

void *memrchr(const void *bytes, int letter, size_t size)
{
  const unsigned char *from = bytes;
  while (size > 0) {
    size--;
    if (from[size] == (unsigned char)letter)
      return (void *)(from + size);
  }
  return 0;
}

void *memmem(const void *bytes, size_t size, const void *part, size_t length)
{
  const char *from = bytes;
  for (; size >= length; size--, from++)
    if (memcmp(from, part, length) == 0)
      return (void *)from;
  return 0;
}

void explicit_bzero(void *bytes, size_t size)
{
  memset(bytes, 0, size);
}

int strcoll(const char *left, const char *right)
{
  return strcmp(left, right);
}

char *strsignal(int number)
{
  return "signal";
}
`

export const STRING_EXTENSIONS: LibraryPart = { headers: {}, models: { '<heddle/string-extensions.c>': MODELS } }
