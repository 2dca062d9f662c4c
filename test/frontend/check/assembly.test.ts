// Inline assembly that is recognised by its text means what the machine does: the same assertions hold when the program
// is compiled and run.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { oracle } from '../../../src/semantics/exploration/oracle.js'
import { compileText } from '../lower/support.js'

const PROGRAM = `#include <assert.h>
#define IMM "i"
static int add(int *p, int v) { __asm__ __volatile__("lock; xaddl %0, %1" : "+r" (v), "+m" (*p) : : "memory"); return v; }
static int swap(int *p, int v) { __asm__ volatile("xchgl %0,%1" : "=r" (v), "+m" (*p) : "0" (v) : "memory"); return v; }
static _Bool cas(long *p, long old, long new)
{ _Bool z; __asm__ __volatile__("lock; cmpxchgq %2, %0; setz %1" : "+m" (*p), "=a" (z) : "q" (new), "a" (old) : "memory", "cc"); return z; }
static long casval(long *p, long old, long new)
{ long prev; __asm__ __volatile__("lock\\n\\tcmpxchgq %[new], %[where]" : [where] "+m" (*p), "=a" (prev) : [new] "r" (new), "1" (old) : "memory"); return prev; }
static _Bool casflag(unsigned *p, unsigned *old, unsigned new)
{ _Bool z; __asm__ __volatile__("lock cmpxchgl %3, %0" : "+m" (*p), "=@ccz" (z), "+a" (*old) : "r" (new) : "memory", "cc"); return z; }
static void or(unsigned char *p, unsigned char v) { __asm__ __volatile__("lock; orb %1, %0" : "+m" (*p) : IMM "q" (v) : "memory"); }
static int dec(int *p) { unsigned char z; __asm__ __volatile__("lock; decl %0; sete %1" : "+m" (*p), "=qm" (z) : : "memory"); return z != 0; }
static int load(const int *p) { int r; __asm__ __volatile__("movl %1, %0" : "=q" (r) : "m" (*p) : "memory"); return r; }
static void store(int *p, int v) { __asm__ __volatile__("movl %1, %0" : "=m" (*p) : IMM "q" (v) : "memory"); }
static void *swapped(void **p, void *v) { __asm__ __volatile__("xchgq %0, %1" : "+m" (*(unsigned long *)p), "+q" (v) : : "memory"); return v; }
static void *load_ptr(const void *p) { void *r; __asm__ __volatile__("movq %1, %0" : "=q" (r) : "m" (*(const char *)p) : "memory"); return r; }
static void store_ptr(void *p, const void *v) { __asm__ __volatile__("movq %1, %0" : "=m" (*(char *)p) : IMM "q" (v) : "memory"); }
static void *fas_ptr(void *p, void *v) { __asm__ __volatile__("xchgq %0, %1" : "+m" (*(char *)p), "+q" (v) : : "memory"); return v; }
static _Bool cas_ptr(void *p, void *old, void *new)
{ _Bool z; __asm__ __volatile__("lock; cmpxchgq %2, %0; setz %1" : "+m" (*(char *)p), "=a" (z) : "q" (new), "a" (old) : "memory", "cc"); return z; }
static void add_long(void *p, long v) { __asm__ __volatile__("lock addq %1, %0" : "+m" (*(char *)p) : "er" (v) : "memory"); }
static void or_low(int *p, unsigned char v) { __asm__ __volatile__("lock; orb %1, %0" : "+m" (*p) : IMM "q" (v) : "memory"); }
static void low_byte(int *p, int v) { __asm__ __volatile__("movb %b1, %0" : "+m" (*p) : "q" (v) : "memory"); }
int x = 5; long l = 7; unsigned u = 3; unsigned char c = 1; void *q = &x;
int main(void) {
  assert(add(&x, 3) == 5 && x == 8);
  assert(swap(&x, 2) == 8 && x == 2);
  assert(!cas(&l, 6, 9) && l == 7 && cas(&l, 7, 9) && l == 9);
  assert(casval(&l, 1, 2) == 9 && l == 9 && casval(&l, 9, -1) == 9 && l == -1);
  unsigned old = 4;
  assert(!casflag(&u, &old, 8) && old == 3 && casflag(&u, &old, 8) && u == 8);
  or(&c, 6); assert(c == 7);
  assert(!dec(&x) && dec(&x) && x == 0);
  store(&x, -3); assert(load(&x) == -3);
  assert(swapped(&q, &l) == &x && q == &l);
  store_ptr(&q, &x); assert(q == &x && load_ptr(&q) == &x && fas_ptr(&q, &u) == &x && q == &u);
  assert(!cas_ptr(&q, &x, &l) && q == &u && cas_ptr(&q, &u, &l) && q == &l);
  l = 0x1ff; add_long(&l, 0x1ff01); assert(l == 0x20100);
  x = 0x7f00; or_low(&x, 0x81); assert(x == 0x7f81); low_byte(&x, 0x1234); assert(x == 0x7f34);
  __asm__ __volatile__("lock; addl $0,0(%%rsp)" ::: "memory");
  __asm__ __volatile__("rep; nop" ::: "memory");
  return 0;
}`

const folder = mkdtempSync(join(tmpdir(), 'heddle-assembly-'))
const hasCompiler = process.arch === 'x64' && spawnSync('cc', ['--version']).status === 0

test('atomic instructions', () => {
  expect(oracle(compileText(PROGRAM).program, 'assert').verdict).toBe('true')
})

test.runIf(hasCompiler)('the machine agrees', () => {
  writeFileSync(join(folder, 'a.c'), PROGRAM)
  expect(spawnSync('cc', ['-o', join(folder, 'a'), join(folder, 'a.c')], { encoding: 'utf8' }).stderr).toBe('')
  expect(spawnSync(join(folder, 'a')).status).toBe(0)
})

test.each([
  ['an instruction that is not known', '__asm__("popcntl %1, %0" : "=r" (y) : "r" (x));'],
  ['a change of memory that is not atomic', '__asm__("addl %1, %0" : "+m" (x) : "r" (y));'],
  ['an output that nothing sets', '__asm__("lock; incl %0" : "+m" (x), "=r" (y));'],
  ['a flag that is not known', '__asm__("lock; incl %0; setc %b1" : "+m" (x), "=q" (y));'],
  ['a result that is wider than what is read', 'long y2; __asm__("movl %1, %0" : "=r" (y2) : "m" (x));'],
  ['a floating-point number', 'double d; __asm__("xchgq %0, %1" : "+m" (d), "+q" (d));'],
  ['several instructions', '__asm__("lock; incl %0; lock; incl %0" : "+m" (x));'],
])('%s is unsupported', (_, statement) => {
  const text = `int x, y; int main(void) { ${statement} return 0; }`
  expect(() => compileText(text)).toThrow(/unsupported: inline assembly/)
})
