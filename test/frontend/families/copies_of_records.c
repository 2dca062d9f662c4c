/* Records copied by memcpy and memmove, cleared by memset, grown by realloc; a matrix.
 *
 * Verdicts: assert TRUE, no-data-race TRUE
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct point { int x, y; };
struct shape { struct point corners[2]; long id; void *owner; };

static struct shape published;
static int matrix[2][3] = { { 1, 2, 3 }, [1] = { [2] = 6 } };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *publish(void *argument)
{
  struct shape mine;
  memset(&mine, 0, sizeof mine);
  mine.corners[1] = (struct point){ .x = 7, .y = 8 };
  mine.owner = &published;
  pthread_mutex_lock(&lock);
  memcpy(&published, &mine, sizeof(struct shape));
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(void)
{
  pthread_t thread;
  struct shape seen;
  int *numbers = malloc(2 * sizeof(int));
  numbers[0] = 4;
  numbers[1] = 5;
  pthread_create(&thread, 0, publish, 0);
  pthread_mutex_lock(&lock);
  seen = published;
  pthread_mutex_unlock(&lock);
  assert(seen.corners[1].x == 0 || (seen.corners[1].y == 8 && seen.owner == &published));
  numbers = realloc(numbers, 4 * sizeof(int));
  numbers[3] = 6;
  assert(numbers[0] + numbers[1] + numbers[3] == 15);
  memmove(&matrix[0][1], &matrix[0][0], 2 * sizeof(int));
  assert(matrix[0][0] == 1 && matrix[0][1] == 1 && matrix[0][2] == 2 && matrix[1][2] == 6);
  free(numbers);
  pthread_join(thread, 0);
  return 0;
}
