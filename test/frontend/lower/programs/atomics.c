/* Atomic operations of all three families, one thread. */
#include <assert.h>
#include <stdatomic.h>

atomic_int number;
_Atomic unsigned char byte = 250;
_Atomic(int *) pointer;
atomic_flag flag = ATOMIC_FLAG_INIT;
int plain;
long wide = 5;
int table[4];

int main(void)
{
  assert(atomic_fetch_add(&number, 3) == 0 && number == 3);
  number++;
  ++number;
  number += 2;
  assert(number == 7 && number-- == 7 && number == 6);
  byte++;
  byte += 6;
  assert(byte == 1);
  pointer = table;
  pointer++;
  assert(pointer == table + 1);
  int expected = 5;
  assert(!atomic_compare_exchange_strong(&number, &expected, 9) && expected == 6);
  assert(atomic_compare_exchange_strong(&number, &expected, 9) && number == 9);
  assert(atomic_exchange(&number, 1) == 9);
  atomic_store(&number, 4);
  assert(atomic_load(&number) == 4);
  assert(!atomic_flag_test_and_set(&flag) && atomic_flag_test_and_set(&flag));
  atomic_flag_clear(&flag);
  assert(!atomic_flag_test_and_set(&flag));

  assert(__sync_fetch_and_add(&plain, 2) == 0 && __sync_add_and_fetch(&plain, 2) == 4);
  assert(__sync_bool_compare_and_swap(&plain, 4, 8) && __sync_val_compare_and_swap(&plain, 1, 2) == 8);
  assert(__sync_lock_test_and_set(&wide, 7) == 5);
  __sync_lock_release(&wide);
  assert(wide == 0);
  __sync_synchronize();

  assert(__atomic_or_fetch(&plain, 3, __ATOMIC_SEQ_CST) == 11);
  assert(__atomic_fetch_and(&plain, 2, __ATOMIC_SEQ_CST) == 11 && plain == 2);
  assert(__atomic_fetch_nand(&plain, 3, __ATOMIC_SEQ_CST) == 2 && plain == ~2);
  int read, write = 33;
  __atomic_load(&plain, &read, __ATOMIC_RELAXED);
  assert(read == ~2);
  __atomic_store(&plain, &write, __ATOMIC_SEQ_CST);
  assert(plain == 33 && __atomic_exchange_n(&plain, 1, __ATOMIC_SEQ_CST) == 33);
  return 0;
}
