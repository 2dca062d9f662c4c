// expect: unreach-call FALSE
// Destructors run for main, too, when it calls pthread_exit, also in a program that starts no thread.
#include <pthread.h>
extern void reach_error(void);
pthread_key_t k;
void destroy(void *p) { reach_error(); }
int main(void) {
  static int x;
  pthread_key_create(&k, destroy);
  pthread_setspecific(k, &x);
  pthread_exit(0);
}
