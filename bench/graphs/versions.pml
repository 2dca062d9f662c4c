/* A writer that writes K values and N readers that read once, and keep what they saw. */
#ifndef N
#define N 9
#endif
#ifndef K
#define K 5
#endif
byte x;
byte seen[N];
proctype reader(byte i) { seen[i] = x; assert(seen[i] <= K) }
proctype writer() { byte i = 1; do :: i <= K -> x = i; i++ :: else -> break od }
init { byte i = 0; atomic { run writer(); do :: i < N -> run reader(i); i++ :: else -> break od } }
