// expect: unreach-call FALSE
extern void reach_error(void);
int main(int argc, char **argv) {
  if (argc > 9 && argv[0])
    reach_error();
  return 0;
}
