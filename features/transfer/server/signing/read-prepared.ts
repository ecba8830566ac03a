import { type ChainCodec, ChainError, type Effects } from '@holdfast/chain-core'
import type { WalletKeyRow } from '@holdfast/features/key/server'
import type { SpendingIntent } from '@holdfast/intent'
import { mismatchOf } from '@holdfast/protocol'
import type { Order } from '../order/read-order.ts'

type Prepared = { intent: SpendingIntent; unsigned: Uint8Array; key: WalletKeyRow | undefined }

/**
 * What bytes do that a node prepared for an order, whose wallet has `key`, after the same comparison with the intent that signers make. Throws ChainError if
 * signers would refuse them: such bytes are never shown to them.
 */
export function readPrepared(codec: ChainCodec, { row }: Order, { intent, unsigned, key }: Prepared): Effects {
  if (!key?.publicKey || !key.chainCode) throw new Error(`the key of order ${row.id} is not there`)
  const { keyId, protocol, publicKey, chainCode } = key
  const effects = codec.decode(unsigned)
  const mismatch = mismatchOf(intent, effects, { keyId, protocol, publicKey, chainCode }, codec, row.standing_order_id !== null)
  if (mismatch) throw new ChainError(`the node prepared something else: ${mismatch.reason}`)
  return effects
}
