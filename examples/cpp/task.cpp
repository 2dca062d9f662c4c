// A task that outlives who started it: it must share what it works on. With -D BUG it has a raw pointer only.
#include <future>
#include <memory>
#include <thread>

struct State {
  int value = 1;
};

int main() {
  auto state = std::make_shared<State>();
#ifdef BUG
  auto task = std::async(std::launch::async, [raw = state.get()] { return raw->value; });
#else
  auto task = std::async(std::launch::async, [state] { return state->value; });
#endif
  state.reset();
  return task.get() == 1 ? 0 : 1;
}
