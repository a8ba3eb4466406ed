/** The ledger: what can be asked of it, the books it reads, and its decision. */
export * from './books';
export { ask, shortOfMoney } from './checks';
export * from './decide';
export * from './movements';
export * from './needs';
export * from './plain';
