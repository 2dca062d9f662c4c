export { type Followed, follow, type Machine } from './follow.js'
export { guide } from './guide.js'
export { type Traced, tracedItems } from './items.js'
