// Jumps into loops, switches and branches whose heads nothing reaches from above.
#include <assert.h>

static int into_while(void)
{
  int n = 0;
  goto check;
  while (1) {
    n++;
  check:
    if (n == 3)
      break;
  }
  return n;
}

static int into_do(void)
{
  int n = 0;
  goto in;
  do {
    n += 10;
  in:
    n++;
  } while (n < 30);
  return n;
}

static int into_for(int start)
{
  int i = start, sum = 0;
  goto body;
  for (i = 100; i < 5; i++) {
    sum += 100;
  body:
    sum += i;
  }
  return sum;
}

static int into_if(int x)
{
  if (x == 1)
    goto then;
  if (x == 2)
    goto otherwise;
  if (0) {
  then:
    return 10;
  } else {
  otherwise:
    x += 20;
  }
  return x;
}

static int duff(const char *from, char *to, int count)
{
  int rounds = (count + 3) / 4;
  switch (count % 4) {
  case 0:
    do {
      *to++ = *from++;
    case 3:
      *to++ = *from++;
    case 2:
      *to++ = *from++;
    case 1:
      *to++ = *from++;
    } while (--rounds > 0);
  }
  return rounds;
}

static int switch_into_while(int x)
{
  int n = 0;
  switch (x) {
    while (n < 4) {
    case 1:
      n++;
      if (n == 2)
        continue;
    default:
      n += 2;
    }
  }
  return n;
}

static int nested(int x)
{
  int n = 0;
  goto middle;
  for (;;) {
    while (n < 3) {
      n++;
      if (n == x)
        goto out;
    middle:
      n++;
    }
    n = 0;
    x--;
  }
out:
  return n * 10 + x;
}

static int backwards(void)
{
  int n = 0;
  if (n) {
    do {
    again:
      n++;
    } while (n % 3);
    if (n > 5)
      return n;
  }
  goto again;
}

int main(void)
{
  char from[] = "abcdefg", to[8] = { 0 };
  assert(into_while() == 3);
  assert(into_do() == 34);
  assert(into_for(2) == 209);
  assert(into_if(1) == 10);
  assert(into_if(2) == 22);
  assert(into_if(3) == 23);
  assert(duff(from, to, 7) == 0);
  assert(to[0] == 'a' && to[6] == 'g' && to[7] == 0);
  assert(switch_into_while(1) == 6);
  assert(switch_into_while(7) == 5);
  assert(nested(2) == 22);
  assert(backwards() == 6);
  return 0;
}
