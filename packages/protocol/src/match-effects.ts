import { type ChainCodec, type Effects, faultOfOwnPath, isChangePathOf, pathText, type SlotRule } from '@holdfast/chain-core'
import { equalBytes, toHex } from '@holdfast/encoding'
import {
  differenceOf,
  faultOf,
  isCancellation,
  isTransaction,
  originalOf,
  type SpendingIntent,
  type TransactionIntent,
  whyIrreplaceable,
} from '@holdfast/intent'
import { derivePublicKey } from '@holdfast/mpc'
import type { KeyStatement } from './statements.ts'

type OwnKey = Pick<KeyStatement, 'keyId' | 'protocol' | 'publicKey' | 'chainCode'>
type Mismatch = { check: 'c7' | 'c8'; reason: string }

const differs = (reason: string): Mismatch => ({ check: 'c7', reason })
const wrong = (reason: string): Mismatch => ({ check: 'c8', reason })

/**
 * Says in words where decoded bytes differ from the intent, or undefined if they are the intent and nothing more.
 * `key` is the key the intent names; the paying address is derived from it here. `mayCarry` is as in `besidesOf`.
 * Throws EncodingFault for an order that contains no order to pay.
 */
export function mismatchOf(intent: SpendingIntent, effects: Effects, key: OwnKey, codec: ChainCodec, mayCarry = false): Mismatch | undefined {
  const payment = originalOf(intent)
  if (!equalBytes(payment.keyId, key.keyId)) return differs(`the order pays from key ${toHex(payment.keyId)}`)
  const far = faultOfOwnPath(payment.path)
  if (far !== undefined) return differs(`the order's path ${pathText(payment.path)} ${far}`)
  const from = codec.addressFromKey(derivePublicKey(key.protocol, key.publicKey, key.chainCode, payment.path.map(Number)))
  if (from !== payment.from) return differs(`the order's path leads to ${from}, not to ${payment.from}`)
  const unsound = faultOf(payment) ?? faultOf(intent)
  if (unsound) return differs(unsound)
  if (codec.canonicalAddress(payment.to) !== payment.to) return differs('the destination is not in canonical form')
  const moved = isCancellation(intent) ? paidToOthers(payment, effects) : differenceOf(payment, effects, codec)
  const more = moved ?? whatElse(payment, effects, key, codec, mayCarry && !isCancellation(intent))
  if (more) return differs(more)
  const { chain } = payment.asset
  if (effects.chain !== chain || effects.transfers.some(({ asset }) => asset.chain !== chain))
    return wrong(`the transaction is for ${effects.chain}, the order for ${chain}`)
  if (payment.feeAsset.chain !== chain || payment.feeAsset.contract !== null) return wrong("the fee is not in the chain's own coin")
  if (effects.feeMax > intent.feeCap) return wrong(`the fee can reach ${effects.feeMax}, the cap is ${intent.feeCap}`)
  if (payment.slotRule !== codec.slotRule) return wrong(`unknown slot rule ${payment.slotRule}`)
  if (isTransaction(intent)) return undefined
  if (!REPLACEABLE.includes(codec.slotRule)) return wrong('nothing is replaced on this chain')
  const irreplaceable = whyIrreplaceable(payment)
  if (irreplaceable !== undefined) return wrong(irreplaceable)
  if (effects.slot !== intent.slot) return wrong(`the transaction takes slot ${effects.slot}, the payment has slot ${intent.slot}`)
  return undefined
}

/** Where a transaction that waits can be replaced by another one at will. */
const REPLACEABLE: readonly SlotRule[] = ['account-nonce', 'anchor-input']

/** What a transaction moves to anybody but the paying address, or of anything but the chain's own coin, or calls: a cancellation does none of it. */
function paidToOthers({ from }: TransactionIntent, { transfers, call, stake, authorizes }: Effects): string | undefined {
  if (authorizes) return 'a cancellation is a transaction; the bytes are an authorization'
  if (stake) return `a cancellation leaves stake alone; the transaction is to ${stake.action}`
  if (call) return `a cancellation calls nothing; the transaction calls ${call.contract}`
  const away = transfers.find(({ to, asset }) => to !== from || asset.contract !== null)
  return away && `a cancellation pays nobody; the transaction moves ${away.amount} base units to ${away.to}`
}

/**
 * What a transaction does beside transfers, calls and stake, in words; no order covers any of it. `mayCarry`: authorizations of accounts go along under a standing
 * order, which says of which contract they may be (`faultUnderStanding`).
 */
export function besidesOf({ actions = [] }: Effects, mayCarry: boolean): string | undefined {
  const first = actions.find(({ kind }) => !(mayCarry && kind === 'delegation'))
  if (!first) return undefined
  if (first.kind === 'permissions') return 'the transaction changes who may sign for the account, which nothing here ever orders'
  if (first.kind === 'signed-under') return `the transaction is signed under permission ${first.facts.permissionId} of the account and not by its owner`
  if (first.kind === 'delegation') return `the transaction decides which code runs in the name of ${first.facts.authority}, which no such order does`
  return `besides what is ordered the transaction does ${first.kind}`
}

/** What a transaction does besides what the order is for that the order does not cover. */
function whatElse(
  intent: TransactionIntent,
  effects: Effects,
  key: Pick<KeyStatement, 'protocol' | 'publicKey' | 'chainCode'>,
  codec: ChainCodec,
  mayCarry: boolean,
): string | undefined {
  const { from = intent.from, inputs = [], change = [] } = effects
  if (from !== intent.from) return `the transaction is an order of ${from}`
  const besides = besidesOf(effects, mayCarry)
  if (besides !== undefined) return besides
  const foreign = inputs.find((coin) => coin.address !== intent.from)
  if (foreign) return `the transaction spends ${foreign.outpoint} of ${foreign.address}`
  for (const { path, amount } of change)
    if (path && !isChangePathOf(intent.path, path))
      return `change of ${amount} base units goes to ${pathText(path)}; it comes back to the sub-wallet that pays, to one of its first addresses`
  const ownAddress = (path: number[]) => codec.addressFromKey(derivePublicKey(key.protocol, key.publicKey, key.chainCode, path))
  const stray = change.find(({ address, path }) => address !== (path ? ownAddress(path) : intent.from))
  if (stray) return `the transaction gives ${stray.amount} base units back to ${stray.address}, which is no address of the key`
  return undefined
}
