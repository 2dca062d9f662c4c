// expect: unreach-call FALSE
// engines: explicit bmc?
// 10 * 28 is 24 modulo 256.
#include <pthread.h>
extern void reach_error(void);
int ring[32]; unsigned head = 10;
void *producer(void *p) { for (int i = 0; i < 2; i++) { ring[((unsigned char)(head * 28)) / 8] = 1; head++; } return 0; }
int main(void) { pthread_t h; pthread_create(&h, 0, producer, 0); pthread_join(h, 0);
  if (ring[3] == 1) reach_error(); return 0; }
