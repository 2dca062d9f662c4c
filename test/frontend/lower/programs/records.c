/* Structs, unions and bit-fields: by value, nested, in arrays, returned and assigned. */
#include <assert.h>
#include <stdlib.h>

struct point {
  int x;
  short y;
  char tag[3];
};

struct shape {
  struct point corner;
  struct point *next;
  unsigned low : 3, high : 5;
  int small : 4;
};

struct numbers {
  long of[5];
};

union word {
  int whole;
  unsigned char bytes[4];
  short half;
};

struct shape global = { .corner = { 1, 2, "hi" }, .low = 5, .high = 17, .small = -3 };
union word shared = { 0x01020304 };

static struct point make(int x, int y)
{
  struct point made = { x, y, { 'a', 'b', 'c' } };
  return made;
}

static int sum(struct point p)
{
  p.x += 1;
  return p.x + p.y + p.tag[0];
}

static struct numbers count_from(long first)
{
  struct numbers n;
  for (int i = 0; i < 5; i++)
    n.of[i] = first + i;
  return n;
}

static long total(struct numbers n)
{
  long sum = 0;
  for (int i = 0; i < 5; i++)
    sum += n.of[i];
  return sum;
}

int main(void)
{
  struct point a = make(3, 4), b;
  b = a;
  b.x = 9;
  assert(a.x == 3 && b.x == 9 && b.y == 4 && b.tag[2] == 'c');
  assert(sum(a) == 3 + 1 + 4 + 'a' && a.x == 3);
  assert(make(7, 8).y == 8);
  b = a.x ? make(1, 1) : a;
  assert(b.x == 1);
  a.x = b.x = 77;
  assert(a.x == 77 && b.x == 77);

  assert(global.low == 5 && global.high == 17 && global.small == -3 && global.corner.tag[1] == 'i');
  global.low = 9;
  global.small = 8;
  assert(global.low == 1 && global.small == -8 && global.high == 17);
  global.high++;
  assert(global.high == 18);
  global.high += 14;
  assert(global.high == 0 && global.low == 1);

  assert(shared.bytes[0] == 4 && shared.half == 0x0304);
  shared.bytes[3] = 0xff;
  assert(shared.whole == (int)0xff020304);

  struct numbers first = count_from(1), second;
  second = first;
  second.of[4] = 0;
  assert(total(first) == 15 && total(second) == 10 && total(count_from(10)) == 60);

  struct shape *heap = calloc(1, sizeof *heap);
  assert(heap->corner.x == 0 && heap->next == 0);
  heap->next = &a;
  assert(heap->next->x == 77);
  free(heap);

  struct point *literal = &(struct point){ .x = 42 };
  assert(literal->x == 42 && literal->y == 0);
  struct point array[2] = { { 1 }, { 2, 3 } };
  struct point *p = array;
  p++;
  assert(p->x == 2 && (p - 1)->x == 1 && array[1].y == 3);
  p->tag[1] |= 3;
  assert(array[1].tag[1] == 3);
  return 0;
}
