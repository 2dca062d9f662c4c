// A client for a library that has no main, as C to be edited: threads that call its functions in any order, after what
// creates the object that they share and before what destroys it. Both are learnt from names and signatures. With
// `linearizable` the client also runs the same calls one after the other, in every order in which no call comes before
// one that had returned when it began, and asserts that one of these has the results of the concurrent calls.

import type { DataModel } from '../../xcfa/index.js'
import type { CFunction, CType } from './ast.js'
import { isComplete, isVoid, type Target, targetOf, typeName, unqualified } from './check/types.js'

export interface HarnessOptions {
  /** What the client includes. */
  readonly header: string
  readonly threads: number
  readonly calls: number
  /** The functions that threads call; undefined: all that have the object as an argument. */
  readonly functions?: readonly string[]
  readonly linearizable: boolean
}

export type Harness =
  | { readonly kind: 'harness'; readonly text: string }
  | { readonly kind: 'none'; readonly why: string }

/** `functions`: those that the header declares. */
export const harnessFor = (functions: readonly CFunction[], options: HarnessOptions, dataModel: DataModel): Harness => {
  const unknown = (options.functions ?? []).filter((name) => !functions.some((fn) => fn.name === name))
  if (unknown.length > 0) return { kind: 'none', why: `no function ${unknown.join(', ')} in ${options.header}` }
  const roles = rolesOf(functions, options)
  if (typeof roles === 'string') return { kind: 'none', why: roles }
  const client = new Client(roles, options, targetOf(dataModel))
  return client.called.length === 0
    ? { kind: 'none', why: `no function of ${options.header} can be called with arguments that are known` }
    : { kind: 'harness', text: client.text() }
}

// ---- roles

interface Roles {
  /** Makes the object: returns a pointer to it, or takes one. */
  readonly create: CFunction
  readonly destroy: CFunction | undefined
  /** Lets go those who wait: main calls it once the threads run. */
  readonly close: CFunction | undefined
  readonly called: readonly CFunction[]
  readonly object: CType
}

const CREATES = /(^|_)(init|create|new|open|alloc|make|setup)\d*$/i
const CLOSES = /(^|_)(close|shutdown|shut_down|stop|finish|quit|interrupt|disable)\d*$/i
const DESTROYS = /(^|_)(destroy|free|delete|dispose|fini|deinit|release|cleanup|term)\d*$/i

const pointedTo = (type: CType | undefined): CType | undefined => {
  const pointer = type && unqualified(type)
  return pointer?.kind === 'pointer' ? unqualified(pointer.to) : undefined
}

/** Beside the object. */
const takesNumbersOnly = ({ type }: CFunction): boolean =>
  type.parameters.slice(1).every((parameter) => unqualified(parameter).kind === 'int')

const rolesOf = (
  functions: readonly CFunction[],
  { header, functions: names, linearizable }: HarnessOptions,
): Roles | string => {
  const creators = functions.filter(({ name }) => CREATES.test(name))
  for (const create of creators) {
    const object = pointedTo(create.type.result) ?? pointedTo(create.type.parameters[0])
    if (object?.kind !== 'record') continue
    const takesObject = functions.filter((fn) => fn !== create && pointedTo(fn.type.parameters[0]) === object)
    const destroy = takesObject.find(({ name }) => DESTROYS.test(name))
    const close = linearizable ? undefined : takesObject.find((fn) => CLOSES.test(fn.name) && takesNumbersOnly(fn))
    const called = takesObject.filter((fn) =>
      names ? names.includes(fn.name) : fn !== destroy && fn !== close && !creators.includes(fn),
    )
    const unlessCalled = (fn: CFunction | undefined) => (fn && called.includes(fn) ? undefined : fn)
    if (called.length > 0) return { create, destroy: unlessCalled(destroy), close: unlessCalled(close), called, object }
  }
  return `${header} declares no function that creates an object (…_init, …_create, …_new) which others take first`
}

// ---- the client

/** How a parameter gets its value. */
interface Argument {
  readonly text: string
  /** Declared before the call. */
  readonly before?: string
  /** What the call leaves in it. */
  readonly after?: string
}

const SIZES = /len|size|count|capacity|num|max|threads|slots|^n$/i
const KEYS = /key|idx|index|id$|slot|hash|^i$|^k$/i

interface Called {
  readonly fn: CFunction
  readonly lines: readonly string[]
  /** Tells something of the object, and needs nothing but it. */
  readonly observes: boolean
}

class Client {
  readonly called: readonly Called[]
  private readonly globals = new Map<string, string>()
  private readonly leftOut: string[] = []
  private readonly creation: readonly string[]

  constructor(
    private readonly roles: Roles,
    private readonly options: HarnessOptions,
    private readonly target: Target,
  ) {
    this.called = roles.called.flatMap((fn) => this.call(fn) ?? [])
    this.creation = this.create()
  }

  text(): string {
    const { header, threads, calls, linearizable } = this.options
    const { create, destroy, close } = this.roles
    const names = this.called.map(({ fn }) => fn.name).join(', ')
    const head = [
      `/* A client of ${header}: edit it as you like. ${create.name} first${destroy ? `, ${destroy.name} last` : ''}; in between`,
      `   ${threads} threads make ${calls} calls each of ${names}.`,
      ...(close ? [`   Meanwhile main calls ${close.name}, which should let go those who wait.`] : []),
      ...this.leftOut.map((why) => `   Left out: ${why}.`),
      linearizable
        ? '   The results must be those of some order of the calls in which none comes before one that returned before it began. */'
        : '   Verify it for no-data-race, no-deadlock, valid-memsafety and the assertions of the library. */',
    ]
    return [
      ...head,
      `#include "${header}"`,
      '#include <assert.h>',
      '#include <pthread.h>',
      '#include <stddef.h>',
      '',
      'extern int __VERIFIER_nondet_int(void);',
      'extern void __VERIFIER_assume(int);',
      '',
      `#define THREADS ${threads}`,
      `#define CALLS ${calls}`,
      '',
      `typedef ${this.objectType('', 'object_type')};`,
      ...(linearizable
        ? [
            '/* before: how many calls of each thread had returned when this one began. */',
            'struct call { int function, argument, key; long result, out; int before[THREADS]; };',
            'static struct call history[THREADS][CALLS];',
            'static int returned[THREADS];',
          ]
        : [
            'struct call { int function, argument, key; long result, out; };',
            'static struct call history[THREADS][CALLS];',
          ]),
      'static object_type *object;',
      ...this.globals.values(),
      '',
      'static int choose(int count)',
      '{',
      '  int chosen = __VERIFIER_nondet_int();',
      '  __VERIFIER_assume(0 <= chosen && chosen < count);',
      '  return chosen;',
      '}',
      '',
      ...this.creation,
      '',
      'static void call(object_type *object, struct call *c)',
      '{',
      ...this.called.flatMap(({ fn, lines }, i) => [
        `  ${i === 0 ? '' : 'else '}if (c->function == ${i}) { /* ${fn.name} */`,
        ...lines.map((line) => `    ${line}`),
        '  }',
      ]),
      '}',
      '',
      'static void *client(void *calls)',
      '{',
      ...(linearizable
        ? TIMED_CALLS
        : ['  for (int i = 0; i < CALLS; i++)', '    call(object, (struct call *)calls + i);']),
      '  return 0;',
      '}',
      '',
      ...(linearizable ? this.explained() : []),
      ...this.main(),
      '',
    ].join('\n')
  }

  private objectType(star: string, name: string): string {
    return typeName(this.roles.object, `${star}${name}`)
  }

  private create(): readonly string[] {
    const { create, object } = this.roles
    const returns = pointedTo(create.type.result) === object
    const args = create.type.parameters.map((type, i) => {
      if (!returns && i === 0) return 'made'
      const name = create.parameters[i]?.name ?? ''
      const kind = unqualified(type).kind
      return kind === 'int' ? (SIZES.test(name) ? '2' : '0') : (this.task(type) ?? '0')
    })
    const call = `${create.name}(${args.join(', ')})`
    if (returns) return ['static object_type *make(int which)', '{', '  (void)which;', `  return ${call};`, '}']
    // Two variables, not an array: an access beyond the first is no access to the second.
    const copy = this.options.linearizable
    return [
      'static object_type instance;',
      ...(copy ? ['static object_type copied;'] : []),
      'static object_type *make(int which)',
      '{',
      ...(copy ? [] : ['  (void)which;']),
      `  object_type *made = ${copy ? 'which ? &copied : &instance' : '&instance'};`,
      `  ${call};`,
      '  return made;',
      '}',
    ]
  }

  private call(fn: CFunction): Called | undefined {
    const args: Argument[] = [{ text: 'object' }]
    for (const [i, type] of fn.type.parameters.entries()) {
      if (i === 0) continue
      const argument = this.argument(type, fn.parameters[i]?.name ?? '', i)
      if (!argument) {
        this.leftOut.push(`${fn.name}, whose argument ${i + 1} has the type ${typeName(type, '')}`)
        return undefined
      }
      args.push(argument)
    }
    const call = `${fn.name}(${args.map(({ text }) => text).join(', ')})`
    return {
      fn,
      lines: [
        ...args.flatMap(({ before }) => before ?? []),
        this.resultOf(fn.type.result, call),
        ...args.flatMap(({ after }) => (after ? [`c->out = ${after};`] : [])),
      ],
      observes:
        args.every(({ text, after }) => text === 'object' || after !== undefined) &&
        (!isVoid(fn.type.result) || args.length > 1),
    }
  }

  private resultOf(type: CType, call: string): string {
    const plain = unqualified(type)
    if (plain.kind === 'int') return `c->result = ${call};`
    if (plain.kind !== 'pointer') return `${call};`
    // Where a block lies is no result; which of our own values it is, is one.
    if (isVoid(plain.to)) {
      this.items()
      return `{ void *r = ${call}; c->result = r ? (int *)r - items + 1 : 0; }`
    }
    return `c->result = ${call} != 0;`
  }

  private items(): void {
    this.globals.set('items', 'static int items[THREADS * CALLS + 1];')
  }

  private argument(type: CType, name: string, index: number): Argument | undefined {
    const plain = unqualified(type)
    if (plain.kind === 'int') {
      if (SIZES.test(name)) return { text: '2' }
      return { text: KEYS.test(name) ? 'c->key' : 'c->argument' }
    }
    if (plain.kind !== 'pointer') return undefined
    const task = this.task(type)
    if (task) return { text: task }
    const to = unqualified(plain.to)
    const isConstant = plain.to.kind === 'qualified' && plain.to.constant
    if (isVoid(to)) {
      this.items()
      return { text: '&items[c->argument]' }
    }
    if (to.kind === 'int' && to.width === 8 && isConstant) return { text: 'c->key ? "b" : "a"' }
    if (to.kind === 'int')
      return { before: `${typeName(to, `out${index}`)} = 0;`, text: `&out${index}`, after: `out${index}` }
    if (to.kind === 'pointer' && isVoid(to.to)) {
      this.items()
      return {
        before: `void *out${index} = 0;`,
        text: `&out${index}`,
        after: `out${index} ? (int *)out${index} - items + 1 : 0`,
      }
    }
    if (to.kind !== 'record' || !isComplete(to, this.target)) return undefined
    this.globals.set(`values${index}`, `static ${typeName(to, `values${index}[THREADS * CALLS + 1]`)};`)
    return { text: `&values${index}[c->argument]` }
  }

  /** A function that does nothing, where the library calls back. */
  private task(type: CType): string | undefined {
    const to = pointedTo(type)
    if (to?.kind !== 'function') return undefined
    const parameters = to.parameters.map((one, i) => typeName(one, `argument${i + 1}`)).join(', ') || 'void'
    const name = `task${to.parameters.length}${isVoid(to.result) ? '' : 'r'}`
    const body = isVoid(to.result) ? '{ }' : '{ return 0; }'
    this.globals.set(name, `static ${typeName(to.result, `${name}(${parameters})`)} ${body}`)
    return name
  }

  /** Chooses the calls; every one has an argument of its own, so that results tell which one they come from. */
  private main(): readonly string[] {
    const { destroy, close } = this.roles
    const { linearizable } = this.options
    const usesKeys = this.called.some(({ lines }) => lines.some((line) => line.includes('c->key')))
    return [
      'int main(void)',
      '{',
      '  pthread_t threads[THREADS];',
      '  for (int t = 0; t < THREADS; t++)',
      '    for (int i = 0; i < CALLS; i++) {',
      `      history[t][i].function = choose(${this.called.length});`,
      '      history[t][i].argument = t * CALLS + i + 1;',
      ...(usesKeys ? ['      history[t][i].key = choose(2);'] : []),
      '    }',
      '  object = make(0);',
      '  for (int t = 0; t < THREADS; t++)',
      '    pthread_create(&threads[t], 0, client, history[t]);',
      ...(close ? [`  ${callOf(close, 'object')}`] : []),
      '  for (int t = 0; t < THREADS; t++)',
      '    pthread_join(threads[t], 0);',
      ...(linearizable ? ['  observe(object, seen);', '  assert(explained());'] : []),
      ...(destroy ? [`  ${this.destruction('object')}`] : []),
      '  return 0;',
      '}',
    ]
  }

  private destruction(what: string): string {
    const { destroy } = this.roles
    return destroy ? callOf(destroy, what) : ''
  }

  private explained(): readonly string[] {
    const { threads, calls } = this.options
    const orders = ordersOf(threads, calls)
    const observers = this.called.flatMap(({ observes }, i) => (observes ? [i] : []))
    const count = Math.max(1, observers.length * threads * calls)
    return [
      '/* Whose call comes next, in every order that keeps the order of each thread. */',
      `static const unsigned char orders[${orders.length}][THREADS * CALLS] = {`,
      ...orders.map((order) => `  { ${order.join(', ')} },`),
      '};',
      `static struct call seen[${count}], again[${count}];`,
      '',
      '/* What the object tells of itself afterwards. */',
      'static void observe(object_type *object, struct call *calls)',
      '{',
      ...(observers.length === 0
        ? ['  (void)object; (void)calls;']
        : [
            '  for (int i = 0; i < THREADS * CALLS; i++) {',
            ...observers.map((fn, i) => `    calls[i * ${observers.length} + ${i}].function = ${fn};`),
            `    for (int j = 0; j < ${observers.length}; j++)`,
            `      call(object, &calls[i * ${observers.length} + j]);`,
            '  }',
          ]),
      '}',
      '',
      'static int explains(const unsigned char *order)',
      '{',
      '  object_type *copy = make(1);',
      '  int next[THREADS] = { 0 }, same = 1;',
      '  for (int i = 0; same && i < THREADS * CALLS; i++) {',
      '    struct call *real = &history[order[i]][next[order[i]]];',
      '    for (int t = 0; t < THREADS; t++)',
      '      if (next[t] < real->before[t])',
      '        same = 0;',
      '    if (!same)',
      '      break;',
      '    next[order[i]]++;',
      '    struct call one = *real;',
      '    one.result = 0;',
      '    one.out = 0;',
      '    call(copy, &one);',
      '    same = one.result == real->result && one.out == real->out;',
      '  }',
      '  if (same) {',
      `    for (int i = 0; i < ${count}; i++)`,
      '      again[i].result = again[i].out = 0;',
      '    observe(copy, again);',
      `    for (int i = 0; same && i < ${count}; i++)`,
      '      same = seen[i].result == again[i].result && seen[i].out == again[i].out;',
      '  }',
      `  ${this.destruction('copy')}`,
      '  return same;',
      '}',
      '',
      'static int explained(void)',
      '{',
      `  for (int i = 0; i < ${orders.length}; i++)`,
      '    if (explains(orders[i]))',
      '      return 1;',
      '  return 0;',
      '}',
      '',
    ]
  }
}

const callOf = ({ name, type }: CFunction, object: string): string =>
  `${name}(${[object, ...type.parameters.slice(1).map(() => '0')].join(', ')});`

/**
 * What has returned is looked up right before a call. Another thread may return in between; there is also the execution
 * in which it does not, with the same results, so that no order in time is missed, and none is claimed that is not there.
 */
const TIMED_CALLS: readonly string[] = [
  '  struct call *own = calls;',
  '  int self = (int)(own - history[0]) / CALLS;',
  '  for (int i = 0; i < CALLS; i++) {',
  '    for (int t = 0; t < THREADS; t++)',
  '      if (t != self)',
  '        own[i].before[t] = __atomic_load_n(&returned[t], __ATOMIC_SEQ_CST);',
  '    call(object, &own[i]);',
  '    __atomic_store_n(&returned[self], i + 1, __ATOMIC_SEQ_CST);',
  '  }',
]

/** Sequences of thread numbers in which each occurs `calls` times. */
const ordersOf = (threads: number, calls: number): readonly (readonly number[])[] => {
  let partial: readonly (readonly number[])[] = [[]]
  for (let i = 0; i < threads * calls; i++)
    partial = partial.flatMap((order) =>
      Array.from({ length: threads }, (_, thread) => thread)
        .filter((thread) => order.filter((other) => other === thread).length < calls)
        .map((thread) => [...order, thread]),
    )
  return partial
}
