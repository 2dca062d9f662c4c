// Readers share the lock, a writer has it alone. With -D BUG a reader that misses writes under the shared lock.
#include <map>
#include <mutex>
#include <shared_mutex>
#include <thread>

class Cache {
public:
  int get(int key) {
    {
      std::shared_lock<std::shared_mutex> lock(mutex);
      auto found = values.find(key);
      if (found != values.end()) return found->second;
#ifdef BUG
      return values[key] = key * key;
#endif
    }
    std::unique_lock<std::shared_mutex> lock(mutex);
    return values[key] = key * key;
  }

private:
  std::shared_mutex mutex;
  std::map<int, int> values;
};

int main() {
  Cache cache;
  std::thread first([&] { cache.get(2); }), second([&] { cache.get(3); });
  first.join();
  second.join();
  return cache.get(2) == 4 ? 0 : 1;
}
