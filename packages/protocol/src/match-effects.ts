import type { ChainCodec, Effects, SlotRule } from '@holdfast/chain-core'
import { equalBytes, toHex } from '@holdfast/encoding'
import { originalOf, type PaymentIntent, REPLACEMENT_ACTIONS, type TransferIntent } from '@holdfast/intent'
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
export function mismatchOf(intent: PaymentIntent, effects: Effects, key: OwnKey, codec: ChainCodec): Mismatch | undefined {
  const payment = originalOf(intent)
  if (!equalBytes(payment.keyId, key.keyId)) return differs(`the order pays from key ${toHex(payment.keyId)}`)
  const from = codec.addressFromKey(derivePublicKey(key.protocol, key.publicKey, key.chainCode, payment.path.map(Number)))
  if (from !== payment.from) return differs(`the order's path leads to ${from}, not to ${payment.from}`)
  if (codec.canonicalAddress(payment.to) !== payment.to) return differs('the destination is not in canonical form')
  if (intent.kind === 'replacement' && !isReplacementAction(intent.action)) return differs(`the order says to ${intent.action}, which is nothing known`)
  const isCancel = intent.kind === 'replacement' && intent.action === 'cancel'
  const moved = isCancel ? paidToOthers(payment, effects) : notThePayment(payment, effects)
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
  if (effects.slot !== intent.slot) return wrong(`the transaction takes slot ${effects.slot}, the payment has slot ${intent.slot}`)
  return undefined
}

/** Where a transaction that waits can be replaced by another one at will. */
const REPLACEABLE: readonly SlotRule[] = ['account-nonce', 'anchor-input']
const isReplacementAction = (action: string): boolean => REPLACEMENT_ACTIONS.some((each) => each === action)

/** Where the one transfer differs from the order's. */
function notThePayment(intent: TransferIntent, { transfers }: Effects): string | undefined {
  const [transfer] = transfers
  if (transfers.length !== 1 || !transfer) return `the transaction makes ${transfers.length} transfers where the order has one`
  if (transfer.to !== intent.to) return `the transaction pays ${transfer.to}, the order ${intent.to}`
  if (transfer.asset.contract !== intent.asset.contract) return 'the transaction moves another asset than the order'
  if (transfer.amount !== intent.amount) return `the transaction pays ${transfer.amount} base units, the order ${intent.amount}`
  if ((transfer.memo ?? null) !== intent.memo) return 'the transaction carries another memo than the order'
  return undefined
}

/** What a transaction moves to anybody but the paying address, or of anything but the chain's own coin: a cancellation does neither. */
function paidToOthers({ from }: TransferIntent, { transfers }: Effects): string | undefined {
  const away = transfers.find(({ to, asset }) => to !== from || asset.contract !== null)
  return away && `a cancellation pays nobody; the transaction moves ${away.amount} base units to ${away.to}`
}

/** What a transaction does besides the order's transfer that the order does not cover. */
function whatElse(
  intent: TransferIntent,
  effects: Effects,
  key: Pick<KeyStatement, 'protocol' | 'publicKey' | 'chainCode'>,
  codec: ChainCodec,
): string | undefined {
  const { from = intent.from, actions = [], inputs = [], change = [] } = effects
  if (from !== intent.from) return `the transaction is an order of ${from}`
  if (actions.length > 0) return `besides the transfer the transaction does ${actions[0]!.kind}`
  const foreign = inputs.find((coin) => coin.address !== intent.from)
  if (foreign) return `the transaction spends ${foreign.outpoint} of ${foreign.address}`
  const ownAddress = (path: number[]) => codec.addressFromKey(derivePublicKey(key.protocol, key.publicKey, key.chainCode, path))
  const stray = change.find(({ address, path }) => address !== (path ? ownAddress(path) : intent.from))
  if (stray) return `the transaction gives ${stray.amount} base units back to ${stray.address}, which is no address of the key`
  return undefined
}
