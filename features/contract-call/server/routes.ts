import { AppError, type InputOf } from '@holdfast/contract'
import { toHex } from '@holdfast/encoding'
import { approvalUrl } from '@holdfast/features/approval-url'
import type { ServerContext } from '@holdfast/features/context'
import { describeOutcome, policyAt, currentPolicy } from '@holdfast/features/policy/server'
import { proposalErrors } from '@holdfast/features/proposal/errors'
import type { SecondFactor } from '@holdfast/features/server-feature'
import { openView, orderDetail } from '@holdfast/features/transaction/server'
import { readOrder, readPayer, statusOf } from '@holdfast/features/transfer/server'
import { cancelWithdrawal, feeView, readTiers } from '@holdfast/features/withdrawal/server'
import { type CallerContext, handle, type HandledEndpoint, requesterIdOf } from '@holdfast/http'
import { evaluateIntent } from '@holdfast/policy'
import { type OrganisationId, type PersonId, uuidToBytes } from '@holdfast/units'
import * as contract from '../contract.ts'
import { askForBatchAllowance } from './batch-allowance.ts'
import { callFields } from './call-fields.ts'
import { createCall, readFacts } from './create-call.ts'
import { decodedView, grantsOf, simulate, simulationView } from './describe-call.ts'
import { listAllowances } from './list-allowances.ts'
import { readCallInput } from './read-call-input.ts'

/** Calls of contracts: what one would do, asking for it, taking it back, and its story. */
export function contractCallEndpoints(context: ServerContext, session: SecondFactor): HandledEndpoint[] {
  const { db, networks, ports } = context
  const demandCode = (orgId: OrganisationId, personId: PersonId, code: string | undefined) =>
    db.asOrganisation(orgId, (tx) => session.demandSecondFactorWhereSet(tx, personId, code))
  return [
    handle(contract.checkCall, (caller, input) => checkCall(context, caller, input), 'machines too'),
    handle(
      contract.createCall,
      async ({ requester, ...caller }, input) => {
        const requesterId = requesterIdOf(requester)
        const { order, fresh, decoded, simulation } = await createCall(context, { ...caller, requesterId }, input)
        return {
          trans_id: order.row.id,
          status: statusOf(order.state),
          sub_status: order.row.sub_status ?? '',
          decoded,
          simulation,
          intent_hash: toHex(order.row.intent_hash),
          approval_url: approvalUrl(context, order.row.intent_hash),
          idempotent: !fresh,
        }
      },
      'machines too',
    ),
    handle(contract.listAllowances, ({ orgId, language }, { sub_wallet_id, wallet_id, fiat }) =>
      listAllowances(context, orgId, { subWalletId: sub_wallet_id, walletId: wallet_id, nowMs: ports.clock.nowMs(), fiat, language }),
    ),
    handle(contract.createBatchAllowance, async (caller, { google_code, ...asked }) => {
      await demandCode(caller.orgId, caller.personId, google_code)
      return askForBatchAllowance(context, caller, asked)
    }),
    handle(contract.revokeBatchAllowance, async (caller, { google_code, ...asked }) => {
      await demandCode(caller.orgId, caller.personId, google_code)
      return askForBatchAllowance(context, caller, { ...asked, amount: null })
    }),
    handle(contract.cancelCall, ({ orgId, personId }, { trans_id, remark }) =>
      db.asOrganisation(orgId, async (tx) => {
        const { row, state } = await cancelWithdrawal(tx, context, { orderId: trans_id, requesterId: personId, remark })
        return { status: statusOf(state), sub_status: row.sub_status ?? '' }
      }),
    ),
    handle(
      contract.getCall,
      async ({ orgId, requester, language }, { id }) => {
        return db.asOrganisation(orgId, async (tx) => {
          const order = await readOrder(tx, id)
          const network = order && networks.find(order.row.chain)
          const fields = order && callFields(order)
          if (order?.intent.kind !== 'contractCall' || !fields || !network) throw new AppError(proposalErrors.order_not_found)
          const { to, amount: value, data, signature, from } = order.intent
          const { policy } = await policyAt(tx, order.row.policy_version)
          const view = await openView({ tx, networks, language, nowMs: ports.clock.nowMs(), fiat: 'USD', ...('personId' in requester && requester) })
          return {
            ...(await orderDetail(context, view, order.row)),
            ...(await readFacts(tx, id)),
            ...fields,
            decoded: decodedView({ network, contract: to, value, data, signature, from }, policy, language),
          }
        })
      },
      'machines too',
    ),
  ]
}

async function checkCall(
  context: ServerContext,
  { orgId, requester, language }: Pick<CallerContext, 'orgId' | 'requester' | 'language'>,
  input: InputOf<typeof contract.checkCall>,
) {
  const { db, ports } = context
  const call = readCallInput(context, input)
  const grants = grantsOf(call)
  const { network, coin, contract: to, value, data, signature } = call
  const { payer, policy } = await db.asOrganisation(orgId, async (tx) => ({
    payer: await readPayer(tx, { subWalletId: input.sub_wallet_id, network }),
    policy: (await currentPolicy(tx)).policy,
  }))
  const decoded = decodedView({ ...call, from: payer.address }, policy, language)
  const told = await simulate(call, payer.address)
  const simulation = simulationView(told, { network, from: payer.address, value, isGrave: decoded.grave, grants: grants.length })
  const tiers = simulation.fails === null ? await readTiers(network, { from: payer.address, to, asset: coin, amount: value, data }) : null
  const initiator = uuidToBytes(requesterIdOf(requester))
  const outcome = evaluateIntent(policy, {
    kind: 'contractCall',
    asset: { chain: network.chain, contract: null },
    from: payer.address,
    to,
    amount: value,
    data,
    signature,
    initiator,
  })
  const { sentence } = describeOutcome(outcome, policy, initiator, language)
  return {
    decoded,
    simulation,
    policy: { denied: outcome.kind === 'deny', sentence },
    gas:
      tiers &&
      (await db.asOrganisation(orgId, (tx) =>
        feeView(tx, { network, asset: coin, subWalletId: input.sub_wallet_id, tiers, kept: 0n, nowMs: ports.clock.nowMs() }),
      )),
  }
}
