// A file as a preprocessor leaves it, about 300 KB: some functions of a program, and around them what headers bring
// (types, records, prototypes, inline functions), in the proportions of a driver with the kernel's headers.

const repeated = (count: number, piece: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => piece(index)).join('')

const types = (i: number): string => `typedef unsigned ${i % 2 ? 'int' : 'long'} header_type_${i};\n`

const record = (i: number): string => `struct header_record_${i} {
 struct header_record_${Math.max(0, i - 1)} *previous;
 header_type_${i % 200} flags;
 int (*open)(struct header_record_${i} *record, const char *name, header_type_${i % 200} mode);
 void (*release)(struct header_record_${i} *record);
 unsigned int state : 3;
 char name[${(i % 7) + 8}];
};
`

const prototype = (i: number): string =>
  `extern int header_function_${i} (struct header_record_${i % 300} *record, const char *name, header_type_${i % 200} size) __attribute__ ((__nothrow__));\n`

const inlineFunction = (i: number): string =>
  `static inline __attribute__((always_inline)) int header_inline_${i}(struct header_record_${i % 300} *record, int mode)
{
 if (!record || record->flags > ${i}) return -${(i % 30) + 1};
 record->state = mode & 3;
 return header_function_${i}(record, record->name, record->flags);
}
`

const programFunction = (i: number): string => `int step_${i}(struct header_record_${i} *record)
{
 int old = counter;
 for (int k = 0; k < ${(i % 3) + 1}; k++) {
  pthread_mutex_lock(&lock);
  counter = old + k;
  record->flags += counter;
  pthread_mutex_unlock(&lock);
 }
 return counter > ${i} ? old : header_inline_${i}(record, ${i});
}
`

export const preprocessedFile =
  (): string => `${repeated(200, types)}${repeated(320, record)}${repeated(900, prototype)}
typedef unsigned long pthread_t;
typedef union { char size[40]; } pthread_mutex_t;
extern int pthread_create(pthread_t *thread, const void *attributes, void *(*routine)(void *), void *argument);
extern int pthread_join(pthread_t thread, void **result);
extern int pthread_mutex_lock(pthread_mutex_t *mutex);
extern int pthread_mutex_unlock(pthread_mutex_t *mutex);
pthread_mutex_t lock;
int counter;
${repeated(320, inlineFunction)}
int header_function_0(struct header_record_0 *record, const char *name, header_type_0 size) { return 0; }
${repeated(60, (i) => programFunction(i).replace(`header_inline_${i}(record, ${i})`, `${i}`))}
struct header_record_1 shared;
void *worker(void *argument) { step_1(&shared); return 0; }
int main(void) {
 pthread_t first;
 pthread_create(&first, 0, worker, 0);
 step_1(&shared);
 pthread_join(first, 0);
}
`
