/* N threads that increment a counter once each, and keep what they saw. */
#ifndef N
#define N 7
#endif
byte x;
byte seen[N];
proctype increment(byte i) { atomic { seen[i] = x; x++ }; assert(seen[i] < N) }
init { byte i = 0; atomic { do :: i < N -> run increment(i); i++ :: else -> break od } }
