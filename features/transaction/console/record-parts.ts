import type { RecordPlace } from '@holdfast/features/console-feature'
import { type ComponentType, createContext, useContext } from 'react'
import type { Row } from './row.ts'

/** What other features show of a record, and do with it: the console composes it, so that records depend on none of those. */
export type RecordParts = {
  /** On the page of a record. */
  RecordParts: ComponentType<RecordPlace>
  /** In the menu of its row. */
  RecordMenu: ComponentType<RecordPlace>
}

export const RecordPartsContext = createContext<RecordParts | null>(null)

/** The parts that the console composed. Throws outside of a console. */
export function useRecordParts(): RecordParts {
  const parts = useContext(RecordPartsContext)
  if (!parts) throw new Error('a record stands outside a console that says what its parts are')
  return parts
}

/** A record as those parts know it. */
export const placeOf = ({ id, call, notify }: Pick<Row, 'id' | 'call' | 'notify'>): RecordPlace => ({
  id,
  isCall: call !== null,
  notify: notify?.status ?? null,
})
