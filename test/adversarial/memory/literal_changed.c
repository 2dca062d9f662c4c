// expect: valid-memsafety FALSE
// engines: explicit bmc
// A string literal is an object that cannot be changed: machines stop there.
extern int __VERIFIER_nondet_int(void);
char kept[] = "abc";
int main(void) {
  char *p = kept;
  if (__VERIFIER_nondet_int()) p = "abc";
  p[0] = 'x';
  return 0;
}
