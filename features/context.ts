import type { Database } from '@holdfast/db'
import type { Ports } from '@holdfast/ports'
import type { Networks } from './network/server/types.ts'
import type { CoSigners } from './signer-link/server/types.ts'

/** What the server's features are given to work with. The program that starts them makes it once. */
export type ServerContext = {
  ports: Ports
  db: Database
  networks: Networks
  coSigners: CoSigners
  settings: Settings
}

export type Settings = {
  /** Where people open the console, such as `http://localhost:7000`. */
  consoleOrigin: string
  /** Where people approve: the organisation's own page, served by a signer. */
  approvalOrigin: string
  approvalRpId: string
  /** Whether anybody may found a further organisation on this server; the first can always be founded. */
  openSetup: boolean
  /** age recipients a demo organisation seals its recovery shares to, for signer 1, 2 and 3; absent if demos are not offered. */
  demoRecipients: string[][] | null
  /** Who holds the drills of demo organisations, beside the identities of `demoRecipients`; null where nobody does. */
  demoDrillUrl: string | null
  keyUpkeep: KeyUpkeep
  /** Where people get a copy of the recovery tool, where there is one. */
  recoveryTool: { url: string; sha256: string } | null
}

/** How often keys are looked after without anybody asking. */
export type KeyUpkeep = {
  /** How often signers show each other that each still has its share. */
  checkEveryMs: number
  /** How old the shares of a key become before the server proposes new ones; null if it never does. */
  refreshAfterMs: number | null
  /** How long an export of a key can still be rejected after it was asked for; nothing is released before. */
  exportDelayMs: number
}
