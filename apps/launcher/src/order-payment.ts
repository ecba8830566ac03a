import { toHex } from '@holdfast/encoding'
import { getWithdrawal } from '@holdfast/features/transaction/contract'
import { transferErrors } from '@holdfast/features/transfer/errors'
import { createWithdrawal, estimateGas } from '@holdfast/features/withdrawal/contract'
import { CallError, type OutputOf } from '@holdfast/contract'
import type { Ports } from '@holdfast/ports'
import { known } from '@holdfast/units'
import { LOCAL_CHAIN } from './local-settings.ts'
import type { TerminalMember } from './terminal-member.ts'
import { waitUntil } from './wait-until.ts'

/** On the local EVM network where no other chain is named. */
export type Payment = {
  subWalletId: string
  chain?: string
  symbol: string
  tokenId?: string
  amount: string
  /** The address of the sub-wallet that pays; its first one if absent. */
  from?: string
  to: string
  maxFee?: string
  requestId?: string
  memo?: string
  remark?: string
}
export type Order = { id: string; hash: string }
export type OrderDetail = OutputOf<typeof getWithdrawal>

const COMPLETED = 2000
/** The numbers of the states in which an order ends unpaid. */
const ENDED_UNPAID = [2100, 2200, 2201, 2202, 2300, 2400]

/** What the fee of a payment can reach in the fast tier. */
export async function fastFee(member: TerminalMember, { subWalletId, chain = LOCAL_CHAIN, symbol, tokenId, amount, to }: Payment): Promise<string> {
  const { tiers } = await member.client.call(estimateGas, { sub_wallet_id: subWalletId, chain, symbol, token_id: tokenId, to, amount })
  const fast = tiers.find(({ tier }) => tier === 'fast')
  return known(fast, 'the fast fee').fee
}

/** Asks for a payment, with a fee of at most `maxFee`, or of the fast tier. The same `requestId` again answers the same order. */
export async function orderPayment(ports: Pick<Ports, 'random'>, member: TerminalMember, payment: Payment): Promise<Order> {
  const requestId = payment.requestId ?? `payment-${toHex(ports.random.bytes(8))}`
  const ask = async () =>
    member.client.call(createWithdrawal, {
      request_id: requestId,
      sub_wallet_id: payment.subWalletId,
      chain: payment.chain ?? LOCAL_CHAIN,
      symbol: payment.symbol,
      token_id: payment.tokenId,
      ...(payment.from === undefined ? {} : { from: payment.from }),
      address_to: payment.to,
      amount: payment.amount,
      max_fee: payment.maxFee ?? (await fastFee(member, payment)),
      memo: payment.memo ?? '',
      remark: payment.remark ?? '',
      ack: 'first_seen',
    })
  const order = await ask().catch((cause: unknown) => {
    // A fee that was just measured can be far too high a moment later, where the network has mined many empty blocks at once.
    if (payment.maxFee === undefined && cause instanceof CallError && cause.is(transferErrors.build_failed)) return ask()
    throw cause
  })
  return { id: order.withdraw_id, hash: order.intent_hash }
}

/** Whether an order has come to its end, paid or not. */
export function isOver(order: Pick<OrderDetail, 'status'>): boolean {
  return order.status === COMPLETED || ENDED_UNPAID.includes(order.status)
}

/** Waits until an order is paid and final. Throws where it ends otherwise. */
export async function waitUntilPaid(ports: Ports, member: TerminalMember, { id }: Pick<Order, 'id'>): Promise<OrderDetail> {
  let last = 'unknown'
  const what = () => `the payment to be final, whose state is ${last},`
  return waitUntil(ports, what, async () => {
    const now = await member.client.call(getWithdrawal, { id })
    last = `${now.status} ${now.sub_status ?? ''}`.trim()
    if (ENDED_UNPAID.includes(now.status)) throw new Error(`the order ended as ${now.status} ${now.sub_status}: ${now.next_action.text}`)
    return now.status === COMPLETED ? now : undefined
  })
}
