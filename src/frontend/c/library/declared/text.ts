// What headers declare beside what the models' own headers do. Text, languages and patterns.
import { c } from '../part.js'
import type { Declared } from './declared.js'

export const TEXT: Readonly<Record<string, Declared>> = {
  'ctype.h': {
    text: c`
typedef struct __locale_struct *locale_t;
int isascii(int);
int toascii(int);
int isalnum_l(int, locale_t);
int isalpha_l(int, locale_t);
int iscntrl_l(int, locale_t);
int isdigit_l(int, locale_t);
int islower_l(int, locale_t);
int isgraph_l(int, locale_t);
int isprint_l(int, locale_t);
int ispunct_l(int, locale_t);
int isspace_l(int, locale_t);
int isupper_l(int, locale_t);
int isxdigit_l(int, locale_t);
int isblank_l(int, locale_t);
int tolower_l(int, locale_t);
int toupper_l(int, locale_t);
`,
  },
  'inttypes.h': {
    text: c`
#include <stddef.h>
typedef struct { intmax_t quot, rem; } imaxdiv_t;
intmax_t imaxabs(intmax_t);
imaxdiv_t imaxdiv(intmax_t, intmax_t);
intmax_t strtoimax(const char *, char **, int);
uintmax_t strtoumax(const char *, char **, int);
intmax_t wcstoimax(const wchar_t *, wchar_t **, int);
uintmax_t wcstoumax(const wchar_t *, wchar_t **, int);
`,
  },
  'string.h': {
    text: c`
typedef struct __locale_struct *locale_t;
void *memccpy(void *, const void *, int, size_t);
int strcoll(const char *, const char *);
size_t strxfrm(char *, const char *, size_t);
int strcoll_l(const char *, const char *, locale_t);
size_t strxfrm_l(char *, const char *, size_t, locale_t);
char *strndup(const char *, size_t);
char *strpbrk(const char *, const char *);
int strerror_r(int, char *, size_t);
char *strerror_l(int, locale_t);
char *strsignal(int);
char *stpcpy(char *, const char *);
char *stpncpy(char *, const char *, size_t);
char *strsep(char **, const char *);
char *strchrnul(const char *, int);
char *strcasestr(const char *, const char *);
void *memmem(const void *, size_t, const void *, size_t);
void *memrchr(const void *, int, size_t);
void *mempcpy(void *, const void *, size_t);
void explicit_bzero(void *, size_t);
int ffs(int);
`,
  },
  'strings.h': {
    text: c`
#include <stddef.h>
typedef struct __locale_struct *locale_t;
int ffs(int);
int strcasecmp_l(const char *, const char *, locale_t);
int strncasecmp_l(const char *, const char *, size_t, locale_t);
`,
  },
  'locale.h': {
    includes: 'stddef.h',
    constants: `
LC_CTYPE=0 LC_NUMERIC=1 LC_TIME=2 LC_COLLATE=3 LC_MONETARY=4 LC_MESSAGES=5 LC_ALL=6 LC_PAPER=7 LC_NAME=8
LC_ADDRESS=9 LC_TELEPHONE=10 LC_MEASUREMENT=11 LC_IDENTIFICATION=12 LC_CTYPE_MASK=1 LC_NUMERIC_MASK=2 LC_TIME_MASK=4
LC_COLLATE_MASK=8 LC_MONETARY_MASK=16 LC_MESSAGES_MASK=32 LC_PAPER_MASK=128 LC_NAME_MASK=256 LC_ADDRESS_MASK=512
LC_TELEPHONE_MASK=1024 LC_MEASUREMENT_MASK=2048 LC_IDENTIFICATION_MASK=4096 LC_ALL_MASK=8127`,
    text: c`
#define LC_GLOBAL_LOCALE ((locale_t)-1L)
struct lconv { char *decimal_point; char *thousands_sep; char *grouping; char *int_curr_symbol; char
  *currency_symbol; char *mon_decimal_point; char *mon_thousands_sep; char *mon_grouping; char *positive_sign; char
  *negative_sign; char int_frac_digits; char frac_digits; char p_cs_precedes; char p_sep_by_space; char
  n_cs_precedes; char n_sep_by_space; char p_sign_posn; char n_sign_posn; char int_p_cs_precedes; char
  int_p_sep_by_space; char int_n_cs_precedes; char int_n_sep_by_space; char int_p_sign_posn; char int_n_sign_posn;
  };
typedef struct __locale_struct *locale_t;
char *setlocale(int, const char *);
struct lconv *localeconv(void);
locale_t newlocale(int, const char *, locale_t);
locale_t duplocale(locale_t);
void freelocale(locale_t);
locale_t uselocale(locale_t);
`,
  },
  'uchar.h': {
    includes: 'stddef.h wchar.h',
    text: c`
typedef unsigned short char16_t;
typedef unsigned int char32_t;
size_t mbrtoc16(char16_t *, const char *, size_t, mbstate_t *);
size_t c16rtomb(char *, char16_t, mbstate_t *);
size_t mbrtoc32(char32_t *, const char *, size_t, mbstate_t *);
size_t c32rtomb(char *, char32_t, mbstate_t *);
`,
  },
  'wchar.h': {
    includes: 'stddef.h stdarg.h stdio.h locale.h',
    constants: `
WEOF=0xffffffffu`,
    text: c`
typedef unsigned int wint_t;
struct tm;
typedef struct { int __count; union { unsigned int __wch; char __wchb[4]; } __value; } mbstate_t;
typedef unsigned long wctype_t;
int iswalnum(wint_t);
int iswalpha(wint_t);
int iswcntrl(wint_t);
int iswdigit(wint_t);
int iswgraph(wint_t);
int iswlower(wint_t);
int iswprint(wint_t);
int iswpunct(wint_t);
int iswspace(wint_t);
int iswupper(wint_t);
int iswxdigit(wint_t);
int iswblank(wint_t);
wctype_t wctype(const char *);
int iswctype(wint_t, wctype_t);
wint_t towlower(wint_t);
wint_t towupper(wint_t);
wchar_t *wcscpy(wchar_t *, const wchar_t *);
wchar_t *wcsncpy(wchar_t *, const wchar_t *, size_t);
wchar_t *wcscat(wchar_t *, const wchar_t *);
wchar_t *wcsncat(wchar_t *, const wchar_t *, size_t);
int wcscmp(const wchar_t *, const wchar_t *);
int wcsncmp(const wchar_t *, const wchar_t *, size_t);
int wcscasecmp(const wchar_t *, const wchar_t *);
int wcsncasecmp(const wchar_t *, const wchar_t *, size_t);
int wcscasecmp_l(const wchar_t *, const wchar_t *, locale_t);
int wcsncasecmp_l(const wchar_t *, const wchar_t *, size_t, locale_t);
int wcscoll(const wchar_t *, const wchar_t *);
size_t wcsxfrm(wchar_t *, const wchar_t *, size_t);
int wcscoll_l(const wchar_t *, const wchar_t *, locale_t);
size_t wcsxfrm_l(wchar_t *, const wchar_t *, size_t, locale_t);
wchar_t *wcsdup(const wchar_t *);
wchar_t *wcschr(const wchar_t *, wchar_t);
wchar_t *wcsrchr(const wchar_t *, wchar_t);
size_t wcscspn(const wchar_t *, const wchar_t *);
size_t wcsspn(const wchar_t *, const wchar_t *);
wchar_t *wcspbrk(const wchar_t *, const wchar_t *);
wchar_t *wcsstr(const wchar_t *, const wchar_t *);
wchar_t *wcstok(wchar_t *, const wchar_t *, wchar_t **);
size_t wcslen(const wchar_t *);
wchar_t *wcswcs(const wchar_t *, const wchar_t *);
size_t wcsnlen(const wchar_t *, size_t);
wchar_t *wmemchr(const wchar_t *, wchar_t, size_t);
int wmemcmp(const wchar_t *, const wchar_t *, size_t);
wchar_t *wmemcpy(wchar_t *, const wchar_t *, size_t);
wchar_t *wmemmove(wchar_t *, const wchar_t *, size_t);
wchar_t *wmemset(wchar_t *, wchar_t, size_t);
wint_t btowc(int);
int wctob(wint_t);
int mbsinit(const mbstate_t *);
size_t mbrtowc(wchar_t *, const char *, size_t, mbstate_t *);
size_t wcrtomb(char *, wchar_t, mbstate_t *);
size_t mbrlen(const char *, size_t, mbstate_t *);
size_t mbsrtowcs(wchar_t *, const char **, size_t, mbstate_t *);
size_t wcsrtombs(char *, const wchar_t **, size_t, mbstate_t *);
size_t mbsnrtowcs(wchar_t *, const char **, size_t, size_t, mbstate_t *);
size_t wcsnrtombs(char *, const wchar_t **, size_t, size_t, mbstate_t *);
int wcwidth(wchar_t);
int wcswidth(const wchar_t *, size_t);
double wcstod(const wchar_t *, wchar_t **);
float wcstof(const wchar_t *, wchar_t **);
long double wcstold(const wchar_t *, wchar_t **);
long wcstol(const wchar_t *, wchar_t **, int);
unsigned long wcstoul(const wchar_t *, wchar_t **, int);
long long wcstoll(const wchar_t *, wchar_t **, int);
unsigned long long wcstoull(const wchar_t *, wchar_t **, int);
wchar_t *wcpcpy(wchar_t *, const wchar_t *);
wchar_t *wcpncpy(wchar_t *, const wchar_t *, size_t);
FILE *open_wmemstream(wchar_t **, size_t *);
int fwide(FILE *, int);
int fwprintf(FILE *, const wchar_t *, ...);
int wprintf(const wchar_t *, ...);
int swprintf(wchar_t *, size_t, const wchar_t *, ...);
int vfwprintf(FILE *, const wchar_t *, va_list);
int vwprintf(const wchar_t *, va_list);
int vswprintf(wchar_t *, size_t, const wchar_t *, va_list);
int fwscanf(FILE *, const wchar_t *, ...);
int wscanf(const wchar_t *, ...);
int swscanf(const wchar_t *, const wchar_t *, ...);
int vfwscanf(FILE *, const wchar_t *, va_list);
int vwscanf(const wchar_t *, va_list);
int vswscanf(const wchar_t *, const wchar_t *, va_list);
wint_t fgetwc(FILE *);
wint_t getwc(FILE *);
wint_t getwchar(void);
wint_t fputwc(wchar_t, FILE *);
wint_t putwc(wchar_t, FILE *);
wint_t putwchar(wchar_t);
wchar_t *fgetws(wchar_t *, int, FILE *);
int fputws(const wchar_t *, FILE *);
wint_t ungetwc(wint_t, FILE *);
size_t wcsftime(wchar_t *, size_t, const wchar_t *, const struct tm *);
`,
  },
  'wctype.h': {
    includes: 'wchar.h',
    constants: `
WEOF=0xffffffffu`,
    text: c`
typedef const int *wctrans_t;
wctrans_t wctrans(const char *);
wint_t towctrans(wint_t, wctrans_t);
int iswalnum_l(wint_t, locale_t);
int iswalpha_l(wint_t, locale_t);
int iswcntrl_l(wint_t, locale_t);
int iswdigit_l(wint_t, locale_t);
int iswgraph_l(wint_t, locale_t);
int iswlower_l(wint_t, locale_t);
int iswprint_l(wint_t, locale_t);
int iswpunct_l(wint_t, locale_t);
int iswspace_l(wint_t, locale_t);
int iswupper_l(wint_t, locale_t);
int iswxdigit_l(wint_t, locale_t);
int iswblank_l(wint_t, locale_t);
wctype_t wctype_l(const char *, locale_t);
int iswctype_l(wint_t, wctype_t, locale_t);
wint_t towlower_l(wint_t, locale_t);
wint_t towupper_l(wint_t, locale_t);
wctrans_t wctrans_l(const char *, locale_t);
wint_t towctrans_l(wint_t, wctrans_t, locale_t);
`,
  },
  'langinfo.h': {
    includes: 'locale.h',
    constants: `
ABDAY_1=131072 ABDAY_2=131073 ABDAY_3=131074 ABDAY_4=131075 ABDAY_5=131076 ABDAY_6=131077 ABDAY_7=131078
DAY_1=131079 DAY_2=131080 DAY_3=131081 DAY_4=131082 DAY_5=131083 DAY_6=131084 DAY_7=131085 ABMON_1=131086
ABMON_2=131087 ABMON_3=131088 ABMON_4=131089 ABMON_5=131090 ABMON_6=131091 ABMON_7=131092 ABMON_8=131093
ABMON_9=131094 ABMON_10=131095 ABMON_11=131096 ABMON_12=131097 MON_1=131098 MON_2=131099 MON_3=131100 MON_4=131101
MON_5=131102 MON_6=131103 MON_7=131104 MON_8=131105 MON_9=131106 MON_10=131107 MON_11=131108 MON_12=131109
AM_STR=131110 PM_STR=131111 D_T_FMT=131112 D_FMT=131113 T_FMT=131114 T_FMT_AMPM=131115 ERA=131116 ERA_D_FMT=131118
ALT_DIGITS=131119 ERA_D_T_FMT=131120 ERA_T_FMT=131121 CODESET=14 CRNCYSTR=262159 RADIXCHAR=65536 THOUSEP=65537
YESEXPR=327680 NOEXPR=327681`,
    text: c`
typedef int nl_item;
char *nl_langinfo(nl_item);
char *nl_langinfo_l(nl_item, locale_t);
`,
  },
  'iconv.h': {
    includes: 'stddef.h',
    text: c`
typedef void *iconv_t;
int iconv_close(iconv_t);
iconv_t iconv_open(const char *, const char *);
size_t iconv(iconv_t, char **, size_t *, char **, size_t *);
`,
  },
  'monetary.h': {
    includes: 'sys/types.h locale.h',
    text: c`
ssize_t strfmon(char *, size_t, const char *, ...);
ssize_t strfmon_l(char *, size_t, locale_t, const char *, ...);
`,
  },
  'nl_types.h': {
    constants: `
NL_SETD=1 NL_CAT_LOCALE=1`,
    text: c`
typedef void *nl_catd;
nl_catd catopen(const char *, int);
char *catgets(nl_catd, int, int, const char *);
int catclose(nl_catd);
`,
  },
  'regex.h': {
    includes: 'stddef.h',
    constants: `
REG_EXTENDED=1 REG_ICASE=2 REG_NEWLINE=4 REG_NOSUB=8 REG_NOTBOL=1 REG_NOTEOL=2 REG_STARTEND=4 REG_ENOSYS=(-1)
REG_NOERROR=0 REG_NOMATCH=1 REG_BADPAT=2 REG_ECOLLATE=3 REG_ECTYPE=4 REG_EESCAPE=5 REG_ESUBREG=6 REG_EBRACK=7
REG_EPAREN=8 REG_EBRACE=9 REG_BADBR=10 REG_ERANGE=11 REG_ESPACE=12 REG_BADRPT=13 REG_EEND=14 REG_ESIZE=15
REG_ERPAREN=16`,
    text: c`
typedef struct { size_t re_nsub; void *__state; unsigned long __padding[6]; } regex_t;
typedef int regoff_t;
typedef struct { regoff_t rm_so; regoff_t rm_eo; } regmatch_t;
int regcomp(regex_t *, const char *, int);
int regexec(const regex_t *, const char *, size_t, regmatch_t [], int);
size_t regerror(int, const regex_t *, char *, size_t);
void regfree(regex_t *);
`,
  },
  'fnmatch.h': {
    constants: `
FNM_PATHNAME=1 FNM_NOESCAPE=2 FNM_PERIOD=4 FNM_NOMATCH=1 FNM_NOSYS=(-1)`,
    text: c`
int fnmatch(const char *, const char *, int);
`,
  },
  'wordexp.h': {
    includes: 'stddef.h',
    text: c`
typedef struct { size_t we_wordc; char **we_wordv; size_t we_offs; } wordexp_t;
int wordexp(const char *, wordexp_t *, int);
void wordfree(wordexp_t *);
`,
  },
  'glob.h': {
    includes: 'stddef.h',
    constants: `
GLOB_ERR=1 GLOB_MARK=2 GLOB_NOSORT=4 GLOB_DOOFFS=8 GLOB_NOCHECK=16 GLOB_APPEND=32 GLOB_NOESCAPE=64 GLOB_PERIOD=128
GLOB_NOSPACE=1 GLOB_ABORTED=2 GLOB_NOMATCH=3 GLOB_NOSYS=4`,
    text: c`
typedef struct { size_t gl_pathc; char **gl_pathv; size_t gl_offs; int gl_flags; void (*gl_closedir) (void *); void
  *(*gl_readdir) (void *); void *(*gl_opendir) (const char *); int (*gl_lstat) (const char *, void *); int
  (*gl_stat) (const char *, void *); } glob_t;
int glob(const char *, int, int (*) (const char *, int), glob_t *);
void globfree(glob_t *);
`,
  },
  'libgen.h': {
    text: c`
char *dirname(char *);
`,
  },
  'search.h': {
    includes: 'stddef.h',
    text: c`
typedef enum { FIND, ENTER } ACTION;
typedef struct entry { char *key; void *data; } ENTRY;
typedef enum { preorder, postorder, endorder, leaf } VISIT;
void insque(void *, void *);
void remque(void *);
ENTRY *hsearch(ENTRY, ACTION);
int hcreate(size_t);
void hdestroy(void);
void *tsearch(const void *, void **, int (*)(const void *, const void *));
void *tfind(const void *, void *const *, int (*)(const void *, const void *));
void *tdelete(const void *, void **, int (*)(const void *, const void *));
void twalk(const void *, void (*)(const void *, VISIT, int));
void *lfind(const void *, const void *, size_t *, size_t, int (*)(const void *, const void *));
void *lsearch(const void *, void *, size_t *, size_t, int (*)(const void *, const void *));
`,
  },
  'fenv.h': {
    constants: `
FE_INVALID=1 FE_DIVBYZERO=4 FE_OVERFLOW=8 FE_UNDERFLOW=16 FE_INEXACT=32 FE_ALL_EXCEPT=61 FE_TONEAREST=0
FE_DOWNWARD=1024 FE_UPWARD=2048 FE_TOWARDZERO=3072`,
    text: c`
#define FE_DFL_ENV ((const fenv_t *)-1)
typedef unsigned short fexcept_t;
typedef struct { unsigned short __control_word; unsigned short __reserved1; unsigned short __status_word;
  unsigned short __reserved2; unsigned short __tags; unsigned short __reserved3; unsigned __eip;
  unsigned short __cs_selector; unsigned __opcode:11; unsigned __reserved4:5; unsigned __data_offset; unsigned
  short __data_selector; unsigned short __reserved5; unsigned __mxcsr; } fenv_t;
int feclearexcept(int);
int fegetexceptflag(fexcept_t *, int);
int feraiseexcept(int);
int fesetexceptflag(const fexcept_t *, int);
int fetestexcept(int);
int fegetround(void);
int fesetround(int);
int fegetenv(fenv_t *);
int feholdexcept(fenv_t *);
int fesetenv(const fenv_t *);
int feupdateenv(const fenv_t *);
`,
  },
  'fmtmsg.h': {
    constants: `
MM_HARD=1 MM_SOFT=2 MM_FIRM=4 MM_APPL=8 MM_UTIL=16 MM_OPSYS=32 MM_RECOVER=64 MM_NRECOV=128 MM_PRINT=256
MM_CONSOLE=512 MM_NOSEV=0 MM_HALT=1 MM_ERROR=2 MM_WARNING=3 MM_INFO=4 MM_NOTOK=(-1) MM_OK=0 MM_NOMSG=1 MM_NOCON=4`,
    text: c`
#define MM_NULLLBL ((char *)0)
#define MM_NULLSEV 0
#define MM_NULLMC 0L
#define MM_NULLTXT ((char *)0)
#define MM_NULLACT ((char *)0)
#define MM_NULLTAG ((char *)0)
int fmtmsg(long, const char *, int, const char *, const char *, const char *);
`,
  },
}
