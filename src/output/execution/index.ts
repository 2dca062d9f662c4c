export { executionSvg, RELATIONS, relationsOf } from './svg.js'
export { executionLines } from './terminal.js'
export { executionHeadline, executionPlace, executionStory, initialAccesses } from './words.js'
