import { type ChainCodec, ChainError } from '@holdfast/chain-core'
import { bytes, concatBytes, decode, encode, EncodingFault, fromHex, struct, text, toHex, uint } from '@holdfast/encoding'
import { verifyEd25519 } from '@holdfast/encoding/ed25519'
import { sha256 } from '@noble/hashes/sha2.js'

const unsignedShape = struct('holdfast/test/ed25519-transfer/v1', { chain: text(64), from: text(128), to: text(128), amount: uint(256), slot: uint(64) })
const rawShape = struct('holdfast/test/ed25519-raw/v1', { unsigned: bytes(undefined, 1 << 12), signature: bytes(64) })

/** A chain as small as one can be whose transactions are signed whole with ed25519 keys, and not by a hash of them. */
export const ed25519Codec: ChainCodec = {
  signatureKinds: ['ed25519'],
  slotRule: 'account-nonce',
  canonicalAddress: (address) => (/^[0-9a-f]{64}$/.test(address) ? address : undefined),
  addressFromKey: (publicKey) => toHex(publicKey),
  decode: (unsigned) => {
    const { chain, to, amount, slot } = read(unsigned)
    return { chain, transfers: [{ asset: { chain, contract: null }, to, amount }], feeMax: 0n, slot }
  },
  sighashes: (unsigned) => [unsigned],
  attach: (unsigned, [signature]) => {
    const raw = encode(rawShape, { unsigned, signature: concatBytes(signature!.r, signature!.s) })
    return { raw, txid: toHex(sha256(raw)) }
  },
  detach: (raw) => {
    const { unsigned, signature } = decode(rawShape, raw)
    const { from } = read(unsigned)
    if (!verifyEd25519(signature, unsigned, fromHex(from))) throw new ChainError('not signed by its sender')
    return { unsigned, txid: toHex(sha256(raw)), from }
  },
}

export const ed25519Transfer = (transfer: { chain: string; from: string; to: string; amount: bigint; slot: bigint }) => encode(unsignedShape, transfer)

function read(unsigned: Uint8Array) {
  try {
    return decode(unsignedShape, unsigned)
  } catch (cause) {
    if (cause instanceof EncodingFault) throw new ChainError(cause.message, { cause })
    throw cause
  }
}
