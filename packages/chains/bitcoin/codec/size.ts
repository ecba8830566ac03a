import { ChainError } from '@holdfast/chain-core'
import { readScript, type ScriptKind } from './address.ts'

/** Weight of an input of a kind that this wallet signs, witness included: what the longest signature makes of it. */
const INPUT_WEIGHT: Partial<Record<ScriptKind, number>> = {
  // 41 bytes of input; witness: a count, a signature of at most 72 bytes with its length, a key of 33 bytes with its length.
  p2wpkh: 41 * 4 + 1 + 73 + 34,
  // 41 bytes of input; witness: a count, a signature of 64 bytes with its length.
  p2tr: 41 * 4 + 1 + 65,
}
// Version, lock time and the marker of segwit.
const FRAME_WEIGHT = 8 * 4 + 2

const compactSizeLength = (count: number): number => (count < 0xfd ? 1 : count <= 0xffff ? 3 : 5)

export function outputSize(script: Uint8Array): number {
  return 8 + compactSizeLength(script.length) + script.length
}

/** The virtual size (BIP141) of a transaction of ours once signed, at the most, in vbytes. `inputScript` is that of the paying address. */
export function virtualSize(inputScript: Uint8Array, inputs: number, outputScripts: readonly Uint8Array[]): bigint {
  const outputs = outputScripts.reduce((sum, script) => sum + outputSize(script), 0)
  const counts = compactSizeLength(inputs) + compactSizeLength(outputScripts.length)
  const weight = FRAME_WEIGHT + 4 * (counts + outputs) + inputs * inputWeight(inputScript)
  return BigInt(Math.ceil(weight / 4))
}

/** The weight that one more input adds. Throws ChainError for a script that this wallet does not sign for. */
export function inputWeight(script: Uint8Array): number {
  const kind = readScript(script)?.kind
  const weight = kind && INPUT_WEIGHT[kind]
  if (weight === undefined) throw new ChainError(`the wallet signs for P2WPKH and P2TR, not for ${kind ?? 'a script without an address'}`)
  return weight
}

/** A rate in satoshi per 1,000 vbytes, as nodes count it, applied to a size, rounded up. */
export function feeFor(size: bigint, satPerKvb: bigint): bigint {
  return (size * satPerKvb + 999n) / 1000n
}

// Bitcoin Core policy.cpp: three satoshi for each byte of the output and of the input that would spend it.
const DUST_RATE_SAT_PER_KVB = 3000n
const SPEND_SEGWIT_BYTES = 67
const SPEND_LEGACY_BYTES = 148

/** The least amount that nodes relay to a script: GetDustThreshold of Bitcoin Core (294 for P2WPKH, 330 for P2TR, 546 for P2PKH). */
export function dustLimit(script: Uint8Array): bigint {
  const kind = readScript(script)?.kind
  const spend = kind === 'p2pkh' || kind === 'p2sh' || kind === undefined ? SPEND_LEGACY_BYTES : SPEND_SEGWIT_BYTES
  return feeFor(BigInt(outputSize(script) + spend), DUST_RATE_SAT_PER_KVB)
}
