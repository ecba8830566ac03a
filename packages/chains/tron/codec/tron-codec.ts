import { type ChainCodec, ChainError, type Signature } from '@holdfast/chain-core'
import { concatBytes, toHex } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { addressFromKey, addressText, canonicalAddress } from './address.ts'
import { isSignedBy } from './signed-message.ts'
import { effectsOf } from './effects.ts'
import { parseSigned, parseTransaction, serializeSigned } from './transaction.ts'

const ORDER = secp256k1.Point.Fn.ORDER
// What TRON adds to the recovery in the last byte of a signature, as Ethereum once did.
const RECOVERY_OFFSET = 27

/** Whether a CAIP-2 name is one of a TRON chain: `tron:0x` and the last four bytes of its first block's hash. */
export function isTronChain(chain: string): boolean {
  return /^tron:0x[0-9a-f]{8}$/.test(chain)
}

/** The codec of one TRON chain, named by CAIP-2 such as `tron:0x2b6653dc`. Throws ChainError if the name is no TRON chain's. */
export function tronCodec({ chain }: { chain: string }): ChainCodec {
  if (!isTronChain(chain)) throw new ChainError(`not a TRON chain: ${JSON.stringify(chain)}; write tron:0x and the last 8 digits of its first block's id`)
  const decode: ChainCodec['decode'] = (unsigned) => effectsOf(parseTransaction(unsigned), unsigned, chain)
  return {
    signatureKinds: ['ecdsa'],
    slotRule: 'expiry',
    canonicalAddress,
    addressFromKey,
    isSignedBy,
    decode,
    sighashes: (unsigned) => {
      decode(unsigned)
      return [sha256(unsigned)]
    },
    attach: (unsigned, signatures) => {
      decode(unsigned)
      if (signatures.length !== 1) throw new ChainError(`a TRON transaction takes one signature here, not ${signatures.length}`)
      const signature = at(signatures, 0)
      assertSigner(unsigned, signature)
      const bytes = concatBytes(signature.r, signature.s, Uint8Array.of(signature.recovery + RECOVERY_OFFSET))
      return { raw: serializeSigned(unsigned, bytes), txid: toHex(sha256(unsigned)) }
    },
    detach: (raw) => {
      const { unsigned, signature } = parseSigned(raw)
      decode(unsigned)
      const from = assertSigner(unsigned, { r: signature.slice(0, 32), s: signature.slice(32, 64), recovery: at(signature, 64) - RECOVERY_OFFSET })
      return { unsigned, txid: toHex(sha256(unsigned)), from }
    },
  }
}

/** The codec for a chain by its CAIP-2 name, or undefined if it is no TRON chain. */
export function codecFor(chain: string): ChainCodec | undefined {
  return isTronChain(chain) ? tronCodec({ chain }) : undefined
}

/** The address that signed. Throws ChainError unless it is the very account that the transaction is an order of. */
function assertSigner(unsigned: Uint8Array, signature: Signature): string {
  const { r, s, recovery } = signature
  if (r.length !== 32 || s.length !== 32) throw new ChainError('r and s of a signature have 32 bytes each')
  if (recovery !== 0 && recovery !== 1) throw new ChainError('the recovery of a signature is 0 or 1')
  const [rNumber, sNumber] = [BigInt(`0x${toHex(r)}`), BigInt(`0x${toHex(s)}`)]
  if (rNumber === 0n || rNumber >= ORDER || sNumber === 0n) throw new ChainError('the signature is out of range')
  if (sNumber > ORDER / 2n) throw new ChainError('the signature has the higher of the two possible s; use the order minus s and the other recovery')
  const signer = recover(sha256(unsigned), rNumber, sNumber, recovery)
  const owner = addressText(parseTransaction(unsigned).contract.owner)
  // An account may let other keys sign for it; such a signature is none of ours, whatever the chain thinks of it.
  if (signer !== owner) throw new ChainError(`the signature is of ${signer}, the transaction of ${owner}`)
  return signer
}

function recover(digest: Uint8Array, r: bigint, s: bigint, recovery: number): string {
  try {
    return addressFromKey(new secp256k1.Signature(r, s, recovery).recoverPublicKey(digest).toBytes(true))
  } catch (cause) {
    throw new ChainError('the signature belongs to no key', { cause })
  }
}
