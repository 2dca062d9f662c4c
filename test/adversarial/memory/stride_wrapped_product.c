// expect: unreach-call FALSE
// engines: explicit bmc?
extern void reach_error(void);
int buf[12]; 
int main(void){ unsigned i = 0; for (int k = 0; k < 2; k++) { buf[3u*i] = 7; i = 1431655767u; /* 3*i = 5 mod 2^32 */ } if (buf[3] == 0) reach_error(); return 0; }
