// <getopt.h>: options of the command line, as glibc takes them (arguments that are no options go to the end).
import { c, type LibraryPart } from '../part.js'

const GETOPT = c`
#ifndef _GETOPT_H
#define _GETOPT_H 1
#include <unistd.h>
struct option {
  const char *name;
  int has_arg;
  int *flag;
  int val;
};
#define no_argument 0
#define required_argument 1
#define optional_argument 2
extern int getopt_long(int, char *const *, const char *, const struct option *, int *);
extern int getopt_long_only(int, char *const *, const char *, const struct option *, int *);
#endif
`

const GETOPT_MODELS = c`
#include <getopt.h>
#include <string.h>

char *optarg;
int optind = 1;
int opterr = 1;
int optopt;

/* Where the next letter of several in one argument is; 0: at the next argument. */
static int __heddle_letter;

/* The argument at a place comes before those between. */
static void __heddle_bring(char **arguments, int from, int to)
{
  char *argument = arguments[from];
  for (; from > to; from--)
    arguments[from] = arguments[from - 1];
  arguments[to] = argument;
}

static int __heddle_is_option(const char *argument)
{
  return argument[0] == '-' && argument[1] != 0;
}

/* Where the next option is; those before it are none. */
static int __heddle_next_option(int count, char *const *arguments, const char *letters)
{
  int at = optind;
  if (letters[0] == '-')
    __heddle_limit("getopt with options that begin with -");
  while (letters[0] != '+' && at < count && !__heddle_is_option(arguments[at]))
    at++;
  return at < count && __heddle_is_option(arguments[at]) ? at : count;
}

static int __heddle_missing(const char *letters, int option)
{
  optopt = option;
  if (letters[0] == '+')
    letters++;
  return letters[0] == ':' ? ':' : '?';
}

/* The argument of the option at optind stands at the place behind the one where the option was. */
static int __heddle_takes(int count, char **arguments, int behind)
{
  optind++;
  if (behind >= count)
    return 0;
  __heddle_bring(arguments, behind, optind);
  optarg = arguments[optind];
  optind++;
  return 1;
}

static int __heddle_long(int count, char **arguments, const char *letters, const struct option *longs, int *index,
                         int behind)
{
  const char *name = arguments[optind] + 2;
  size_t length = strcspn(name, "=");
  int i, found = -1, several = 0;
  for (i = 0; longs[i].name != 0; i++) {
    if (strncmp(longs[i].name, name, length) != 0)
      continue;
    if (longs[i].name[length] == 0) {
      found = i;
      several = 0;
      break;
    }
    several = found >= 0;
    found = i;
  }
  if (found < 0 || several || (name[length] == '=' && longs[found].has_arg == no_argument)) {
    optind++;
    optopt = found < 0 || several ? 0 : longs[found].val;
    return '?';
  }
  if (name[length] == '=') {
    optarg = (char *)name + length + 1;
    optind++;
  } else if (longs[found].has_arg != required_argument) {
    optind++;
  } else if (!__heddle_takes(count, arguments, behind)) {
    return __heddle_missing(letters, longs[found].val);
  }
  if (index != 0)
    *index = found;
  if (longs[found].flag == 0)
    return longs[found].val;
  *longs[found].flag = longs[found].val;
  return 0;
}

int getopt_long(int count, char *const *given, const char *letters, const struct option *longs, int *index)
{
  char **arguments = (char **)given;
  const char *known;
  char letter;
  int at;
  optarg = 0;
  if (optind == 0) {
    optind = 1;
    __heddle_letter = 0;
  }
  at = optind;
  if (__heddle_letter == 0) {
    at = __heddle_next_option(count, arguments, letters);
    if (at >= count)
      return -1;
    __heddle_bring(arguments, at, optind);
    if (arguments[optind][1] == '-') {
      if (arguments[optind][2] == 0) {
        optind++;
        return -1;
      }
      if (longs != 0)
        return __heddle_long(count, arguments, letters, longs, index, at + 1);
    }
    __heddle_letter = 1;
  }
  letter = arguments[optind][__heddle_letter];
  __heddle_letter++;
  known = letter == ':' || letter == ';' ? 0 : strchr(letters, letter);
  if (known == 0 || known[1] != ':') {
    if (arguments[optind][__heddle_letter] == 0) {
      __heddle_letter = 0;
      optind++;
    }
    if (known == 0)
      optopt = letter;
    return known == 0 ? '?' : letter;
  }
  if (arguments[optind][__heddle_letter] != 0) {
    optarg = arguments[optind] + __heddle_letter;
    optind++;
  } else if (known[2] == ':') {
    optind++;
  } else if (!__heddle_takes(count, arguments, at + 1)) {
    __heddle_letter = 0;
    return __heddle_missing(letters, letter);
  }
  __heddle_letter = 0;
  return letter;
}

int getopt(int count, char *const *arguments, const char *letters)
{
  return getopt_long(count, arguments, letters, 0, 0);
}
`

export const OPTIONS: LibraryPart = {
  headers: { 'getopt.h': GETOPT },
  models: { '<heddle/getopt.c>': GETOPT_MODELS },
}
