// expect: unreach-call UNKNOWN
// reason: arguments of the program that are more or longer than is modelled
#include <string.h>
extern void reach_error(void);
int main(int argc, char **argv) {
  if (argc > 1 && strlen(argv[1]) > 20)
    reach_error();
  return 0;
}
