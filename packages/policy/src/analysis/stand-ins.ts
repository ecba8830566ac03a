import { equalBytes } from '@holdfast/encoding'
import type { Policy } from '../policy.ts'
import { deputiesMeant } from '../people/deputies.ts'
import { isAmong, peopleOnce } from '../people/is-among.ts'

/** That one person lets another decide in their place (ADR 53), whoever looked at the statement. */
export type StandIn = { delegator: Uint8Array; delegate: Uint8Array }

/** Of these, whom a policy lets stand in: it may be another than the one under which they were named. */
export const standInsUnder = <S extends StandIn>(policy: Policy, standIns: readonly S[]): S[] => {
  const deputies = deputiesMeant(policy)
  const isKnown = (id: Uint8Array) => policy.people.some((each) => equalBytes(each.id, id))
  return standIns.filter(({ delegator, delegate }) => isAmong(deputies, delegate) && isKnown(delegator))
}

/**
 * The seats that each of those who are there could take in an order that moves money and that `asker` asks for: their own, and that of each person who is not
 * there and lets them decide. As words are counted, neither of the two may have asked. For `fillBySeats`; a person has named one other at most.
 */
export const seatsThere = (there: readonly Uint8Array[], standIns: readonly StandIn[], asker: Uint8Array): Uint8Array[][] =>
  peopleOnce(there).map((id) => {
    if (equalBytes(id, asker)) return [id]
    const isFor = ({ delegator, delegate }: StandIn) => equalBytes(delegate, id) && !equalBytes(delegator, asker) && !isAmong(there, delegator)
    return [id, ...standIns.filter(isFor).map(({ delegator }) => delegator)]
  })
