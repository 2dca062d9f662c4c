// Numbers read from text in memory: sscanf (C11 7.21.6.2). Exact for whole numbers in base ten, white space and letters
// that have to be there; other conversions are a limit, by name, where they are reached.
import { c, type LibraryPart } from './part.js'

const MODELS = c`
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static int __heddle_is_space(char letter)
{
  return letter == ' ' || (letter >= 9 && letter <= 13);
}

/* A number that does not fit is undefined behaviour; glibc keeps its low bits. */
static void __heddle_store_scanned(void *place, long long number, int size)
{
  if (size == 2)
    *(long long *)place = number;
  else if (size == 1)
    *(long *)place = (long)number;
  else
    *(int *)place = (int)number;
}

int vsscanf(const char *text, const char *format, va_list arguments)
{
  int assigned = 0;
  int size;
  int skips;
  long long number;
  char *after;
  while (*format != 0) {
    if (__heddle_is_space(*format)) {
      while (__heddle_is_space(*text))
        text++;
      format++;
      continue;
    }
    if (*format != '%' || format[1] == '%') {
      if (*format == '%') {
        format++;
        while (__heddle_is_space(*text))
          text++;
      }
      if (*text == 0)
        return assigned == 0 ? EOF : assigned;
      if (*text != *format)
        return assigned;
      text++;
      format++;
      continue;
    }
    format++;
    skips = *format == '*';
    if (skips)
      format++;
    size = 0;
    while (*format == 'l') {
      size++;
      format++;
    }
    if ((*format != 'd' && *format != 'u') || size > 2)
      __heddle_limit("a conversion of sscanf other than of a whole number");
    while (__heddle_is_space(*text))
      text++;
    if (*text == 0)
      return assigned == 0 ? EOF : assigned;
    number = *format == 'd' ? strtoll(text, &after, 10) : (long long)strtoull(text, &after, 10);
    if (after == text)
      return assigned;
    text = after;
    format++;
    if (!skips) {
      __heddle_store_scanned(va_arg(arguments, void *), number, size);
      assigned++;
    }
  }
  return assigned;
}

int sscanf(const char *text, const char *format, ...)
{
  va_list arguments;
  int assigned;
  va_start(arguments, format);
  assigned = vsscanf(text, format, arguments);
  va_end(arguments);
  return assigned;
}
`

export const SCANNING: LibraryPart = { headers: {}, models: { '<heddle/scanning.c>': MODELS } }
