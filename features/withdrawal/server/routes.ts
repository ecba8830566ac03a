import { AppError } from '@holdfast/contract'
import { amountOf, handle, type HandledEndpoint, requesterIdOf } from '@holdfast/http'
import { fromHex, toHex } from '@holdfast/encoding'
import { approvalUrl } from '@holdfast/features/approval-url'
import type { ServerContext } from '@holdfast/features/context'
import { networkErrors } from '@holdfast/features/network/errors'
import { checkStrategy } from '@holdfast/features/policy/contract'
import { proposalErrors } from '@holdfast/features/proposal/errors'
import * as transfer from '@holdfast/features/transfer/contract'
import { type Order, readOrder, readPayer, statusOf } from '@holdfast/features/transfer/server'
import { keptAmount } from '@holdfast/features/utxo/server'
import { at } from '@holdfast/units'
import * as contract from '../contract.ts'
import { askAgain, listClosedByPolicy } from './ask-again.ts'
import { cancelWithdrawal } from './cancel-withdrawal.ts'
import { checkAddress } from './check-address.ts'
import { createWithdrawal } from './create-withdrawal.ts'
import { addressOf, demandGross, outputsOf } from './read-request.ts'
import { feeView, readTiers, readTiersWithin } from './estimate-gas.ts'
import { foreseePolicy } from './foresee-policy.ts'
import { checkLimits, leastTo } from './limit-check.ts'
import { inscribing, mostInscribable } from './inscribe-token.ts'
import { alongWith, carriersOf, sendInscription } from './send-inscription.ts'

/** Paying: the facts of a destination, the cost, the order, and taking it back. */
export function withdrawalEndpoints(context: ServerContext): HandledEndpoint[] {
  const { db, networks, ports } = context
  return [
    handle(contract.checkAddress, async ({ orgId, personId, language }, { sub_wallet_id, chain, address, symbol, token_id }) => {
      const network = networks.find(chain)
      if (!network) throw new AppError(networkErrors.unsupported_coin)
      const asset = symbol === undefined ? undefined : networks.asset(chain, symbol, token_id === undefined ? undefined : BigInt(token_id))
      const canonical = network.codec.canonicalAddress(address)
      const { node } = network
      const tell = async <T>(ask: ((address: string) => Promise<T>) | undefined) =>
        canonical === undefined ? undefined : await ask?.(canonical).catch(() => undefined)
      const told = {
        isContract: (await tell(node.isContract)) ?? false,
        isUninitialised: (await tell(node.isUninitialised)) ?? false,
        control: await tell(node.control),
      }
      return db.asOrganisation(orgId, async (tx) => {
        const owned = await tx.selectFrom('sub_wallet').select('id').where('org_id', '=', tx.orgId).where('id', '=', sub_wallet_id).executeTakeFirst()
        if (!owned) throw new AppError('wallet_not_found')
        return checkAddress(tx, network, address, told, { language, personId, asset })
      })
    }),
    handle(checkStrategy, (caller, input) => db.asOrganisation(caller.orgId, (tx) => foreseePolicy(tx, context, caller, input))),
    handle(contract.checkLimits, async ({ orgId, personId }, { sub_wallet_id, chain, symbol, token_id, amount, from, to, memo }) => {
      const network = networks.find(chain)
      const asset = networks.asset(chain, symbol, token_id === undefined ? undefined : BigInt(token_id))
      if (!network || !asset) throw new AppError(networkErrors.unsupported_coin)
      const named = { ...(from !== undefined && { from: addressOf(network, from) }), ...(to !== undefined && { to: addressOf(network, to) }) }
      const payment = { amount: amountOf(amount, asset), ...named, memo: memo === undefined || memo === '' ? null : memo }
      const asked = { network, asset, subWalletId: sub_wallet_id, personId, ...payment, nowMs: ports.clock.nowMs() }
      return db.asOrganisation(orgId, (tx) => checkLimits(tx, asked))
    }),
    handle(
      contract.estimateGas,
      async ({ orgId }, { sub_wallet_id, chain, symbol, token_id, from, to, amount, gross, outputs, data, inscription_ids: ids }) => {
        const network = networks.find(chain)
        const asset = networks.asset(chain, symbol, token_id === undefined ? undefined : BigInt(token_id))
        if (!network || !asset) throw new AppError(networkErrors.unsupported_coin)
        const named = from === undefined ? {} : { from: addressOf(network, from) }
        const payer = await db.asOrganisation(orgId, (tx) => readPayer(tx, { subWalletId: sub_wallet_id, network, ...named }))
        const payments = outputsOf({ outputs }, network, asset)
        const recipient = network.codec.canonicalAddress(to)
        if (recipient === undefined) throw new AppError(networkErrors.invalid_transfer_address)
        const carriers = ids === undefined ? [] : await carriersOf(network, payer.address, ids.split(','))
        const quoted = payments
          ? { to: at(payments, 0).to, amount: payments.reduce((sum, each) => sum + each.amount, 0n), payments }
          : { to: recipient, amount: amountOf(amount, asset), ...(data ? { data: fromHex(data) } : {}) }
        if (gross === '1') demandGross(asset, outputs)
        const most = await mostInscribable(context, orgId, { network, asset, address: payer.address })
        const order = { from: payer.address, asset, ...quoted, ...(carriers.length > 0 ? alongWith(carriers) : inscribing(asset)) }
        const [tiers, kept] = await Promise.all([
          gross === '1' ? readTiersWithin(network, order) : readTiers(network, order),
          keptAmount(context, orgId, { network, subWalletId: sub_wallet_id }),
        ])
        const has = { subWalletId: sub_wallet_id, ...named, kept, least: leastTo(network, asset, recipient), most, along: inscribing(asset).inscribes }
        return db.asOrganisation(orgId, (tx) => feeView(tx, { network, asset, tiers, ...has, nowMs: ports.clock.nowMs() }))
      },
      'machines too',
    ),
    handle(
      contract.createWithdrawal,
      async ({ requester, ...caller }, input) => madeView(context, await createWithdrawal(context, { ...caller, ...requester }, input)),
      'machines too',
    ),
    handle(contract.listClosedByPolicy, ({ orgId, personId }) => db.asOrganisation(orgId, (tx) => listClosedByPolicy(tx, context, personId))),
    handle(contract.askAgain, ({ orgId, personId, language }, { after }) => askAgain(context, { orgId, personId, language }, after)),
    handle(contract.sendInscription, async (caller, input) => madeView(context, await sendInscription(context, caller, input))),
    handle(contract.readSignProtection, ({ orgId, personId }, { wallet_id, withdraw_id }) =>
      db.asOrganisation(orgId, async (tx) => {
        const isNamed = wallet_id !== undefined
        const wallet = isNamed && (await tx.selectFrom('wallet').select('id').where('org_id', '=', tx.orgId).where('id', '=', wallet_id).executeTakeFirst())
        if (isNamed && !wallet) throw new AppError('wallet_not_found')
        const order = withdraw_id === undefined ? undefined : await readOrder(tx, withdraw_id, false)
        if (withdraw_id !== undefined && (!order || (isNamed && order.row.wallet_id !== wallet_id))) throw new AppError(proposalErrors.order_not_found)
        return { enabled: true as const, blocked_me: order?.row.initiator === personId }
      }),
    ),
    handle(
      transfer.cancelWithdrawal,
      ({ orgId, requester }, { withdraw_id, remark }) => {
        const requesterId = requesterIdOf(requester)
        return db.asOrganisation(orgId, async (tx) => shown(await cancelWithdrawal(tx, context, { orderId: withdraw_id, requesterId, remark })))
      },
      'machines too',
    ),
  ]
}

function madeView(context: ServerContext, { order, fresh }: { order: Order; fresh: boolean }) {
  return {
    withdraw_id: order.row.id,
    ...shown(order),
    intent_hash: toHex(order.row.intent_hash),
    approval_url: approvalUrl(context, order.row.intent_hash),
    idempotent: !fresh,
  }
}

function shown({ row, state }: Order) {
  return { status: statusOf(state), sub_status: row.sub_status ?? '' }
}
