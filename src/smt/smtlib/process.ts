// An external SMT-LIB solver as a process that is talked to synchronously: two FIFOs with blocking reads and writes
// (ordinary pipes of a child are non-blocking and give EAGAIN). Killing the child from elsewhere unblocks the read.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Expression, readExpressions } from '../../logic/index.js'
import { SolverError } from '../z3/functions.js'

export class SmtlibProcess {
  private readonly directory: string
  private readonly child: ChildProcess
  private readonly input: number
  private readonly output: number
  private readonly buffer = Buffer.alloc(1 << 16)
  private text = ''

  /** `command` is given to the shell; it reads commands from its standard input. */
  constructor(readonly command: string) {
    this.directory = mkdtempSync(join(tmpdir(), 'heddle-smt-'))
    const [input, output] = [join(this.directory, 'in'), join(this.directory, 'out')]
    if (spawnSync('mkfifo', [input, output]).status !== 0) throw new SolverError('cannot make FIFOs for a solver')
    this.child = spawn('sh', ['-c', `exec ${command} <"$0" >"$1"`, input, output], { stdio: 'ignore' })
    this.input = openSync(input, 'w')
    this.output = openSync(output, 'r')
  }

  get processId(): number | undefined {
    return this.child.pid
  }

  send(commands: string): void {
    const bytes = Buffer.from(`${commands}\n`)
    for (let sent = 0; sent < bytes.length; ) sent += writeSync(this.input, bytes, sent)
  }

  /** The next answer: a symbol, or a list. An error of the solver is thrown. */
  receive(): Expression {
    let end = answerEnd(this.text)
    while (end === undefined) {
      const count = readSync(this.output, this.buffer, 0, this.buffer.length, null)
      if (count === 0) throw new SolverError(`the solver ended: ${this.command}`)
      this.text += this.buffer.toString('utf8', 0, count)
      end = answerEnd(this.text)
    }
    const answer = readExpressions(this.text.slice(0, end))[0]!
    this.text = this.text.slice(end)
    if (Array.isArray(answer) && answer[0] === 'error') throw new SolverError(`${this.command}: ${String(answer[1])}`)
    return answer
  }

  ask(command: string): Expression {
    this.send(command)
    return this.receive()
  }

  dispose(): void {
    try {
      this.send('(exit)')
    } catch {
      // It has ended already.
    }
    closeSync(this.input)
    closeSync(this.output)
    this.child.kill('SIGKILL')
    rmSync(this.directory, { recursive: true, force: true })
  }
}

/** Where the first complete answer ends: a line with a symbol, or a balanced list. Undefined: not yet. */
const answerEnd = (text: string): number | undefined => {
  let depth = 0
  let started = false
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!
    if (c === '"' || c === '|') {
      const close = text.indexOf(c, i + 1)
      if (close < 0) return undefined
      i = close
      started = true
    } else if (c === '(') {
      depth++
      started = true
    } else if (c === ')') {
      depth--
      if (depth === 0) return i + 1
    } else if (c === '\n') {
      if (started && depth === 0) return i + 1
    } else if (c !== ' ' && c !== '\r' && c !== '\t') started = true
  }
  return undefined
}
