// The library's door. Everything that the command line does with a program is a function here, with plain data in and
// out. Engines run in processes of their own, as they do for the command line, so that a call never blocks the caller.
export {
  type CheckAnswer,
  type CheckOptions,
  check,
  type Replayed,
  replay,
  type TestOptions,
  test,
} from './commands.js'
export { type Shown, type ShowOptions, show } from './show.js'
export type {
  EngineProgress,
  Input,
  InputErrorReport,
  ProgramOptions,
  VerifyOptions,
  VerifyReport,
  VerifyResult,
} from './types.js'
export { verify } from './verify.js'
