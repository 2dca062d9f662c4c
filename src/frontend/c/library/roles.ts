// What variables of the models are to other parts of Heddle. This is the only place where one is known by its name:
// lowering gives the variable its role, and whoever needs it asks for that.
import { isLibrary, type Position, type Role } from '../../../xcfa/index.js'

const ROLES: Readonly<Record<string, Role>> = {
  __heddle_result: 'thread-result',
  __heddle_blocks: 'reallocated-blocks',
  __heddle_many_arguments: 'argument',
}

/** The role of a variable; `library` if it is a model's own, and undefined if it is the program's. */
export const roleOf = (name: string, position: Position): Role | undefined =>
  isLibrary(position) ? (Object.hasOwn(ROLES, name) ? ROLES[name] : 'library') : undefined
