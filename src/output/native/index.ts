export { RUNTIME, WRAPPED } from './runtime.js'
export { type NativeSchedule, nativeSchedule } from './schedule.js'
