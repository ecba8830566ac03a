import { CALL_DATA_MAX_BYTES, ChainError, type Effects } from '@holdfast/chain-core'
import { readCall, SIGNATURE_MAX } from '@holdfast/chain-evm/codec'
import { bytes, equalBytes, type Infer, optional, struct, text } from '@holdfast/encoding'
import { renderCall } from '../render-call.ts'
import { askedIn, type CallAct, type Ordered } from './act.ts'
import type { TransactionKind } from './intent-kind.ts'
import { askedFields, movedFields } from './order-fields.ts'

/**
 * An order to call a contract. `to` is the contract, `amount` what is sent along of `asset`, the chain's own coin; `signature` is the function that `data` is
 * claimed to be a call of, such as `approve(address,uint256)`, absent if nobody knows. Whoever reads it decodes `data` by it, and believes nothing else.
 */
const contractCallIntentShape = struct('holdfast/intent/contract-call/v1', {
  ...movedFields,
  data: bytes(undefined, CALL_DATA_MAX_BYTES),
  signature: optional(text(SIGNATURE_MAX)),
  ...askedFields,
})

export type ContractCallIntent = { kind: 'contractCall' } & Infer<typeof contractCallIntentShape>

type Call = Omit<ContractCallIntent, 'kind'>
type Looked = Ordered & Pick<Call, 'data' | 'signature'>

function act(looked: Looked): CallAct {
  const { asset, from, to, amount, data, signature } = looked
  return { as: 'call', chain: asset.chain, from, contract: to, value: amount, data, signature, ...askedIn(looked) }
}

/** Only the name of the function that is called comes from the order: what is signed is compared with the call data. */
const done = (intent: Looked, { call }: Effects): CallAct | undefined => call && { ...act(intent), contract: call.contract, value: call.value, data: call.data }

/** Where a transaction is another call than the one that was approved, or none. */
function otherCall(intent: Call, { call }: Effects): string | undefined {
  if (!call) return 'the transaction calls nothing'
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

export const contractCall = {
  shape: contractCallIntentShape,
  fault: () => undefined,
  render: renderCall,
  does: ['call'],
  moves: () => ({ count: 1, assets: 1 }),
  act,
  done,
  mismatch: otherCall,
} satisfies TransactionKind<typeof contractCallIntentShape>
