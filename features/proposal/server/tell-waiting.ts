import { AppError } from '@holdfast/contract'
import { decode, EncodingFault, toHex } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { approvalRefused } from '@holdfast/features/evidence/server'
import { type Waiting, waitingShape } from '@holdfast/intent'
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
  const waiting = readWaiting(encoded)
  const founded = await db.readSystem((tx) => tx.selectFrom('genesis').select('org_id').where('hash', '=', genesis).executeTakeFirst())
  if (!founded) throw new AppError(proposalErrors.order_not_found)
  return db.asOrganisation(founded.org_id, async (tx) => {
    const person = askerOf(waiting, await proposals.policyInForce(tx), ports.clock.nowMs())
    await refuseSuspended(tx, { person: person.id })
    const hashes = await hashesWaiting(tx, proposals, bytesToUuid(person.id))
    return { hashes: hashes.map(toHex) }
  })
}

function readWaiting(encoded: Uint8Array): Waiting {
  try {
    return decode(waitingShape, encoded)
  } catch (cause) {
    if (cause instanceof EncodingFault) throw approvalRefused(cause.message, cause)
    throw cause
  }
}

function askerOf(waiting: Waiting, policy: Policy, nowMs: number): Person {
  try {
    return checkWaiting(waiting, policy, nowMs)
  } catch (cause) {
    if (cause instanceof WaitingRefused) throw approvalRefused(cause.message, cause)
    throw cause
  }
}
