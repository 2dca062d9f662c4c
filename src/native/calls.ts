// Who has called whom, as the events of a run say. What a C++ program does is mostly done in headers of the system: it is
// told where the program itself has called them.
import type { RunEvent } from './events.js'
import type { Place, TellContext } from './tell-context.js'

/** Files of the runtime, whose functions call the program's. */
const isRuntime = (file: string): boolean => /\/(?:native|dist)\/runtime\/\w+\.c$/.test(file)

export const isSystemHeader = (file: string): boolean => /^\/usr\/(?:local\/)?(?:include|lib)/.test(file)

/** Follows the calls of a run, event by event. */
export class Calls {
  private readonly stacks = new Map<number, number[]>()

  constructor(private readonly place: TellContext['place']) {}

  follow({ kind, thread, pc }: RunEvent): void {
    const stack = this.stacks.get(thread) ?? []
    this.stacks.set(thread, stack)
    if (kind === 'enter') stack.push(pc)
    else if (kind === 'leave') stack.pop()
  }

  /** Where the functions that have not returned were called, the innermost first. */
  callers(thread: number): readonly Place[] {
    return (this.stacks.get(thread) ?? []).toReversed().flatMap((pc) => {
      const at = this.place(pc)
      return at && !isRuntime(at.file) ? [at] : []
    })
  }

  /** This place, or, if it lies in a header of the system, the call that led there. */
  programPlace(thread: number, pc: number): Place | undefined {
    const at = this.place(pc)
    if (at && !isSystemHeader(at.file)) return at
    return this.callers(thread).find(({ file }) => !isSystemHeader(file)) ?? at
  }
}

/** The calls after event number `end`. */
export const callsAt = ({ answer, place }: TellContext, end: number): Calls => {
  const calls = new Calls(place)
  for (const event of answer.events.slice(0, end + 1)) calls.follow(event)
  return calls
}
