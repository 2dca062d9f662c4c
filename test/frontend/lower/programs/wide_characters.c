// Wide strings and characters, also in the preprocessor.
#include <assert.h>
#include <stddef.h>

#if L'\400' == 256
#define WIDE 1
#endif

int main(void)
{
  const wchar_t *text = L"a\x1234" "b";
  wchar_t array[] = L"xyz";
  assert(text[0] == L'a' && text[1] == 0x1234 && text[2] == L'b' && text[3] == 0);
  assert(L"a" "b"[1] == L'b');
  assert(sizeof array == 4 * sizeof(wchar_t) && array[2] == L'z' && array[3] == 0);
  assert(WIDE && L'\400' == 256);
  return 0;
}
