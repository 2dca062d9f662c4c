/* Control flow: loops, switch, goto, recursion, function pointers, short circuits, statics. */
#include <assert.h>

static int calls;
static int numbers[10] = { [3] = 7, 8, [9] = 1 };

static int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
static int fibonacci(int n)
{
  if (n < 2)
    return n;
  return fibonacci(n - 1) + fibonacci(n - 2);
}

static int is_even(int n);
static int is_odd(int n) { return n == 0 ? 0 : is_even(n - 1); }
static int is_even(int n) { return n == 0 ? 1 : is_odd(n - 1); }

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int (*operations[2])(int, int) = { add, subtract };

typedef int (*comparison)(const void *, const void *);
static int less(const void *a, const void *b) { return *(const int *)a < *(const int *)b; }
static int more(const void *a, const void *b) { return *(const int *)a > *(const int *)b; }
static int apply(comparison compare, int a, int b) { return compare(&a, &b); }

static int count(void)
{
  static int n = 10;
  return n++;
}

static int effect(int value)
{
  calls++;
  return value;
}

static int choose(int value)
{
  int result = 0;
  switch (value) {
  case 1:
    result += 1;
  case 2:
    result += 2;
    break;
  case 5 ... 7:
    result = 50;
    break;
  default:
    result = -1;
  }
  return result;
}

static int loops(void)
{
  int sum = 0, j = 0;
  for (int i = 0; i < 5; i++) {
    if (i == 1)
      continue;
    if (i == 4)
      break;
    sum += i;
  }
  do {
    sum += 10;
  } while (++j < 2);
  while (j--)
    sum += 100;
  return sum;
}

static int jumps(int n)
{
  int sum = 0;
again:
  if (n == 0)
    goto done;
  sum += n;
  n--;
  goto again;
done:
  return sum;
}

int main(void)
{
  assert(factorial(5) == 120 && fibonacci(7) == 13 && is_even(6) == 1 && is_odd(6) == 0);
  int one = 1;
  assert(operations[0](2, 3) == 5 && operations[one](2, 3) == -1);
  assert(apply(less, 1, 2) == 1 && apply(more, 1, 2) == 0);
  comparison chosen = one > 3 ? more : less;
  assert(chosen(&one, &one) == 0);
  assert(count() == 10 && count() == 11);
  assert(choose(1) == 3 && choose(2) == 2 && choose(6) == 50 && choose(9) == -1);
  assert(loops() == 0 + 2 + 3 + 20 + 200);
  assert(jumps(4) == 10);

  assert(!(effect(0) && effect(1)) && calls == 1);
  assert((effect(2) || effect(0)) && calls == 2);
  int picked = effect(1) ? effect(5) : effect(6);
  assert(picked == 5 && calls == 4);
  int k = 1, last = (k++, k + 1);
  assert(last == 3 && k == 2);
  assert(({ int w = 5; w * 2; }) == 10);

  assert(numbers[3] == 7 && numbers[4] == 8 && numbers[9] == 1 && numbers[0] == 0);
  int i = 0;
  numbers[i++] = 5;
  numbers[i] = 3;
  numbers[i] <<= 2;
  assert(i == 1 && numbers[0] == 5 && numbers[1] == 12);
  int *p = numbers;
  *p++ = 8;
  *++p = 9;
  assert(numbers[0] == 8 && numbers[2] == 9 && p == numbers + 2);
  p -= 2;
  assert(*p == 8 && p[2] == 9);
  return 0;
}
