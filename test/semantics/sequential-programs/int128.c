// Values of __int128: arithmetic beyond 64 bits, conversions, shifts, memory, bit patterns.
#include <assert.h>
#include <string.h>

typedef __int128 wide;
typedef unsigned __int128 uwide;
static wide table[2] = { -1, 5 };
static struct { char before; wide value; } box = { 1, -2 };

static uwide product(unsigned long long a, unsigned long long b) { return (uwide)a * b; }

int main(void)
{
  assert(sizeof(wide) == 16 && sizeof box == 32);
  uwide p = product(0xffffffffffffffffULL, 0xffffffffffffffffULL);
  assert((unsigned long long)p == 1 && (unsigned long long)(p >> 64) == 0xfffffffffffffffeULL);
  wide n = -((wide)1 << 100);
  assert(n < 0 && n / 3 * 3 + n % 3 == n && (n >> 99) == -2 && (long long)n == 0);
  assert((uwide)n >> 100 == 0xfffffff && (double)n == -1267650600228229401496703205376.0);
  assert((float)(((uwide)1 << 100) + ((uwide)1 << 76) + 1) == 1267650751343956853325350043648.0f);
  assert((wide)1e30 % 1000 == 264 % 1000 || (wide)1e30 > 0);
  assert((long double)((wide)1 << 90) == 1237940039285380274899124224.0L);
  assert(table[0] == -1 && table[1] + box.value == 3);
  wide copy = table[0];
  copy++;
  copy += 7;
  copy *= (wide)1 << 70;
  assert(copy >> 70 == 7 && copy > 0x7fffffffffffffffLL);
  unsigned char bytes[16];
  memcpy(bytes, &copy, 16);
  assert(bytes[8] == 0xc0 && bytes[9] == 1 && bytes[0] == 0 && bytes[10] == 0);
  uwide u = -1;
  assert(u + 1 == 0 && u > (uwide)n && ~u == 0 && (u ^ (u >> 1)) == (uwide)1 << 127);
  assert((wide)(unsigned)-1 == 4294967295 && (wide)-1 == (int)-1 && !(wide)0);
  return 0;
}
