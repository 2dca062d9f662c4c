// expect: unreach-call FALSE
// engines: explicit bmc?
#include <pthread.h>
extern void reach_error(void);
union { struct { unsigned low : 4, high : 4; } f; unsigned char byte; } u;
void *other(void *p) { u.f.low = 3; return 0; }
int main(void) { pthread_t h; pthread_create(&h, 0, other, 0); u.f.high = 2; pthread_join(h, 0);
  if (u.byte == 0x20) reach_error(); return 0; }
