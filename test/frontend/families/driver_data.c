/* A driver's private data found from a member by container_of, callbacks in a record of functions, a work queue as a
 * thread: the open callback forgets the lock.
 *
 * Verdicts: assert FALSE, no-data-race FALSE, no-deadlock TRUE
 */
typedef unsigned long size_t;
extern void *malloc(size_t size);
extern void free(void *);
typedef unsigned long int pthread_t;
typedef union { char __size[56]; long int __align; } pthread_attr_t;
typedef union { char __size[40]; long int __align; } pthread_mutex_t;
extern int pthread_create(pthread_t *__restrict __newthread, const pthread_attr_t *__restrict __attr,
                          void *(*__start_routine)(void *), void *__restrict __arg)
    __attribute__((__nothrow__, __leaf__)) __attribute__((__nonnull__(1, 3)));
extern int pthread_join(pthread_t __th, void **__thread_return);
extern int pthread_mutex_init(pthread_mutex_t *, const void *);
extern int pthread_mutex_lock(pthread_mutex_t *) __attribute__((__nothrow__));
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern void __assert_fail(const char *__assertion, const char *__file, unsigned int __line, const char *__function)
    __attribute__((__nothrow__, __leaf__)) __attribute__((__noreturn__));
extern void abort(void) __attribute__((__noreturn__));
void reach_error(void) { ((void)sizeof((0) ? 1 : 0), __extension__({ if (0) ; else __assert_fail("0", "driver.c", 3, __extension__ __PRETTY_FUNCTION__); })); }
void ldv_assert(int expression) { if (!expression) { ERROR: {reach_error(); abort();} } return; }

#define offsetof(TYPE, MEMBER) ((size_t) & ((TYPE *)0)->MEMBER)
#define container_of(ptr, type, member)                       \
  ({                                                          \
    const typeof(((type *)0)->member) *__mptr = (ptr);        \
    (type *)((char *)__mptr - offsetof(type, member));        \
  })

struct device {
  struct device *parent;
  const char *name;
};

struct operations {
  int (*open)(struct device *dev);
  void (*release)(struct device *dev);
};

struct my_data {
  pthread_mutex_t lock;
  struct device dev;
  int a;
  int b;
  const struct operations *ops;
};

static int my_open(struct device *dev)
{
  struct my_data *data = container_of(dev, struct my_data, dev);
  data->a = 1;
  data->b = data->a + 1;
  return 0;
}

static void my_release(struct device *dev)
{
  struct my_data *data = container_of(dev, struct my_data, dev);
  pthread_mutex_lock(&data->lock);
  data->a = 3;
  data->b = 4;
  pthread_mutex_unlock(&data->lock);
}

static const struct operations my_ops = { .open = my_open, .release = my_release };

void *my_callback(void *arg)
{
  struct my_data *data = container_of((struct device *)arg, struct my_data, dev);
  data->ops->release(&data->dev);
  return 0;
}

int my_drv_probe(struct my_data *data, pthread_t *t)
{
  struct device *d = &data->dev;
  pthread_mutex_init(&data->lock, (void *)0);
  data->a = 0;
  data->b = 0;
  data->ops = &my_ops;
  pthread_create(t, (void *)0, my_callback, (void *)d);
  return data->ops->open(d);
}

int main(void)
{
  pthread_t t;
  struct my_data *data = (struct my_data *)malloc(sizeof(struct my_data));
  if (!data)
    return -12;
  my_drv_probe(data, &t);
  pthread_join(t, (void *)0);
  ldv_assert(data->b == data->a + 1);
  free(data);
  return 0;
}
