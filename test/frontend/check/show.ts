// Typed expressions as fully parenthesised text: what the checker understood.
import type { CExpr, CFunction, CStatement } from '../../../src/frontend/c/ast.js'
import { typeName } from '../../../src/frontend/c/check/index.js'

export const show = (e: CExpr): string => {
  switch (e.kind) {
    case 'constant':
      return String(e.value)
    case 'string':
      return JSON.stringify(String.fromCharCode(...e.bytes.slice(0, -1)))
    case 'variable':
      return e.variable.name
    case 'function':
      return e.function.name
    case 'label':
      return `&&${e.name}`
    case 'deref':
      return `*(${show(e.pointer)})`
    case 'member':
      return `${show(e.record)}.${e.field.name}`
    case 'load':
      return show(e.lvalue)
    case 'address':
      return `&(${show(e.lvalue)})`
    case 'cast':
      return `(${typeName(e.type)})(${show(e.operand)})`
    case 'unary':
      return `${e.op}(${show(e.operand)})`
    case 'not':
      return `!(${show(e.operand)})`
    case 'binary':
    case 'compare':
    case 'logical':
      return `(${show(e.left)} ${e.op} ${show(e.right)})`
    case 'pointerAdd':
      return `(${show(e.pointer)} + ${show(e.index)} * ${e.elementSize})`
    case 'pointerDifference':
      return `((${show(e.left)} - ${show(e.right)}) / ${e.elementSize})`
    case 'conditional':
      return `(${show(e.condition)} ? ${show(e.then)} : ${show(e.else)})`
    case 'comma':
      return `(${show(e.left)}, ${show(e.right)})`
    case 'assign':
      return `${show(e.target)} = ${show(e.value)}`
    case 'compoundAssign':
      return `${show(e.target)} ${e.op}= ${show(e.operand)} as ${typeName(e.computeAs)}`
    case 'increment':
      return e.prefix ? `${e.by === 1 ? '++' : '--'}${show(e.target)}` : `${show(e.target)}${e.by === 1 ? '++' : '--'}`
    case 'call':
      return `${show(e.callee)}(${e.args.map(show).join(', ')})`
    case 'builtin':
      return `${e.name}(${e.args.map(show).join(', ')})`
    case 'compound':
      return `{${e.initializer.map((entry) => `${entry.offset}: ${show(entry.value)}`).join(', ')}}`
    case 'statements':
      return `({ ${e.body.map(showStatement).join(' ')} ${e.value ? show(e.value) : ''} })`
  }
}

const showStatement = (s: CStatement): string => {
  switch (s.kind) {
    case 'expression':
      return `${show(s.expression)};`
    case 'declare': {
      const values = s.initializer?.map((entry) => `${entry.offset}: ${show(entry.value)}`)
      return `${typeName(s.variable.type)} ${s.variable.name}${values ? ` = {${values.join(', ')}}` : ''};`
    }
    case 'block':
      return `{ ${s.body.map(showStatement).join(' ')} }`
    case 'if':
      return `if (${show(s.condition)}) ${showStatement(s.then)}${s.else ? ` else ${showStatement(s.else)}` : ''}`
    case 'while':
      return `while (${show(s.condition)}) ${showStatement(s.body)}`
    case 'do':
      return `do ${showStatement(s.body)} while (${show(s.condition)});`
    case 'for': {
      const parts = [
        s.init.map(showStatement).join(' '),
        s.condition ? show(s.condition) : '',
        s.step ? show(s.step) : '',
      ]
      return `for (${parts.join('; ')}) ${showStatement(s.body)}`
    }
    case 'switch':
      return `switch (${show(s.value)}) ${showStatement(s.body)}`
    case 'case':
      return `case ${s.low}${s.low === s.high ? '' : ` ... ${s.high}`}: ${showStatement(s.body)}`
    case 'default':
      return `default: ${showStatement(s.body)}`
    case 'label':
      return `${s.name}: ${showStatement(s.body)}`
    case 'goto':
      return `goto ${s.label};`
    case 'return':
      return s.value ? `return ${show(s.value)};` : 'return;'
    case 'empty':
      return ';'
    case 'unsupported':
      return `unsupported ${s.what};`
    default:
      return `${s.kind};`
  }
}

export const showFunction = (one: CFunction): string => (one.body ? showStatement(one.body) : 'declared only')
