export { followBlock, forgetInscriptions } from './follow-block.ts'
export { keptAmount } from './read-coins.ts'
export { utxoEndpoints } from './routes.ts'
