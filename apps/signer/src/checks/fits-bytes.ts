import { type ChainCodec, ChainError, type Signature } from '@holdfast/chain-core'
import { equalBytes } from '@holdfast/encoding'
import type { StoredSignature } from '../state/register.ts'

/** Whether signatures make these very bytes a transaction of the paying address `from`: the chain's own codec says so. */
export function fitsBytes(codec: ChainCodec, from: string, unsigned: Uint8Array, stored: readonly StoredSignature[]): boolean {
  const signatures: Signature[] = stored.map(({ r, s, recovery }) => ({ r, s, recovery: Number(recovery) }))
  try {
    const signed = codec.detach(codec.attach(unsigned, signatures).raw)
    return signed.from === from && equalBytes(signed.unsigned, unsigned)
  } catch (cause) {
    if (cause instanceof ChainError) return false
    throw cause
  }
}
