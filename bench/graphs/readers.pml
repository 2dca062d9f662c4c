/* A writer and N readers of a cell, who keep what they saw. */
#ifndef N
#define N 10
#endif
byte x;
byte seen[N];
proctype reader(byte i) { seen[i] = x; assert(seen[i] < 2) }
proctype writer() { x = 1 }
init { byte i = 0; atomic { run writer(); do :: i < N -> run reader(i); i++ :: else -> break od } }
