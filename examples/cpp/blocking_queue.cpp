// A queue that is closed: consumers must be woken, all of them. With -D BUG only one is.
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

class Queue {
public:
  void put(int item) {
    std::lock_guard<std::mutex> lock(mutex);
    items.push_back(item);
    changed.notify_one();
  }
  std::optional<int> take() {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [this] { return closed || !items.empty(); });
    if (items.empty()) return std::nullopt;
    int item = items.front();
    items.pop_front();
    return item;
  }
  void close() {
    std::lock_guard<std::mutex> lock(mutex);
    closed = true;
#ifdef BUG
    changed.notify_one();
#else
    changed.notify_all();
#endif
  }

private:
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<int> items;
  bool closed = false;
};

int main() {
  Queue queue;
  int sums[2] = { 0, 0 };
  auto consume = [&queue](int *sum) {
    while (auto item = queue.take()) *sum += *item;
  };
  std::thread first(consume, &sums[0]), second(consume, &sums[1]);
  queue.put(1);
  queue.put(2);
  queue.close();
  first.join();
  second.join();
  assert(sums[0] + sums[1] == 3);
}
