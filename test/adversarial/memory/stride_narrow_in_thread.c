// expect: unreach-call FALSE
// engines: explicit bmc?
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <errno.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern unsigned char __VERIFIER_nondet_uchar(void); extern _Bool __VERIFIER_nondet_bool(void); extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); extern void __VERIFIER_assume(int);
int ring[256]; unsigned head;
void *t(void *p){ for (int i = 0; i < 3; i++) { ring[(unsigned char)(head * 3)] = 1; head++; } return 0; }
int main(void){ pthread_t h; head = 85; pthread_create(&h,0,t,0); pthread_join(h,0); if (ring[2]) reach_error(); return 0; }
