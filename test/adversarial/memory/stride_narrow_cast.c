// expect: unreach-call FALSE
// engines: explicit bmc?
extern void reach_error(void); 
int a[256];
int main(void){
  for (unsigned k = 80; k < 90; k++)
    a[(unsigned char)(k*3)] = 1;
  if (a[2] == 1) reach_error();
  return 0;
}
