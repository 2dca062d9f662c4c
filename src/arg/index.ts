// Abstract reachability graphs and the orders in which they are searched.
export * from './graph.js'
export * from './waitlist.js'
