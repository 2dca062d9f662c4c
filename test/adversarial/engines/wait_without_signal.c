// expect: termination FALSE
// engines: redcomp
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int main(void){ pthread_mutex_lock(&a); pthread_cond_wait(&c,&a); pthread_mutex_unlock(&a); return 0; }
