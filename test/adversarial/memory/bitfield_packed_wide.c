// expect: unreach-call TRUE
// engines: explicit bmc?
extern void reach_error(void);
struct __attribute__((packed)) { unsigned char c : 7; unsigned long w : 60; unsigned char d; } s = { 1, 0x123456789abcdefUL, 3 };
int main(void) { if (s.w != 0x123456789abcdefUL || s.c != 1 || s.d != 3) reach_error();
  s.w = 0xfedcba987654321UL; if (s.w != 0xfedcba987654321UL || s.c != 1 || s.d != 3) reach_error();
  s.c = 100; s.d = 200; if (s.w != 0xfedcba987654321UL || s.c != 100 || s.d != 200) reach_error(); return 0; }
