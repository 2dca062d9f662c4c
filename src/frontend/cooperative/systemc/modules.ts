// What a SystemC file declares: modules with their fields, methods and constructors; functions; sc_main.
import { field, type Node, named, unsupported } from './syntax.js'

type FieldKind = 'signal' | 'port' | 'event' | 'module' | 'data'

export interface Field {
  readonly name: string
  readonly kind: FieldKind
  /** C type of the values; the name of the module. */
  readonly type: string
  /** `[4]` of an array. */
  readonly dimensions: string
  readonly node: Node
  /** Of a variable with an initialiser. */
  readonly value?: Node
}

export interface Method {
  readonly name: string
  readonly type: string
  readonly parameters: Node
  readonly body: Node
}

export interface Module {
  readonly name: string
  readonly fields: readonly Field[]
  readonly methods: Map<string, Method>
  /** The definition of the constructor. */
  readonly construct: Node | undefined
  readonly node: Node
}

export interface Model {
  readonly file: string
  readonly modules: ReadonlyMap<string, Module>
  readonly functions: ReadonlyMap<string, Method>
  /** Directives and declarations that C understands as they are. */
  readonly plain: readonly Node[]
  readonly main: Method
}

const PORTS = new Set(['sc_in', 'sc_out', 'sc_inout'])

export const collect = (file: string, root: Node): Model => {
  const modules = new Map<string, Module>()
  const functions = new Map<string, Method>()
  const plain: Node[] = []
  const names = new Set(named(root).flatMap((node) => (isModule(node) ? [field(node, 'name')!.text] : [])))
  for (const node of named(root)) {
    switch (node.type) {
      case 'struct_specifier':
      case 'class_specifier':
        modules.set(field(node, 'name')!.text, moduleOf(file, node, names))
        break
      case 'function_definition':
        define(file, node, modules, functions)
        break
      case 'preproc_def':
      case 'declaration':
        plain.push(node)
        break
      case 'preproc_include':
      case 'using_declaration':
      case 'expression_statement':
        if (node.type !== 'expression_statement' || node.text.trim() === ';') break
        unsupported(file, node, 'a statement outside functions')
        break
      default:
        unsupported(file, node, `C++ construct ${node.type.replaceAll('_', ' ')}`)
    }
  }
  const main = functions.get('sc_main')
  functions.delete('sc_main')
  return { file, modules, functions, plain, main: main ?? unsupported(file, root, 'a model without sc_main') }
}

const isModule = (node: Node): boolean =>
  (node.type === 'struct_specifier' || node.type === 'class_specifier') && field(node, 'body') !== undefined

const moduleOf = (file: string, node: Node, names: ReadonlySet<string>): Module => {
  const name = field(node, 'name')!.text
  const body = field(node, 'body')
  const base = named(node).find((child) => child.type === 'base_class_clause')
  if (!body || !base || !/\bsc_module$/.test(base.text.trim()))
    return unsupported(file, node, `class ${name} that is no sc_module`)
  const fields: Field[] = []
  const methods = new Map<string, Method>()
  let construct: Node | undefined
  for (const member of named(body)) {
    if (member.type === 'access_specifier') continue
    if (member.type === 'function_definition') {
      const method = methodOf(member)
      if (method.name === name) construct = member
      else methods.set(method.name, method)
    } else if (member.type === 'field_declaration') fields.push(...fieldsOf(file, member, names))
    else if (member.type !== 'declaration')
      unsupported(file, member, `C++ construct ${member.type.replaceAll('_', ' ')} in a module`)
  }
  return { name, fields, methods, construct, node }
}

const methodOf = (node: Node): Method => {
  const declarator = field(node, 'declarator')!
  const name = field(declarator, 'declarator')!
  return {
    name: name.type === 'qualified_identifier' ? field(name, 'name')!.text : name.text,
    type: cType(field(node, 'type')?.text ?? 'void'),
    parameters: field(declarator, 'parameters')!,
    body: field(node, 'body')!,
  }
}

const define = (file: string, node: Node, modules: Map<string, Module>, functions: Map<string, Method>): void => {
  const declarator = field(node, 'declarator')!
  if (declarator.type !== 'function_declarator') unsupported(file, node, 'a function of this form')
  const method = methodOf(node)
  const scope = field(field(declarator, 'declarator')!, 'scope')
  if (!scope) functions.set(method.name, method)
  else (modules.get(scope.text) ?? unsupported(file, node, `class ${scope.text}`)).methods.set(method.name, method)
}

/** The variables that a declaration declares; declarations of methods declare none. */
export const fieldsOf = (file: string, node: Node, modules: ReadonlySet<string>): readonly Field[] => {
  const typeNode = field(node, 'type')!
  const declarators = node.childrenForFieldName('declarator')
  if (declarators.every((declarator) => declarator?.type === 'function_declarator')) return []
  const { kind, type } = kindOf(file, typeNode, modules)
  return declarators.flatMap((declarator): readonly Field[] => {
    if (!declarator || declarator.type === 'function_declarator') return []
    const isInitialised = declarator.type === 'init_declarator'
    const inner = isInitialised ? field(declarator, 'declarator')! : declarator
    const value = isInitialised ? field(declarator, 'value') : field(node, 'default_value')
    if (inner.type === 'array_declarator' && kind !== 'data') unsupported(file, node, 'an array of channels or modules')
    if (!/^(?:field_identifier|identifier|array_declarator)$/.test(inner.type))
      unsupported(file, inner, `C++ construct ${inner.type.replaceAll('_', ' ')}`)
    const name = /^\w+/.exec(inner.text)![0]
    const dimensions = inner.text.slice(name.length)
    return [{ name, kind, type, dimensions, node: declarator, ...(value ? { value } : {}) }]
  })
}

const kindOf = (file: string, type: Node, modules: ReadonlySet<string>): Pick<Field, 'kind' | 'type'> => {
  const text = type.text
  if (type.type === 'template_type') {
    const name = field(type, 'name')!.text
    const values = field(type, 'arguments')!.text.slice(1, -1).trim()
    if (!SCALAR.test(values)) unsupported(file, type, `values of type ${values} in a channel`)
    if (name === 'sc_signal') return { kind: 'signal', type: cType(values) }
    if (PORTS.has(name)) return { kind: 'port', type: cType(values) }
  }
  if (text === 'sc_in_clk') return { kind: 'port', type: '_Bool' }
  if (text === 'sc_event') return { kind: 'event', type: '' }
  if (modules.has(text)) return { kind: 'module', type: text }
  if (!SCALAR.test(text)) unsupported(file, type, `type ${text}`)
  return { kind: 'data', type: cType(text) }
}

const SCALAR = /^(?:(?:const|signed|unsigned|char|short|int|long|bool)\s*)+$/

export const cType = (text: string): string => text.replace(/\bbool\b/g, '_Bool')
