import type { Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { decode, equalBytes, toHex } from '@holdfast/encoding'
import { approvalUrl, stopUrl } from '@holdfast/features/approval-url'
import { type AbsenceInForce, absenceInForce } from '@holdfast/features/signer-link/server'
import type { ServerContext } from '@holdfast/features/context'
import { readApprovals } from '@holdfast/features/evidence/server'
import { governanceQuorum, tallyOf } from '@holdfast/features/proposal/server'
import { freezeShape, renderIntent } from '@holdfast/intent'
import { approvalContext, eligibleIn, findPerson, type Policy } from '@holdfast/policy'
import { bytesToUuid, uuidToBytes } from '@holdfast/units'
import { currentPolicy, policyAt } from '../current-policy.ts'
import { policyWords } from '../policy-words.ts'
import { hasOpenSignerOrder, type SignerOrder, signerOrderOf } from './signer-order.ts'

export type SignerOrderViewer = { tx: OrganisationTx; context: Pick<ServerContext, 'settings' | 'coSigners' | 'ports'>; language: Language; personId: string }

const LOCALE = { en_US: 'en-US', zh_CN: 'zh-CN' } as const
/** So many of the newest are shown. */
const SHOWN_MAX = 10

/** An order to the signers as people see it, but for what became of an absence since the signers followed it: that only they know. */
export async function signerOrderView({ tx, context, language, personId }: SignerOrderViewer, order: SignerOrder) {
  const { row, intent } = order
  const { policy } = await policyAt(tx, row.policy_version)
  const given = await readApprovals(tx, row.intent_hash)
  const quorum = governanceQuorum(intent, policy)
  const tally = tallyOf(
    quorum,
    given.map((each) => each.approval),
    intent,
    policy,
  )
  const named = namesIn(policy)
  const waiting = eligibleIn(quorum.steps).filter((id) => !given.some((each) => equalBytes(each.approval.person, id)))
  return {
    id: row.id,
    intent_hash: toHex(row.intent_hash),
    kind: row.kind,
    title: renderIntent(intent, approvalContext(policy), LOCALE[language]).title,
    party: intent.kind === 'absence' ? Number(intent.party) : null,
    until: intent.kind === 'absence' ? Number(intent.untilMs) : null,
    state: row.state,
    reason: reasonOf(order, context, language),
    remark: intent.remark,
    initiator: named(intent.initiator),
    need: quorum.threshold,
    approved: tally.approvedBy.map((person) => named(person.id)),
    rejected: tally.rejectedBy.map((person) => named(person.id)),
    waiting: waiting.map(named),
    mine: roleIn(
      order,
      waiting,
      given.some((each) => each.personId === personId),
      personId,
    ),
    approval_url: approvalUrl(context, row.intent_hash),
    expire_at: Number(row.expires_at),
    created_at: Number(row.created_at),
  }
}

const namesIn = (policy: Policy) => (id: Uint8Array) => ({ person_id: bytesToUuid(id), name: findPerson(policy, id)?.name ?? bytesToUuid(id).slice(0, 8) })

function roleIn({ row }: SignerOrder, waiting: readonly Uint8Array[], hasSpoken: boolean, personId: string): 'decide' | 'decided' | 'initiator' | 'watch' {
  if (row.initiator === personId) return 'initiator'
  if (hasSpoken) return 'decided'
  const id = uuidToBytes(personId)
  return row.state === 'approving' && waiting.some((each) => equalBytes(each, id)) ? 'decide' : 'watch'
}

function reasonOf({ row, intent }: SignerOrder, { coSigners }: SignerOrderViewer['context'], language: Language): string | null {
  const words = policyWords[language]
  if (row.state === 'approved') {
    const needed = [1, 2, 3].filter((party) => intent.kind !== 'absence' || BigInt(party) !== intent.party)
    const missing = needed.filter((party) => !coSigners.online().includes(party))
    return missing.length > 0 ? words.signerOrder.waits(missing.join(words.separator)) : null
  }
  if (row.state === 'expired') return words.expired
  return row.state === 'superseded' ? words.signerOrder.superseded : row.reason
}

/** What became of an absence that the signers followed. */
function standingOf({ row, intent }: SignerOrder, absence: AbsenceInForce | 'none' | 'unknown', nowMs: number) {
  if (intent.kind !== 'absence' || row.state !== 'followed') return null
  if (intent.untilMs <= BigInt(nowMs)) return 'over' as const
  if (absence === 'unknown') return absence
  return absence !== 'none' && equalBytes(absence.intentHash, row.intent_hash) ? ('in_force' as const) : ('back' as const)
}

async function newestOrders(tx: OrganisationTx): Promise<SignerOrder[]> {
  const all = tx.selectFrom('signer_order').selectAll().where('org_id', '=', tx.orgId).where('kind', 'in', ['absence', 'lift_freeze'])
  return (await all.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(SHOWN_MAX).execute()).map(signerOrderOf)
}

/** Which signers are connected, who of them is away, and the newest orders about that. Signers are asked outside the transaction. */
export async function signingState(
  context: Pick<ServerContext, 'db' | 'settings' | 'coSigners' | 'ports'>,
  caller: Omit<SignerOrderViewer, 'tx' | 'context'> & { orgId: string },
) {
  const { language, personId, orgId } = caller
  const known = await context.db.asOrganisation(orgId, async (tx) => {
    const orders = await newestOrders(tx)
    const views = []
    for (const order of orders) views.push({ order, view: await signerOrderView({ tx, context, language, personId }, order) })
    return { views, inForce: await currentPolicy(tx) }
  })
  const absence = await absenceInForce(context, known.inForce.fingerprint)
  const nowMs = context.ports.clock.nowMs()
  return {
    signers: known.inForce.signers.map(({ party, name }) => ({ party: Number(party), name, online: context.coSigners.online().includes(Number(party)) })),
    away: typeof absence === 'string' ? null : { party: absence.party, until: absence.untilMs },
    orders: known.views.map(({ order, view }) => ({ ...view, standing: standingOf(order, absence, nowMs) })),
    stop_url: stopUrl(context, known.inForce.fingerprint),
  }
}

/** Who stopped all signing and why, and whether somebody asked to lift it. */
export async function freezesNow(tx: OrganisationTx) {
  const { policy } = await currentPolicy(tx)
  const open = tx.selectFrom('signing_freeze').select(['hash', 'record']).where('org_id', '=', tx.orgId).where('lifted_by', 'is', null)
  const rows = await open.orderBy('created_at').orderBy('hash').execute()
  const people = await tx.selectFrom('person').select(['id', 'name']).where('org_id', '=', tx.orgId).execute()
  const freezes = rows.map(({ hash, record }) => {
    const { person, reason, atMs } = decode(freezeShape, new Uint8Array(record)).statement
    const id = bytesToUuid(person)
    const name = findPerson(policy, person)?.name ?? people.find((each) => each.id === id)?.name ?? id.slice(0, 8)
    return { hash: toHex(hash), person: { person_id: id, name }, reason, at: Number(atMs) }
  })
  return { freezes, lift_open: await hasOpenSignerOrder(tx, 'lift_freeze') }
}
