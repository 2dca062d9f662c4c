export { RUNTIME, WRAPPED } from './runtime.js'
export { nativeSchedule } from './schedule.js'
