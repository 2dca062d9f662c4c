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
extern int vsscanf(const char *, const char *, va_list);
extern FILE *fopen(const char *, const char *);
extern int fclose(FILE *);
extern size_t fread(void *, size_t, size_t, FILE *);
extern size_t fwrite(const void *, size_t, size_t, FILE *);
extern int feof(FILE *);
extern int ferror(FILE *);
extern int fileno(FILE *);
extern FILE *fdopen(int, const char *);
extern FILE *freopen(const char *, const char *, FILE *);
extern FILE *tmpfile(void);
extern int fseek(FILE *, long, int);
extern long ftell(FILE *);
extern void rewind(FILE *);
extern void clearerr(FILE *);
extern int ungetc(int, FILE *);
extern int remove(const char *);
extern int rename(const char *, const char *);
extern int fputc_unlocked(int, FILE *);
extern int putc_unlocked(int, FILE *);
extern int putchar_unlocked(int);
extern void flockfile(FILE *);
extern void funlockfile(FILE *);
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
#define FILENAME_MAX 4096
#define L_tmpnam 20
#endif
`

const MODELS = c`
#include <stdio.h>

static FILE __heddle_files[3];
FILE *stdin = &__heddle_files[0];
FILE *stdout = &__heddle_files[1];
FILE *stderr = &__heddle_files[2];

/* What output reads of the program's memory (check/expressions/formats.ts). */
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

const FILE_MODELS = c`
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int __heddle_failed(void);
extern int __heddle_outcome(void);
extern void *__heddle_failed_pointer(void);

/* Which file is read does not matter: any contents are possible. */
static FILE __heddle_opened;

FILE *fopen(const char *path, const char *mode)
{
  return __heddle_choice() ? &__heddle_opened : __heddle_failed_pointer();
}

FILE *fdopen(int file, const char *mode)
{
  return __heddle_choice() ? &__heddle_opened : __heddle_failed_pointer();
}

FILE *freopen(const char *path, const char *mode, FILE *file)
{
  return __heddle_choice() ? file : __heddle_failed_pointer();
}

FILE *tmpfile(void)
{
  return __heddle_choice() ? &__heddle_opened : __heddle_failed_pointer();
}

FILE *popen(const char *command, const char *mode)
{
  return fopen(command, mode);
}

int pclose(FILE *file)
{
  return __heddle_outcome();
}

ssize_t getline(char **line, size_t *size, FILE *file)
{
  __heddle_note("lines that getline reads have at most 15 letters");
  if (*line == 0 || *size < 16) {
    free(*line);
    *line = malloc(16);
    *size = 16;
    if (*line == 0)
      return __heddle_failed();
  }
  if (fgets(*line, 16, file) == 0)
    return -1;
  return (ssize_t)strlen(*line);
}

int fclose(FILE *file)
{
  return __heddle_outcome();
}

size_t fread(void *buffer, size_t size, size_t count, FILE *file)
{
  unsigned char *bytes = buffer;
  size_t read = __heddle_nondet_range(0, (unsigned int)count);
  size_t i;
  for (i = 0; i < read * size; i++)
    bytes[i] = (unsigned char)__heddle_nondet_range(0, 255);
  return read;
}

size_t fwrite(const void *buffer, size_t size, size_t count, FILE *file)
{
  const unsigned char *bytes = buffer;
  size_t i;
  for (i = 0; i < count * size; i++)
    (void)bytes[i];
  return __heddle_nondet_range(0, (unsigned int)count);
}

int feof(FILE *file)
{
  return __heddle_choice();
}

int ferror(FILE *file)
{
  return __heddle_choice();
}

void clearerr(FILE *file)
{
}

int fileno(FILE *file)
{
  return file == stdin ? 0 : file == stdout ? 1 : file == stderr ? 2 : (int)__heddle_nondet_range(3, 1023);
}

int fseek(FILE *file, long offset, int whence)
{
  return __heddle_outcome();
}

long ftell(FILE *file)
{
  return __heddle_choice() ? __heddle_failed() : (long)__heddle_nondet_range(0, 2147483647);
}

void rewind(FILE *file)
{
}

int ungetc(int letter, FILE *file)
{
  return __heddle_choice() ? letter : EOF;
}

int remove(const char *path)
{
  return __heddle_outcome();
}

int rename(const char *from, const char *to)
{
  return __heddle_outcome();
}

int putc_unlocked(int letter, FILE *file)
{
  return __heddle_choice() ? (int)(unsigned char)letter : EOF;
}

int fputc_unlocked(int letter, FILE *file)
{
  return __heddle_choice() ? (int)(unsigned char)letter : EOF;
}

int putchar_unlocked(int letter)
{
  return __heddle_choice() ? (int)(unsigned char)letter : EOF;
}

/* What others print at the same time is seen by nobody. */
void flockfile(FILE *file)
{
}

void funlockfile(FILE *file)
{
}
`

export const STDIO: LibraryPart = {
  headers: { 'stdio.h': HEADER },
  models: { '<heddle/stdio.c>': MODELS, '<heddle/files.c>': FILE_MODELS },
}
