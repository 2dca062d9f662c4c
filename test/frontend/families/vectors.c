/* Vectors of GNU C: lanes, operations lane by lane, scalars that stand for vectors, comparisons, shuffles, the same bytes
 * as another vector; a thread returns one.
 *
 * Verdicts: assert TRUE
 */
#include <assert.h>
#include <pthread.h>

typedef int v4si __attribute__((vector_size(16)));
typedef unsigned int v4ui __attribute__((vector_size(16)));
typedef unsigned char v4qi __attribute__((vector_size(4)));
typedef short v2hi __attribute__((vector_size(4)));

static v4si shared = {1, 2, 3, 4};
static int calls;

static v4si next(v4si v) {
  calls++;
  return v + 1;
}

static v4si *place(v4si *v) {
  calls++;
  return v;
}

static void *thread(void *unused) {
  shared = next(shared) * (v4si){10, 10, 10, 10};
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, thread, 0);
  pthread_join(other, 0);
  assert(shared[0] == 20 && shared[3] == 50 && calls == 1);
  *place(&shared) -= 20;
  assert(shared[0] == 0 && shared[2] == 20 && calls == 2);
  v4si less = shared < (v4si){1, 10, 20, 31};
  assert(less[0] == -1 && less[1] == 0 && less[2] == 0 && less[3] == -1);
  assert((-shared)[1] == -10 && (~shared)[0] == -1 && next(shared)[3] == 31);
  v4qi bytes = {250, 1, 2, 255};
  bytes += 10;
  assert(bytes[0] == 4 && bytes[3] == 9);
  v2hi halves = (v2hi)bytes;
  assert(halves[0] == 0x0b04 && (unsigned)halves[1] >> 8 == 9 && (int)bytes == (int)halves);
  assert(((v4ui)(shared - 1))[0] == 0xffffffffu && ((v4ui)(shared - 1) >> 31)[0] == 1);
  v4si mixed = __builtin_shuffle(shared, (v4si){3, 2, 1, 0});
  assert(mixed[0] == 30 && mixed[3] == 0);
  v4si two = __builtin_shuffle(shared, mixed, (v4si){0, 4, 7, 9});
  assert(two[0] == 0 && two[1] == 30 && two[2] == 0 && two[3] == 10);
  mixed[1] = 7;
  assert(mixed[1] == 7 && sizeof(v4qi) == 4 && _Alignof(v4si) == 16);
  return 0;
}
