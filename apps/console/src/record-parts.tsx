import type { RecordPlace } from '@holdfast/features/console-feature'
import { lazyPart, LoadingState } from '@holdfast/ui'
import { inOrder } from './features.ts'

const parts = inOrder(({ recordParts }) => recordParts).map(({ order, isAbout, load }) => ({ order, isAbout, Part: lazyPart(load, <LoadingState rows={4} />) }))
const actions = inOrder(({ recordActions }) => recordActions).map(({ order, load }) => ({ order, Action: lazyPart(load) }))

/** What features show on the page of a record. */
export const RecordParts = (record: RecordPlace) => parts.map(({ order, isAbout, Part }) => isAbout(record) && <Part key={order} {...record} />)

/** What they offer in the menu of its row. */
export const RecordMenu = (record: RecordPlace) => actions.map(({ order, Action }) => <Action key={order} {...record} />)
