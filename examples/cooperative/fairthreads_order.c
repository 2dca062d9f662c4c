/* A reader that relies on the order in which threads run within an instant. Nothing promises that order: when the reader
 * runs first in the second instant, it sees a value that is not there yet.
 *
 * Verdicts: assert FALSE
 */
#include <assert.h>
#include <fthread.h>

int value;

void writer(void *unused)
{
  ft_thread_cooperate();
  value = 1;
}

void reader(void *unused)
{
  ft_thread_cooperate();
  assert(value == 1);
}

int main(void)
{
  ft_scheduler_t scheduler = ft_scheduler_create();
  ft_thread_create(scheduler, writer, 0, 0);
  ft_thread_create(scheduler, reader, 0, 0);
  ft_scheduler_start(scheduler);
  ft_exit();
  return 0;
}
