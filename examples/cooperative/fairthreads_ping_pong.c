/* Two cooperative threads of FairThreads take turns by events. An event lives for one instant: whoever awaits it in that
 * instant sees it, before or after it was generated. Only one of them has the ball at a time.
 *
 * Verdicts: assert TRUE
 */
#include <assert.h>
#include <fthread.h>

ft_event_t ping, pong;
int balls;

void left(void *unused)
{
  while (1) {
    balls++;
    assert(balls == 1);
    balls--;
    ft_thread_generate(ping);
    ft_thread_await(pong);
    ft_thread_cooperate();
  }
}

void right(void *unused)
{
  while (1) {
    ft_thread_await(ping);
    balls++;
    assert(balls == 1);
    balls--;
    ft_thread_generate(pong);
    ft_thread_cooperate();
  }
}

int main(void)
{
  ft_scheduler_t scheduler = ft_scheduler_create();
  ping = ft_event_create(scheduler);
  pong = ft_event_create(scheduler);
  ft_thread_create(scheduler, left, 0, 0);
  ft_thread_create(scheduler, right, 0, 0);
  ft_scheduler_start(scheduler);
  ft_exit();
  return 0;
}
