import type { ColumnType } from 'kysely'
import type { Once, TimeOnce, TimeOrNull } from './schema.ts'

/** Whatever people decide: see 0280-proposals.sql. */
export type ProposalTables = {
  proposal: Proposal
  proposal_person: ProposalPerson
}

type Proposal = {
  org_id: Once<string>
  subject_id: Once<string>
  kind: Once<string>
  intent_hash: Once<Uint8Array | null>
  initiator: Once<string | null>
  wallet_id: Once<string | null>
  rank: Once<number>
  words: Once<string>
  is_open: boolean
  expires_at: ColumnType<bigint | null, bigint | number | null, never>
  created_at: TimeOnce
}
type ProposalPerson = {
  org_id: Once<string>
  subject_id: Once<string>
  person_id: Once<string>
  spoken_at: TimeOrNull
}
