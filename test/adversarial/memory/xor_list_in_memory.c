// expect: unreach-call FALSE
// engines: explicit bmc?
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
struct node { int v; uintptr_t link; } n[3], *first;
int main(void) {
  for (int i = 0; i < 3; i++) {
    uintptr_t before = i > 0 ? (uintptr_t)&n[i - 1] : 0, after = i < 2 ? (uintptr_t)&n[i + 1] : 0;
    n[i].link = before ^ after;
    n[i].v = i;
  }
  first = &n[0];
  uintptr_t before = 0; struct node *at = first; int sum = 0;
  while (at) { sum += at->v; uintptr_t next = at->link ^ before; before = (uintptr_t)at; at = (struct node *)next; }
  if (sum == 3) reach_error();
  return 0;
}
