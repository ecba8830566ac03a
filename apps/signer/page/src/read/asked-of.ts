import { equalBytes } from '@holdfast/encoding'
import { fillSteps, type Person } from '@holdfast/policy'
import { at } from '@holdfast/units'
import type { Order } from './read-order.ts'

/** What a yes of a person would fill: a place in a step, from 1, which has so many of those it needs. */
export type Asked = { step: number; of: number; have: number; need: number }

/**
 * For each quorum in which a yes of a person would still count, where it would. As signers spread people over steps, somebody may count in a step that looks
 * full, because another moves on to a later one.
 */
export function askedOf({ quorums }: { quorums: readonly Pick<Order['quorums'][number], 'steps' | 'tally'>[] }, { id }: Pick<Person, 'id'>): Asked[] {
  return quorums.flatMap(({ steps, tally }) => {
    const { filled, missing } = fillSteps(steps, [...tally.approvedBy.map((each) => each.id), id])
    if (missing >= tally.missing) return []
    const step = filled.findIndex((inside) => inside.some((each) => equalBytes(each, id)))
    return [{ step: step + 1, of: steps.length, have: at(filled, step).length - 1, need: at(steps, step).need }]
  })
}
