// expect: unreach-call FALSE
// Longer arguments are not modelled, but this one is short enough.
#include <string.h>
extern void reach_error(void);
int main(int argc, char **argv) {
  if (argc > 1 && strlen(argv[1]) == 3)
    reach_error();
  return 0;
}
