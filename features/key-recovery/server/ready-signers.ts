import type { KeyChangeState } from '@holdfast/db'
import { encode } from '@holdfast/encoding'
import { CoSignerError } from '@holdfast/features/signer-link/server'
import type { ServerContext } from '@holdfast/features/context'
import { cosignedCheckpoint, loggedAt } from '@holdfast/features/evidence/server'
import { bringSignersUp, type PolicyInForce, recordToPin } from '@holdfast/features/policy/server'
import type { GovernedMove } from '@holdfast/features/proposal/server'
import { openSigned, refusalStatementShape, signedShape, signerCalls } from '@holdfast/protocol'
import { at } from '@holdfast/units'

type Needs = Pick<ServerContext, 'ports' | 'db' | 'coSigners'>

const PARTIES = [1, 2, 3]

/**
 * Brings every signer to the policy in force and to the newest log entry, also one that begins anew, and answers what shows them that an order and
 * its approvals stand in the log. Throws where one of them cannot follow yet.
 */
export async function readySigners(needs: Needs, orgId: string, inForce: PolicyInForce, sequences: readonly number[]) {
  const { coSigners } = needs
  const { fingerprint } = inForce
  for (const party of PARTIES) {
    const { pinned } = await coSigners.call(party, signerCalls.status, { genesis: fingerprint })
    if (!pinned) await coSigners.call(party, signerCalls.pinGenesis, { record: recordToPin(inForce) }, fingerprint)
  }
  const following = await bringSignersUp(needs, inForce)
  if (following.length < PARTIES.length) throw new Error('a signer does not follow the policy in force yet')
  const checkpoint = await cosignedCheckpoint(needs, orgId, inForce)
  if (checkpoint.parties.length < PARTIES.length) throw new Error('a signer has not cosigned the log yet')
  return { checkpoint: checkpoint.note, logged: await loggedAt(needs, orgId, checkpoint.size, sequences) }
}

/** Refusals that speak of the signer's own state at the moment, and pass: log and policy it has still to hear of. */
const OF_THE_MOMENT = ['c11', 'c12']

/** Whether a signer has decided against an order; what speaks of the moment alone is no decision. */
export function isRefusal(cause: unknown): cause is CoSignerError {
  return cause instanceof CoSignerError && cause.kind === 'refused' && !OF_THE_MOMENT.includes(cause.check)
}

/** How an order ends that a signer refuses: with the signer's own words, in the log where it has signed them. */
export function refusalOf({ party, check, statement }: CoSignerError, { signers }: PolicyInForce, reason: string): GovernedMove<KeyChangeState> {
  const words = statement && openSigned(refusalStatementShape, statement, at(signers, party - 1).signKey)
  return {
    state: 'refused',
    actor: `signer-${party}`,
    reason: `${check}: ${words?.reason ?? reason}`,
    log: statement && words ? [{ type: 'refusal', body: encode(signedShape, statement) }] : [],
  }
}
