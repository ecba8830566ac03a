import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { decode, EncodingFault, toHex } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { approvalRefused } from '@holdfast/features/evidence/server'
import { waitingShape } from '@holdfast/intent'
import { checkWaiting, type Person, type Policy, WaitingRefused } from '@holdfast/policy'
import { bytesToUuid } from '@holdfast/units'
import { proposalErrors } from '../errors.ts'
import { refuseSuspended } from './approve.ts'
import { hashesWaiting } from './list-proposals.ts'
import type { Proposals } from './proposal-kind.ts'

/**
 * The hashes of what waits for whoever asks with their approval key, and nothing else of it. It is checked as the signer of the page checks it: a
 * signer hears of nobody's orders by itself. Throws AppError.
 */
export async function tellWaiting(
  { db, ports }: Pick<ServerContext, 'db' | 'ports'>,
  proposals: Proposals,
  { genesis, encoded }: { genesis: Uint8Array; encoded: Uint8Array },
): Promise<{ hashes: string[] }> {
  const prove: Asker['prove'] = (policy, nowMs) => checkWaiting(decode(waitingShape, encoded), policy, nowMs)
  return actForAsker({ db, ports }, proposals, { genesis, prove }, async (tx, personId) => {
    const hashes = await hashesWaiting(tx, proposals, { personId, nowMs: ports.clock.nowMs() })
    return { hashes: hashes.map(toHex) }
  })
}

/** The organisation that a key is said to be of, and what proves whose key it is. Throws WaitingRefused or EncodingFault. */
export type Asker = { genesis: Uint8Array; prove(policy: Policy, nowMs: number): Person }

/** Acts for whoever proves with their approval key who asks, by the policy in force, unless they are suspended. Throws AppError. */
export async function actForAsker<T>(
  { db, ports }: Pick<ServerContext, 'db' | 'ports'>,
  proposals: Proposals,
  { genesis, prove }: Asker,
  act: (tx: OrganisationTx, personId: string) => Promise<T>,
): Promise<T> {
  const founded = await db.readSystem((tx) => tx.selectFrom('genesis').select('org_id').where('hash', '=', genesis).executeTakeFirst())
  if (!founded) throw new AppError(proposalErrors.order_not_found)
  return db.asOrganisation(founded.org_id, async (tx) => {
    const person = proven(prove, await proposals.policyInForce(tx), ports.clock.nowMs())
    await refuseSuspended(tx, { person: person.id })
    return act(tx, bytesToUuid(person.id))
  })
}

function proven(prove: Asker['prove'], policy: Policy, nowMs: number): Person {
  try {
    return prove(policy, nowMs)
  } catch (cause) {
    if (cause instanceof WaitingRefused || cause instanceof EncodingFault) throw approvalRefused(cause.message, cause)
    throw cause
  }
}
