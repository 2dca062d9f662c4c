// expect: assert TRUE
// engines: commute graphs explicit
// The thread ends the program before main's join can return.
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
void *t(void *p) { exit(0); return 0; }
int main(void) { pthread_t a; pthread_create(&a,0,t,0); pthread_join(a,0); assert(0); return 0; }
