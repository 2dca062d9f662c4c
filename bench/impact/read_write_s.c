// Two readers and two writers with a hand-made lock.
#include <assert.h>
#include <pthread.h>
int writing, readers, x, y;
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
static void acquire_write(void) {
  __VERIFIER_atomic_begin();
  __VERIFIER_assume(writing == 0 && readers == 0);
  writing = 1;
  __VERIFIER_atomic_end();
}
static void acquire_read(void) {
  __VERIFIER_atomic_begin();
  __VERIFIER_assume(writing == 0);
  readers = readers + 1;
  __VERIFIER_atomic_end();
}
static void release_read(void) {
  __VERIFIER_atomic_begin();
  readers = readers - 1;
  __VERIFIER_atomic_end();
}
void *writer(void *argument) {
  acquire_write();
  x = 3;
  writing = 0;
  return 0;
}
void *reader(void *argument) {
  int seen;
  acquire_read();
  seen = x;
  y = seen;
  assert(y == x);
  release_read();
  return 0;
}
int main(void) {
  pthread_t a, b, c, d;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_create(&c, 0, writer, 0);
  pthread_create(&d, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  pthread_join(d, 0);
  return 0;
}
