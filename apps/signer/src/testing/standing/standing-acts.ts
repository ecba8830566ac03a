import { encode, fromHex } from '@holdfast/encoding'
import { intentHash, type StandingOrderIntent, stopHash, stopShape, type StopStatement } from '@holdfast/intent'
import { policyHash } from '@holdfast/policy'
import { sha256 } from '@noble/hashes/sha2.js'
import { cosignAll, PARTIES } from '../cluster.ts'
import type { Office } from '../founded-cluster.ts'
import type { Asked } from '../office-acts.ts'
import { addressOf, draftOf, requestOf } from '../order-of.ts'
import { NOW_MS, TOKEN } from '../organisation-of.ts'
import { assertWith, type Member } from '../people.ts'
import { askedOf, followSignerOrder } from '../signer-order-of.ts'
import { STANDING_ID, standingOrderOf, SWEPT_PATH, TREASURY_PATH } from '../standing-order-of.ts'
import { ann, ORDER_MAX } from '../world-of.ts'

let orders = 0

/** The standing order of the tests in the words of an organisation at work, but for what `changes` say. */
export function standingOrderIn({ founded }: Office, changes: Partial<StandingOrderIntent> = {}): StandingOrderIntent {
  const { policy, fingerprint } = founded.organisation
  const { keyId } = founded.key
  return standingOrderOf({
    genesis: fingerprint,
    policyVersion: policy.version,
    policyHash: policyHash(policy),
    does: { kind: 'sweep', to: [{ kind: 'own', chain: TOKEN.chain, name: 'Treasury', keyId, path: TREASURY_PATH }] },
    sources: [{ name: 'Deposits', keyId, path: SWEPT_PATH }],
    nonce: sha256(new TextEncoder().encode(`standing order ${orders++}`)),
    ...changes,
  })
}

/** Has signers follow a standing order that those who decide on it have approved. */
export async function followStanding(
  office: Office,
  changes: Partial<StandingOrderIntent> = {},
  parties: readonly number[] = PARTIES,
): Promise<StandingOrderIntent> {
  const order = standingOrderIn(office, changes)
  await followSignerOrder(office, await askedOf(office, order, {}), parties)
  return order
}

/** A transfer that a standing order covers, as a server asks for it. */
export async function sweepUnder(office: Office, order: StandingOrderIntent, parties: bigint[] = [1n, 2n]): Promise<Asked> {
  const { organisation, key } = office.founded
  const salt = 1_000 + orders++
  const changes = { to: addressOf(key, TREASURY_PATH), initiator: STANDING_ID }
  const { fingerprint, policy } = organisation
  const draft = draftOf({ fingerprint, policy, key, initiator: ann, asset: TOKEN, amount: ORDER_MAX, salt, nonce: BigInt(salt), changes })
  const { request } = requestOf({ key, draft, approvals: [], log: office.log, parties, salt })
  await cosignAll(office, office.log)
  return { ...request, standingOrder: intentHash(order) }
}

/** That somebody stops standing orders, as the page signs it with a key of theirs. */
export function stopOf({ founded }: Office, member: Member, stopped: StopStatement['orders']): Uint8Array {
  const statement: StopStatement = {
    genesis: founded.organisation.fingerprint,
    person: member.person.id,
    orders: stopped,
    atMs: BigInt(NOW_MS),
    nonce: fromHex('0b'.repeat(32)),
    reason: 'it moves too much',
  }
  return encode(stopShape, { statement, assertion: assertWith(member.keys[0], stopHash(statement)) })
}
