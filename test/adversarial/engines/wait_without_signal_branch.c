// expect: termination FALSE
// engines: redcomp
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int r;
int main(void){ int n = 0; pthread_mutex_lock(&a); if (!r) pthread_cond_wait(&c,&a); n++; pthread_mutex_unlock(&a); while (n < 5) n++; return 0; }
