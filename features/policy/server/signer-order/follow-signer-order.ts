import type { OrganisationTx } from '@holdfast/db'
import { decode, encode, equalBytes } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { sequencesOf } from '@holdfast/features/proposal/server'
import { CoSignerError, gatherEndorsements, signerAway } from '@holdfast/features/signer-link/server'
import { cosignedCheckpoint, type Logged, loggedAt, readApprovals } from '@holdfast/features/evidence/server'
import { freezeHash, type SignerOrderIntent } from '@holdfast/intent'
import { type Signed, signedShape, signerCalls } from '@holdfast/protocol'
import { bringSignersUp } from '../change/bring-signers-up.ts'
import { currentPolicy, endorsementsShape, type PolicyInForce } from '../current-policy.ts'
import { bringBookUp } from './bring-book-up.ts'
import { type SignerOrder, signerOrders, writeSignerOrderFollowed } from './signer-order.ts'

export type FollowNeeds = Pick<ServerContext, 'ports' | 'db' | 'coSigners'>
type Work = { order: SignerOrder; inForce: PolicyInForce; approvals: Uint8Array[]; sequences: number[] }

const PARTIES = [1, 2, 3]

/** Refusals that speak of the signer's own state at the moment, and pass: log and policy it has still to hear of. */
const OF_THE_MOMENT = ['c3', 'c11', 'c12']

/**
 * Has the signers follow an approved order: that one of them is away, that freezes are lifted, what the whitelist is, a standing order. Each follows with the
 * words of the others that they would, which are kept before any is told. `wait` where one is missing; asked again later, it goes on, since a signer takes the same order
 * twice without harm.
 */
export async function followSignerOrder(needs: FollowNeeds, orgId: string, id: string): Promise<'followed' | 'ended' | 'wait'> {
  await writeFollowers(needs, orgId, id)
  const work = await needs.db.asOrganisation(orgId, (tx) => readWork(tx, needs, id))
  if (!work) return 'ended'
  const { order, inForce, approvals, sequences } = work
  const absent = order.intent.kind === 'absence' ? [Number(order.intent.party)] : []
  const parties = PARTIES.filter((party) => !absent.includes(party))
  await bringSignersUp(needs, inForce)
  if (order.intent.kind === 'addressBook') await bringBookUp(needs, orgId)
  const checkpoint = await cosignedCheckpoint(needs, orgId, inForce).catch(() => undefined)
  if (!checkpoint) return 'wait'
  const logged = await loggedAt(needs, orgId, checkpoint.size, sequences)
  const asked = { genesis: inForce.fingerprint, intent: new Uint8Array(order.row.intent), approvals, checkpoint: checkpoint.note, logged }
  const endorsements = await endorsementsFor(needs, orgId, work, asked, absent)
  if (!endorsements) return 'wait'
  if (endorsements instanceof CoSignerError) {
    await needs.db.asOrganisation(orgId, (tx) => writeRefusal(tx, needs, id, endorsements))
    return 'ended'
  }
  const followed = await tellSigners(needs, parties, { ...asked, endorsements })
  await needs.db.asOrganisation(orgId, (tx) => writeFollowed(tx, needs, id, followed, parties))
  // Two that follow sign together; one that was not there is told when it is.
  return followed.length === parties.length || isInEffect(order.intent, followed) ? 'followed' : 'wait'
}

/** Signers that keep a change of the whitelist or a standing order already: told by a process that ended before it could write that down. */
async function writeFollowers(needs: FollowNeeds, orgId: string, id: string): Promise<void> {
  const order = await needs.db.asOrganisation(orgId, (tx) => signerOrders.read(tx, id))
  if (!order || !isKept(order.intent) || order.row.endorsements === null) return
  const { genesis } = order.intent
  const hashesOf = async (party: number): Promise<Uint8Array[]> => {
    if (order.intent.kind === 'addressBook') return [(await needs.coSigners.call(party, signerCalls.bookStatus, { genesis })).hash]
    return (await needs.coSigners.call(party, signerCalls.standingOrders, { genesis })).orders.map(({ hash }) => hash)
  }
  const asked = needs.coSigners.online().map(async (party) => ({ party, hashes: await hashesOf(party) }))
  const known = (await Promise.allSettled(asked)).flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const followed = known.filter(({ hashes }) => hashes.some((hash) => equalBytes(hash, order.row.intent_hash))).map(({ party }) => party)
  if (followed.length > 0) await needs.db.asOrganisation(orgId, (tx) => writeFollowed(tx, needs, id, followed, PARTIES))
}

/** Orders that signers keep, and are brought to however late (`bringBookUp`, `bringStandingUp`). */
const isKept = ({ kind }: SignerOrderIntent): boolean => kind === 'addressBook' || kind === 'standingOrder'

/** What signers keep is in force from the first on that follows it. */
const isInEffect = (intent: SignerOrderIntent, followed: readonly number[]) => isKept(intent) && followed.length > 0

async function readWork(tx: OrganisationTx, needs: FollowNeeds, id: string): Promise<Work | undefined> {
  const order = await signerOrders.read(tx, id, true)
  if (order?.row.state !== 'approved') return undefined
  const inForce = await currentPolicy(tx)
  // What some signers follow already is told to the rest also after its time, in vain: then they go on by themselves.
  if (order.row.expires_at < BigInt(needs.ports.clock.nowMs())) {
    await signerOrders.move(tx, needs, order, { state: 'expired', actor: 'server' })
    return undefined
  }
  if (inForce.policy.version !== order.row.policy_version) {
    await signerOrders.move(tx, needs, order, { state: 'superseded', actor: 'server' })
    return undefined
  }
  const words = (await readApprovals(tx, order.row.intent_hash)).filter((each) => each.approval.decision === 'approve')
  const sequences = sequencesOf(order.places, words)
  return { order, inForce, approvals: words.map((each) => each.bytes), sequences }
}

type Asked = { genesis: Uint8Array; intent: Uint8Array; approvals: Uint8Array[]; checkpoint: string; logged: Logged[] }

async function endorsementsFor(
  needs: FollowNeeds,
  orgId: string,
  { order, inForce }: Work,
  { genesis, ...subject }: Asked,
  absent: readonly number[],
): Promise<Signed[] | CoSignerError | undefined> {
  if (order.row.endorsements) return decode(endorsementsShape, new Uint8Array(order.row.endorsements)).words
  const { given, refusals, missing } = await gatherEndorsements(needs, { genesis, subject: { kind: 'order', ...subject } }, absent)
  const against = refusals.find(({ check }) => !OF_THE_MOMENT.includes(check))
  if (against) return against
  const silent = [...missing, ...refusals.map(({ party }) => party)]
  if (silent.length > 1 || (silent[0] !== undefined && (await signerAway(needs, inForce.fingerprint)) !== silent[0])) return undefined
  await needs.db.asOrganisation(orgId, (tx) =>
    tx
      .updateTable('signer_order')
      .set({ endorsements: encode(endorsementsShape, { words: given }) })
      .where('org_id', '=', tx.orgId)
      .where('id', '=', order.row.id)
      .execute(),
  )
  return given
}

async function tellSigners({ coSigners }: FollowNeeds, parties: readonly number[], asked: Asked & { endorsements: Signed[] }): Promise<number[]> {
  const followed: number[] = []
  for (const party of parties) {
    try {
      await coSigners.call(party, signerCalls.followSignerOrder, asked)
      followed.push(party)
    } catch (cause) {
      if (!(cause instanceof CoSignerError)) throw cause
    }
  }
  return followed
}

async function writeFollowed(tx: OrganisationTx, needs: FollowNeeds, id: string, followed: readonly number[], parties: readonly number[]): Promise<void> {
  const order = await signerOrders.read(tx, id, true)
  if (order?.row.state !== 'approved') return
  const all = parties.filter((party) => followed.includes(party) || order.followed.includes(party))
  await writeSignerOrderFollowed(tx, order, all)
  if (all.length < parties.length && !isInEffect(order.intent, all)) return
  if (order.intent.kind === 'liftFreeze') {
    await tx
      .updateTable('signing_freeze')
      .set({ lifted_by: order.row.id, updated_at: needs.ports.clock.nowMs() })
      .where('org_id', '=', tx.orgId)
      .where('hash', 'in', order.intent.freezes.map(freezeHash))
      .execute()
  }
  await signerOrders.move(tx, needs, order, { state: 'followed', actor: `signers ${all.join(', ')}` })
}

async function writeRefusal(tx: OrganisationTx, needs: FollowNeeds, id: string, { party, told, statement }: CoSignerError): Promise<void> {
  const order = await signerOrders.read(tx, id, true)
  if (order?.row.state !== 'approved') return
  const log = statement ? [{ type: 'refusal' as const, body: encode(signedShape, statement) }] : []
  await signerOrders.move(tx, needs, order, { state: 'refused', actor: `signer-${party}`, reason: told, log })
}
