import { gatherEndorsements } from '@holdfast/features/signer-link/server'
import type { ServerContext } from '@holdfast/features/context'
import { namedIn } from '@holdfast/policy'
import { signerCalls } from '@holdfast/protocol'
import { at } from '@holdfast/units'
import { type PolicyInForce, recordToPin } from '../current-policy.ts'

type Needs = Pick<ServerContext, 'coSigners'>

/**
 * Hands every connected signer the versions of the policy it has not heard of yet, in their order, and answers which signers follow
 * the version in force. One that took the place of another and has pinned nothing yet is given all of them. A signer that does not
 * answer, or does not accept one, is left out: it would refuse every order.
 */
export async function bringSignersUp(needs: Needs, inForce: PolicyInForce): Promise<number[]> {
  return (await bringUpForSigning(needs, inForce)).following
}

/** Does the same for who has them sign next: tells also whether one says that somebody stopped all signing, as `isSigningStopped` does. */
export async function bringUpForSigning({ coSigners }: Needs, inForce: PolicyInForce): Promise<{ following: number[]; isStopped: boolean }> {
  const found = await Promise.all(coSigners.online().map((party) => bringUp({ coSigners }, party, inForce)))
  return { following: found.flatMap(({ follows }) => follows ?? []), isStopped: found.some((each) => each.isStopped) }
}

/** `follows`: the party, if it follows the version in force. */
type BroughtUp = { follows?: number; isStopped: boolean }

async function bringUp({ coSigners }: Needs, party: number, inForce: PolicyInForce): Promise<BroughtUp> {
  const { policy, fingerprint, policyChanges, endorsements } = inForce
  let isStopped = false
  try {
    const status = await coSigners.call(party, signerCalls.status, { genesis: fingerprint })
    isStopped = status.frozen.length > 0
    if (!status.pinned && namedIn(policy)) {
      await coSigners.call(party, signerCalls.pinGenesis, { record: recordToPin(inForce) }, fingerprint)
      return { follows: party, isStopped }
    }
    // One that lost its folder begins anew with its repair.
    if (!status.pinned) return { isStopped }
    // The first change leads from version 1 to 2. A signer ahead of us knows of a change that we have still to write down.
    for (let i = Number(status.policyVersion) - 1; i < policyChanges.length; i++) {
      const record = at(policyChanges, i)
      // Versions from before signers spoke for each other have no words yet: those that follow one say so when they are asked.
      const asked = { genesis: fingerprint, subject: { kind: 'policyChange' as const, record } }
      const words = endorsements[i] ?? (await gatherEndorsements({ coSigners }, asked)).given
      await coSigners.call(party, signerCalls.applyPolicy, { genesis: fingerprint, record, endorsements: words })
    }
    return status.policyVersion > policy.version ? { isStopped } : { follows: party, isStopped }
  } catch {
    // Whoever asks for signatures asks again; a refusal stands in the signer's own journal.
    return { isStopped }
  }
}
