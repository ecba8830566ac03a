export { tronNode, type TronNode, type TronNodeConfig } from './tron-node.ts'
