// What runs at the end of a program that calls `atexit` (<stdlib.h>): before `exit` ends it, and after its entry has returned.
import { c, type LibraryPart } from './part.js'

const MODELS = c`
#define EXIT_FUNCTIONS 32

static void (*__heddle_exit_functions[EXIT_FUNCTIONS])(void);
static int __heddle_exit_functions_left;

void __heddle_call_exit_functions(void)
{
  void (*function)(void);
  do {
    function = 0;
    __heddle_atomic_begin();
    if (__heddle_exit_functions_left > 0) {
      __heddle_exit_functions_left--;
      function = __heddle_exit_functions[__heddle_exit_functions_left];
    }
    __heddle_atomic_end();
    if (function != 0)
      function();
  } while (function != 0);
}

int atexit(void (*function)(void))
{
  if (0)
    __heddle_call_exit_functions();
  __heddle_atomic_begin();
  if (__heddle_exit_functions_left == EXIT_FUNCTIONS)
    __heddle_limit("more than 32 functions for atexit");
  __heddle_exit_functions[__heddle_exit_functions_left] = function;
  __heddle_exit_functions_left++;
  __heddle_atomic_end();
  return 0;
}
`

export const EXIT_FUNCTIONS: LibraryPart = { headers: {}, models: { '<heddle/atexit.c>': MODELS } }
