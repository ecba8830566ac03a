export type { AccountResources } from './read-resources.ts'
export { tronNode, type TronNode, type TronNodeConfig } from './tron-node.ts'
