export { executionPage, executionSvg } from './svg.js'
export { executionLines } from './terminal.js'
