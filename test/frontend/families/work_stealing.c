/* A deque that its owner uses at one end and a thief at the other, with indices that wrap (volatile, 2-D lookups).
 *
 * Verdicts: assert TRUE
 */
#include <assert.h>
#include <pthread.h>

#define SIZE 4
#define MASK (SIZE - 1)

typedef struct task { volatile int executed; } task_t;

typedef struct {
  pthread_mutex_t cs;
  volatile long head;
  volatile long tail;
  task_t *elements[SIZE];
} deque_t;

static deque_t queue = { PTHREAD_MUTEX_INITIALIZER };
static task_t tasks[3];

static int steal(deque_t *q, task_t **result)
{
  int found = 0;
  pthread_mutex_lock(&q->cs);
  long h = q->head;
  q->head = h + 1;
  if (h < q->tail) {
    *result = q->elements[h & MASK];
    found = 1;
  } else
    q->head = h;
  pthread_mutex_unlock(&q->cs);
  return found;
}

static int pop(deque_t *q, task_t **result)
{
  long t = q->tail - 1;
  q->tail = t;
  if (q->head <= t) {
    *result = q->elements[t & MASK];
    return 1;
  }
  q->tail = t + 1;
  pthread_mutex_lock(&q->cs);
  int found = 0;
  if (q->head <= t) {
    q->tail = t;
    *result = q->elements[t & MASK];
    found = 1;
  }
  pthread_mutex_unlock(&q->cs);
  return found;
}

static void push(deque_t *q, task_t *task)
{
  q->elements[q->tail & MASK] = task;
  q->tail++;
}

static void *thief(void *unused)
{
  task_t *task;
  if (steal(&queue, &task))
    task->executed++;
  return unused;
}

int main(void)
{
  pthread_t thread;
  task_t *task;
  pthread_create(&thread, 0, thief, 0);
  for (int i = 0; i < 2; i++)
    push(&queue, &tasks[i]);
  if (pop(&queue, &task))
    task->executed++;
  pthread_join(thread, 0);
  for (int i = 0; i < 3; i++)
    assert(tasks[i].executed <= 1);
  return 0;
}
