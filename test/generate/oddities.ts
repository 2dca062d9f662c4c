// Sequential C that verifiers get wrong: jumps into loops and switches, narrow indices, products that wrap, tagged and
// exclusive-or-ed pointers, bit-fields in arithmetic, unions, copies that overlap, blocks that are freed and used again,
// sizes that are only known at run time. The machine's compiler says what comes out; nothing here is undefined.
import type { Choices } from './choices.js'
import type { SequentialProgram } from './sequential.js'

const PRELUDE = `#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static unsigned long long checksum;
static void mix(unsigned long long value) { checksum = checksum * 1000003u + value; }
struct bits { unsigned a : 3; int b : 5; unsigned c : 17; unsigned long long wide : 40; unsigned char d; };
struct outer { char tag; struct { short s; union { int whole; unsigned char part[4]; short half[2]; } u; } in; };
struct node { struct node *link; int value; };
static struct outer shared[3];
static int cells[16];
static int calls;
static int counted(int value) { calls++; return value; }
`

/** Each is a block of its own; A and B are small numbers, C is any. */
const BLOCKS: readonly string[] = [
  // Jumps.
  '{ int n = A; goto check; while (1) { n++; check: if (n >= B + 3) break; mix(n); } mix(n); }',
  '{ int n = 0, sum = 0; goto middle; do { sum += n; middle: n++; } while (n < B + 2); mix(sum); }',
  '{ int i = A; if (A & 1) goto inside; for (i = 0; i < 4; i++) { mix(i); inside: mix(i + 10); } mix(i); }',
  '{ int k = A + B, left = k + 1; switch (k % 4) { case 0: do { mix(0); case 3: mix(3); case 2: mix(2); case 1: mix(1); } while ((left -= 4) > 0); } mix(left); }',
  '{ int k = A; switch (B) { case 0: while (k < 5) { k++; case 1: mix(k); if (k == 3) break; case 2: k += 2; } break; default: mix(77); } mix(k); }',
  '{ int k = A, rounds = 0; again: switch (k) { case 0: k = 2; goto again; case 2: k++; default: if (rounds++ < B) { k = 0; goto again; } } mix(k); mix(rounds); }',
  '{ goto past; { int hidden = 5; past: hidden = A; mix(hidden); } }',
  '{ int n = 0; for (;;) { switch (n) { case 3: goto done; default: n++; continue; } } done: mix(n); }',
  '{ int n = A; goto two; one: n += 10; if (n > 40) goto three; two: n += 1; if (n < 30) goto one; three: mix(n); }',
  // Indices and products.
  '{ int k = C; cells[(unsigned char)(k * 3) & 15] = A; for (int i = 0; i < 16; i++) mix(cells[i]); }',
  '{ unsigned char i = 250 + A; int n = 0; while (i) { cells[i & 15]++; i++; n++; } mix(n); mix(cells[11]); }',
  '{ unsigned k = 0x55555556u + A; cells[(k * 3) & 15] += B; mix(cells[2]); mix(cells[5]); }',
  '{ short i = 32766; i += A; cells[(i + 32768) & 15] = 1; mix(i); for (int j = 0; j < 16; j++) mix(cells[j]); }',
  '{ long big = 0x100000002L + A; int small = (int)big; cells[small & 15] = B; mix(cells[2 + A & 15]); }',
  '{ signed char s = (signed char)(C); cells[(s + 128) >> 4] += 1; for (int j = 0; j < 16; j++) mix(cells[j]); }',
  // Pointers as numbers.
  '{ int x = A, y = B; uintptr_t t = (uintptr_t)&x | 1; if (t & 1) *(int *)(t & ~(uintptr_t)3) += 5; mix(x); mix(y); }',
  '{ int x = A, y = B; uintptr_t both = (uintptr_t)&x ^ (uintptr_t)&y; *(int *)(both ^ (uintptr_t)&x) = 9; mix(x); mix(y); }',
  '{ int *p = &cells[A]; uintptr_t n = (uintptr_t)p + B * sizeof(int); *(int *)n = 6; mix(cells[A + B]); mix(cells[A]); }',
  '{ char *base = (char *)cells; long offset = (char *)&cells[A + 2] - base; *(int *)(base + offset) = B; mix(cells[A + 2]); }',
  '{ int *p = cells + 8; p[-A] = B + 1; mix(cells[8 - A]); mix(&p[-A] - cells); }',
  // Bit-fields and unions.
  '{ struct bits b = { 0 }; b.a = A + 6; b.b = C; b.c = -1; b.wide = (1ull << 39) + B; b.d = 255; mix(b.a); mix(b.b); mix(b.c); mix(b.wide << 1); mix(b.d); }',
  '{ struct bits b = { 7, -16, 1, 3, 4 }; b.a++; b.b--; b.wide -= 4; b.c += 131071; mix(b.a); mix(b.b); mix(b.wide); mix(b.c); mix(b.a - 8 < 0); }',
  '{ struct bits b = { 1, 2, 3, 4, 5 }, c = b; c.b = b.a - b.c; mix(c.b); mix((b.a = A + 9)); mix(sizeof(b)); }',
  '{ struct outer o = { A }; o.in.u.whole = C; o.in.u.part[1] = B; mix(o.in.u.half[0]); mix(o.in.u.whole); shared[B % 3] = o; mix(shared[B % 3].in.u.part[3]); mix(shared[0].tag); }',
  '{ union { float f; unsigned u; } v; v.u = 0x40490fdbu + A; mix(v.f > 3.0f); mix((int)(v.f * 100)); }',
  // Memory.
  '{ unsigned char b[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }; memmove(b + A % 4, b, 4); for (int i = 0; i < 8; i++) mix(b[i]); }',
  '{ int *p = malloc(sizeof *p); *p = A; free(p); int *q = malloc(sizeof *q); *q = B; mix(*q); free(q); }',
  '{ struct node *top = 0; for (int i = 0; i < A + 1; i++) { struct node *n = malloc(sizeof *n); n->value = i; n->link = top; top = n; } while (top) { struct node *n = top; mix(n->value); top = n->link; free(n); } }',
  '{ int n = A + 2; int a[n]; for (int i = 0; i < n; i++) a[i] = i * B; mix(a[n - 1]); mix(sizeof a); }',
  '{ int n = A + 1; int (*m)[n] = malloc(2 * sizeof *m); m[1][n - 1] = B; mix(m[1][n - 1]); mix(sizeof *m); free(m); }',
  '{ char *s = calloc(A + 3, 1); strcpy(s, "ab"); s = realloc(s, A + 9); strcat(s, "cd"); mix(strlen(s)); mix(s[3]); free(s); }',
  '{ struct node list[3] = { { list + 1, A }, { list + 2, B }, { 0, 7 } }; int sum = 0; for (struct node *n = list; n; n = n->link) sum = sum * 3 + n->value; mix(sum); }',
  // Order and side effects that are certain.
  '{ calls = 0; int v = counted(0) && counted(1); v += counted(A) ? counted(B) : counted(3); mix(v); mix(calls); }',
  '{ calls = 0; int v = (counted(A), counted(B)) + 1; mix(v); mix(calls); mix(sizeof(counted(1))); mix(calls); }',
  '{ unsigned u = 1; u <<= 31; mix(u >> (A + 1)); mix((int)u < 0); mix(-1 < (long)u); mix(-1 < u); }',
  "{ _Bool t = C; t += A; mix(t); unsigned char c = 255; c += B; mix(c); mix((char)200 < 0); mix('\\377' == 255); }",
]

const MAX_BLOCKS = 5

export const oddProgram = (choices: Choices): SequentialProgram => {
  const number = (): string =>
    choices.pick(['C0', '0', '1', '-1', '127', '-128', '255', '256', '86', '171', '65535', '-32769'])
  const blocks = Array.from({ length: 1 + choices.below(MAX_BLOCKS) }, (_, i) => {
    const [a, b] = [String(choices.below(4)), String(choices.below(4))]
    const any = number().replace('C0', String(choices.below(1000)))
    const text = choices.pick(BLOCKS)
    return numbered(text, i).replace(/\bA\b/g, a).replace(/\bB\b/g, b).replace(/\bC\b/g, `(${any})`)
  })
  return {
    definitions: `${PRELUDE}unsigned long long compute(void) {\n  ${blocks.join('\n  ')}\n  return checksum;\n}\n`,
  }
}

/** Labels are the function's: each block has its own. */
const numbered = (text: string, block: number): string =>
  text.replace(/\b(check|middle|inside|again|past|done|one|two|three)\b/g, (label) => `${label}${block}`)
