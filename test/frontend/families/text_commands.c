/* Strings: a thread reads a command that main copies, compares and parses.
 *
 * Verdicts: assert TRUE, no-data-race TRUE
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char command[8];
static int result;
static const char *const names[] = { "add", "sub" };

static void *execute(void *argument)
{
  const char *text = argument;
  char word[4];
  strncpy(word, text, 3);
  word[3] = '\0';
  if (strcmp(word, names[0]) == 0)
    result += atoi(text + 4);
  else if (!strcmp(word, names[1]))
    result -= (int)strtol(text + 4, NULL, 10);
  printf("%s: %d\n", word, result);
  return NULL;
}

int main(int argc, char *argv[])
{
  pthread_t thread;
  (void)argv;
  strcpy(command, argc > 1 ? "sub 12" : "add 42");
  pthread_create(&thread, NULL, execute, command);
  pthread_join(thread, NULL);
  assert(result == 42 || result == -12);
  assert(strlen(command) == 6 && memcmp(command + 3, " ", 1) == 0);
  return 0;
}
