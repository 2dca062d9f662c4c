/* `a = b` for structures: gcc announces the write, then the read, and copies after both. Nobody may come between the two, or
   the write would be noted earlier than it is done. Such a pair is known by its code: between the two calls there
   are only instructions that make the second one's argument. */
#include "heddle.h"

#define MAX_CODE 48
#define CALL_BYTES 5

#ifdef __x86_64__
/* Bytes of an operand: ModRM, SIB, displacement. */
static uint32_t operand_bytes(const uint8_t *at) {
  uint32_t mode = at[0] >> 6, low = at[0] & 7, bytes = 1;
  if (mode == 3) return bytes;
  if (low == 4) {
    bytes++;
    if (mode == 0 && (at[1] & 7) == 5) bytes += 4;
  } else if (mode == 0 && low == 5) bytes += 4;
  return bytes + (mode == 1 ? 1 : mode == 2 ? 4 : 0);
}
/* The length of an instruction that changes registers only; 0 for all others. */
static uint32_t register_instruction(const uint8_t *code) {
  uint32_t prefix = (code[0] & 0xf0) == 0x40, wide = prefix && (code[0] & 8);
  const uint8_t *at = code + prefix;
  int is_register = at[1] >> 6 == 3;
  switch (at[0]) {
    case 0xb8: case 0xb9: case 0xba: case 0xbb: case 0xbc: case 0xbd: case 0xbe: case 0xbf: return prefix + (wide ? 9 : 5);
    case 0x8d: case 0x8b: case 0x63: case 0x03: return prefix + 1 + operand_bytes(at + 1);
    case 0x0f: return at[1] >= 0xb6 && at[1] <= 0xbf && (at[1] & 6) == 6 ? prefix + 2 + operand_bytes(at + 2) : 0;
    case 0x89: case 0x01: case 0x29: return is_register ? prefix + 2 : 0;
    case 0x83: case 0xc1: return is_register ? prefix + 3 : 0;
    case 0x81: return is_register ? prefix + 6 : 0;
    case 0x98: return prefix + 1;
    default: return 0;
  }
}
/* Both are return addresses of calls. */
static int nothing_stored_between(uintptr_t from, uintptr_t to) {
  uintptr_t call = to - CALL_BYTES;
  if (call <= from || call - from > MAX_CODE) return 0;
  while (from < call) {
    uint32_t bytes = register_instruction((const uint8_t *)from);
    if (bytes == 0) return 0;
    from += bytes;
  }
  return from == call;
}
#else
static int nothing_stored_between(uintptr_t from, uintptr_t to) {
  (void)from, (void)to;
  return 0;
}
#endif
