/* Two threads add up an array of any size (here at most two) that was allocated with arbitrary contents.
 *
 * Verdicts: assert TRUE, no-data-race TRUE
 */
typedef unsigned long int size_t;
typedef unsigned long int pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void abort(void);
extern void reach_error();
extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin();
extern void __VERIFIER_atomic_end();
extern void *malloc(size_t);
void assume_abort_if_not(int cond) {
  if(!cond) {abort();}
}

_Bool *A;
int N, f, g;

int plus(int a, int b);
_Bool *create_fresh_bool_array(int size);

void *thread1() {
  for (int i = 0; i < N; i++) {
    f = plus(f, A[i]);
  }
  return 0;
}

void *thread2() {
  __VERIFIER_atomic_begin();
  int i = 0;
  __VERIFIER_atomic_end();
  while (i < N) {
    __VERIFIER_atomic_begin();
    g = plus(g, A[i]);
    i++;
    __VERIFIER_atomic_end();
  }
  return 0;
}

int main() {
  pthread_t t1, t2;
  N = __VERIFIER_nondet_int();
  assume_abort_if_not(N >= 0 && N < 3);
  A = create_fresh_bool_array(N);
  pthread_create(&t1, 0, thread1, 0);
  pthread_create(&t2, 0, thread2, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  assume_abort_if_not(f != g);
  reach_error();
  return 0;
}

int plus(int a, int b) {
  assume_abort_if_not(b >= 0 || a >= -2147483648 - b);
  assume_abort_if_not(b <= 0 || a <= 2147483647 - b);
  return a + b;
}

_Bool *create_fresh_bool_array(int size) {
  assume_abort_if_not(size >= 0);
  assume_abort_if_not(size <= (((size_t) 4294967295) / sizeof(_Bool)));
  _Bool* arr = (_Bool*)malloc(sizeof(_Bool) * (size_t)size);
  for (int i = 0; i < size; i++) {
    arr[i] = __VERIFIER_nondet_bool();
  }
  return arr;
}
