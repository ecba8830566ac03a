import { type ChainCodec, ChainError, type Signature } from '@holdfast/chain-core'
import { toHex } from '@holdfast/encoding'
import { at, RecentMap } from '@holdfast/units'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { addressFromKey, canonicalAddress } from './address.ts'
import { parseSigned, parseUnsigned, serializeTransaction, type TransactionSignature } from './transaction.ts'
import { effectsOf, evmChainId } from './transfer.ts'
import { bytesToUint } from './uint.ts'

const ORDER = secp256k1.Point.Fn.ORDER

/** The codec of one EVM chain, named by CAIP-2 such as `eip155:1`. Throws ChainError if the name is no EVM chain's. */
export function evmCodec(config: { chain: string }): ChainCodec {
  const { chain } = config
  const chainId = evmChainId(chain)
  if (chainId === undefined) throw new ChainError(`not an EVM chain: ${JSON.stringify(chain)}; write eip155: and the chain's number`)

  const decode: ChainCodec['decode'] = (unsigned) => effectsOf(parseUnsigned(unsigned), chain, chainId)

  return {
    signatureKinds: ['ecdsa'],
    slotRule: 'account-nonce',
    canonicalAddress,
    addressFromKey,
    decode,
    sighashes: (unsigned) => {
      decode(unsigned)
      return [keccak_256(unsigned)]
    },
    attach: (unsigned, signatures) => {
      decode(unsigned)
      if (signatures.length !== 1) throw new ChainError(`an EVM transaction takes one signature, not ${signatures.length}`)
      const signature = checkedSignature(at(signatures, 0))
      // Recovery fails where r is no point's abscissa: such a signature is nobody's and must not leave as a transaction.
      recoverAddress(keccak_256(unsigned), signature)
      const raw = serializeTransaction(parseUnsigned(unsigned), signature)
      return { raw, txid: txidOf(raw) }
    },
    detach: (raw) => {
      const { transaction, signature } = parseSigned(raw)
      assertSignatureRange(signature)
      const unsigned = serializeTransaction(transaction)
      decode(unsigned)
      return { unsigned, txid: txidOf(raw), from: recoverAddress(keccak_256(unsigned), signature) }
    },
  }
}

/** The codec for a chain by its CAIP-2 name, or undefined if it is no EVM chain. */
export function codecFor(chain: string): ChainCodec | undefined {
  return evmChainId(chain) === undefined ? undefined : evmCodec({ chain })
}

function txidOf(raw: Uint8Array): string {
  return `0x${toHex(keccak_256(raw))}`
}

function checkedSignature(signature: Signature): TransactionSignature {
  if (signature.r.length !== 32 || signature.s.length !== 32) throw new ChainError('r and s of a signature have 32 bytes each')
  if (signature.recovery !== 0 && signature.recovery !== 1) throw new ChainError('the recovery of a signature is 0 or 1')
  const checked = { yParity: BigInt(signature.recovery), r: bytesToUint(signature.r), s: bytesToUint(signature.s) }
  assertSignatureRange(checked)
  return checked
}

function assertSignatureRange({ yParity, r, s }: TransactionSignature): void {
  if (yParity > 1n) throw new ChainError('the y parity of the signature is neither 0 nor 1')
  if (r === 0n || r >= ORDER || s === 0n) throw new ChainError('the signature is out of range')
  // EIP-2: of the two valid values of s only the lower one may appear, or anybody could change the transaction's id.
  if (s > ORDER / 2n) throw new ChainError('the signature has the higher of the two possible s; use the order minus s and the other recovery')
}

/** Who signed what, of the newest: bytes that are put together are read again at once, and once more before they are sent. */
const signers = new RecentMap<string, string>(16)

function recoverAddress(digest: Uint8Array, { yParity, r, s }: TransactionSignature): string {
  const name = [toHex(digest), yParity, r, s].join()
  const known = signers.get(name)
  if (known !== undefined) return known
  try {
    const key = new secp256k1.Signature(r, s, Number(yParity)).recoverPublicKey(digest)
    const address = addressFromKey(key.toBytes(true))
    signers.set(name, address)
    return address
  } catch (cause) {
    throw new ChainError('the signature belongs to no key', { cause })
  }
}
