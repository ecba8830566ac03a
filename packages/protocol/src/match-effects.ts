import { type ChainCodec, ChainError, type Effects, faultOfOwnPath, isChangePathOf, pathText, type SlotRule } from '@holdfast/chain-core'
import { readCall } from '@holdfast/chain-evm/codec'
import { equalBytes, toHex } from '@holdfast/encoding'
import {
  type Brc20InscribeIntent,
  type ContractCallIntent,
  type DepositChildIntent,
  originalOf,
  type PaymentIntent,
  faultOf,
  inscribedCoin,
  type InscribedIntent,
  inscriptionsOf,
  isInscribed,
  paymentsOf,
  REPLACEMENT_ACTIONS,
  type SpendingIntent,
  type StakeIntent,
  stakeOrderOf,
  type TransactionIntent,
} from '@holdfast/intent'
import { derivePublicKey } from '@holdfast/mpc'
import type { KeyStatement } from './statements.ts'

type OwnKey = Pick<KeyStatement, 'keyId' | 'protocol' | 'publicKey' | 'chainCode'>
type Mismatch = { check: 'c7' | 'c8'; reason: string }

const differs = (reason: string): Mismatch => ({ check: 'c7', reason })
const wrong = (reason: string): Mismatch => ({ check: 'c8', reason })

/**
 * Says in words where decoded bytes differ from the intent, or undefined where they are the intent and nothing more.
 * `key` is the key the intent names; the paying address is derived from it here. Throws EncodingError for an order that contains no order to pay.
 */
export function mismatchOf(intent: SpendingIntent, effects: Effects, key: OwnKey, codec: ChainCodec): Mismatch | undefined {
  const payment = originalOf(intent)
  if (!equalBytes(payment.keyId, key.keyId)) return differs(`the order pays from key ${toHex(payment.keyId)}`)
  const far = faultOfOwnPath(payment.path)
  if (far !== undefined) return differs(`the order's path ${pathText(payment.path)} ${far}`)
  const from = codec.addressFromKey(derivePublicKey(key.protocol, key.publicKey, key.chainCode, payment.path.map(Number)))
  if (from !== payment.from) return differs(`the order's path leads to ${from}, not to ${payment.from}`)
  const unsound = faultOf(payment)
  if (unsound) return differs(unsound)
  if (codec.canonicalAddress(payment.to) !== payment.to) return differs('the destination is not in canonical form')
  if (intent.kind === 'replacement' && !isReplacementAction(intent.action)) return differs(`the order says to ${intent.action}, which is nothing known`)
  const isCancel = intent.kind === 'replacement' && intent.action === 'cancel'
  const moved = isCancel ? paidToOthers(payment, effects) : notThePayment(payment, effects, codec)
  const more = moved ?? whatElse(payment, effects, key, codec)
  if (more) return differs(more)
  const { chain } = payment.asset
  if (effects.chain !== chain || effects.transfers.some(({ asset }) => asset.chain !== chain))
    return wrong(`the transaction is for ${effects.chain}, the order for ${chain}`)
  if (payment.feeAsset.chain !== chain || payment.feeAsset.contract !== null) return wrong("the fee is not in the chain's own coin")
  if (effects.feeMax > intent.feeCap) return wrong(`the fee can reach ${effects.feeMax}, the cap is ${intent.feeCap}`)
  if (payment.slotRule !== codec.slotRule) return wrong(`unknown slot rule ${payment.slotRule}`)
  if (intent.kind !== 'replacement') return undefined
  if (!REPLACEABLE.includes(codec.slotRule)) return wrong('nothing is replaced on this chain')
  if (payment.kind === 'brc20Inscribe') return wrong('an order that has a token inscribed is not replaced: a block may have the first of its transactions')
  if (effects.slot !== intent.slot) return wrong(`the transaction takes slot ${effects.slot}, the payment has slot ${intent.slot}`)
  return undefined
}

/** Where a transaction that waits can be replaced by another one at will. */
const REPLACEABLE: readonly SlotRule[] = ['account-nonce', 'anchor-input']
const isReplacementAction = (action: string): boolean => REPLACEMENT_ACTIONS.some((each) => each === action)

/** What a transaction moves to anybody but the paying address, or of anything but the chain's own coin, or calls: a cancellation does none of it. */
function paidToOthers({ from }: TransactionIntent, { transfers, call, stake }: Effects): string | undefined {
  if (stake) return `a cancellation leaves stake alone; the transaction is to ${stake.action}`
  if (call) return `a cancellation calls nothing; the transaction calls ${call.contract}`
  const away = transfers.find(({ to, asset }) => to !== from || asset.contract !== null)
  return away && `a cancellation pays nobody; the transaction moves ${away.amount} base units to ${away.to}`
}

/** Where what the bytes do differs from what is ordered. */
function notThePayment(intent: TransactionIntent, effects: Effects, codec: ChainCodec): string | undefined {
  if (intent.kind === 'brc20Inscribe') return otherNewInscription(intent, effects)
  if (effects.inscribes !== undefined) return `the transaction makes the inscription ${effects.inscribes}, and the order makes none`
  if (intent.kind === 'stake') return otherStake(intent, effects)
  if (effects.stake) return `the transaction is to ${effects.stake.action}, which is no transfer and no call`
  if (intent.kind === 'contractCall') return otherCall(intent, effects)
  if (intent.kind === 'depositChild') return otherChild(intent, effects)
  return isInscribed(intent) ? otherInscriptions(intent, effects) : otherPayment(intent, effects, codec)
}

/** Where a transaction is another order about stake than the one that was approved, or none. */
function otherStake(intent: StakeIntent, { stake, transfers, call }: Effects): string | undefined {
  if (!stake || call || transfers.length > 0) return 'the transaction is no order about stake'
  const { action, resource, amount, receiver, lockBlocks } = stakeOrderOf(intent)
  if (stake.action !== action) return `the transaction is to ${stake.action}, the order to ${action}`
  if (stake.resource !== resource) return `the transaction is about ${stake.resource}, the order about ${resource}`
  if (stake.amount !== amount) return `the transaction is about ${stake.amount} base units, the order about ${amount}`
  if (stake.receiver !== receiver) return `the transaction names ${stake.receiver}, the order ${receiver}`
  return stake.lockBlocks === lockBlocks ? undefined : `the transaction locks for ${stake.lockBlocks} blocks, the order for ${lockBlocks}`
}

/** What a transaction does beside transfers, calls and stake, in words; no order covers any of it. */
export function besidesOf({ actions = [] }: Effects): string | undefined {
  const [first] = actions
  if (!first) return undefined
  if (first.kind === 'permissions') return 'the transaction changes who may sign for the account, which nothing here ever orders'
  if (first.kind === 'signed-under') return `the transaction is signed under permission ${first.facts.permissionId} of the account and not by its owner`
  return `besides what is ordered the transaction does ${first.kind}`
}

/** Where the payments of a transaction are not those of the order, one by one and in the same sequence. */
function otherPayment(intent: PaymentIntent, { transfers, call }: Effects, codec: ChainCodec): string | undefined {
  if (call) return 'the transaction calls a contract, which is no transfer'
  const payments = paymentsOf(intent)
  if (transfers.length !== payments.length) return `the transaction makes ${transfers.length} transfers where the order has ${payments.length}`
  for (const [i, { to, amount, memo }] of payments.entries()) {
    const transfer = transfers[i]!
    if (codec.canonicalAddress(to) !== to) return 'the destination is not in canonical form'
    if (transfer.to !== to) return `the transaction pays ${transfer.to}, the order ${to}`
    if (transfer.asset.contract !== intent.asset.contract) return 'the transaction moves another asset than the order'
    if (transfer.amount !== amount) return `the transaction pays ${transfer.amount} base units, the order ${amount}`
    if ((transfer.memo ?? null) !== memo) return 'the transaction carries another memo than the order'
  }
  return undefined
}

/** Where a transaction does not send these inscriptions, each with its coin, to whom the order names, and nothing else. */
function otherInscriptions(intent: InscribedIntent, effects: Effects): string | undefined {
  const parts = inscriptionsOf(intent)
  const other = otherTokens(intent, parts, effects)
  if (other) return other
  const at = parts.findIndex((part, i) => effects.inputs?.[i]?.outpoint !== inscribedCoin(part))
  return at === -1 ? undefined : `the transaction sends the inscription on ${effects.inputs?.[at]?.outpoint}, the order ${inscribedCoin(parts[at]!)}`
}

/** Where a transaction does not make an inscription of this amount and send it with its coin to whom the order names, and nothing else. */
function otherNewInscription(intent: Brc20InscribeIntent, effects: Effects): string | undefined {
  if (effects.inscribes === undefined) return 'the transaction makes no inscription, and the order has a token inscribed'
  return otherTokens(intent, [intent], effects)
}

/** Where what a transaction moves is not these amounts of the token, with these coins, to whom the order names. */
function otherTokens(
  { to, asset }: Pick<PaymentIntent, 'to' | 'asset'>,
  parts: readonly { amount: bigint; postage: bigint }[],
  { transfers, call }: Effects,
): string | undefined {
  if (call || transfers.length !== 2 * parts.length)
    return `the transaction makes ${transfers.length} transfers where the order sends ${parts.length} tokens with their coins`
  const stray = transfers.find((each) => each.to !== to)
  if (stray) return `the transaction pays ${stray.to}, the order ${to}`
  for (const [i, part] of parts.entries()) {
    const [token, coin] = [transfers[i]!, transfers[parts.length + i]!]
    if (token.asset.contract !== asset.contract) return 'the transaction moves another asset than the order'
    if (token.amount !== part.amount) return `an inscription transfers ${token.amount} base units, the order says ${part.amount}`
    if (coin.asset.contract !== null || coin.amount !== part.postage) return `the transaction sends ${coin.amount} base units along, the order ${part.postage}`
  }
  return undefined
}

/** Where a transaction does not give the one coin of the order back to the paying address, whole but for the fee, and nothing else. */
function otherChild({ from, deposit, amount }: DepositChildIntent, { transfers, call, inputs = [], change = [] }: Effects): string | undefined {
  const [back] = transfers
  if (call || !back || transfers.length > 1 || change.length > 0) return 'the transaction is not one that gives a deposit back'
  const spent = inputs.map(({ outpoint }) => outpoint).join()
  if (spent !== deposit) return `the transaction spends ${spent}, the order ${deposit}`
  if (inputs[0]!.amount !== amount) return `the coin that is spent holds ${inputs[0]!.amount} base units, the order says ${amount}`
  if (back.to !== from || back.asset.contract !== null) return `the transaction pays ${back.to}, the order gives the deposit back to ${from}`
  return undefined
}

function otherCall(intent: ContractCallIntent, { transfers, call }: Effects): string | undefined {
  if (!call || transfers.length > 0) return 'the transaction is a transfer, which has to be ordered as one'
  if (call.contract !== intent.to) return `the transaction calls ${call.contract}, the order ${intent.to}`
  if (intent.asset.contract !== null) return "only the chain's own coin goes along with a call"
  if (call.value !== intent.amount) return `the transaction sends ${call.value} base units along, the order ${intent.amount}`
  if (!equalBytes(call.data, intent.data)) return 'the transaction carries other call data than the order'
  try {
    readCall({ contract: intent.to, data: intent.data, signature: intent.signature })
    return undefined
  } catch (cause) {
    if (cause instanceof ChainError) return cause.message
    throw cause
  }
}

/** What a transaction does besides what the order is for that the order does not cover. */
function whatElse(
  intent: TransactionIntent,
  effects: Effects,
  key: Pick<KeyStatement, 'protocol' | 'publicKey' | 'chainCode'>,
  codec: ChainCodec,
): string | undefined {
  const { from = intent.from, inputs = [], change = [] } = effects
  if (from !== intent.from) return `the transaction is an order of ${from}`
  const besides = besidesOf(effects)
  if (besides !== undefined) return besides
  const foreign = inputs.find((coin) => coin.address !== intent.from)
  if (foreign) return `the transaction spends ${foreign.outpoint} of ${foreign.address}`
  const astray = change.find(({ path }) => path && !isChangePathOf(intent.path, path))
  if (astray)
    return `change of ${astray.amount} base units goes to ${pathText(astray.path!)}; it comes back to the sub-wallet that pays, to one of its first addresses`
  const ownAddress = (path: number[]) => codec.addressFromKey(derivePublicKey(key.protocol, key.publicKey, key.chainCode, path))
  const stray = change.find(({ address, path }) => address !== (path ? ownAddress(path) : intent.from))
  if (stray) return `the transaction gives ${stray.amount} base units back to ${stray.address}, which is no address of the key`
  return undefined
}
