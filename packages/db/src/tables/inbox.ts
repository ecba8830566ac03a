import type { Once, Time } from './columns.ts'

/** Tables of features/inbox. */
export type InboxTables = {
  inbox_mark: InboxMark
}

type InboxMark = { org_id: Once<string>; person_id: Once<string>; seen_until: Time }
