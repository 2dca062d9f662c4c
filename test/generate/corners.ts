// Sequential C of constructs that the other generators leave out: variable-length arrays, calls through pointers,
// recursion, copying by the C library, sizes that are computed, variadic functions, thread-local and static data,
// compound assignments whose operands are calls; and what the functions of pthread return, errors too. The machine's
// compiler and C library say what comes out; nothing here is undefined, nor unspecified.
import type { Choices } from './choices.js'
import type { SequentialProgram } from './sequential.js'

const PRELUDE = `#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static unsigned long long checksum;
static void mix(unsigned long long value) { checksum = checksum * 1000003u + value; }
struct pair { short left; int right; };
struct bits { signed a : 3; unsigned b : 6; unsigned : 0; int c : 11; unsigned long long d : 33; };
struct tail { int n; short items[]; };
union view { unsigned long long all; unsigned char bytes[8]; struct pair pair; short halves[4]; };
static int cells[8];
static int calls;
static _Thread_local int own = 3;
static int counted(int value) { calls++; return value; }
static int *cell(int i) { calls++; return &cells[i & 7]; }
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int (*const table[])(int, int) = { add, sub };
static int (*choose(int k))(int, int) { return k & 1 ? sub : add; }
static int apply(int (*f)(int, int), int a, int b) { return f(a, b); }
static int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int ticket(void) { static int next = 5; return next++; }
static int total(int n, ...) { va_list l; int sum = 0; va_start(l, n); for (int i = 0; i < n; i++) sum = sum * 3 + va_arg(l, int); va_end(l); return sum; }
static struct pair swap(struct pair p) { struct pair q = { (short)p.right, p.left }; return q; }
static void *give(void *p) { own += 4; return (char *)p + own; }
static void *leave(void *p) { pthread_exit((char *)p + 2); }
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void once_only(void) { calls++; }
static int destroyed;
static void destroy(void *p) { destroyed += *(int *)p; }
static void *keeps(void *k) { static int value = 6; pthread_setspecific(*(pthread_key_t *)k, &value); return 0; }
`

/** Each is a block of its own; A and B are small numbers, C is any. */
const BLOCKS: readonly string[] = [
  // Compound assignments and calls.
  '{ calls = 0; int v = A; v += counted(B) * 2; v <<= counted(1); v ^= counted(C) & 255; mix(v); mix(calls); }',
  '{ calls = 0; *cell(A) = 4; *cell(A) += counted(B); (*cell(A))++; mix(cells[A]); mix(calls); }',
  '{ short s = C; s *= A + 1; s -= B; s >>= 1; mix(s); s = -s; mix(s); }',
  '{ unsigned char u = C; u /= B + 1; u %= 7; u = ~u; mix(u); mix(-u); mix(u << 3); }',
  '{ int v = C; v = v++ + 0 * A; mix(v & 0); int w = A; int z = w++ * 2; mix(z + w); z = --w; mix(z); }'.replace(
    'v = v++ + 0 * A;',
    'v++;',
  ),
  '{ long l = C; int i = l; unsigned u = l; short s = l; mix(i == l); mix(u == l); mix(s == l); mix(l > u); mix(i > u); }',
  '{ signed char c = C; c = c / 2 + c % 2; mix(c); c >>= 1; mix(c); mix((unsigned char)c >> 1); mix((c & 0x80) != 0); }',
  '{ int v = C; mix(v ? v : A); mix(v ?: B); mix(!!v + !v); mix((v, A)); }',
  '{ unsigned long long w = 1; w = (w << (32 + A)) - B; mix(w); mix((unsigned)w); mix(w >> 33); mix((long long)w < 0); }',
  '{ int v = INT_MIN + A; mix(v < 0); mix((unsigned)v); mix(v / -2); mix(-(long)v); unsigned n = UINT_MAX; n += A; mix(n); }',
  // Control flow.
  '{ int n = A; switch (n & 3) { for (; n < 6; n += 2) { case 1: mix(1); case 0: mix(n); } break; case 2: n = 5; default: mix(n); } mix(n); }',
  '{ int n = B, k = 0; while (k < 3) { switch (n) { case 0: k++; continue; case 1: n = 0; break; default: n--; } mix(n * 8 + k); } }',
  '{ int n = 0; if (A) goto second; first: n += 1; if (n > 5) goto out; second: { int m = n; n = m + 2; if (m < 4) goto first; } out: mix(n); }',
  '{ int n = 0; for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) { if (i * j == A) continue; if (i + j == B + 1) goto out; n += i * 3 + j; } out: mix(n); }',
  '{ int n = A; do { if (n == 2) continue; mix(n); } while (n++ < 4); mix(n); }',
  '{ int n = 0; for (int i = A, j = 5; i < j; i++, j--) n = n * 10 + i + j; mix(n); }',
  // Pointers to functions, recursion, variadic functions.
  '{ mix(table[A & 1](B, 3)); mix(choose(B)(A, 7)); mix(apply(A > 1 ? add : sub, C & 255, B)); mix((*choose(1))(1, 2)); }',
  '{ int (*f)(int, int) = add; if (A) f = sub; mix(f(f(1, 2), B)); mix(f == sub); mix(table[0] == add); }',
  '{ mix(ack(1, A)); mix(even(A + B)); mix(odd(5)); mix(ticket()); mix(ticket()); }',
  '{ mix(total(A, 4, 5, 6)); mix(total(0)); mix(total(3, A, B, C & 15)); }',
  '{ struct pair p = { A, C }; p = swap(p); mix(p.left); mix(p.right); p = swap(swap(p)); mix(p.left); mix(swap(p).right); }',
  // Arrays whose size shows at run time, computed sizes.
  '{ int n = A + 1, m = B + 2; short v[n][m]; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) v[i][j] = i * 10 + j; mix(v[n - 1][m - 1]); mix(sizeof v); mix(sizeof v[0]); }',
  '{ int n = A + 2; char v[n]; memset(v, B, n); v[n - 1] = 9; n = 1; mix(sizeof v); mix(v[0]); int s = 0; for (unsigned i = 0; i < sizeof v; i++) s += v[i]; mix(s); }',
  '{ int n = A + 1; struct tail *t = malloc(sizeof *t + n * sizeof t->items[0]); t->n = n; for (int i = 0; i < n; i++) t->items[i] = i + B; int s = 0; for (int i = 0; i < t->n; i++) s += t->items[i]; mix(s); free(t); }',
  '{ int n = A + 1; int *p = calloc(n, sizeof *p); mix(p[n - 1]); p[n - 1] = B; p = realloc(p, (n + 3) * sizeof *p); mix(p[n - 1]); p[n + 2] = 8; mix(p[n + 2]); free(p); }',
  '{ size_t n = (A + 1) * sizeof(struct pair); struct pair *p = malloc(n); p[A].right = C; p[A].left = B; mix(p[A].right + p[A].left); mix(n); free(p); }',
  '{ char *p = malloc(A + 4); char *q = p + A; *q = B; q[1] = 3; mix(p[A] + p[A + 1]); mix(q - p); mix(q > p); free(p); }',
  // Copies.
  '{ union view v; v.all = 0; memcpy(v.bytes + A, "\\x11\\x22\\x33", 3); mix(v.all); mix(v.halves[1]); v.pair.right = C; mix(v.bytes[5]); mix(v.all >> 16); }',
  '{ struct pair p[3] = { { 1, A }, { 2, B }, { 3, 4 } }, q[3]; memcpy(q, p, sizeof p); memmove(q + 1, q, 2 * sizeof *q); mix(q[1].right); mix(q[2].right); mix(memcmp(&p[0], &p[0], sizeof p[0])); }',
  '{ unsigned x = C; unsigned char b[4]; memcpy(b, &x, 4); unsigned y = b[3] << 24 | b[2] << 16 | b[1] << 8 | b[0]; mix(x == y); mix(b[A & 3]); }',
  '{ char s[12] = "abc"; strcat(s, "de"); mix(strlen(s)); mix(strcmp(s, "abd") < 0); mix(strncmp(s, "abx", 2)); strncpy(s, "zz", 5); mix(s[0] + s[4]); mix(*strchr("hello", \'l\' + 0)); }',
  '{ char s[] = "a\\0b"; mix(sizeof s); mix(strlen(s)); char t[4] = { \'x\' }; mix(t[3]); const char *u = "AB" "CD"; mix(u[A & 3]); mix(memchr(u, \'C\', 4) != 0); }',
  '{ int v[4] = { 3, A, C & 15, B }; qsort(v, 4, sizeof *v, compare); mix(v[0] * 1000 + v[1] * 100 + v[2] * 10 + v[3]); }',
  '{ mix(atoi("42")); mix(strtol("0x1f", 0, 0)); mix(strtol("-7z", 0, 10)); mix(abs(-A)); mix(labs(-5L)); }',
  // Bit-fields.
  '{ struct bits b = { 0 }; b.a = C; b.b = C; b.c = C; b.d = C; mix(b.a); mix(b.b); mix(b.c); mix(b.d); mix(b.a + b.b); b.a++; b.c -= B; b.b <<= 1; mix(b.a * 4096 + b.b * 64 + b.c); }',
  '{ struct bits b = { -1, 63, -1024, 1 }; mix((b.a += A)); mix((b.b = B + 62)); mix(b.b++); mix(--b.c); mix(b.d - 2 < 0); mix(~b.b); mix(-b.b); }',
  '{ struct bits b = { 1, 2, 3, 4 }, c; c = b; memset(&b, 0, sizeof b); b.c = c.c; mix(b.b + b.c); mix(c.d << 32); mix(sizeof(struct bits)); }',
  // Layout, literals, selection by type.
  '{ mix(offsetof(struct pair, right)); mix(sizeof(struct pair[3])); mix(_Alignof(struct pair)); mix(offsetof(struct tail, items)); mix(sizeof(union view)); }',
  '{ int *p = (int[]){ A, B, 7 }; mix(p[2] + p[0]); mix(((struct pair){ .right = C }).right); struct pair q = { .right = 1, .left = 2, .right = 3 }; mix(q.right); }',
  "{ mix(_Generic((char)1, int: 1, char: 2, default: 3)); mix(_Generic(1u + 1, unsigned: 4, default: 5)); mix(sizeof('a')); mix(sizeof((char)1 + (char)1)); mix(1 ? -1 : 0u); }",
  '{ enum { X = A, Y, Z = Y + 4 }; mix(X + Y * 2 + Z * 4); int v[Z] = { [Y] = 3, 9 }; mix(v[Y] + v[Z - 1]); }',
  '{ double d = C; float f = (float)(d / 3); mix((long long)(d * 2)); mix((int)f); mix(d < f); mix((unsigned char)(A + 0.9)); mix(0.1 + 0.2 == 0.3); }',
  // Threads: their results, their own data.
  '{ pthread_t t; void *r; mix(pthread_create(&t, 0, give, (void *)(long)A)); mix(pthread_join(t, &r)); mix((long)r); mix(own); }',
  '{ pthread_t t; void *r = 0; pthread_create(&t, 0, leave, (void *)(long)B); pthread_join(t, &r); mix((long)r); mix(pthread_equal(pthread_self(), pthread_self()) != 0); }',
  '{ pthread_key_t k; mix(pthread_key_create(&k, destroy)); mix(pthread_getspecific(k) == 0); pthread_t t; destroyed = 0; pthread_create(&t, 0, keeps, &k); pthread_join(t, 0); mix(destroyed); mix(pthread_getspecific(k) == 0); mix(pthread_key_delete(k)); }',
  '{ pthread_once_t o = PTHREAD_ONCE_INIT; calls = 0; mix(pthread_once(&o, once_only)); pthread_once(&o, once_only); mix(calls); }',
  '{ pthread_attr_t a; int d = 7; mix(pthread_attr_init(&a)); pthread_attr_getdetachstate(&a, &d); mix(d); mix(pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED)); pthread_attr_getdetachstate(&a, &d); mix(d == PTHREAD_CREATE_DETACHED); mix(pthread_attr_destroy(&a)); }',
  '{ int s = -1, o = -1; mix(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &s)); mix(s == PTHREAD_CANCEL_ENABLE); mix(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &o)); mix(o == PTHREAD_CANCEL_DISABLE); }',
  // Locks: kinds, attributes, what they return.
  '{ pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; mix(pthread_mutex_lock(&m)); mix(pthread_mutex_trylock(&m) == EBUSY); mix(pthread_mutex_unlock(&m)); mix(pthread_mutex_trylock(&m)); mix(pthread_mutex_unlock(&m)); mix(pthread_mutex_destroy(&m)); }',
  '{ pthread_mutexattr_t a; int k = 9; pthread_mutexattr_init(&a); mix(pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE)); pthread_mutexattr_gettype(&a, &k); mix(k == PTHREAD_MUTEX_RECURSIVE); pthread_mutex_t m; pthread_mutex_init(&m, &a); for (int i = 0; i <= A; i++) mix(pthread_mutex_lock(&m)); mix(pthread_mutex_trylock(&m)); pthread_mutex_unlock(&m); for (int i = 0; i <= A; i++) mix(pthread_mutex_unlock(&m)); mix(pthread_mutex_unlock(&m) == EPERM); pthread_mutex_destroy(&m); }',
  '{ pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK); pthread_mutex_t m; pthread_mutex_init(&m, &a); mix(pthread_mutex_unlock(&m) == EPERM); pthread_mutex_lock(&m); mix(pthread_mutex_lock(&m) == EDEADLK); mix(pthread_mutex_trylock(&m) == EBUSY); mix(pthread_mutex_unlock(&m)); mix(pthread_mutex_unlock(&m) == EPERM); mix(pthread_mutexattr_destroy(&a)); }',
  '{ pthread_mutexattr_t a; pthread_mutexattr_init(&a); mix(pthread_mutexattr_settype(&a, 77) == EINVAL); int k = 9; pthread_mutexattr_gettype(&a, &k); mix(k == PTHREAD_MUTEX_DEFAULT); mix(pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_PRIVATE)); }',
  '{ pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; mix(pthread_rwlock_rdlock(&l)); mix(pthread_rwlock_tryrdlock(&l)); mix(pthread_rwlock_trywrlock(&l) == EBUSY); pthread_rwlock_unlock(&l); mix(pthread_rwlock_trywrlock(&l) == EBUSY); pthread_rwlock_unlock(&l); mix(pthread_rwlock_trywrlock(&l)); mix(pthread_rwlock_tryrdlock(&l) == EBUSY); mix(pthread_rwlock_unlock(&l)); mix(pthread_rwlock_destroy(&l)); }',
  '{ pthread_spinlock_t s; mix(pthread_spin_init(&s, 0)); mix(pthread_spin_lock(&s)); mix(pthread_spin_trylock(&s) == EBUSY); mix(pthread_spin_unlock(&s)); mix(pthread_spin_trylock(&s)); pthread_spin_unlock(&s); mix(pthread_spin_destroy(&s)); }',
  '{ sem_t s; int v = -1; mix(sem_init(&s, 0, A)); sem_getvalue(&s, &v); mix(v); for (int i = 0; i < A; i++) mix(sem_trywait(&s)); errno = 0; mix(sem_trywait(&s) == -1); mix(errno == EAGAIN); mix(sem_post(&s)); mix(sem_wait(&s)); mix(sem_destroy(&s)); }',
  '{ pthread_barrier_t b; mix(pthread_barrier_init(&b, 0, 0) == EINVAL); mix(pthread_barrier_init(&b, 0, 1)); mix(pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD); mix(pthread_barrier_destroy(&b)); }',
  '{ pthread_cond_t c = PTHREAD_COND_INITIALIZER; mix(pthread_cond_signal(&c)); mix(pthread_cond_broadcast(&c)); mix(pthread_cond_destroy(&c)); mix(pthread_cond_init(&c, 0)); }',
]

const MAX_BLOCKS = 5
const LABELS = /\b(first|second|out)\b(?=:|;)/g

export const cornerProgram = (choices: Choices): SequentialProgram => {
  const numbers = ['N', '0', '1', '-1', '127', '-128', '255', '256', '86', '171', '65535', '-32769', '2147483647']
  const blocks = Array.from({ length: 1 + choices.below(MAX_BLOCKS) }, (_, i) => {
    const [a, b] = [String(choices.below(4)), String(choices.below(4))]
    const any = choices.pick(numbers).replace('N', String(choices.below(1000)))
    return choices
      .pick(BLOCKS)
      .replace(LABELS, (label) => `${label}${i}`)
      .replace(/\bA\b/g, a)
      .replace(/\bB\b/g, b)
      .replace(/\bC\b/g, `(${any})`)
  })
  return {
    definitions: `${PRELUDE}unsigned long long compute(void) {\n  ${blocks.join('\n  ')}\n  return checksum;\n}\n`,
  }
}
