// A message that is published by a flag. With -D BUG the flag orders nothing.
#include <atomic>
#include <cassert>
#include <thread>

int message;
std::atomic<bool> ready{ false };

#ifdef BUG
constexpr auto PUBLISH = std::memory_order_relaxed, SEE = std::memory_order_relaxed;
#else
constexpr auto PUBLISH = std::memory_order_release, SEE = std::memory_order_acquire;
#endif

int main() {
  std::thread writer([] {
    message = 5;
    ready.store(true, PUBLISH);
  });
  std::thread reader([] {
    if (ready.load(SEE)) assert(message == 5);
  });
  writer.join();
  reader.join();
}
