export { evmNode, type EvmNodeConfig } from './evm-node.ts'
