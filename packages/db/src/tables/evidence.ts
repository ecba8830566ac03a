import type { OrganisationId, PersonId } from '@holdfast/units'
import type { Once, TimeOnce } from '../columns.ts'

declare module './schema.ts' {
  /** Tables of features/evidence. */
  interface Schema {
    log_entry: LogEntry
    log_fact: LogFact
    log_checkpoint: LogCheckpoint
    approval: Approval
    machine_signature: MachineSignature
    screening_word: ScreeningWord
  }
}

type LogEntry = { org_id: Once<string>; sequence: Once<bigint>; bytes: Once<Uint8Array>; leaf_hash: Once<Uint8Array> }

type LogFact = { org_id: Once<string>; sequence: Once<bigint>; kind: Once<string>; at: TimeOnce; person_id: Once<string | null>; words: Once<string> }

type LogCheckpoint = { org_id: Once<string>; size: Once<bigint>; note: string; created_at: TimeOnce }

type Approval = {
  org_id: Once<OrganisationId>
  id: Once<string>
  intent_hash: Once<Uint8Array>
  person_id: Once<PersonId>
  decision: Once<'approve' | 'reject'>
  bytes: Once<Uint8Array>
  /** For whom the person spoke, where that is another. */
  for_person?: Once<PersonId | null>
  created_at: TimeOnce
}

type ScreeningWord = {
  org_id: Once<OrganisationId>
  intent_hash: Once<Uint8Array>
  machine: Once<string>
  screened_at: TimeOnce
  provider: Once<string>
  level: Once<'low' | 'medium' | 'high' | 'severe' | 'unknown'>
  bytes: Once<Uint8Array>
  sequence: Once<bigint>
  created_at: TimeOnce
}

type MachineSignature = {
  org_id: Once<OrganisationId>
  intent_hash: Once<Uint8Array>
  machine: Once<string>
  party: Once<PersonId>
  decision: Once<'ask' | 'approve' | 'reject'>
  bytes: Once<Uint8Array>
  sequence: Once<bigint>
  created_at: TimeOnce
}
