import { AppError, type InputOf, type Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { currentPolicy } from '@holdfast/features/policy/server'
import { transferErrors } from '@holdfast/features/transfer/errors'
import { findTransfer, openTransfer, type Order, type Payer, readPayer, type TransferRequest } from '@holdfast/features/transfer/server'
import { amountOf, type RequestKey } from '@holdfast/http'
import { checkFeeCap, readTiers } from '@holdfast/features/withdrawal/server'
import type { OrderId, OrganisationId, RequesterId } from '@holdfast/units'
import type { createCall as endpoint } from '../contract.ts'
import { contractCallErrors } from '../errors.ts'
import { decodedView, grantsOf, simulate, simulationView } from './describe-call.ts'
import { type CallInput, readCallInput } from './read-call-input.ts'

type Needs = Pick<ServerContext, 'db' | 'ports' | 'networks'>
type Caller = { orgId: OrganisationId; requesterId: RequesterId; language: Language; request: RequestKey }
type Input = InputOf<typeof endpoint>
export type SimulationView = ReturnType<typeof simulationView>
export type Created = { order: Order; fresh: boolean; call: CallInput; decoded: ReturnType<typeof decodedView>; simulation: SimulationView }

const HOUR_MS = 3_600_000

/**
 * Asks for a call of a contract. What no signer would sign and what would fail is refused before anything is proposed, with the reason. The same request again
 * answers the order it made.
 */
export async function createCall(needs: Needs, caller: Caller, input: Input): Promise<Created> {
  const call = readCallInput(needs, input)
  const grants = grantsOf(call)
  if (input.trans_type !== undefined && (input.trans_type === '0') !== grants.length > 0)
    throw new AppError(transferErrors.build_failed, { details: { reason: 'the call data is of the other trans_type' } })
  const request = requestOf(call, caller, input)
  const found = await needs.db.asOrganisation(caller.orgId, (tx) => lookUp(tx, needs, request))
  const payer = found.kind === 'known' ? found.order.row.address_from : found.payer.address
  const decoded = decodedView({ ...call, from: payer }, found.policy, caller.language)
  if (found.kind === 'known') return { order: found.order, fresh: false, call, decoded, simulation: found.simulation }
  const from = found.payer.address
  const told = await simulate(call, from)
  const simulation = simulationView(told, { network: call.network, from, value: call.value, isGrave: decoded.grave, grants: grants.length })
  if (simulation.fails !== null) throw new AppError(transferErrors.build_failed, { details: { reason: simulation.fails } })
  if (simulation.risk !== 'none' && !input.ack) throw new AppError(contractCallErrors.call_not_acknowledged, { details: { warnings: decoded.warnings } })
  const tiers = await readTiers(call.network, { from, to: call.contract, asset: call.coin, amount: call.value, data: call.data })
  checkFeeCap({ feeCap: request.feeCap.amount, network: call.network }, tiers)
  const { order, fresh } = await needs.db.asOrganisation(caller.orgId, async (tx) => {
    const opened = await openTransfer(tx, needs, request)
    if (opened.fresh) await writeFacts(tx, opened.order, input, simulation, needs.ports.clock.nowMs())
    return opened
  })
  return { order, fresh, call, decoded, simulation }
}

type Found = { policy: Awaited<ReturnType<typeof currentPolicy>>['policy'] } & (
  | { kind: 'known'; order: Order; simulation: SimulationView }
  | { kind: 'new'; payer: Payer }
)

async function lookUp(tx: OrganisationTx, needs: Needs, request: TransferRequest): Promise<Found> {
  const { policy } = await currentPolicy(tx)
  const order = await findTransfer(tx, needs, request)
  if (!order) return { kind: 'new', policy, payer: await readPayer(tx, request) }
  return { kind: 'known', policy, order, simulation: (await readFacts(tx, order.row.id)).simulation }
}

function requestOf(call: CallInput, caller: Caller, input: Input): TransferRequest {
  const { network, coin, contract, value, data, signature } = call
  const feeCap = amountOf(input.max_fee, coin)
  return {
    key: caller.request,
    kind: 'web3',
    subWalletId: input.sub_wallet_id,
    network,
    subject: { kind: 'contractCall', to: contract, paid: { asset: coin, amount: value }, data, signature },
    feeCap: { asset: coin, amount: feeCap },
    remark: input.remark,
    lifeMs: input.expire_hours * HOUR_MS,
    initiator: caller.requesterId,
    language: caller.language,
  }
}

async function writeFacts(tx: OrganisationTx, { row }: Order, input: Input, simulation: SimulationView, nowMs: number): Promise<void> {
  const { dapp_name, dapp_url, dapp_img } = input
  await tx
    .insertInto('contract_call')
    .values({ org_id: tx.orgId, order_id: row.id, dapp_name, dapp_url, dapp_img, simulation: JSON.stringify(simulation), created_at: nowMs })
    .execute()
}

const UNTOLD: SimulationView = { fails: null, changes: null, risk: 'none' }

/** What was noted beside an order when it was asked for; nothing beside what a standing order calls. */
export async function readFacts(tx: OrganisationTx, orderId: OrderId) {
  const row = await tx.selectFrom('contract_call').selectAll().where('org_id', '=', tx.orgId).where('order_id', '=', orderId).executeTakeFirst()
  // Nobody asked for what a standing order calls.
  if (!row) return { dapp_name: '', dapp_url: '', dapp_img: '', simulation: UNTOLD }
  const { dapp_name, dapp_url, dapp_img, simulation } = row
  return { dapp_name, dapp_url, dapp_img, simulation: simulation as SimulationView }
}
