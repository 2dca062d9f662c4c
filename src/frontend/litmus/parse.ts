// Reads litmus files: the architecture and name, the initial state in braces, the program, the final condition.

import { canonicalAArch64, translateAArch64 } from './aarch64/index.js'
import { readTable, type Translate, translateThread } from './assembly.js'
import { C11_PLAIN, c11Library } from './c/c11.js'
import { CELL, Compiler } from './c/compiler.js'
import { LKMM_NAMES, LKMM_PLAIN, lkmmLibrary } from './c/lkmm.js'
import { lex, Words, withoutComments } from './lex.js'
import { Memory } from './memory.js'
import { translatePpc } from './ppc.js'
import { canonicalRiscv, translateRiscv } from './riscv.js'
import { parseFinalState, parseInitialState, registersOf } from './state.js'
import { type Dialect, LitmusProblem, type LitmusTest, type ParsedLitmus, type Thread } from './test.js'
import { canonicalX86, translateX86 } from './x86.js'
import { translateX86_64 } from './x86-64.js'

const same = (name: string): string => name

const ASSEMBLIES: Readonly<
  Record<
    string,
    { readonly dialect: Dialect; readonly translate: Translate; readonly canonical: (name: string) => string }
  >
> = {
  X86: { dialect: 'X86', translate: translateX86, canonical: canonicalX86 },
  X86_64: { dialect: 'X86', translate: translateX86_64, canonical: canonicalX86 },
  AARCH64: { dialect: 'AArch64', translate: translateAArch64, canonical: canonicalAArch64 },
  PPC: { dialect: 'PPC', translate: translatePpc, canonical: same },
  RISCV: { dialect: 'RISCV', translate: translateRiscv, canonical: canonicalRiscv },
}

export const parseLitmus = (text: string): ParsedLitmus => {
  try {
    return { kind: 'test', test: parse(text) }
  } catch (problem) {
    if (problem instanceof LitmusProblem) return { kind: 'wrong', error: problem.error }
    throw problem
  }
}

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

const columnOf = (text: string, offset: number): number => offset - text.lastIndexOf('\n', offset - 1)

const parse = (original: string): LitmusTest => {
  const text = withoutComments(original.replace(/\r/g, ' '))
  const header = /^\s*(\S+)[ \t]*([^\n]*)/.exec(text)
  if (!header) throw new LitmusProblem({ line: 1, column: 1 }, 'the file is empty')
  const architecture = header[1]!
  const name = header[2]!.trim().split(/\s+/)[0] ?? ''
  const start = text.indexOf('{', header[0].length)
  if (start < 0) throw new LitmusProblem({ line: 1, column: 1 }, 'expected the initial state in braces')
  const end = closing(text, start)
  const body = end + 1
  if (architecture === 'C') return parseC(text, name, start, end, body)
  const assembly = ASSEMBLIES[architecture.toUpperCase()]
  if (!assembly)
    throw new LitmusProblem(
      { line: lineOf(text, text.indexOf(architecture)), column: 1 },
      `the architecture ${architecture} is not supported (C, X86, X86_64, AArch64, PPC and RISCV are)`,
    )
  const memory = new Memory(4)
  const initial = parseInitialState(wordsOf(text, start + 1, end), memory, assembly.canonical)
  const condition = conditionStart(text, body)
  let table = text.slice(body, condition)
  let offset = body
  // `{ … };` is written, too.
  const stray = /^\s*;/.exec(table)
  if (stray) {
    table = table.slice(stray[0].length)
    offset += stray[0].length
  }
  const columns = readTable(table, lineOf(text, offset))
  const threads = columns.map((cells, i) => translateThread(cells, memory, registersOf(initial, i), assembly.translate))
  const final = parseFinalState(wordsOf(text, condition, text.length), memory, assembly.canonical)
  return { name, dialect: assembly.dialect, threads, objects: memory.all(), ...final }
}

const closing = (text: string, start: number): number => {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    if (text[at] === '{') depth++
    if (text[at] === '}' && --depth === 0) return at
  }
  throw new LitmusProblem({ line: lineOf(text, start), column: columnOf(text, start) }, 'this brace is not closed')
}

/** Where the locations, the filter or the condition start, on a line of their own. */
const conditionStart = (text: string, from: number): number => {
  const match = /^[ \t]*(?:(?:~|not\b)[ \t]*exists|exists|forall|final|filter|locations)\b/m.exec(text.slice(from))
  if (!match)
    throw new LitmusProblem(
      { line: lineOf(text, text.length), column: 1 },
      'expected a final condition: exists, ~exists or forall',
    )
  return from + match.index
}

/** Words of a part of the file; what follows the condition for other tools is left out. */
const wordsOf = (text: string, from: number, to: number): Words => {
  const part = text.slice(from, to).replace(/<<[\s\S]*$/, '')
  return new Words(lex(part, lineOf(text, from), columnOf(text, from)))
}

const parseC = (text: string, name: string, start: number, end: number, body: number): LitmusTest => {
  const memory = new Memory(CELL)
  const initial = parseInitialState(wordsOf(text, start + 1, end), memory, same, CELL)
  const condition = conditionStart(text, body)
  const program = text.slice(body, condition)
  const isKernel = LKMM_NAMES.test(program) && !/memory_order/.test(program)
  const words = wordsOf(text, body, condition)
  const threads: Thread[] = []
  while (!words.atEnd) {
    if (words.accept(';') || words.accept('static') || words.accept('void')) continue
    const { token } = words
    const thread = /^P(\d+)$/.exec(words.name('a thread'))
    if (!thread) return words.fail(`expected a thread like P${threads.length}, but found "${token.text}"`, token.at)
    if (Number(thread[1]) !== threads.length)
      return words.fail(`expected P${threads.length}: threads are numbered from 0`, token.at)
    const library = isKernel ? lkmmLibrary : c11Library
    const compiler = new Compiler(words, memory, library, isKernel ? LKMM_PLAIN : C11_PLAIN)
    threads.push(compiler.thread(registersOf(initial, threads.length)))
  }
  const final = parseFinalState(wordsOf(text, condition, text.length), memory, same)
  return { name, dialect: isKernel ? 'LKMM' : 'C', threads, objects: memory.all(), ...final }
}
