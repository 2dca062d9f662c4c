// C89 and older: int goes without saying, parameters are declared behind the list, functions by their calls.
#include <assert.h>

static total;
static numbers[4] = { 1, 2, 3 };
extern later();

sum(p, count) int *p; register int count;
{
  static calls = 0;
  auto result = 0;
  register i;
  for (i = 0; i < count; i++)
    result += p[i];
  calls++;
  return result + calls;
}

struct pair { char first; short second; } pair_of(a, b) char a; short b;
{
  struct pair made;
  made.first = a;
  made.second = b;
  return made;
}

typedef unsigned char byte;
static inline twice(byte x) { return x * 2; }
__attribute__((noinline)) thrice(x) byte x; { return x * 3; }
byte static known = 4;

main(argc, argv) int argc; char **argv;
{
  struct pair p;
  p = pair_of(300, 70000);
  assert(p.first == 44 && p.second == 4464);
  assert(sum(numbers, 3) == 7 && sum(numbers, 2) == 5);
  assert(twice(200) == 400 && thrice(257) == 3);
  assert(total == 0 && known == 4 && later(3) == 4);
  return 0;
}

later(x) { return x + 1; }
