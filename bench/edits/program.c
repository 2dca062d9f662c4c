// A queue of jobs between producers and workers, with a shutdown: the program whose edits run.mjs replays.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define CAPACITY 2
#define PRODUCERS 2
#define WORKERS 1
#define JOBS 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static int queue[CAPACITY];
static int first, length;
static int open_producers = PRODUCERS;
static int done;

static void put(int job) {
  pthread_mutex_lock(&lock);
  while (length == CAPACITY) pthread_cond_wait(&not_full, &lock);
  queue[(first + length) % CAPACITY] = job;
  length++;
  assert(length <= CAPACITY);
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&lock);
}

static int take(int *job) {
  pthread_mutex_lock(&lock);
  while (length == 0 && open_producers > 0) pthread_cond_wait(&not_empty, &lock);
  int taken = length > 0;
  if (taken) {
    *job = queue[first];
    first = (first + 1) % CAPACITY;
    length--;
    assert(length >= 0);
    pthread_cond_signal(&not_full);
  }
  pthread_mutex_unlock(&lock);
  return taken;
}

static void *producer(void *unused) {
  for (int i = 0; i < JOBS; i++) put(i + 1);
  pthread_mutex_lock(&lock);
  open_producers--;
  pthread_cond_broadcast(&not_empty);
  pthread_mutex_unlock(&lock);
  return 0;
}

static void *worker(void *unused) {
  int job = 0;
  while (take(&job)) {
    assert(job >= 1 && job <= JOBS);
    pthread_mutex_lock(&lock);
    done++;
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

int main(void) {
  pthread_t threads[PRODUCERS + WORKERS];
  for (int i = 0; i < PRODUCERS; i++) pthread_create(&threads[i], 0, producer, 0);
  for (int i = 0; i < WORKERS; i++) pthread_create(&threads[PRODUCERS + i], 0, worker, 0);
  for (int i = 0; i < PRODUCERS + WORKERS; i++) pthread_join(threads[i], 0);
  assert(done == PRODUCERS * JOBS);
  return 0;
}
