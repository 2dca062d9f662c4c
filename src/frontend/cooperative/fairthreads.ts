// <fthread.h>: the cooperative threads of FairThreads, with the library's own names. What concerns the scheduler is a
// primitive (esst.txt, section 3), executed by the engine; handles of events and threads are small numbers.
import { c, type LibraryPart } from '../c/index.js'

const HEADER = c`
#ifndef _FTHREAD_H
#define _FTHREAD_H 1
#define OK 0
#define EBADCREATE 1
#define EBADLINK 2
#define EBADMEM 3
#define ENEXT 4
#define ETIMEOUT 5
typedef struct __ft_scheduler *ft_scheduler_t;
typedef struct __ft_thread *ft_thread_t;
typedef struct __ft_event *ft_event_t;
extern ft_scheduler_t ft_scheduler_create(void);
extern int ft_scheduler_start(ft_scheduler_t);
extern int ft_scheduler_broadcast(ft_event_t);
extern int ft_scheduler_broadcast_value(ft_event_t, void *);
extern int ft_scheduler_stop(ft_thread_t);
extern int ft_scheduler_suspend(ft_thread_t);
extern int ft_scheduler_resume(ft_thread_t);
extern ft_thread_t ft_thread_create(ft_scheduler_t, void (*)(void *), void (*)(void *), void *);
extern ft_event_t ft_event_create(ft_scheduler_t);
extern int ft_thread_cooperate(void);
extern int ft_thread_cooperate_n(int);
extern int ft_thread_await(ft_event_t);
extern int ft_thread_await_n(ft_event_t, int);
extern int ft_thread_generate(ft_event_t);
extern int ft_thread_generate_value(ft_event_t, void *);
extern int ft_thread_get_value(ft_event_t, int, void **);
extern int ft_thread_select(int, ft_event_t *, int *);
extern int ft_thread_select_n(int, ft_event_t *, int *, int);
extern int ft_thread_join(ft_thread_t);
extern int ft_thread_join_n(ft_thread_t, int);
extern int ft_thread_link(ft_scheduler_t);
extern int ft_thread_unlink(void);
extern ft_thread_t ft_thread_self(void);
extern ft_scheduler_t ft_thread_scheduler(void);
extern void ft_exit(void);
#endif
`

const MODELS = c`
#include <fthread.h>

extern unsigned int __heddle_primitive_ft_scheduler_create(void);
extern void __heddle_primitive_ft_start(void);
extern void __heddle_primitive_ft_broadcast(unsigned int);
extern unsigned int __heddle_primitive_ft_event_create(void);
extern void __heddle_primitive_ft_cooperate(int);
extern void __heddle_primitive_ft_await(unsigned int);
extern void __heddle_primitive_ft_await_n(unsigned int, int);
extern void __heddle_primitive_ft_generate(unsigned int);
extern void __heddle_primitive_ft_join(unsigned int);
extern void __heddle_primitive_ft_join_n(unsigned int, int);
extern int __heddle_primitive_ft_timed_out(void);

ft_scheduler_t ft_scheduler_create(void)
{
  return (ft_scheduler_t)(unsigned long)__heddle_primitive_ft_scheduler_create();
}

int ft_scheduler_start(ft_scheduler_t scheduler)
{
  __heddle_primitive_ft_start();
  return OK;
}

int ft_scheduler_broadcast(ft_event_t event)
{
  __heddle_primitive_ft_broadcast((unsigned int)(unsigned long)event);
  return OK;
}

ft_thread_t ft_thread_create(ft_scheduler_t scheduler, void (*run)(void *), void (*cleanup)(void *), void *argument)
{
  return (ft_thread_t)(unsigned long)__heddle_start((void *(*)(void *))run, argument);
}

ft_event_t ft_event_create(ft_scheduler_t scheduler)
{
  return (ft_event_t)(unsigned long)__heddle_primitive_ft_event_create();
}

int ft_thread_cooperate(void)
{
  __heddle_primitive_ft_cooperate(1);
  return OK;
}

int ft_thread_cooperate_n(int instants)
{
  __heddle_primitive_ft_cooperate(instants);
  return OK;
}

int ft_thread_await(ft_event_t event)
{
  __heddle_primitive_ft_await((unsigned int)(unsigned long)event);
  return OK;
}

int ft_thread_await_n(ft_event_t event, int instants)
{
  __heddle_primitive_ft_await_n((unsigned int)(unsigned long)event, instants);
  return __heddle_primitive_ft_timed_out() ? ETIMEOUT : OK;
}

int ft_thread_generate(ft_event_t event)
{
  __heddle_primitive_ft_generate((unsigned int)(unsigned long)event);
  return OK;
}

int ft_thread_join(ft_thread_t thread)
{
  __heddle_primitive_ft_join((unsigned int)(unsigned long)thread);
  return OK;
}

int ft_thread_join_n(ft_thread_t thread, int instants)
{
  __heddle_primitive_ft_join_n((unsigned int)(unsigned long)thread, instants);
  return __heddle_primitive_ft_timed_out() ? ETIMEOUT : OK;
}

ft_thread_t ft_thread_self(void)
{
  return (ft_thread_t)(unsigned long)__heddle_self();
}

void ft_exit(void)
{
  __heddle_thread_exit();
}
`

export const FAIRTHREADS: LibraryPart = {
  headers: { 'fthread.h': HEADER },
  models: { '<heddle/fthread.c>': MODELS },
}
