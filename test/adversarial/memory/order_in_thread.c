// expect: unreach-call FALSE
// engines: explicit bmc?
// 2 + 4
#include <pthread.h>
extern void reach_error(void);
int n, seen; int next(void) { return ++n; } int first(int a, int b) { return a; }
void *worker(void *p) { for (int i = 0; i < 2; i++) seen += first(next(), next()); return 0; }
int main(void) { pthread_t h; pthread_create(&h, 0, worker, 0); pthread_join(h, 0); if (seen == 6) reach_error(); return 0; }
