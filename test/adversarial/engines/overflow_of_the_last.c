// expect: no-overflow FALSE
// engines: explicit
#include <pthread.h>
#include <limits.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x = INT_MAX - 9;
void *t(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t a[10]; for (int i = 0; i < 10; i++) pthread_create(&a[i],0,t,0); for (int i = 0; i < 10; i++) pthread_join(a[i],0); return 0; }
