// The hover of a shared variable: who accesses it, where, and under which locks.
export interface SharedVariable {
  readonly name: string
  readonly accesses: readonly {
    readonly thread: string
    readonly position: { readonly file: string; readonly line: number }
    readonly text: string
    readonly write: boolean
    readonly atomic: boolean
    readonly locks: readonly string[]
  }[]
}

export const hoverText = (variables: readonly SharedVariable[], word: string): string | undefined => {
  const variable =
    variables.find(({ name }) => name === word) ?? variables.find(({ name }) => name.endsWith(`.${word}`))
  if (!variable) return undefined
  const { name, accesses } = variable
  const threads = [...new Set(accesses.map(({ thread }) => thread))]
  const always = accesses[0]!.locks.filter((lock) => accesses.every(({ locks }) => locks.includes(lock)))
  const summary = always.length > 0 ? `always under ${always.map(code).join(', ')}` : 'no lock is held at every access'
  const rows = accesses.map(({ thread, position, write, atomic, locks }) => {
    const how = `${atomic ? 'atomic ' : ''}${write ? 'write' : 'read'}`
    return `| ${position.line} | ${how} | ${thread} | ${locks.map(code).join(', ') || 'none'} |`
  })
  return [
    `**${name}** is shared by ${threads.join(', ')}: ${summary}.`,
    '',
    '| line | access | thread | locks |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n')
}

const code = (text: string): string => `\`${text}\``
