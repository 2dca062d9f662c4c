#include "log.h"
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char lines[LOG_LINES][LOG_WIDTH];
static unsigned long written;

void log_line(const char *format, ...) {
  char text[LOG_WIDTH];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  pthread_mutex_lock(&lock);
  strcpy(lines[written % LOG_LINES], text);
  written++;
  pthread_mutex_unlock(&lock);
}

void log_last(char *to, size_t room) {
  pthread_mutex_lock(&lock);
  const char *line = written ? lines[(written - 1) % LOG_LINES] : "";
  snprintf(to, room, "%s", line);
  pthread_mutex_unlock(&lock);
}

unsigned long log_count(void) {
  pthread_mutex_lock(&lock);
  unsigned long count = written;
  pthread_mutex_unlock(&lock);
  return count;
}
