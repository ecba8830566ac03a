import { type ChainCodec, ChainError, type Effects } from '@holdfast/chain-core'
import { readCall } from '@holdfast/chain-evm/codec'
import { equalBytes, toHex } from '@holdfast/encoding'
import { type ContractCallIntent, type PaymentIntent, paymentsOf, payoutFault, type TransactionIntent } from '@holdfast/intent'
import { derivePublicKey } from '@holdfast/mpc'
import type { KeyStatement } from './statements.ts'

/**
 * Says in words where decoded bytes differ from the intent, or undefined where they are the intent and nothing more.
 * `key` is the key the intent names; the paying address is derived from it here.
 */
export function mismatchOf(
  intent: TransactionIntent,
  effects: Effects,
  key: Pick<KeyStatement, 'keyId' | 'protocol' | 'publicKey' | 'chainCode'>,
  codec: ChainCodec,
): { check: 'c7' | 'c8'; reason: string } | undefined {
  const differs = (reason: string) => ({ check: 'c7' as const, reason })
  if (!equalBytes(intent.keyId, key.keyId)) return differs(`the order pays from key ${toHex(intent.keyId)}`)
  const from = codec.addressFromKey(derivePublicKey(key.protocol, key.publicKey, key.chainCode, intent.path.map(Number)))
  if (from !== intent.from) return differs(`the order's path leads to ${from}, not to ${intent.from}`)
  const unsound = intent.kind === 'payout' ? payoutFault(intent) : undefined
  if (unsound) return differs(unsound)
  if (codec.canonicalAddress(intent.to) !== intent.to) return differs('the destination is not in canonical form')
  const other = intent.kind === 'contractCall' ? otherCall(intent, effects) : otherPayment(intent, effects, codec)
  if (other) return differs(other)
  const more = whatElse(intent, effects, key, codec)
  if (more) return differs(more)
  const wrong = (reason: string) => ({ check: 'c8' as const, reason })
  if (effects.chain !== intent.asset.chain || effects.transfers.some(({ asset }) => asset.chain !== intent.asset.chain))
    return wrong(`the transaction is for ${effects.chain}, the order for ${intent.asset.chain}`)
  if (intent.feeAsset.chain !== intent.asset.chain || intent.feeAsset.contract !== null) return wrong("the fee is not in the chain's own coin")
  if (effects.feeMax > intent.feeCap) return wrong(`the fee can reach ${effects.feeMax}, the cap is ${intent.feeCap}`)
  if (intent.slotRule !== codec.slotRule) return wrong(`unknown slot rule ${intent.slotRule}`)
  return undefined
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
  const { from = intent.from, actions = [], inputs = [], change = [] } = effects
  if (from !== intent.from) return `the transaction is an order of ${from}`
  if (actions.length > 0) return `besides what is ordered the transaction does ${actions[0]!.kind}`
  const foreign = inputs.find((coin) => coin.address !== intent.from)
  if (foreign) return `the transaction spends ${foreign.outpoint} of ${foreign.address}`
  const ownAddress = (path: number[]) => codec.addressFromKey(derivePublicKey(key.protocol, key.publicKey, key.chainCode, path))
  const stray = change.find(({ address, path }) => address !== (path ? ownAddress(path) : intent.from))
  if (stray) return `the transaction gives ${stray.amount} base units back to ${stray.address}, which is no address of the key`
  return undefined
}
