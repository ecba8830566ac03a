import { encode } from '@holdfast/encoding'
import {
  type AbsenceIntent,
  type AddressBookIntent,
  approvalShape,
  type BookChange,
  type FreezeStatement,
  intentShape,
  type LiftFreezeIntent,
  type SignerOrderIntent,
  type StandingOrderIntent,
} from '@holdfast/intent'
import { type Book, type Policy, policyHash } from '@holdfast/policy'
import { sha256 } from '@noble/hashes/sha2.js'
import type { AskedSignerOrder } from '../checks/verify-signer-order.ts'
import { cosignAll, endorsementsOf, PARTIES } from './cluster.ts'
import type { Office } from './founded-cluster.ts'
import { CHAIN, DAY_MS } from './organisation-of.ts'
import { approve, type Member } from './people.ts'
import { standingOrderOf, SWEPT_PATH, TREASURY_PATH } from './standing-order-of.ts'
import { ann, ben, cleo } from './world-of.ts'

export type SignerOrderOptions = {
  approvers?: Member[]
  changes?: Partial<AbsenceIntent> & Partial<LiftFreezeIntent>
  /** What a change of the whitelist says otherwise. */
  book?: Partial<AddressBookIntent>
  /** What a standing order says otherwise. */
  standing?: Partial<StandingOrderIntent>
  unlogged?: boolean
  policy?: Policy
  /** The signers that cosign the log: those that follow the order must. */
  parties?: readonly number[]
}

let orders = 0

/** What a server asks of each signer, for an order that a signer is away as an honest one makes it. */
export async function absenceOf(office: Office, party: number, options: SignerOrderOptions = {}): Promise<{ order: AbsenceIntent; asked: AskedSignerOrder }> {
  const { kind: _, ...common } = commonOf(office, options)
  const untilMs = BigInt(office.time.nowMs + 7 * DAY_MS)
  const order: AbsenceIntent = { kind: 'absence', ...common, party: BigInt(party), untilMs, ...options.changes }
  return { order, asked: await askedOf(office, order, options) }
}

export async function liftFreezeOf(
  office: Office,
  freezes: FreezeStatement[],
  options: SignerOrderOptions = {},
): Promise<{ order: LiftFreezeIntent; asked: AskedSignerOrder }> {
  const { kind: _, ...common } = commonOf(office, options)
  const order: LiftFreezeIntent = { kind: 'liftFreeze', ...common, freezes, ...options.changes }
  return { order, asked: await askedOf(office, order, options) }
}

/** A change of the whitelist that follows `after`. */
export async function bookOrderOf(
  office: Office,
  after: Pick<Book, 'version' | 'hash'>,
  changes: BookChange[],
  options: SignerOrderOptions = {},
): Promise<{ order: AddressBookIntent; asked: AskedSignerOrder }> {
  const { kind: _, ...common } = commonOf(office, options)
  const order: AddressBookIntent = { kind: 'addressBook', ...common, version: after.version + 1n, previous: after.hash, changes, ...options.book }
  return { order, asked: await askedOf(office, order, options) }
}

/** A standing order that collects to an address of the organisation, as an honest server has signers follow it. */
export async function standingOrderAskedOf(office: Office, options: SignerOrderOptions = {}): Promise<{ order: StandingOrderIntent; asked: AskedSignerOrder }> {
  const { kind: _, ...common } = commonOf(office, options)
  const { keyId } = office.founded.key
  const order = standingOrderOf({
    ...common,
    does: { kind: 'sweep', to: [{ kind: 'own', chain: CHAIN, name: 'Treasury', keyId, path: TREASURY_PATH }] },
    sources: [{ name: 'Deposits', keyId, path: SWEPT_PATH }],
    ...options.standing,
  })
  return { order, asked: await askedOf(office, order, options) }
}

function commonOf(office: Office, { policy = office.founded.organisation.policy }: SignerOrderOptions) {
  const nowMs = BigInt(office.time.nowMs)
  return {
    kind: undefined,
    genesis: office.founded.organisation.fingerprint,
    orderId: new Uint8Array(16).fill(9),
    remark: 'as agreed',
    notBeforeMs: nowMs - 1000n,
    expiresAtMs: nowMs + BigInt(DAY_MS),
    policyVersion: policy.version,
    policyHash: policyHash(policy),
    initiator: ann.person.id,
    nonce: sha256(new TextEncoder().encode(`signer order ${orders++}`)),
  }
}

/** What a server asks of each signer for an order to them: the order with its approvals, in the log. */
export async function askedOf(office: Office, order: SignerOrderIntent, options: SignerOrderOptions): Promise<AskedSignerOrder> {
  const { approvers = [ben, cleo], unlogged = false, policy = office.founded.organisation.policy, parties = PARTIES } = options
  const intent = encode(intentShape, order)
  const approvals = approvers.map((member) => encode(approvalShape, approve(member, order, policy)))
  const indexes = [office.log.append('intent', intent), ...(unlogged ? [] : approvals.map((each) => office.log.append('approval', each)))]
  await cosignAll(office, office.log, parties)
  const logged = indexes.map((index) => office.log.logged(index))
  return { genesis: order.genesis, intent, approvals, checkpoint: office.log.note(), logged }
}

/** Has signers follow an order to them, with the words of all that would. Throws what the first of them refuses. */
export async function followSignerOrder(office: Office, asked: AskedSignerOrder, parties: readonly number[] = PARTIES): Promise<void> {
  const { genesis, ...order } = asked
  const endorsements = await endorsementsOf(office.calls, genesis, { kind: 'order', ...order })
  for (const party of parties) await office.calls.get(party)!.followSignerOrder({ ...asked, endorsements })
}

/** People say that a signer is away, and the two others go on without it. */
export async function declareAway(office: Office, party: number, options: SignerOrderOptions = {}): Promise<AbsenceIntent> {
  const others = PARTIES.filter((each) => each !== party)
  const { order, asked } = await absenceOf(office, party, { parties: others, ...options })
  await followSignerOrder(office, asked, others)
  return order
}
