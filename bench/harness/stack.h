// A bounded stack under one lock.
#ifndef STACK_H
#define STACK_H
#include <pthread.h>
#define STACK_SIZE 3
struct stack {
  pthread_mutex_t lock;
  int top;
  int items[STACK_SIZE];
};
void stack_init(struct stack *s);
void stack_destroy(struct stack *s);
int stack_push(struct stack *s, int value);
int stack_pop(struct stack *s, int *value);
#endif
