// <time.h> and <sys/time.h>: sleeping is nothing, because a thread may be delayed anywhere and for any time; clocks give
// any time.
import { c, type LibraryPart } from '../part.js'

const TIME = c`
#ifndef _TIME_H
#define _TIME_H 1
#include <stddef.h>
#ifndef __HEDDLE_TIME_TYPES
#define __HEDDLE_TIME_TYPES
typedef long time_t;
typedef long clock_t;
typedef int clockid_t;
#endif
struct timespec {
  time_t tv_sec;
  long tv_nsec;
};
struct tm {
  int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
  long tm_gmtoff;
  const char *tm_zone;
};
#define CLOCKS_PER_SEC 1000000L
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCK_MONOTONIC_RAW 4
#define CLOCK_REALTIME_COARSE 5
#define CLOCK_MONOTONIC_COARSE 6
#define CLOCK_BOOTTIME 7
#define TIMER_ABSTIME 1
#define TIME_UTC 1
extern time_t time(time_t *);
extern clock_t clock(void);
extern double difftime(time_t, time_t);
extern int nanosleep(const struct timespec *, struct timespec *);
extern int clock_nanosleep(clockid_t, int, const struct timespec *, struct timespec *);
extern int clock_gettime(clockid_t, struct timespec *);
extern int timespec_get(struct timespec *, int);
extern struct tm *localtime(const time_t *);
extern struct tm *gmtime(const time_t *);
extern struct tm *localtime_r(const time_t *, struct tm *);
extern struct tm *gmtime_r(const time_t *, struct tm *);
extern time_t mktime(struct tm *);
extern size_t strftime(char *, size_t, const char *, const struct tm *);
extern char *asctime(const struct tm *);
extern char *asctime_r(const struct tm *, char *);
extern char *ctime(const time_t *);
extern char *ctime_r(const time_t *, char *);
extern int clock_getres(clockid_t, struct timespec *);
extern void tzset(void);
#endif
`

const SYS_TIME = c`
#ifndef _SYS_TIME_H
#define _SYS_TIME_H 1
#include <sys/types.h>
#ifndef __HEDDLE_TIMEVAL
#define __HEDDLE_TIMEVAL
struct timeval {
  time_t tv_sec;
  suseconds_t tv_usec;
};
#endif
struct timezone {
  int tz_minuteswest, tz_dsttime;
};
extern int gettimeofday(struct timeval *, void *);
#endif
`

const TIME_MODELS = c`
#include <time.h>
#include <sys/time.h>

time_t time(time_t *result)
{
  time_t now = (long)(__heddle_nondet_ulong() >> 1);
  if (result != 0)
    *result = now;
  return now;
}

clock_t clock(void)
{
  clock_t now = (long)(__heddle_nondet_ulong() >> 1);
  return now;
}

double difftime(time_t later, time_t earlier)
{
  return (double)later - (double)earlier;
}

extern void pthread_testcancel(void);

int nanosleep(const struct timespec *request, struct timespec *remaining)
{
  pthread_testcancel();
  return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *request, struct timespec *remaining)
{
  pthread_testcancel();
  return 0;
}

/* What CLOCK_MONOTONIC said last: nobody can set it, so that it does not go back. */
static time_t __heddle_last_seconds;
static long __heddle_last_nanoseconds;

int clock_gettime(clockid_t clock, struct timespec *result)
{
  time_t seconds = (long)(__heddle_nondet_ulong() >> 1);
  long nanoseconds = (long)__heddle_nondet_range(0, 999999999);
  if (clock == CLOCK_MONOTONIC) {
    __heddle_atomic_begin();
    time_t last_seconds = __heddle_last_seconds;
    long last_nanoseconds = __heddle_last_nanoseconds;
    __heddle_assume(seconds > last_seconds || (seconds == last_seconds && nanoseconds >= last_nanoseconds));
    __heddle_last_seconds = seconds;
    __heddle_last_nanoseconds = nanoseconds;
    __heddle_atomic_end();
  }
  result->tv_sec = seconds;
  result->tv_nsec = nanoseconds;
  return 0;
}

/* Which date belongs to which time is not modelled: one that is valid stands for all of them. */
static void __heddle_date(struct tm *date)
{
  __heddle_note("every date is 1 January 1970");
  date->tm_sec = 0;
  date->tm_min = 0;
  date->tm_hour = 0;
  date->tm_mday = 1;
  date->tm_mon = 0;
  date->tm_year = 70;
  date->tm_wday = 4;
  date->tm_yday = 0;
  date->tm_isdst = 0;
  date->tm_gmtoff = 0;
  date->tm_zone = "UTC";
}

/* One object for all threads, as C has it: calls at the same time race. */
static struct tm __heddle_tm;

struct tm *localtime(const time_t *time)
{
  (void)*time;
  __heddle_date(&__heddle_tm);
  return &__heddle_tm;
}

struct tm *gmtime(const time_t *time)
{
  (void)*time;
  __heddle_date(&__heddle_tm);
  return &__heddle_tm;
}

struct tm *localtime_r(const time_t *time, struct tm *result)
{
  (void)*time;
  __heddle_date(result);
  return result;
}

struct tm *gmtime_r(const time_t *time, struct tm *result)
{
  (void)*time;
  __heddle_date(result);
  return result;
}

time_t mktime(struct tm *date)
{
  time_t time = (long)(__heddle_nondet_ulong() >> 1);
  __heddle_date(date);
  return time;
}

/* Its format, where that fits: what a date looks like is not modelled. */
size_t strftime(char *buffer, size_t size, const char *format, const struct tm *date)
{
  size_t length = 0;
  __heddle_note("the text of a date is its format");
  (void)date->tm_sec;
  while (format[length] != 0) {
    if (length + 1 >= size)
      return 0;
    buffer[length] = format[length];
    length++;
  }
  if (size > 0)
    buffer[length] = 0;
  return length;
}

char *asctime_r(const struct tm *date, char *buffer)
{
  const char *text = "Thu Jan  1 00:00:00 1970\n";
  int i;
  __heddle_note("every date is 1 January 1970");
  for (i = 0; i < 26; i++)
    buffer[i] = text[i];
  return buffer;
}

static char __heddle_asctime[26];

char *asctime(const struct tm *date)
{
  return asctime_r(date, __heddle_asctime);
}

char *ctime_r(const time_t *time, char *buffer)
{
  (void)*time;
  return asctime_r(0, buffer);
}

char *ctime(const time_t *time)
{
  (void)*time;
  return asctime_r(0, __heddle_asctime);
}

int clock_getres(clockid_t clock, struct timespec *result)
{
  if (result != 0) {
    result->tv_sec = 0;
    result->tv_nsec = 1;
  }
  return 0;
}

void tzset(void)
{
}

int timespec_get(struct timespec *result, int base)
{
  clock_gettime(CLOCK_REALTIME, result);
  return base;
}

int gettimeofday(struct timeval *result, void *zone)
{
  time_t seconds = (long)(__heddle_nondet_ulong() >> 1);
  result->tv_sec = seconds;
  result->tv_usec = (suseconds_t)__heddle_nondet_range(0, 999999);
  return 0;
}
`

export const TIMES: LibraryPart = {
  headers: {
    'time.h': TIME,
    'sys/time.h': SYS_TIME,
  },
  models: {
    '<heddle/time.c>': TIME_MODELS,
  },
}
