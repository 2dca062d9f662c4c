// <sys/epoll.h>: which files were added to which set is kept; what happens to them is open.
import { c, type LibraryPart } from '../part.js'

const MODELS = c`
#include <sys/epoll.h>
#include <errno.h>

#define WATCHED 8

extern int __heddle_failed(void);

/* What was added to all sets. */
static struct {
  int used, set, file;
  struct epoll_event event;
} __heddle_added[WATCHED];

int epoll_ctl(int set, int operation, int file, struct epoll_event *event)
{
  struct epoll_event wanted;
  int i, place = -1;
  if (__heddle_choice())
    return __heddle_failed();
  if (operation != EPOLL_CTL_DEL)
    wanted = *event;
  __heddle_atomic_begin();
  for (i = 0; i < WATCHED; i++)
    if (operation == EPOLL_CTL_ADD
            ? !__heddle_added[i].used
            : __heddle_added[i].used && __heddle_added[i].set == set && __heddle_added[i].file == file)
      place = i;
  if (place >= 0) {
    __heddle_added[place].used = operation != EPOLL_CTL_DEL;
    __heddle_added[place].set = set;
    __heddle_added[place].file = file;
    if (operation != EPOLL_CTL_DEL)
      __heddle_added[place].event = wanted;
  }
  __heddle_atomic_end();
  if (place >= 0)
    return 0;
  if (operation == EPOLL_CTL_ADD)
    __heddle_limit("more than 8 files in sets of epoll");
  errno = ENOENT;
  return -1;
}

/* Any of the files that were added, with any of their events, errors and the other end's hanging up. */
int epoll_wait(int set, struct epoll_event *events, int most, int time)
{
  int i, count = 0;
  if (__heddle_choice())
    return __heddle_failed();
  for (i = 0; i < WATCHED && count < most; i++) {
    struct epoll_event event;
    unsigned int told;
    int used;
    __heddle_atomic_begin();
    used = __heddle_added[i].used && __heddle_added[i].set == set;
    event = __heddle_added[i].event;
    __heddle_atomic_end();
    if (!used || __heddle_choice())
      continue;
    told = __heddle_nondet_range(1, 31);
    if (__heddle_choice())
      told |= EPOLLRDHUP;
    events[count].data = event.data;
    events[count].events = told & (event.events | EPOLLERR | EPOLLHUP);
    if (events[count].events != 0)
      count++;
  }
  return count == 0 && time < 0 ? __heddle_failed() : count;
}

int epoll_pwait(int set, struct epoll_event *events, int most, int time, const sigset_t *mask)
{
  return epoll_wait(set, events, most, time);
}
`

export const EPOLL: LibraryPart = { headers: {}, models: { '<heddle/epoll.c>': MODELS } }
