import { fromHex, toHex } from '@holdfast/encoding'
import { at, last } from '@holdfast/units'
import { sha256 } from '@noble/hashes/sha2.js'
import { RawTx, Transaction } from '@scure/btc-signer'

export type Outpoint = string
export type Output = { amount: bigint; script: Uint8Array }

/** A transaction as nodes pass it on, read by the library that the wallet's own codec does not use. */
export type NetworkTransaction = {
  raw: Uint8Array
  txid: string
  /** The hash of everything, witnesses included. */
  hash: string
  weight: number
  version: number
  lockTime: number
  isCoinbase: boolean
  inputs: { txid: string; index: number; outpoint: Outpoint; script: Uint8Array; sequence: number; witness: Uint8Array[] }[]
  outputs: Output[]
  /** The library's own form, which computes what signatures sign. */
  library: Transaction
}

const NO_TXID = '00'.repeat(32)
const LENIENT = {
  allowUnknownInputs: true,
  allowUnknownOutputs: true,
  disableScriptCheck: true,
  allowLegacyWitnessUtxo: true,
  allowUnknownVersion: true,
} as const

/** Reads a transaction. Throws where the bytes are none. */
export function readTransaction(raw: Uint8Array): NetworkTransaction {
  const { version, inputs, outputs, witnesses, lockTime } = RawTx.decode(raw)
  const plain = Uint8Array.from(
    RawTx.encode({ version, inputs, outputs, lockTime, segwitFlag: false, witnesses: undefined } as Parameters<typeof RawTx.encode>[0]),
  )
  const read = inputs.map(({ txid, index, finalScriptSig, sequence }, i) => {
    const id = toHex(Uint8Array.from(txid))
    const witness = (witnesses?.[i] ?? []).map((item) => Uint8Array.from(item))
    return { txid: id, index, outpoint: `${id}:${index}`, script: Uint8Array.from(finalScriptSig), sequence, witness }
  })
  return {
    raw,
    txid: hashId(plain),
    hash: hashId(raw),
    weight: plain.length * 3 + raw.length,
    version,
    lockTime,
    isCoinbase: read.length === 1 && at(read, 0).txid === NO_TXID,
    inputs: read,
    outputs: outputs.map(({ amount, script }) => ({ amount, script: Uint8Array.from(script) })),
    get library() {
      return Transaction.fromRaw(raw, LENIENT)
    },
  }
}

export function virtualSize({ weight }: Pick<NetworkTransaction, 'weight'>): number {
  return Math.ceil(weight / 4)
}

export function hashId(bytes: Uint8Array): string {
  return toHex(sha256(sha256(bytes)).toReversed())
}

/** The first transaction of a block: its height (BIP34), a number that makes blocks of the same second differ, and what it may give itself. */
export function coinbaseOf(height: number, extra: number, amount: bigint, script: Uint8Array): NetworkTransaction {
  const digits = height.toString(16)
  const bytes = fromHex(digits.length % 2 === 0 ? digits : `0${digits}`).toReversed()
  // A script number whose highest bit is set would be negative.
  const number = last(bytes) & 0x80 ? Uint8Array.of(...bytes, 0) : bytes
  const counter = new Uint8Array(4)
  new DataView(counter.buffer).setUint32(0, extra)
  const finalScriptSig = Uint8Array.of(number.length, ...number, counter.length, ...counter)
  const input = { txid: new Uint8Array(32), index: 0xffff_ffff, finalScriptSig, sequence: 0xffff_ffff }
  const encoded = RawTx.encode({
    version: 2,
    inputs: [input],
    outputs: [{ amount, script }],
    lockTime: 0,
    segwitFlag: false,
    witnesses: undefined,
  } as Parameters<typeof RawTx.encode>[0])
  return readTransaction(Uint8Array.from(encoded))
}
