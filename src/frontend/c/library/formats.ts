// Formatted text in memory: snprintf and its relatives (C11 7.21.6.5). Exact for numbers that are whole, letters and
// strings; floating point, pointers, wide characters and %n are unsupported (check/expressions/formats.ts).
import { c, type LibraryPart } from './part.js'

const MODELS = c`
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define LEFT 1
#define ZERO 2
#define PLUS 4
#define SPACE 8
#define OTHER 16

/* The letter belongs at this place of the text: written if there is room for it and for the end. */
static int __heddle_put(char *buffer, size_t size, int at, char letter)
{
  if ((size_t)at + 1 < size)
    buffer[at] = letter;
  return at + 1;
}

static int __heddle_repeat(char *buffer, size_t size, int at, char letter, int times)
{
  while (times > 0) {
    at = __heddle_put(buffer, size, at, letter);
    times--;
  }
  return at;
}

/* Sign or prefix, zeros up to the precision, digits; spaces or zeros up to the width. */
static int __heddle_put_number(char *buffer, size_t size, int at, unsigned long long value, unsigned int base,
                               char ten, const char *prefix, int flags, int width, int precision)
{
  unsigned long long power = 1;
  int count = value != 0;
  int zeros;
  int length = 0;
  int digit;
  while (value / power >= base) {
    power = power * base;
    count++;
  }
  while (prefix[length] != 0)
    length++;
  zeros = precision - count;
  if (precision < 0)
    zeros = (flags & ZERO) && !(flags & LEFT) ? width - length - count : 1 - count;
  if (precision < 0 && zeros < 1 - count)
    zeros = 1 - count;
  if (zeros < 0)
    zeros = 0;
  width = width - length - zeros - count;
  if (!(flags & LEFT))
    at = __heddle_repeat(buffer, size, at, 32, width);
  while (*prefix != 0) {
    at = __heddle_put(buffer, size, at, *prefix);
    prefix++;
  }
  at = __heddle_repeat(buffer, size, at, 48, zeros);
  while (count > 0) {
    digit = (int)(value / power % base);
    at = __heddle_put(buffer, size, at, (char)(digit < 10 ? 48 + digit : ten + digit - 10));
    power = power / base;
    count--;
  }
  if (flags & LEFT)
    at = __heddle_repeat(buffer, size, at, 32, width);
  return at;
}

static int __heddle_put_text(char *buffer, size_t size, int at, const char *text, int flags, int width, int precision)
{
  int length = 0;
  int i = 0;
  while ((precision < 0 || length < precision) && text[length] != 0)
    length++;
  if (!(flags & LEFT))
    at = __heddle_repeat(buffer, size, at, 32, width - length);
  while (i < length) {
    at = __heddle_put(buffer, size, at, text[i]);
    i++;
  }
  if (flags & LEFT)
    at = __heddle_repeat(buffer, size, at, 32, width - length);
  return at;
}

static int __heddle_flag(char letter)
{
  switch (letter) {
  case '-':
    return LEFT;
  case '0':
    return ZERO;
  case '+':
    return PLUS;
  case ' ':
    return SPACE;
  case '#':
    return OTHER;
  default:
    return 0;
  }
}

int vsnprintf(char *buffer, size_t size, const char *format, va_list arguments)
{
  int at = 0;
  int flags, flag, width, precision, longs;
  long long number;
  unsigned long long magnitude;
  const char *prefix;
  char letter;
  while (*format != 0) {
    if (*format != '%') {
      at = __heddle_put(buffer, size, at, *format);
      format++;
      continue;
    }
    format++;
    flags = 0;
    while ((flag = __heddle_flag(*format)) != 0) {
      flags = flags | flag;
      format++;
    }
    width = 0;
    if (*format == '*') {
      width = va_arg(arguments, int);
      format++;
      if (width < 0) {
        flags = flags | LEFT;
        width = -width;
      }
    }
    while (*format >= '0' && *format <= '9') {
      width = 10 * width + (*format - '0');
      format++;
    }
    precision = -1;
    if (*format == '.') {
      format++;
      precision = 0;
      if (*format == '*') {
        precision = va_arg(arguments, int);
        format++;
      }
      while (*format >= '0' && *format <= '9') {
        precision = 10 * precision + (*format - '0');
        format++;
      }
    }
    longs = 0;
    while (*format == 'l' || *format == 'h' || *format == 'z' || *format == 't' || *format == 'j') {
      if (*format == 'h')
        longs--;
      else if (*format == 'j')
        longs = 2;
      else
        longs++;
      format++;
    }
    letter = *format;
    format++;
    switch (letter) {
    case 'd':
    case 'i':
      if (longs >= 2)
        number = va_arg(arguments, long long);
      else if (longs == 1)
        number = va_arg(arguments, long);
      else
        number = va_arg(arguments, int);
      if (longs == -1)
        number = (short)number;
      if (longs == -2)
        number = (signed char)number;
      magnitude = number < 0 ? 0 - (unsigned long long)number : (unsigned long long)number;
      prefix = number < 0 ? "-" : (flags & PLUS) ? "+" : (flags & SPACE) ? " " : "";
      at = __heddle_put_number(buffer, size, at, magnitude, 10, 'a', prefix, flags, width, precision);
      break;
    case 'u':
    case 'x':
    case 'X':
    case 'o':
      if (longs >= 2)
        magnitude = va_arg(arguments, unsigned long long);
      else if (longs == 1)
        magnitude = va_arg(arguments, unsigned long);
      else
        magnitude = va_arg(arguments, unsigned int);
      if (longs == -1)
        magnitude = (unsigned short)magnitude;
      if (longs == -2)
        magnitude = (unsigned char)magnitude;
      prefix = (flags & OTHER) && magnitude != 0 ? (letter == 'x' ? "0x" : letter == 'X' ? "0X" : "") : "";
      at = __heddle_put_number(buffer, size, at, magnitude, letter == 'u' ? 10 : letter == 'o' ? 8 : 16,
                               letter == 'X' ? 'A' : 'a', prefix, flags, width, precision);
      break;
    case 'c':
      if (!(flags & LEFT))
        at = __heddle_repeat(buffer, size, at, 32, width - 1);
      at = __heddle_put(buffer, size, at, (char)va_arg(arguments, int));
      if (flags & LEFT)
        at = __heddle_repeat(buffer, size, at, 32, width - 1);
      break;
    case 's':
      at = __heddle_put_text(buffer, size, at, va_arg(arguments, const char *), flags, width, precision);
      break;
    case '%':
      at = __heddle_put(buffer, size, at, '%');
      break;
    default:
      __heddle_undefined("a conversion that there is not");
    }
  }
  if (size > 0)
    buffer[(size_t)at < size ? (size_t)at : size - 1] = 0;
  return at;
}

int snprintf(char *buffer, size_t size, const char *format, ...)
{
  va_list arguments;
  int length;
  va_start(arguments, format);
  length = vsnprintf(buffer, size, format, arguments);
  va_end(arguments);
  return length;
}

/* What printf and its relatives return, where that is used (check/expressions/formats.ts). */
int __heddle_vprinted_length(const char *format, va_list arguments)
{
  __heddle_note("output succeeds");
  return vsnprintf((char *)0, 0, format, arguments);
}

int __heddle_printed_length(const char *format, ...)
{
  va_list arguments;
  int length;
  va_start(arguments, format);
  length = __heddle_vprinted_length(format, arguments);
  va_end(arguments);
  return length;
}

int vsprintf(char *buffer, const char *format, va_list arguments)
{
  return vsnprintf(buffer, (size_t)-1, format, arguments);
}

int sprintf(char *buffer, const char *format, ...)
{
  va_list arguments;
  int length;
  va_start(arguments, format);
  length = vsnprintf(buffer, (size_t)-1, format, arguments);
  va_end(arguments);
  return length;
}

int vasprintf(char **result, const char *format, va_list arguments)
{
  va_list again;
  int length;
  va_copy(again, arguments);
  length = vsnprintf(0, 0, format, arguments);
  *result = malloc((size_t)length + 1);
  if (*result == 0)
    return -1;
  return vsnprintf(*result, (size_t)length + 1, format, again);
}

int asprintf(char **result, const char *format, ...)
{
  va_list arguments;
  int length;
  va_start(arguments, format);
  length = vasprintf(result, format, arguments);
  va_end(arguments);
  return length;
}
`

export const FORMATS: LibraryPart = { headers: {}, models: { '<heddle/formats.c>': MODELS } }
