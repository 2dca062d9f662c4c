/* Numbers and memory: conversions, wrapping, pointers, arrays, strings, the heap. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

const char *names[] = { "one", "two", "three" };

struct node {
  struct node *next;
  int value;
};

static struct node *push(struct node *head, int value)
{
  struct node *made = malloc(sizeof *made);
  made->next = head;
  made->value = value;
  return made;
}

static void swap(int *a, int *b)
{
  int old = *a;
  *a = *b;
  *b = old;
}

int main(void)
{
  unsigned char byte = 250;
  byte += 10;
  assert(byte == 4);
  signed char tiny = 127;
  tiny++;
  assert(tiny == -128);
  uint16_t half = 65535;
  half++;
  assert(half == 0);
  unsigned natural = 0;
  natural--;
  assert(natural == 4294967295u);
  int64_t least = INT64_MIN;
  assert(least < 0 && least + 1 == -INT64_MAX);
  uint64_t most = UINT64_MAX;
  assert(most > 5 && most >> 63 == 1 && most * 2 == most - 1);
  assert(-7 / 2 == -3 && -7 % 2 == -1 && -16 >> 2 == -4 && 0x80000000u >> 31 == 1);
  assert((int)3.9 == 3 && (double)7 / 2 == 3.5 && (float)0.1 != 0.1);
  double product = 1;
  for (int i = 0; i < 3; i++)
    product *= 2.5;
  assert(product == 15.625);
  _Bool truth = 256;
  assert(truth == 1);
  truth = 0.5;
  assert(truth);
  unsigned bits = 0xF0;
  bits ^= 0xFF;
  bits |= 0x100;
  bits &= ~1u;
  assert(bits == 0x10E);

  int a = 1, b = 2;
  swap(&a, &b);
  assert(a == 2 && b == 1);
  int *p = &a, **pp = &p;
  **pp = 8;
  assert(a == 8);
  uintptr_t number = (uintptr_t)&a;
  assert(*(int *)number == 8);

  int matrix[3][4];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++)
      matrix[i][j] = i * 10 + j;
  assert(matrix[2][3] == 23 && *(matrix[1] + 2) == 12);
  assert((char *)&matrix[1] - (char *)matrix == 16 && &matrix[1][2] - &matrix[1][0] == 2);
  int n = 4, squares[n];
  for (int i = 0; i < n; i++)
    squares[i] = i * i;
  assert(squares[3] == 9);

  int *heap = malloc(3 * sizeof *heap);
  heap[0] = 1;
  heap[1] = 2;
  *(heap + 2) = heap[0] + heap[1];
  assert(heap[2] == 3);
  free(heap);
  struct node *list = 0;
  for (int i = 0; i < 3; i++)
    list = push(list, i);
  int digits = 0;
  for (struct node *at = list; at; at = at->next)
    digits = digits * 10 + at->value;
  assert(digits == 210);

  assert(names[1][1] == 'w' && strlen(names[2]) == 5);
  char text[8] = "abc";
  assert(text[3] == 0 && sizeof text == 8);
  memcpy(text, "xyz", 3);
  assert(text[0] == 'x' && text[2] == 'z' && strcmp(text, "xyz") == 0);
  memset(text, 1, sizeof text);
  assert(text[7] == 1);
  return 0;
}
