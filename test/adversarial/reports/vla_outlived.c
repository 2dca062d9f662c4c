// expect: valid-memsafety UNKNOWN
// reason: is used after the variable is gone
// Each turn of the loop has an array of its own: in the second one, that of the first is gone.
int main(void) {
  int n = 2;
  int *p = 0;
  for (int i = 0; i < 2; i++) {
    int v[n];
    v[0] = i;
    if (i)
      return *p;
    p = v;
  }
  return 0;
}
