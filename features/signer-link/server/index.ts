export { CoSignerFailure, type CoSigners, type NamedSigners, type OnJoined } from './co-signers.ts'
export { type AbsenceInForce, absenceInForce, type Endorsements, gatherEndorsements, isSigningStopped, noWordOf, signerAway } from './gather-words.ts'
export { listenForCoSigners } from './listen-for-co-signers.ts'
export { type Sweep, sweepForSigners } from './sweep-for-signers.ts'
