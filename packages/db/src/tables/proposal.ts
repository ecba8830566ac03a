import type { OrderId, OrganisationId, PersonId } from '@holdfast/units'
import type { ColumnType } from 'kysely'
import type { Once, Time, TimeOnce, TimeOrNull } from './columns.ts'

declare module './schema.ts' {
  /** Tables of features/proposal. */
  interface Schema {
    proposal: Proposal
    proposal_person: ProposalPerson
    order_reminder: OrderReminder
  }
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

type OrderReminder = { org_id: Once<OrganisationId>; order_id: Once<OrderId>; person_id: PersonId; times: number; reminded_at: Time }
