import { absenceFaults } from './absence-faults.ts'
import { addressFaults } from './address-faults.ts'
import { batchFaults } from './batch-faults.ts'
import { bookFaults } from './book-faults.ts'
import { ledgerFaults } from './ledger-faults.ts'
import { callFaults } from './call-faults.ts'
import { coSignerFaults } from './co-signer-faults.ts'
import { coinFaults } from './coin-faults.ts'
import { consoleFaults } from './console-faults.ts'
import { databaseFaults } from './database-faults.ts'
import { doorFaults } from './door-faults.ts'
import { findingFaults } from './finding-faults.ts'
import { identityFaults } from './identity-faults.ts'
import { knowledgeFaults } from './knowledge-faults.ts'
import { machineFaults } from './machine-faults.ts'
import { pagesFaults } from './pages-faults.ts'
import { partsFaults } from './parts-faults.ts'
import { peopleFaults } from './people-faults.ts'
import { protocolFaults } from './protocol-faults.ts'
import { pushFaults } from './push-faults.ts'
import { readingFaults } from './reading-faults.ts'
import { ruleFaults } from './rule-faults.ts'
import { signatureFaults } from './signature-faults.ts'
import { standingFaults } from './standing-faults.ts'
import { strategyFaults } from './strategy-faults.ts'
import { treasuryFaults } from './treasury-faults.ts'
import { valueFaults } from './value-faults.ts'
import { vectorFaults } from './vector-faults.ts'
import { waitingFaults } from './waiting-faults.ts'

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
  ...coSignerFaults,
  ...coinFaults,
  ...consoleFaults,
  ...databaseFaults,
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
  ...signatureFaults,
  ...standingFaults,
  ...strategyFaults,
  ...treasuryFaults,
  ...valueFaults,
  ...vectorFaults,
  ...waitingFaults,
]
