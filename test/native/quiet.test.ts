// Programs that are right, of the kinds that tools of this sort are wrong about: nothing may be found in them. And what
// starts other processes is stopped, and told.
import { describe, expect, it } from 'vitest'
import { findIn, hasCompiler, hasCxx, hasCxx20, SKIPPED, search, withProgram } from './harness.js'

const COUNTED = `#include <atomic>
#include <cassert>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
struct lazy { std::once_flag once; int value = 0; };
int calls;
std::once_flag fails;
static void fail_first() { if (calls++ == 0) throw std::runtime_error("first"); }
static void try_again() {
  for (;;) try { std::call_once(fails, fail_first); break; } catch (std::exception &) {}
}
static std::size_t length() { static std::string text("made once"); return text.size(); }
int main() {
  // A flag at the place of one that is gone.
  for (int i = 0; i < 3; i++) {
    auto made = std::make_unique<lazy>();
    std::call_once(made->once, [&] { made->value = 1; });
    assert(made->value == 1);
  }
  std::thread a([] { try_again(); assert(length() == 9); }), b([] { try_again(); assert(length() == 9); });
  a.join();
  b.join();
  assert(calls == 2);
}
`

/** Exceptions that two threads hold: libstdc++ counts who does, and the last one frees them. */
const THROWN = `#include <cassert>
#include <exception>
#include <future>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
struct broken : std::exception { std::string text = "a text that is too long to be kept inside"; int code = 7; };
static void pass(void (*fail)(), void (*look)(std::future<void>)) {
  std::promise<void> promise;
  std::future<void> future = promise.get_future();
  std::thread sender([&promise, fail] {
    std::promise<void> own(std::move(promise));
    try { fail(); } catch (...) { own.set_exception(std::current_exception()); }
  });
  std::thread receiver(look, std::move(future));
  receiver.join();
  sender.join();
}
int main() {
  pass([] { throw std::runtime_error("text"); },
       [](std::future<void> f) { try { f.get(); } catch (std::exception &e) { assert(e.what()[0] == 't'); } });
  pass([] { throw broken(); },
       [](std::future<void> f) { try { f.get(); } catch (broken &b) { assert(b.code == 7 && b.text[0] == 'a'); } });
  pass([] { try { throw std::logic_error("inner"); } catch (...) { std::throw_with_nested(broken()); } },
       [](std::future<void> f) {
         try { f.get(); } catch (broken &b) { try { std::rethrow_if_nested(b); } catch (std::logic_error &e) { assert(e.what()[0] == 'i'); } }
       });
  pass([] { throw std::runtime_error("copied"); },
       [](std::future<void> f) {
         std::runtime_error copy("");
         try { f.get(); } catch (std::runtime_error &e) { copy = e; }
         f = {};
         assert(copy.what()[0] == 'c');
       });
}
`

/** As a lock, and to count. Those of GCC 11 to 13 may sleep though they are free, which is not the program's error. */
const SEMAPHORES = `#include <semaphore>
#include <thread>
std::binary_semaphore m(1);
std::counting_semaphore<4> items(0);
int n;
static void work() { m.acquire(); n++; m.release(); items.acquire(); }
int main() {
  std::jthread a(work), b(work);
  for (int i = 0; i < GIVEN; i++) items.release();
}
`

/** The same in small: who lets go wakes nobody. */
const UNWOKEN = `#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
atomic_int word;
void NAME(void) { int one = 1; while (!atomic_compare_exchange_strong(&word, &one, 0)) { one = 1; syscall(SYS_futex, &word, FUTEX_WAIT, 0, 0); } }
static void *take(void *unused) { NAME(); return unused; }
int main(void) { pthread_t t; pthread_create(&t, 0, take, 0); atomic_store(&word, 1); return pthread_join(t, 0); }
`

/** What a program does where there is no memory is up to it. */
const NO_MEMORY = `#include <cassert>
#include <new>
int main() {
  int caught = 0;
  volatile unsigned long much = 1ul << 60;
  try { delete[] new char[much]; } catch (std::bad_alloc &) { caught++; }
  struct alignas(64) wide { char bytes[64]; };
  try { delete[] new wide[much / 64]; } catch (std::bad_alloc &) { caught++; }
  std::set_new_handler([] { throw 3; });
  try { delete[] new char[much]; } catch (int) { caught++; }
  assert(caught == 3);
}
`

/** Blocks to which only a stack that waits, or a page of the program's own, leads. */
const HELD = `#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
int **page;
static void *leave(void *unused) { exit(0); }
int main(void) {
  int *held = malloc(40);
  pthread_t t;
  page = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  page[3] = malloc(10);
  munmap((char *)page + 4096, 4096);
  pthread_create(&t, 0, leave, 0);
  pthread_join(t, 0);
  return held[0];
}
`

const STARTS = [
  ['execlp("true", "true", (char *)0);', 'execlp'],
  ['daemon(1, 1); for (;;) pause();', 'daemon'],
  ['if (syscall(SYS_clone, 17, 0, 0, 0, 0) == 0) for (;;) pause();', 'system call'],
  [
    'long made = 57; __asm__ volatile("syscall" : "+a"(made) : : "rcx", "r11", "memory"); if (!made) for (;;) pause();',
    'another process',
  ],
  ['kill(getppid(), SIGTERM);', 'signal to another process'],
  ['void GOMP_parallel(void); GOMP_parallel();', 'OpenMP'],
] as const

describe.skipIf(!hasCompiler)(`nothing is found where nothing is${hasCompiler ? '' : ` (${SKIPPED})`}`, () => {
  it('blocks that only a waiting stack or a page leads to are no leaks', async () => {
    expect(await findIn(HELD, { maxRuns: 100 })).toBe('nothing')
  })
  it.skipIf(!hasCxx)('once, with exceptions and at the same place again; statics of functions', async () => {
    expect(await findIn(COUNTED, { maxRuns: 300 }, 'counted.cpp')).toBe('nothing')
  })
  it.skipIf(!hasCxx)('exceptions that several threads hold', async () => {
    expect(await findIn(THROWN, { maxRuns: 400 }, 'thrown.cpp')).toBe('nothing')
  })
  it.skipIf(!hasCxx)('operator new without memory', async () => {
    expect(await findIn(NO_MEMORY, { maxRuns: 10 }, 'memory.cpp')).toBe('nothing')
    expect(await findIn('int main() { volatile long n = 1l << 60; delete[] new char[n]; }', {}, 'm.cpp')).toBe('crash')
  })
  it('a wait of a semaphore of C++ ends when it is free, any other when it is woken', async () => {
    const named = (name: string) => UNWOKEN.replaceAll('NAME', name)
    expect(await findIn(named('_ZNSt18counting_semaphoreILl1EE7acquireEv'), { maxRuns: 200 })).toBe('nothing')
    expect(await findIn(named('wait_for_one'), { maxRuns: 200 })).toBe('no-deadlock')
  })
  it.skipIf(!hasCxx20)('semaphores of C++', async () => {
    expect(await findIn(SEMAPHORES.replace('GIVEN', '2'), { maxRuns: 400 }, 'semaphores.cpp')).toBe('nothing')
    expect(await findIn(SEMAPHORES.replace('GIVEN', '1'), { maxRuns: 100 }, 'semaphores.cpp')).toBe('no-deadlock')
  })
  const here = STARTS.filter(([text]) => !text.includes('__asm__') || process.arch === 'x64')
  it.each(here)('%s is told', async (text, told) => {
    const program = `#define _GNU_SOURCE\n#include <signal.h>\n#include <sys/syscall.h>\n#include <unistd.h>\nint main(void) { ${text} return 0; }\n`
    const { found, campaign } = await withProgram(program, (runner) => search(runner, { maxRuns: 5 }))
    expect(found).toBeUndefined()
    expect(campaign.counts.trouble).toContain(told)
  })
})
