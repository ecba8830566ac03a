export { tonNode, type TonNodeConfig } from './ton-node.ts'
