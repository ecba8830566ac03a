import { absenceFaults } from './faults/absence-faults.ts'
import { addressFaults } from './faults/address-faults.ts'
import { batchFaults } from './faults/batch-faults.ts'
import { bookFaults } from './faults/book-faults.ts'
import { ledgerFaults } from './faults/ledger-faults.ts'
import { callFaults, tradeFaults } from './faults/call-faults.ts'
import { coSignerFaults } from './faults/co-signer-faults.ts'
import { coinFaults } from './faults/coin-faults.ts'
import { consoleFaults } from './faults/console-faults.ts'
import { databaseFaults } from './faults/database-faults.ts'
import { delegationFaults } from './faults/delegation-faults.ts'
import { doorFaults } from './faults/door-faults.ts'
import { findingFaults } from './faults/finding-faults.ts'
import { identityFaults } from './faults/identity-faults.ts'
import { knowledgeFaults } from './faults/knowledge-faults.ts'
import { machineFaults, screeningFaults } from './faults/machine-faults.ts'
import { pagesFaults } from './faults/pages-faults.ts'
import { partsFaults } from './faults/parts-faults.ts'
import { peopleFaults } from './faults/people-faults.ts'
import { protocolFaults } from './faults/protocol-faults.ts'
import { pushFaults } from './faults/push-faults.ts'
import { readingFaults } from './faults/reading-faults.ts'
import { ruleFaults } from './faults/rule-faults.ts'
import { signatureFaults } from './faults/signature-faults.ts'
import { standingFaults } from './faults/standing-faults.ts'
import { strategyFaults } from './faults/strategy-faults.ts'
import { treasuryFaults } from './faults/treasury-faults.ts'
import { valueFaults } from './faults/value-faults.ts'
import { vectorFaults } from './faults/vector-faults.ts'
import { waitingFaults } from './faults/waiting-faults.ts'

/**
 * A fault, as data: `original` stands exactly once in `file`, `replacement` is the fault, `claimedBy` the test file that must fail with it, `test` the name of
 * the one test in it where the rest has nothing to say, and `why` what it would cost. A suite that passes with one of them planted proves nothing.
 */
export type PlantedFault = { file: string; original: string; replacement: string; claimedBy: string; test?: string; why: string }

const inFolder = (folder: string, faults: readonly PlantedFault[]): PlantedFault[] =>
  faults.map((fault) => ({ ...fault, file: `${folder}/${fault.file}`, claimedBy: `${folder}/${fault.claimedBy}` }))

/** All faults, with files and tests as they are named from the root of the project. */
export const plantedFaults: PlantedFault[] = [
  ...inFolder('packages/mpc/src', protocolFaults),
  ...absenceFaults,
  ...addressFaults,
  ...batchFaults,
  ...bookFaults,
  ...ledgerFaults,
  ...callFaults,
  ...tradeFaults,
  ...coSignerFaults,
  ...coinFaults,
  ...consoleFaults,
  ...databaseFaults,
  ...delegationFaults,
  ...doorFaults,
  ...findingFaults,
  ...identityFaults,
  ...knowledgeFaults,
  ...machineFaults,
  ...pagesFaults,
  ...partsFaults,
  ...peopleFaults,
  ...pushFaults,
  ...readingFaults,
  ...ruleFaults,
  ...screeningFaults,
  ...signatureFaults,
  ...standingFaults,
  ...strategyFaults,
  ...treasuryFaults,
  ...valueFaults,
  ...vectorFaults,
  ...waitingFaults,
]
