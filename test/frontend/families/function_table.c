/* Calls through a table of functions and through pointers as arguments, alloca, a static local, nested switch.
 *
 * Verdicts: assert TRUE, no-data-race TRUE
 */
#include <alloca.h>
#include <assert.h>
#include <pthread.h>

typedef int (*operation)(int, int);
typedef void *(*start_routine)(void *);

static int plus(int a, int b) { return a + b; }
static int minus(int a, int b) { return a - b; }
static int times(int a, int b) { return a * b; }
static operation operations[] = { plus, minus, [2] = &times };

static int apply(operation f, int a, int b) { return (*f)(a, b); }

static int next(void)
{
  static int number = 10;
  return number++;
}

static void *compute(void *argument)
{
  int *numbers = (int *)alloca(3 * sizeof(int));
  int i;
  for (i = 0; i < 3; i++)
    numbers[i] = apply(operations[i], 6, i + 1);
  *(int *)argument = numbers[0] + numbers[1] * numbers[2];
  return argument;
}

static pthread_t spawn(start_routine routine, void *argument)
{
  pthread_t thread;
  int status = pthread_create(&thread, NULL, routine, argument);
  switch (status) {
    case 0:
      break;
    case 1 ... 200:
    default:
      assert(0);
  }
  return thread;
}

int main(void)
{
  int results[2] = { 0 };
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    threads[i] = spawn(compute, &results[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  assert(results[0] == 79 && results[0] == results[1]);
  assert(next() + next() == 21);
  return 0;
}
