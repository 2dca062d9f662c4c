/* A log that keeps the last lines. */
#ifndef LOG_H
#define LOG_H
#include <stddef.h>

#define LOG_LINES 32
#define LOG_WIDTH 80

void log_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Copies the last line. */
void log_last(char *to, size_t room);
unsigned long log_count(void);
#endif
