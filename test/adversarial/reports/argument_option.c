// expect: unreach-call TRUE
// A comparison with a short text reads no more than the first characters, however long the argument is.
#include <string.h>
extern void reach_error(void);
int main(int argc, char **argv) {
  int verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
  if (verbose && argv[1][1] != 'v')
    reach_error();
  return 0;
}
