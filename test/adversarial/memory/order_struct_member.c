// expect: unreach-call FALSE
// engines: explicit bmc?
extern void reach_error(void);
struct box { int at; int v[3]; } box; int move(void) { box.at = 2; return 9; }
int main(void) { struct box *b = &box; b->v[b->at] = move(); if (box.v[2] == 9) reach_error(); return 0; }
