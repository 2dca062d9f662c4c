#include "stack.h"

void stack_init(struct stack *s)
{
  pthread_mutex_init(&s->lock, 0);
  s->top = 0;
}

void stack_destroy(struct stack *s)
{
  pthread_mutex_destroy(&s->lock);
}

int stack_push(struct stack *s, int value)
{
  int pushed = 0;
  pthread_mutex_lock(&s->lock);
  if (s->top < STACK_SIZE) {
    s->items[s->top] = value;
    s->top++;
    pushed = 1;
  }
  pthread_mutex_unlock(&s->lock);
  return pushed;
}

int stack_pop(struct stack *s, int *value)
{
  int popped = 0;
  pthread_mutex_lock(&s->lock);
  if (s->top > 0) {
    s->top--;
    *value = s->items[s->top];
    popped = 1;
  }
  pthread_mutex_unlock(&s->lock);
  return popped;
}
