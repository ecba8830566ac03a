export { CoSignerFailure, type CoSigners, type NamedSigners, type OnJoined } from './co-signers.ts'
export { listenForCoSigners } from './listen-for-co-signers.ts'
export { type Sweep, sweepForSigners } from './sweep-for-signers.ts'
