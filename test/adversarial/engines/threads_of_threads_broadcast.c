// expect: unreach-call FALSE
// engines: bmc
#include <pthread.h>
extern void reach_error(void);
/* Threads that start threads, in either order: who is signalled is any waiter. */
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int woken, ready, waiting;
void *w(void *p){ pthread_mutex_lock(&m); waiting++; while (!ready) pthread_cond_wait(&c,&m); woken++; pthread_mutex_unlock(&m); return 0; }
void *s(void *p){ pthread_t h; pthread_create(&h,0,w,0); pthread_join(h,0); return 0; }
int main(void){ pthread_t a,b; pthread_create(&a,0,s,0); pthread_create(&b,0,s,0);
  pthread_mutex_lock(&m); if (waiting == 2) { ready = 1; pthread_cond_broadcast(&c); } pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m); if (woken == 2) reach_error(); pthread_mutex_unlock(&m); return 0; }
