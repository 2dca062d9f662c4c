/* Included before each C++ file: with it the compiler makes std::string's functions anew, our hooks included, where it would
   otherwise call libstdc++'s, whose accesses nobody sees. What belongs to streams stays in the library: calls on std::cout
   do not race (C++ standard, iostream.objects.overview). */
#if defined __cplusplus && defined __has_include
#if __has_include(<bits/c++config.h>) && __has_include(<bits/ostream_insert.h>)
#include <bits/ostream_insert.h>
#include <bits/localefwd.h>
#pragma push_macro("_GLIBCXX_EXTERN_TEMPLATE")
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#include <string>
#pragma pop_macro("_GLIBCXX_EXTERN_TEMPLATE")
namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION
extern template basic_istream<char> &operator>>(basic_istream<char> &, string &);
extern template basic_istream<char> &getline(basic_istream<char> &, string &, char);
extern template basic_istream<char> &getline(basic_istream<char> &, string &);
_GLIBCXX_END_NAMESPACE_VERSION
}
#endif
#endif
