// <sched.h>: yielding is nothing, because a thread may be delayed anywhere and for any time.
import { c, type LibraryPart } from '../part.js'

const SCHED = c`
#ifndef _SCHED_H
#define _SCHED_H 1
struct sched_param {
  int sched_priority;
};
#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
#define SCHED_BATCH 3
#define SCHED_IDLE 5
#define CPU_SETSIZE 1024
typedef struct {
  unsigned long __bits[1024 / (8 * sizeof(unsigned long))];
} cpu_set_t;
#define CPU_ZERO(set) ((void)(*(set) = (cpu_set_t){ { 0 } }))
#define CPU_SET(cpu, set) \
  ((void)((set)->__bits[(cpu) / (8 * sizeof(unsigned long))] |= 1UL << (cpu) % (8 * sizeof(unsigned long))))
#define CPU_CLR(cpu, set) \
  ((void)((set)->__bits[(cpu) / (8 * sizeof(unsigned long))] &= ~(1UL << (cpu) % (8 * sizeof(unsigned long)))))
#define CPU_ISSET(cpu, set) \
  (((set)->__bits[(cpu) / (8 * sizeof(unsigned long))] >> (cpu) % (8 * sizeof(unsigned long))) & 1)
extern int sched_setaffinity(int, unsigned long, const cpu_set_t *);
extern int sched_getaffinity(int, unsigned long, cpu_set_t *);
extern int sched_getcpu(void);
extern int sched_yield(void);
extern int sched_get_priority_max(int);
extern int sched_get_priority_min(int);
#endif
`

const SCHED_MODELS = c`
#include <sched.h>

int sched_get_priority_max(int policy)
{
  return policy == SCHED_FIFO || policy == SCHED_RR ? 99 : 0;
}

int sched_get_priority_min(int policy)
{
  return policy == SCHED_FIFO || policy == SCHED_RR ? 1 : 0;
}

int sched_setaffinity(int process, unsigned long size, const cpu_set_t *set)
{
  return __heddle_choice() ? 0 : -1;
}

int sched_getcpu(void)
{
  return (int)__heddle_nondet_range(0, 1023);
}

int sched_yield(void)
{
  return 0;
}
`

export const SCHEDULING: LibraryPart = {
  headers: {
    'sched.h': SCHED,
  },
  models: {
    '<heddle/sched.c>': SCHED_MODELS,
  },
}
