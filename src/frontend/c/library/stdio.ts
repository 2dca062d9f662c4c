// <stdio.h>. Output has no effect that a program can see but its result, which is any number; input is any text.
// Files, and what writes into the program's memory by a format, are declared and not modelled.
import { c, type LibraryPart } from './part.js'

const HEADER = c`
#ifndef _STDIO_H
#define _STDIO_H 1
#include <stddef.h>
#include <stdarg.h>
typedef struct _IO_FILE { int __unused; } FILE;
#define EOF (-1)
#define BUFSIZ 8192
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;
extern int printf(const char *, ...);
extern int fprintf(FILE *, const char *, ...);
extern int vprintf(const char *, va_list);
extern int vfprintf(FILE *, const char *, va_list);
extern int dprintf(int, const char *, ...);
extern int sprintf(char *, const char *, ...);
extern int snprintf(char *, size_t, const char *, ...);
extern int vsnprintf(char *, size_t, const char *, va_list);
extern int vsprintf(char *, const char *, va_list);
extern int putchar(int);
extern int putc(int, FILE *);
extern int fputc(int, FILE *);
extern int puts(const char *);
extern int fputs(const char *, FILE *);
extern void perror(const char *);
extern int fflush(FILE *);
extern void setbuf(FILE *, char *);
extern int setvbuf(FILE *, char *, int, size_t);
extern int getchar(void);
extern int getc(FILE *);
extern int fgetc(FILE *);
extern char *fgets(char *, int, FILE *);
extern int scanf(const char *, ...);
extern int fscanf(FILE *, const char *, ...);
extern int sscanf(const char *, const char *, ...);
extern FILE *fopen(const char *, const char *);
extern int fclose(FILE *);
extern size_t fread(void *, size_t, size_t, FILE *);
extern size_t fwrite(const void *, size_t, size_t, FILE *);
extern int feof(FILE *);
extern int ferror(FILE *);
extern int fileno(FILE *);
#endif
`

const MODELS = c`
#include <stdio.h>

static FILE __heddle_files[3];
FILE *stdin = &__heddle_files[0];
FILE *stdout = &__heddle_files[1];
FILE *stderr = &__heddle_files[2];

/* What output reads of the program's memory (check/formats.ts). */
const char *__heddle_printed(const char *text)
{
  const char *letter = text;
  while (*letter != 0)
    letter++;
  return text;
}

int printf(const char *format, ...)
{
  return __heddle_nondet_int();
}

int fprintf(FILE *file, const char *format, ...)
{
  return __heddle_nondet_int();
}

int vprintf(const char *format, va_list arguments)
{
  return __heddle_nondet_int();
}

int vfprintf(FILE *file, const char *format, va_list arguments)
{
  return __heddle_nondet_int();
}

int dprintf(int file, const char *format, ...)
{
  return __heddle_nondet_int();
}

int putchar(int letter)
{
  return __heddle_choice() ? (int)(unsigned char)letter : EOF;
}

int putc(int letter, FILE *file)
{
  return __heddle_choice() ? (int)(unsigned char)letter : EOF;
}

int fputc(int letter, FILE *file)
{
  return __heddle_choice() ? (int)(unsigned char)letter : EOF;
}

int puts(const char *text)
{
  return __heddle_nondet_int();
}

int fputs(const char *text, FILE *file)
{
  return __heddle_nondet_int();
}

void perror(const char *text)
{
}

int fflush(FILE *file)
{
  return __heddle_choice() ? 0 : EOF;
}

void setbuf(FILE *file, char *buffer)
{
}

int setvbuf(FILE *file, char *buffer, int mode, size_t size)
{
  return 0;
}

int getchar(void)
{
  return (int)__heddle_nondet_range(0, 256) - 1;
}

int getc(FILE *file)
{
  return (int)__heddle_nondet_range(0, 256) - 1;
}

int fgetc(FILE *file)
{
  return (int)__heddle_nondet_range(0, 256) - 1;
}

char *fgets(char *buffer, int size, FILE *file)
{
  int i = 0;
  int letter = 0;
  while (i < size - 1 && letter != 10) {
    letter = (int)__heddle_nondet_range(0, 256) - 1;
    if (letter == EOF)
      break;
    buffer[i] = (char)letter;
    i++;
  }
  if (letter == EOF && (i == 0 || __heddle_choice()))
    return 0;
  buffer[i] = 0;
  return buffer;
}
`

export const STDIO: LibraryPart = { headers: { 'stdio.h': HEADER }, models: { '<heddle/stdio.c>': MODELS } }
