/* Complex numbers: parts, arithmetic with real and complex operands, conversions, constants of static objects, GNU's
 * complex integers and literals; a thread returns one by parts. Operands are evaluated once.
 *
 * Verdicts: assert TRUE, no-data-race TRUE
 */
#include <assert.h>
#include <pthread.h>

static double _Complex shared = 1.0 + 2.0i;
static __complex__ float pair[2] = {1.0f, 2.0fi};
static struct {
  int before;
  _Complex int z;
} record = {7, 3 + 4i};
static int calls;

static double _Complex product(double _Complex a, _Complex float b) {
  calls++;
  return a * b;
}

static double _Complex *place(double _Complex *z) {
  calls++;
  return z;
}

static void *thread(void *unused) {
  shared *= 2;
  __imag__ shared = -__imag__ shared;
  return unused;
}

int main(void) {
  pthread_t t;
  assert(sizeof shared == 16 && sizeof(_Complex float) == 8 && sizeof(_Complex char) == 2 && sizeof(_Complex) == 16);
  assert(__real__ shared == 1.0 && __imag__ shared == 2.0);
  assert(__real__ pair[0] == 1 && __imag__ pair[0] == 0 && __real__ pair[1] == 0 && __imag__ pair[1] == 2);
  assert(record.before == 7 && __real__ record.z == 3 && __imag__ record.z == 4);

  double _Complex z = product(shared, pair[1]);
  assert(calls == 1 && z == -4.0 + 2.0i);
  z += 1;
  assert(z == -3.0 + 2.0i);
  *place(&z) *= 2.0;
  assert(calls == 2 && z == -6.0 + 4.0i);
  z = 10 - z;
  assert(z == 16.0 - 4.0i && z != 16.0);
  assert(~z == 16.0 + 4.0i && -z == -16.0 + 4.0i && __builtin_conj(z) == ~z);
  z = product(z, 1.0f) / 4.0;
  assert(calls == 3 && __real__ z == 4.0 && __imag__ z == -1.0);

  int whole = z;
  assert(whole == 4);
  __real__ z = 0;
  _Bool truth = z;
  assert(truth && z && !(z == 0));
  __imag__ z = 0;
  assert(!z && !(_Bool)z);
  double *imaginary = &__imag__ z;
  *imaginary = 3;
  assert(z * z == -9.0 && __imag__(z * z) == 0 && __imag__ 5 == 0);
  double _Complex copy = shared;
  z = whole > 3 ? copy : 4;
  assert(z == shared && (_Complex float)z == shared);

  _Complex unsigned char byte = 250 + 3i;
  byte += 10;
  assert(__real__ byte == 4 && __imag__ byte == 3);

  pthread_create(&t, 0, thread, 0);
  pthread_join(t, 0);
  assert(shared == 2.0 - 4.0i);
  return 0;
}
