// expect: unreach-call FALSE
// engines: explicit bmc?
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
struct node { int key; struct node *next; } a, b;
int main(void) {
  uintptr_t link = (uintptr_t)&b | 3;
  a.next = (struct node *)link;
  struct node *n = (struct node *)((uintptr_t)a.next & ~(uintptr_t)3);
  n->key = 4;
  if (b.key == 4) reach_error();
  return 0;
}
