import { ChainError, type Signature } from '@holdfast/chain-core'
import { fromHex } from '@holdfast/encoding'
import { recoverSecp256k1 } from '@holdfast/encoding/recover-secp256k1'
import { RecentMap } from '@holdfast/units'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { addressFromKey } from './address.ts'
import type { TransactionSignature } from './rlp-fields.ts'
import { bytesToUint } from './uint.ts'

const ORDER = secp256k1.Point.Fn.ORDER

/** The numbers of a signature. Throws ChainError if it is out of range or has the higher s. */
export function checkedSignature(signature: Signature): TransactionSignature {
  if (signature.r.length !== 32 || signature.s.length !== 32) throw new ChainError('r and s of a signature have 32 bytes each')
  if (signature.recovery !== 0 && signature.recovery !== 1) throw new ChainError('the recovery of a signature is 0 or 1')
  const checked = { yParity: BigInt(signature.recovery), r: bytesToUint(signature.r), s: bytesToUint(signature.s) }
  assertRange(checked)
  return checked
}

function assertRange({ yParity, r, s }: TransactionSignature): void {
  if (yParity > 1n) throw new ChainError('the y parity of the signature is neither 0 nor 1')
  if (r === 0n || r >= ORDER || s === 0n) throw new ChainError('the signature is out of range')
  // EIP-2: of the two valid values of s only the lower one may appear, or anybody could change the transaction's id.
  if (s > ORDER / 2n) throw new ChainError('the signature has the higher of the two possible s; use the order minus s and the other recovery')
}

/** Addresses of keys that signed, the newest: bytes that are put together are read again at once, and once more before they are sent. */
const addresses = new RecentMap<string, string>(1024)

/** The address whose key made a signature, in EIP-55. Throws ChainError if it is out of range, has the higher s, or belongs to no key. */
export function recoverAddress(digest: Uint8Array, signature: TransactionSignature): string {
  assertRange(signature)
  const { yParity, r, s } = signature
  try {
    const key = recoverSecp256k1(digest, { r, s, recovery: Number(yParity) })
    const address = addresses.get(key) ?? addressFromKey(fromHex(key))
    addresses.set(key, address)
    return address
  } catch (cause) {
    throw new ChainError('the signature belongs to no key', { cause })
  }
}
