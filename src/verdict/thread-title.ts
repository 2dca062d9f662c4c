// What people read a thread as: its number and the function that it runs.

export const threadTitle = (number: number, procedure: string): string =>
  number === 0 ? 'main' : `T${number} ${spelled(procedure.replace(/^thread:|^thread /, ''))}`

/** Members of modules are variables whose names have a raised dot. */
export const spelled = (text: string): string => text.replaceAll('\u00b7', '.')
