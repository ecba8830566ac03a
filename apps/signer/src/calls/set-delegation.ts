import { decode, EncodingFault, toHex } from '@holdfast/encoding'
import { delegationShape } from '@holdfast/intent'
import { checkStatement, DelegationRefused } from '@holdfast/policy'
import { known } from '@holdfast/units'
import { endedBy } from '../checks/delegated/delegations.ts'
import type { Organisation } from '../state/organisation.ts'
import type { Signer } from '../signer.ts'

/**
 * Hears by whom somebody lets another decide in their place, or that nobody does any more, which this signer checks itself: what they said under lower numbers
 * has ended, and so have sessions under way. What is no newer than that changes nothing. On disk when it resolves. Answers the highest number heard of that
 * person. Throws DelegationRefused or EncodingFault.
 */
export async function setDelegation(signer: Signer, organisation: Organisation, encoded: Uint8Array): Promise<bigint> {
  const { register, journal, policy, fingerprint } = organisation
  const delegation = decode(delegationShape, encoded)
  checkStatement(delegation, policy, fingerprint)
  const events = endedBy([delegation.statement], register)
  if (events.length === 0) await journal.settled()
  else {
    const written = journal.write(events)
    await signer.sessions.endAll('somebody ended that another decides in their place', organisation)
    await written
  }
  return known(register.ended.get(toHex(delegation.statement.delegator)), 'the number that was heard')
}

export const isNoDelegation = (cause: unknown): cause is Error => cause instanceof DelegationRefused || cause instanceof EncodingFault
