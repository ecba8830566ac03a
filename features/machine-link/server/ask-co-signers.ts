import type { OrganisationTx } from '@holdfast/db'
import { decode, toHex } from '@holdfast/encoding'
import { machineSignatureShape, seatOf } from '@holdfast/intent'
import type { ServerContext } from '@holdfast/features/context'
import { readApprovals, readMachineWords } from '@holdfast/features/evidence/server'
import { readWalletKey } from '@holdfast/features/key/server'
import { ORDER_KINDS, type TodoKind } from '@holdfast/features/proposal/contract'
import { type Proposals, takeMachineSignature } from '@holdfast/features/proposal/server'
import { currentPolicy } from '@holdfast/features/policy/server'
import { quorumOfBatch, quorumOfOrder, readAskedBatch, readOrder } from '@holdfast/features/transfer/server'
import type { Link } from '@holdfast/link'
import { fillSteps, machineOfParty, partyOfMachine, type Policy, type Step } from '@holdfast/policy'
import { type CoSignerAnswer, coSignerCalls, type DecideRequest } from '@holdfast/protocol/co-signer-calls'
import type { OrderId } from '@holdfast/units'
import { sql } from 'kysely'
import { noteSeen } from './link-state.ts'
import type { NamedMachine } from './machine-door.ts'

type Needs = Pick<ServerContext, 'db' | 'ports'>

/** Orders that are told as sent in one round. */
const TOLD_AT_ONCE = 200
/** A callback may take a minute. */
const DECIDE_MS = 75_000
const TELL_MS = 75_000
/** Who was not told that an order was sent by then is told no more. */
const TELL_FOR_MS = 2 * 86_400_000

/** An order that waits for somebody's approval, and how many have spoken of it: with every further word it may be a co-signer's turn. */
export type OpenOrder = { id: OrderId; words: number }

/** All orders that wait for somebody's approval, the oldest first: those that wait for people hide none that waits for a machine. */
export async function openOrders(tx: OrganisationTx): Promise<OpenOrder[]> {
  const { rows } = await sql<{ id: OrderId; words: bigint }>`select p.subject_id as id,
      (select count(*) from approval a where a.org_id = p.org_id and a.intent_hash = p.intent_hash)
        + (select count(*) from machine_signature m where m.org_id = p.org_id and m.intent_hash = p.intent_hash) as words
    from proposal p where p.org_id = ${tx.orgId} and p.is_open and p.kind = any(${[...ORDER_KINDS, 'batch'] satisfies TodoKind[]}::text[])
    order by p.created_at, p.subject_id`.execute(tx)
  return rows.map(({ id, words }) => ({ id, words: Number(words) }))
}

/** What a co-signer is asked about an order, or a batch of payments; undefined where it does not wait for it. */
export async function requestFor(tx: OrganisationTx, orderId: OrderId, machine: NamedMachine): Promise<DecideRequest | undefined> {
  const order = await readOrder(tx, orderId)
  if (!order) return requestForBatch(tx, orderId, machine)
  const { row, intent, payment, transactions } = order
  if (order.state !== 'approving') return undefined
  const request = await requestIn(tx, machine, { ...row, initiator: intent.initiator }, (policy) => quorumOfOrder(intent, policy, row.rule_id)?.steps)
  const unsigned = transactions.find((each) => each.raw_tx === null && each.ended_at === null)?.unsigned_tx ?? null
  const key = request && unsigned ? await readWalletKey(tx, row.wallet_id, payment.keyId) : undefined
  return request && { ...request, unsigned, keyStatements: key?.statements ?? [] }
}

/** A batch is asked about whole: what its lines pay follows from its bytes, and their transactions are made after people approved it. */
async function requestForBatch(tx: OrganisationTx, id: string, machine: NamedMachine): Promise<DecideRequest | undefined> {
  const batch = await readAskedBatch(tx, id)
  if (!batch) return undefined
  const { intent, row } = batch
  const request = await requestIn(tx, machine, { ...row, initiator: intent.initiator }, (policy) => quorumOfBatch(intent, policy, row.rule_id)?.steps)
  return request && { ...request, unsigned: null, keyStatements: [] }
}

type Asking = { intent: Uint8Array; intent_hash: Uint8Array; policy_version: bigint; rule_id: string | null; initiator: Uint8Array }

async function requestIn(
  tx: OrganisationTx,
  { genesis, party, machineId }: NamedMachine,
  row: Asking,
  stepsBy: (policy: Policy) => readonly Step[] | undefined,
): Promise<Omit<DecideRequest, 'unsigned' | 'keyStatements'> | undefined> {
  const [{ policy }, spoken, machines] = await Promise.all([currentPolicy(tx), readApprovals(tx, row.intent_hash), readMachineWords(tx, row.intent_hash)])
  const steps = row.policy_version === policy.version ? (stepsBy(policy) ?? []) : []
  const own = steps.findIndex(({ eligible }) => eligible.some((id) => toHex(id) === toHex(party)))
  if (own < 0 || machines.some(({ signed }) => signed.machine === machineId)) return undefined
  // What the machine that asks has not signed yet, and what people before it have not approved, it would only put off.
  const asks = machineOfParty(policy, row.initiator)
  if (asks?.kind === 'api' && !machines.some(({ signed }) => signed.decision === 'ask')) return undefined
  const willing = [
    ...spoken
      .map(({ approval }) => approval)
      .filter(({ decision }) => decision === 'approve')
      .map(seatOf),
    ...machines.map(({ signed }) => partyOfMachine({ id: signed.machine })),
  ]
  if (fillSteps(steps.slice(0, own), willing).missing > 0) return undefined
  return { genesis, intent: row.intent, approvals: [...spoken, ...machines].map(({ bytes }) => bytes), rule: row.rule_id }
}

/** Asks a co-signer about an order, and puts what it signed among the approvals. Throws PeerError where it refuses the request, or is gone. */
export async function askCoSigner(
  needs: Needs,
  proposals: Proposals,
  { machine, link, version }: { machine: NamedMachine; link: Link; version: string },
  orderId: OrderId,
): Promise<CoSignerAnswer | undefined> {
  const { orgId, machineId } = machine
  const request = await needs.db.asOrganisation(orgId, (tx) => requestFor(tx, orderId, machine))
  if (!request) return undefined
  const answer = await link.call(coSignerCalls.decide, request, { timeoutMs: DECIDE_MS })
  if (answer.kind !== 'decided') return answer
  const { mark, spoken } = answer
  const signed = decode(machineSignatureShape, spoken)
  await needs.db.asOrganisation(orgId, async (tx) => {
    await noteSeen(tx, machineId, { version, mark, nowMs: needs.ports.clock.nowMs() })
    // Of a batch nothing is told as sent: it is many transactions.
    if (signed.decision !== 'approve' || !(await readOrder(tx, orderId))) return
    const row = { org_id: orgId, order_id: orderId, machine_id: machineId, told_at: null }
    const written = tx.insertInto('machine_told').values(row)
    await written.onConflict((conflict) => conflict.doNothing()).execute()
  })
  await takeMachineSignature(needs, proposals, { signed, bytes: spoken })
  return answer
}

/** Orders that a co-signer approved and that were sent, of which it has not been told. */
function untold(tx: OrganisationTx, { machineId }: NamedMachine, nowMs: number) {
  return tx
    .selectFrom('machine_told as t')
    .innerJoin('transfer_order as o', (join) => join.onRef('o.org_id', '=', 't.org_id').onRef('o.id', '=', 't.order_id'))
    .select(['o.id', 'o.intent', 'o.txid'])
    .where('t.org_id', '=', tx.orgId)
    .where('t.machine_id', '=', machineId)
    .where('t.told_at', 'is', null)
    .where('o.txid', 'is not', null)
    .where('o.updated_at', '>', BigInt(Math.floor(nowMs) - TELL_FOR_MS))
    .limit(TOLD_AT_ONCE)
    .execute()
}

/** Tells a co-signer that orders it approved were sent. One that its callback takes no word of now is told later. */
export async function tellSent({ db, ports }: Needs, machine: NamedMachine, link: Link): Promise<void> {
  const { orgId, genesis, machineId } = machine
  for (const { id, intent, txid } of await db.readOrganisation(orgId, (tx) => untold(tx, machine, ports.clock.nowMs()))) {
    const { isTold } = await link.call(coSignerCalls.sent, { genesis, intent: new Uint8Array(intent), txid: txid ?? '' }, { timeoutMs: TELL_MS })
    if (!isTold) return
    await db.asOrganisation(orgId, (tx) =>
      tx
        .updateTable('machine_told')
        .set({ told_at: ports.clock.nowMs() })
        .where('org_id', '=', orgId)
        .where('order_id', '=', id)
        .where('machine_id', '=', machineId)
        .execute(),
    )
  }
}
