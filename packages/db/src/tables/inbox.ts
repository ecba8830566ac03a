import type { Once, Time } from '../columns.ts'

declare module './schema.ts' {
  /** Tables of features/inbox. */
  interface Schema {
    inbox_mark: InboxMark
  }
}

type InboxMark = { org_id: Once<string>; person_id: Once<string>; seen_until: Time }
