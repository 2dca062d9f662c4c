// What headers declare beside what is modelled: programs that include everything that C and POSIX have are read
// without the headers of a system, and constants are those of Linux.
import { spawnSync } from 'node:child_process'
import { describe, expect, it, test } from 'vitest'
import { compile, loadParser } from '../../../src/frontend/c/index.js'
import { DECLARED, wordsOf } from '../../../src/frontend/c/library/declared/declared.js'
import { FILES } from '../../../src/frontend/c/library/declared/files.js'
import { NETWORK } from '../../../src/frontend/c/library/declared/network.js'
import { SYSTEM } from '../../../src/frontend/c/library/declared/system.js'
import { TEXT } from '../../../src/frontend/c/library/declared/text.js'
import { readAsset } from '../../../src/run/program/assets.js'

/** C11 7.1.2, and the headers of POSIX.1-2008 that Linux has. */
const C11 = `assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg
  stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype`
const POSIX = `aio arpa/inet cpio dirent dlfcn fcntl fmtmsg fnmatch ftw glob grp iconv langinfo libgen monetary mqueue
  net/if netdb netinet/in netinet/tcp nl_types poll pthread pwd regex sched search semaphore spawn strings sys/ipc
  sys/mman sys/msg sys/resource sys/select sys/sem sys/shm sys/socket sys/stat sys/statvfs sys/time sys/times sys/types
  sys/uio sys/un sys/utsname sys/wait syslog tar termios ulimit unistd utime utmpx wordexp`
const LINUX = `sys/epoll sys/eventfd sys/timerfd sys/signalfd sys/inotify sys/ioctl sys/file sys/sysinfo sys/random
  sys/sendfile sys/param execinfo ifaddrs error err getopt`

const USES = `
int main(void) {
  struct epoll_event event = { .events = EPOLLIN | EPOLLET, .data.fd = 1 };
  struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = 80 };
  struct option options[] = { { "threads", required_argument, NULL, 't' }, { 0 } };
  struct rlimit limit = { RLIM_INFINITY, RLIM_INFINITY };
  struct msghdr message = { 0 };
  struct itimerspec period = { .it_value.tv_sec = 1 };
  struct utsname system;
  wchar_t wide[] = L"wide";
  double _Complex number = 1.0 + 2.0 * I;
  imaxdiv_t halves;
  locale_t locale = LC_GLOBAL_LOCALE;
  regex_t pattern;
  DIR *folder = 0;
  mqd_t queue = 0;
  uint_least16_t small = UINT_LEAST16_MAX;
  return sizeof event + sizeof address + sizeof options + sizeof limit + sizeof message + sizeof period + sizeof system
    + sizeof wide + sizeof number + sizeof halves + sizeof pattern + sizeof small + (folder == 0) + (locale != 0)
    + queue + SIGEV_THREAD + LOG_ERR + O_CLOEXEC + (fmaxf(1, 2) > 1) == 0;
}`

test('all headers of C and POSIX are read without those of a system', async () => {
  const parser = await loadParser({
    runtime: readAsset('web-tree-sitter.wasm'),
    grammar: readAsset('tree-sitter-c.wasm'),
  })
  const names = `${C11} ${POSIX} ${LINUX}`.split(/\s+/)
  // The operators of <iso646.h> are words that other headers use as names.
  const text = names.filter((name) => name !== 'iso646').map((name) => `#include <${name}.h>\n`)
  for (const dataModel of ['lp64', 'ilp32'] as const) {
    const { program } = compile([{ name: 'all.c', text: text.join('') + USES }], { dataModel }, parser)
    expect(program.main.name).toBe('main')
  }
})

const hasCompiler = spawnSync('cc', ['--version']).status === 0

describe.skipIf(!hasCompiler || process.platform !== 'linux')('constants are those of Linux', () => {
  it.each(Object.entries({ ...FILES, ...NETWORK, ...SYSTEM, ...TEXT }).filter(([, { constants }]) => constants))(
    '<%s>',
    (header, { constants }) => {
      const asserts = wordsOf(constants).map((constant) => {
        const [, name, value] = /^(\w+)=(.*)$/.exec(constant)!
        return `#ifdef ${name}\n_Static_assert(__builtin_choose_expr(__builtin_constant_p(${name}), (long long)(${name}) == (long long)(${value}), 1), "${name}");\n#endif\n`
      })
      const input = `#define _GNU_SOURCE\n#include <${header}>\n${asserts.join('')}`
      const { stderr } = spawnSync('cc', ['-w', '-fsyntax-only', '-x', 'c', '-'], { input, encoding: 'utf8' })
      expect(stderr).toBe('')
    },
  )
})

test('a header is declared once', () => {
  expect(new Set(DECLARED.keys()).size).toBe([FILES, NETWORK, SYSTEM, TEXT].flatMap(Object.keys).length + 4)
})
