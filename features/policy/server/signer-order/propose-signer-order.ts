import { AppError, type Language } from '@holdfast/contract'
import { nextNumber, type OrganisationTx } from '@holdfast/db'
import { decode, encode, equalBytes, fromHex } from '@holdfast/encoding'
import { claimRequest, type RequestKey } from '@holdfast/http'
import type { ServerContext } from '@holdfast/features/context'
import { governanceQuorum } from '@holdfast/features/proposal/server'
import { BOOK_ORDER_BYTES_MAX, type BookChange, faultOf, freezeShape, intentShape, type SignerOrderIntent, type StandingOrderIntent } from '@holdfast/intent'
import { eligibleIn, NO_HASH } from '@holdfast/policy'
import { newId, uuidToBytes } from '@holdfast/units'
import { policyErrors } from '../../errors.ts'
import { currentPolicy } from '../current-policy.ts'
import { policyWords } from '../policy-words.ts'
import { followedBookOrders } from './bring-book-up.ts'
import { hasOpenSignerOrder, type SignerOrder, signerOrderOf, signerOrders } from './signer-order.ts'
import { followedStandingOrders } from './standing-orders.ts'

const DAY_MS = 24 * 3_600_000
/** How long an order can be approved and followed. */
const LIFE_MS = 7 * DAY_MS
/** An approver's clock may be this far behind ours and their approval still counts as made after the order. */
const CLOCK_TOLERANCE_MS = 5 * 60_000

type Needs = Pick<ServerContext, 'ports'>
/** Without a key where the call that asks knows by itself whether it was made before. */
type Asked = { personId: string; language: Language; key: RequestKey | null; remark: string; demandSecondFactor: () => Promise<void> }
type Made = { order: SignerOrder; fresh: boolean }
/** What every order to the signers says alike. */
type Common = Omit<Extract<SignerOrderIntent, { kind: 'absence' }>, 'kind' | 'party' | 'untilMs'>

/**
 * Asks that a signer is said to be away for some days from now. Throws AppError `signer_order_refused` with the reason, `signer_order_open` while an absence of any
 * signer waits: one at most is away.
 */
export function proposeAbsence(tx: OrganisationTx, needs: Needs, asked: Asked & { party: number; days: number; away: number | undefined }): Promise<Made> {
  const { party, days, away, language } = asked
  return propose(tx, needs, asked, 'absence', async (common) => {
    if (away !== undefined && away !== party) throw refused(policyWords[language].signerOrder.otherAway(away))
    if (await hasOpenSignerOrder(tx, 'absence')) throw new AppError(policyErrors.signer_order_open)
    // Counted from when the order is open, which the signers measure the longest absence from. What is over is followed by nobody.
    const untilMs = common.notBeforeMs + BigInt(days * DAY_MS)
    const expiresAtMs = untilMs < common.expiresAtMs ? untilMs : common.expiresAtMs
    return { kind: 'absence', ...common, expiresAtMs, party: BigInt(party), untilMs }
  })
}

/** Asks that freezes are lifted. Throws AppError `signer_order_refused` if one of them is none that is in force, `signer_order_open` while another lift waits. */
export function proposeLift(tx: OrganisationTx, needs: Needs, asked: Asked & { freezes: readonly string[] }): Promise<Made> {
  const hashes = [...new Set(asked.freezes)].sort()
  return propose(tx, needs, asked, 'lift_freeze', async (common) => {
    if (await hasOpenSignerOrder(tx, 'lift_freeze')) throw new AppError(policyErrors.signer_order_open)
    const rows = await tx
      .selectFrom('signing_freeze')
      .select('record')
      .where('org_id', '=', tx.orgId)
      .where('lifted_by', 'is', null)
      .where('hash', 'in', hashes.map(fromHex))
      .orderBy('created_at')
      .orderBy('hash')
      .execute()
    if (rows.length !== hashes.length) throw refused(policyWords[asked.language].signerOrder.noFreeze)
    return { kind: 'liftFreeze', ...common, freezes: rows.map(({ record }) => decode(freezeShape, new Uint8Array(record)).statement) }
  })
}

/**
 * Asks that the whitelist is changed. Throws AppError `signer_order_open` while another change waits: each follows the one before, and people approve it as it is;
 * `signer_order_refused` where an order cannot carry so much.
 */
export function proposeBookChange(tx: OrganisationTx, needs: Needs, asked: Asked & { changes: BookChange[] }): Promise<Made> {
  return propose(tx, needs, asked, 'address_book', async (common) => {
    if (await hasOpenSignerOrder(tx, 'address_book')) throw new AppError(policyErrors.signer_order_open)
    const [last] = (await followedBookOrders(tx)).slice(-1)
    const order = { kind: 'addressBook' as const, ...common, version: (last?.version ?? 0n) + 1n, previous: last?.hash ?? NO_HASH, changes: asked.changes }
    if (encode(intentShape, order).length > BOOK_ORDER_BYTES_MAX) throw refused(policyWords[asked.language].signerOrder.tooLong)
    return order
  })
}

/**
 * Asks for a standing order, or for the next version of one. Throws AppError `signer_order_open` while another version of it waits, `signer_order_refused` where
 * it makes no sense or takes its place nowhere.
 */
export function proposeStandingOrder(tx: OrganisationTx, needs: Needs, asked: Asked & { terms: StandingOrderTerms }): Promise<Made> {
  const { terms, language } = asked
  return propose(tx, needs, asked, 'standing_order', async (common) => {
    const waiting = await openStandingOrders(tx)
    if (waiting.some((each) => equalBytes(each.id, terms.id))) throw new AppError(policyErrors.signer_order_open)
    const before = (await followedStandingOrders(tx)).find(({ intent }) => equalBytes(intent.id, terms.id))
    const order = { kind: 'standingOrder' as const, ...common, ...terms, version: (before?.intent.version ?? 0n) + 1n }
    const fault = faultOf(order)
    if (fault !== undefined) throw refused(policyWords[language].fault(fault))
    if (encode(intentShape, order).length > BOOK_ORDER_BYTES_MAX) throw refused(policyWords[language].signerOrder.tooLong)
    return order
  })
}

/** What a standing order lets happen, as whoever asks for it says it. */
export type StandingOrderTerms = Omit<StandingOrderIntent, 'kind' | 'version' | keyof Common>

async function openStandingOrders(tx: OrganisationTx): Promise<StandingOrderIntent[]> {
  const open = tx.selectFrom('signer_order').selectAll().where('org_id', '=', tx.orgId).where('kind', '=', 'standing_order').where('is_final', '=', false)
  return (await open.execute()).map(signerOrderOf).flatMap(({ intent }) => (intent.kind === 'standingOrder' ? [intent] : []))
}

async function propose(
  tx: OrganisationTx,
  needs: Needs,
  { personId, language, key, remark, demandSecondFactor }: Asked,
  kind: SignerOrder['row']['kind'],
  intentOf: (common: Common) => Promise<SignerOrderIntent>,
): Promise<Made> {
  const { ports } = needs
  const nowMs = ports.clock.nowMs()
  const id = newId(nowMs, ports.random)
  const { fresh, resultId } = key ? await claimRequest(tx, { key, kind: 'signer_order', resultId: id, nowMs }) : { fresh: true, resultId: id }
  if (!fresh) {
    const order = await signerOrders.read(tx, resultId)
    if (!order) throw new AppError('duplicate_request')
    return { order, fresh }
  }
  await demandSecondFactor()
  // The number is taken under a lock that every proposal of the organisation takes, so that two cannot both find none open.
  await nextNumber(tx, 'signer_order')
  const { policy, hash, fingerprint } = await currentPolicy(tx)
  const initiator = uuidToBytes(personId)
  const words = policyWords[language]
  if (policy.expiresAtMs <= BigInt(nowMs)) throw refused(words.signerOrder.policyExpired)
  const intent = await intentOf({
    genesis: fingerprint,
    orderId: uuidToBytes(id),
    remark,
    notBeforeMs: BigInt(nowMs - CLOCK_TOLERANCE_MS),
    expiresAtMs: BigInt(nowMs + LIFE_MS),
    policyVersion: policy.version,
    policyHash: hash,
    initiator,
    nonce: ports.random.bytes(32),
  })
  const { steps, threshold, eligible } = governanceQuorum(intent, policy)
  if (eligibleIn(steps).length < threshold) throw refused(words.tooFewForYou)
  const opening = { id, intent, initiator: personId, walletId: null, words: [], deciders: eligible }
  const order = await signerOrders.open(tx, needs, opening, (common, places) =>
    tx
      .insertInto('signer_order')
      .values({
        ...common,
        kind,
        policy_version: policy.version,
        initiator: personId,
        places: JSON.stringify(places),
        endorsements: null,
        followed: '[]',
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
  return { order, fresh }
}

const refused = (reason: string): AppError => new AppError(policyErrors.signer_order_refused, { details: { reason } })
