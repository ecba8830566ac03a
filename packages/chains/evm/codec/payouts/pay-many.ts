import { ChainError, type ContractCall } from '@holdfast/chain-core'
import { at } from '@holdfast/units'
import { parseSignature } from '../abi-type.ts'
import { decodeFunctionCall, encodeFunctionCall } from '../abi-value.ts'
import { selectorOf } from '../call-data.ts'

/**
 * Where the contract that pays several by one transaction stands on every network, if it stands there: its address follows from its code (`deployment.ts`, whose
 * test holds the two together). It is a text here, so that signers read its calls without carrying its code.
 */
export const PAYOUTS = '0xC41848A8463Fd02deE1753f99Bc964E7092c0e93'

/** Payments of one call: as many as people read as one payout. */
export const PAYMENTS_MAX = 100

const PAY_COIN = /* @__PURE__ */ parseSignature('payCoin(address[],uint256[])')
const PAY_TOKEN = /* @__PURE__ */ parseSignature('payToken(address,address[],uint256[])')

export type Payments = readonly { to: string; amount: bigint }[]
/** What one call pays: to whom how much of the chain's own coin (`contract` null) or of a token. */
export type PaidMany = { contract: string | null; payments: Payments }

/** The call that pays several: of coin the sum goes along, of a token the contract takes it by its allowance. Throws ChainError for what `decodePayMany` refuses. */
export function encodePayMany({ contract, payments }: PaidMany): ContractCall {
  const lists = [payments.map(({ to }) => to), payments.map(({ amount }) => amount)]
  const data = contract === null ? encodeFunctionCall(PAY_COIN, lists) : encodeFunctionCall(PAY_TOKEN, [contract, ...lists])
  const call = { contract: PAYOUTS, value: contract === null ? sumOf(payments) : 0n, data }
  decodePayMany(call)
  return call
}

/**
 * Whom a call pays, in its sequence; undefined for calls of other contracts. Throws ChainError for a call of the contract that is none of its two in the one
 * canonical form, that sends along something else than it pays, or that pays nobody, somebody nothing or twice.
 */
export function decodePayMany({ contract: called, value, data }: ContractCall): PaidMany | undefined {
  if (called !== PAYOUTS) return undefined
  const isOfToken = selectorOf(data) === PAY_TOKEN.selector
  const [recipients, amounts, contract] = isOfToken ? tokenLists(data) : ([...decodeFunctionCall(PAY_COIN, data), null] as [string[], bigint[], null])
  if (recipients.length !== amounts.length) throw new ChainError(`the call names ${recipients.length} recipients and ${amounts.length} amounts`)
  const payments = recipients.map((to, i) => ({ to, amount: at(amounts, i) }))
  if (payments.length < 2 || payments.length > PAYMENTS_MAX) throw new ChainError(`one call pays 2 to ${PAYMENTS_MAX}, not ${payments.length}`)
  if (new Set(recipients).size < recipients.length) throw new ChainError('the call pays a recipient twice')
  const unpaid = payments.find(({ amount }) => amount === 0n)
  if (unpaid) throw new ChainError(`the call pays ${unpaid.to} nothing`)
  const sent = isOfToken ? 0n : sumOf(payments)
  if (value !== sent) throw new ChainError(`the call sends ${value} base units along where it pays ${sent} of the chain's own coin`)
  return { contract, payments }
}

function tokenLists(data: Uint8Array): [string[], bigint[], string] {
  const [token, recipients, amounts] = decodeFunctionCall(PAY_TOKEN, data) as [string, string[], bigint[]]
  return [recipients, amounts, token]
}

const sumOf = (payments: Payments) => payments.reduce((sum, { amount }) => sum + amount, 0n)
