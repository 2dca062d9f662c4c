// A block that is busy while its inode is locked: two locks, one of them for the busy flag.
#include <assert.h>
#include <pthread.h>
int block, busy, inode;
pthread_mutex_t m_inode = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t m_busy = PTHREAD_MUTEX_INITIALIZER;
void *allocator(void *argument) {
  pthread_mutex_lock(&m_inode);
  if (inode == 0) {
    pthread_mutex_lock(&m_busy);
    busy = 1;
    pthread_mutex_unlock(&m_busy);
    inode = 1;
  }
  block = 1;
  assert(block == 1);
  pthread_mutex_unlock(&m_inode);
  return 0;
}
void *freer(void *argument) {
  pthread_mutex_lock(&m_busy);
  if (busy == 0) {
    block = 0;
    assert(block == 0);
  }
  pthread_mutex_unlock(&m_busy);
  return 0;
}
int main(void) {
  pthread_t a, b;
  inode = busy;
  pthread_create(&a, 0, allocator, 0);
  pthread_create(&b, 0, freer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
