// What real projects write, and gcc compiles.
import { expect, test } from 'vitest'
import { InputError } from '../../../src/frontend/c/index.js'
import { oracle } from '../../../src/semantics/exploration/oracle.js'
import { compileText } from '../lower/support.js'

const holds = (text: string): void => {
  expect(oracle(compileText(`#include <assert.h>\n${text}`).program, 'assert').verdict).toBe('true')
}

test('what is wrong in a function that is never called is a warning', () => {
  const { warnings } = compileText('static int unused(void) { return nowhere_r(1); }\nint main(void) { return 0; }')
  expect(warnings.map(({ text, severity }) => [severity, text])).toEqual([
    ['warning', "implicit declaration of function 'nowhere_r'"],
  ])
})

test('and an error in one that is called, through a pointer too', () => {
  const wrong = 'static int f(void) { return nowhere; }'
  expect(() => compileText(`${wrong} int main(void) { return f(); }`)).toThrow(InputError)
  expect(() => compileText(`${wrong} int (*p)(void) = f; int main(void) { return p(); }`)).toThrow(InputError)
})

test('the name of a parameter in parentheses', () => {
  holds(`static int twice(int(cb)(int), int (x)) { return cb(cb(x)); }
    static int inc(int i) { return i + 1; }
    int main(void) { assert(twice(inc, 1) == 3); }`)
})

test('lock-freedom is a constant', () => {
  holds(`static long x; _Static_assert(__atomic_always_lock_free(sizeof(x), 0), "");
    _Static_assert(!__atomic_always_lock_free(16, 0) || 0, "");
    int main(void) { return 0; }`)
})

test('offsetof with a computed index', () => {
  holds(`#include <stddef.h>
    struct s { char c; struct { short a, b[4]; } in[3]; };
    int main(void) { volatile int i = 2, j = 3;
      assert(offsetof(struct s, in[i].b[j]) == offsetof(struct s, in[2].b[3])); }`)
})

test('an argument for a transparent union', () => {
  holds(`typedef union { int *i; char *c; long n; } any __attribute__((transparent_union));
    static int first(any a) { return *a.i; }
    static long number(any a) { return a.n; }
    int main(void) { int v = 3; assert(first(&v) == 3); assert(number(5L) == 5); any a = { &v }; assert(first(a) == 3); }`)
})

test('what surrounds threads is modelled: signals, files, time, aligned memory', () => {
  const { program, notes } = compileText(`#include <assert.h>
    #include <errno.h>
    #include <signal.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <sys/mman.h>
    #include <sys/socket.h>
    #include <time.h>
    #include <unistd.h>
    static void handler(int number) { assert(0); }
    int main(void) {
      struct sigaction action = { .sa_handler = handler };
      sigemptyset(&action.sa_mask);
      assert(sigaction(SIGINT, &action, NULL) == 0);
      void *block;
      if (posix_memalign(&block, 64, 8) == 0) free(block);
      int file = socket(AF_INET, SOCK_STREAM, 0);
      char byte = 0;
      if (file >= 0) { ssize_t n = read(file, &byte, 1); assert(n >= -1 && n <= 1); assert(n == 1 || byte == 0); }
      time_t now = 0; struct tm date;
      assert(localtime_r(&now, &date) == &date && date.tm_mon <= 11);
      assert(ENOBUFS == 105);
      return 0;
    }`)
  expect([...notes].sort()).toEqual(['every date is 1 January 1970', 'no signal comes but by raise'])
  expect(oracle(program, 'assert', { maxStates: 1000 }).verdict).not.toBe('false')
})

test('a function that reads through a pointer races with one that writes', () => {
  const { program } = compileText(`#include <pthread.h>
    #include <unistd.h>
    char byte;
    static void *t(void *a) { byte = 1; return a; }
    int main(void) { pthread_t a; pthread_create(&a, 0, t, 0); write(1, &byte, 1); return 0; }`)
  expect(oracle(program, 'no-data-race').verdict).toBe('false')
})

test('an atomic operation on the first element of an array leaves the second one alone', () => {
  holds(`#include <stdatomic.h>
    atomic_int flags[2] = { 1, 7 }; atomic_flag bits[2]; short s[2] = { 1, 3 };
    int main(void) {
      atomic_store(&flags[0], 2); assert(flags[1] == 7 && atomic_load(flags) == 2);
      assert(atomic_fetch_add(&flags[0], 3) == 2 && flags[0] == 5 && flags[1] == 7);
      atomic_flag_test_and_set(&bits[0]); assert(!atomic_flag_test_and_set(&bits[1]));
      assert(__atomic_exchange_n(s, 4, __ATOMIC_SEQ_CST) == 1 && s[1] == 3);
    }`)
})

test('what an atomic addition to a pointer counts is up to the compiler', () => {
  const notesOf = (type: string): readonly string[] =>
    compileText(`#include <stdatomic.h>
      ${type} a[8]; _Atomic(${type} *) p = a;
      int main(void) { atomic_fetch_add(&p, 4); return 0; }`).notes
  expect(notesOf('int').join()).toMatch('count bytes of a pointer, as gcc has them')
  expect(notesOf('char').join()).not.toMatch('count bytes')
})
