// expect: no-overflow FALSE
// engines: redcomp
_Atomic int x = 2147483647;
int main(void) { x++; return 0; }
