// Our own program in the place of pbzip2-safe of table I: a parallel compressor with a reader, two that compress, and a
// writer, over a bounded queue of blocks; one that fails ends the work of all. What it claims: the queue is never over-full
// or under-empty, what comes out of it is a block, a block is written after it was compressed, no more of those who compress
// leave than there are, and no more blocks are written than there were.
export const pbzip2 = (): string => `#include <assert.h>
#include <pthread.h>

/* Blocks of the input, places in the queue. */
#define BLOCKS 3
#define PLACES 2
#define NONE (-1)

extern int __VERIFIER_nondet_int(void);

/* ---- the queue between the reader and those who compress */

struct queue {
  int blocks[PLACES];
  int head;
  int tail;
  int length;
  int closed;
  pthread_mutex_t lock;
  pthread_cond_t not_full;
  pthread_cond_t not_empty;
};

struct queue queue;

static void queue_init(void)
{
  queue.head = 0;
  queue.tail = 0;
  queue.length = 0;
  queue.closed = 0;
  pthread_mutex_init(&queue.lock, 0);
  pthread_cond_init(&queue.not_full, 0);
  pthread_cond_init(&queue.not_empty, 0);
}

static int queue_is_full(void)
{
  return queue.length == PLACES;
}

static int queue_is_empty(void)
{
  return queue.length == 0;
}

/* The caller holds the lock. */
static void queue_add(int block)
{
  assert(queue.length < PLACES);
  queue.blocks[queue.tail] = block;
  queue.tail = queue.tail + 1;
  if (queue.tail == PLACES)
    queue.tail = 0;
  queue.length = queue.length + 1;
}

/* The caller holds the lock. */
static int queue_remove(void)
{
  int block;
  assert(queue.length > 0);
  block = queue.blocks[queue.head];
  queue.head = queue.head + 1;
  if (queue.head == PLACES)
    queue.head = 0;
  queue.length = queue.length - 1;
  return block;
}

/* Waits for a place; 0 if the queue is closed, and nobody would take the block. */
static int queue_put(int block)
{
  int put = 0;
  pthread_mutex_lock(&queue.lock);
  while (queue_is_full() && !queue.closed)
    pthread_cond_wait(&queue.not_full, &queue.lock);
  if (!queue.closed) {
    queue_add(block);
    put = 1;
    pthread_cond_signal(&queue.not_empty);
  }
  pthread_mutex_unlock(&queue.lock);
  return put;
}

/* Nothing will be added any more: those who wait find out. */
static void queue_close(void)
{
  pthread_mutex_lock(&queue.lock);
  queue.closed = 1;
  pthread_cond_broadcast(&queue.not_empty);
  pthread_cond_broadcast(&queue.not_full);
  pthread_mutex_unlock(&queue.lock);
}

/* Waits for a block; NONE once the queue is closed and empty. */
static int queue_get(void)
{
  int block = NONE;
  pthread_mutex_lock(&queue.lock);
  while (queue_is_empty() && !queue.closed)
    pthread_cond_wait(&queue.not_empty, &queue.lock);
  if (!queue_is_empty()) {
    block = queue_remove();
    pthread_cond_signal(&queue.not_full);
  }
  pthread_mutex_unlock(&queue.lock);
  return block;
}

/* ---- what was compressed, for the writer */

struct output {
  int ready[BLOCKS];
  int compressed;
  int finished;
  pthread_mutex_t lock;
  pthread_cond_t more;
};

struct output output;

/* How many have not ended yet that may still compress something. */
int compressors = 2;

static void output_init(void)
{
  for (int i = 0; i < BLOCKS; i++)
    output.ready[i] = 0;
  output.compressed = 0;
  output.finished = 0;
  pthread_mutex_init(&output.lock, 0);
  pthread_cond_init(&output.more, 0);
}

static void output_add(int block)
{
  pthread_mutex_lock(&output.lock);
  assert(block >= 0);
  assert(block < BLOCKS);
  output.ready[block] = 1;
  output.compressed = output.compressed + 1;
  pthread_cond_signal(&output.more);
  pthread_mutex_unlock(&output.lock);
}

/* One of those who compress has ended. */
static void output_leave(void)
{
  pthread_mutex_lock(&output.lock);
  compressors = compressors - 1;
  assert(compressors >= 0);
  if (compressors == 0) {
    output.finished = 1;
    pthread_cond_signal(&output.more);
  }
  pthread_mutex_unlock(&output.lock);
}

/* Waits until a block is ready; 0 if it never will be. */
static int output_wait(int block)
{
  int ready;
  pthread_mutex_lock(&output.lock);
  while (!output.ready[block] && !output.finished)
    pthread_cond_wait(&output.more, &output.lock);
  ready = output.ready[block];
  pthread_mutex_unlock(&output.lock);
  return ready;
}

/* ---- failures: the first of them ends the work of all */

struct failure {
  int happened;
  int block;
  pthread_mutex_t lock;
};

struct failure failure;

static void failure_init(void)
{
  failure.happened = 0;
  failure.block = NONE;
  pthread_mutex_init(&failure.lock, 0);
}

static void failure_report(int block)
{
  pthread_mutex_lock(&failure.lock);
  if (!failure.happened) {
    failure.happened = 1;
    failure.block = block;
  }
  pthread_mutex_unlock(&failure.lock);
  queue_close();
}

static int failure_happened(void)
{
  int happened;
  pthread_mutex_lock(&failure.lock);
  happened = failure.happened;
  pthread_mutex_unlock(&failure.lock);
  return happened;
}

/* ---- the threads */

int written = 0;

/* Whether there was memory for it. */
static int compress(int block)
{
  return __VERIFIER_nondet_int() != 0;
}

void *reader(void *argument)
{
  for (int block = 0; block < BLOCKS; block++) {
    if (failure_happened())
      break;
    if (!queue_put(block))
      break;
  }
  queue_close();
  return 0;
}

void *compressor(void *argument)
{
  int block = queue_get();
  while (block != NONE) {
    if (!compress(block)) {
      failure_report(block);
      break;
    }
    output_add(block);
    block = queue_get();
  }
  output_leave();
  return 0;
}

void *writer(void *argument)
{
  for (int block = 0; block < BLOCKS; block++) {
    int ready = output_wait(block);
    if (!ready)
      return 0;
    assert(output.ready[block] == 1);
    written = written + 1;
    assert(written <= BLOCKS);
  }
  return 0;
}

int main(void)
{
  pthread_t reading, first, second, writing;
  queue_init();
  output_init();
  failure_init();
  pthread_create(&reading, 0, reader, 0);
  pthread_create(&first, 0, compressor, 0);
  pthread_create(&second, 0, compressor, 0);
  pthread_create(&writing, 0, writer, 0);
  pthread_join(reading, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  pthread_join(writing, 0);
  return 0;
}
`
