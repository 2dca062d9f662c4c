// Two transfers in opposite directions. With -D BUG each takes its own lock first.
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 100;
};

void transfer(Account &from, Account &to, int amount) {
#ifdef BUG
  std::lock_guard<std::mutex> first(from.mutex);
  std::lock_guard<std::mutex> second(to.mutex);
#else
  std::scoped_lock both(from.mutex, to.mutex);
#endif
  from.balance -= amount;
  to.balance += amount;
}

int main() {
  Account a, b;
  std::thread there([&] { transfer(a, b, 10); });
  std::thread back([&] { transfer(b, a, 30); });
  there.join();
  back.join();
  assert(a.balance + b.balance == 200);
}
