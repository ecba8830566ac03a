export { readConfig, type DevnetConfig } from './read-config.ts'
export { startDevnet, type Devnet } from './start-devnet.ts'
