// The compiler command for the user's own build ($HEDDLE_CC, $HEDDLE_CXX): a shell script that calls the real compiler
// with the flags that put our hooks in, and links programs with the runtime. A call that compiles and links at once is
// taken apart, because linking must not see -fsanitize=thread: it would bring the sanitizer's own library.
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { instrumentFlags, linkFlags } from './compile.js'

export const writeWrapper = (
  folder: string,
  name: string,
  compiler: string,
  optimise: string,
  runtime: string,
  besides: readonly string[] = [],
): string => {
  const path = join(folder, name)
  writeFileSync(path, script(compiler, instrumentFlags(optimise), linkFlags(runtime), besides))
  chmodSync(path, 0o755)
  return path
}

const quoted = (words: readonly string[]): string => words.map((w) => `'${w.replaceAll("'", "'\\''")}'`).join(' ')

/** `besides`: flags to compile with first, and without where that fails. */
const script = (
  compiler: string,
  compile: readonly string[],
  link: readonly string[],
  besides: readonly string[],
): string => `#!/bin/sh
# Written by heddle test: compiles for its scheduler.
compile() {
  ${besides.length > 0 ? `${quoted([compiler, ...besides])} "$@" ${quoted(compile)} || ` : ''}${quoted([compiler])} "$@" ${quoted(compile)}
}
links=yes
sources=no
compiles=no
for a in "$@"; do
  if [ "$a" = -c ]; then compiles=yes; fi
  case "$a" in
    -c | -S | -E | -M | -MM | -r | -shared | -fsyntax-only | --version | -v | -dump* | -print* | --help) links=no ;;
    -*) ;;
    *.c | *.cc | *.cpp | *.cxx | *.C | *.i) sources=yes ;;
  esac
done
if [ $# = 0 ]; then exec ${quoted([compiler])}; fi
if [ $compiles = yes ]; then compile "$@"; exit; fi
if [ $links = no ]; then
  exec ${quoted([compiler])} "$@" ${quoted(compile)}
fi
if [ $sources = no ]; then
  exec ${quoted([compiler])} "$@" ${quoted(link)}
fi
# Compile each source by itself, then link.
temporary=$(mktemp -d) || exit 1
trap 'rm -rf "$temporary"' EXIT
n=0
skip=no
for a in "$@"; do
  if [ $skip = yes ]; then skip=no; continue; fi
  case "$a" in
    -o) skip=yes ;;
    *.c | *.cc | *.cpp | *.cxx | *.C | *.i)
      n=$((n + 1))
      flags=
      drop=no
      # Everything but sources, objects, libraries and the output belongs to compiling.
      for b in "$@"; do
        if [ $drop = yes ]; then drop=no; continue; fi
        case "$b" in
          -o) drop=yes ;;
          *.c | *.cc | *.cpp | *.cxx | *.C | *.i | *.o | *.a | *.so | -l* | -L* | -Wl,*) ;;
          *) flags="$flags '$(printf %s "$b" | sed "s/'/'\\\\\\\\''/g")'" ;;
        esac
      done
      eval "compile $flags -c \\"\\$a\\" -o \\"\\$temporary/$n.o\\"" || exit 1
      ;;
  esac
done
n=0
for a in "$@"; do
  shift
  case "$a" in
    *.c | *.cc | *.cpp | *.cxx | *.C | *.i) n=$((n + 1)); set -- "$@" "$temporary/$n.o" ;;
    *) set -- "$@" "$a" ;;
  esac
done
${quoted([compiler])} "$@" ${quoted(link)}
`
