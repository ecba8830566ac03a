export { type BitcoinNode, bitcoinNode, type BitcoinNodeConfig } from './bitcoin-node.ts'
export type { BlockInput, BlockOutput, BlockTransaction, WholeBlock } from './read-block.ts'
