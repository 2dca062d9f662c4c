// expect: unreach-call TRUE
// engines: explicit? bmc?
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
struct node { struct node *next; int v; } *head;
static void add(int v) { struct node *n = malloc(sizeof *n); n->v = v; n->next = head; head = n; }
static void drop(struct node *gone) { struct node **at = &head; while (*at != gone) at = &(*at)->next; *at = gone->next; free(gone); }
int main(void) { add(1); add(2); drop(head->next); add(3); if (head->v != 3 || head->next->v != 2 || head->next->next) reach_error(); return 0; }
