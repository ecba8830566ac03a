import type { Schema } from '@holdfast/db'
import type { Selectable } from 'kysely'

/** A deposit that no block has yet. */
export type WaitingRow = Selectable<Schema['waiting_deposit']>
