import { concatBytes, equalBytes } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { Script } from '@scure/btc-signer'
import type { NetworkTransaction, Output } from './transaction.ts'

/** Why a witness does not unlock a coin, in Bitcoin Core's words where it has some. */
export class ScriptRefused extends Error {
  override name = 'ScriptRefused'
}

const SIGHASH_ALL = 1
const SIGHASH_DEFAULT = 0
const LEAF_VERSION = 0xc0

/**
 * Checks the witness of one input for real: P2WPKH, P2WSH of a multisig script, P2TR by the key or by a leaf that asks for one signature
 * (as inscriptions have). Every other script is refused, since this network has no whole interpreter. The digests are the library's.
 */
export function verifyInput(transaction: NetworkTransaction, index: number, spent: readonly Output[]): void {
  const { witness, script: scriptSig } = at(transaction.inputs, index)
  const { script, amount } = at(spent, index)
  if (scriptSig.length !== 0) throw new ScriptRefused('Witness requires empty scriptSig')
  if (script.length === 22 && script[0] === 0 && script[1] === 20) return verifyKeyHash(transaction, index, amount, script.slice(2), witness)
  if (script.length === 34 && script[0] === 0 && script[1] === 32) return verifyMultisig(transaction, index, amount, script.slice(2), witness)
  if (script.length === 34 && script[0] === 0x51 && script[1] === 32) return verifyTaproot(transaction, index, spent, script.slice(2), witness)
  throw new ScriptRefused('this emulator verifies P2WPKH, P2WSH multisig and P2TR only')
}

function verifyKeyHash(transaction: NetworkTransaction, index: number, amount: bigint, hash: Uint8Array, witness: Uint8Array[]): void {
  const [signature, key] = witness
  if (witness.length !== 2 || !signature) throw new ScriptRefused('Witness program was passed the wrong number of items')
  if (key?.length !== 33 || !equalBytes(hash160(key), hash)) throw new ScriptRefused('Script failed an OP_EQUALVERIFY operation')
  const code = concatBytes(Uint8Array.of(0x76, 0xa9, 20), hash, Uint8Array.of(0x88, 0xac))
  if (!isSignedBy(transaction, index, amount, code, signature, key)) throw new ScriptRefused('Signature must be zero for failed CHECK(MULTI)SIG operation')
}

function verifyMultisig(transaction: NetworkTransaction, index: number, amount: bigint, hash: Uint8Array, witness: Uint8Array[]): void {
  const script = witness.at(-1)
  if (!script || !equalBytes(sha256(script), hash)) throw new ScriptRefused('Witness program hash mismatch')
  const [needed, ...rest] = Script.decode(script)
  const keys = rest.slice(0, -2)
  const isMultisig =
    rest.at(-1) === 'CHECKMULTISIG' && numberOf(rest.at(-2)) === keys.length && keys.every((key) => key instanceof Uint8Array && key.length === 33)
  if (!isMultisig) throw new ScriptRefused('this emulator verifies P2WSH of multisig scripts only')
  const signatures = witness.slice(1, -1)
  if (witness[0]?.length !== 0 || signatures.length !== numberOf(needed)) throw new ScriptRefused('Dummy CHECKMULTISIG argument must be zero')
  // Signatures stand in the order of their keys; each key is tried once.
  let key = 0
  for (const signature of signatures) {
    while (key < keys.length && !isSignedBy(transaction, index, amount, script, signature, Uint8Array.from(keys[key] as Uint8Array))) key++
    if (key++ >= keys.length) throw new ScriptRefused('Signature must be zero for failed CHECK(MULTI)SIG operation')
  }
}

function verifyTaproot(transaction: NetworkTransaction, index: number, spent: readonly Output[], output: Uint8Array, witness: Uint8Array[]): void {
  const scripts = spent.map(({ script }) => script)
  const amounts = spent.map(({ amount }) => amount)
  if (witness.at(-1)?.[0] === 0x50 && witness.length > 1) throw new ScriptRefused('this emulator knows no annex')
  if (witness.length === 1) {
    const { bytes, type } = taprootSignature(at(witness, 0))
    const digest = transaction.library.preimageWitnessV1(index, scripts, type, amounts)
    if (!isValid(() => schnorr.verify(bytes, digest, output))) throw new ScriptRefused('Invalid Schnorr signature')
    return
  }
  const [signature, leaf, control] = witness
  if (witness.length !== 3 || !signature || !leaf || !control || (control.length - 33) % 32 !== 0)
    throw new ScriptRefused('this emulator verifies leaves with one signature only')
  if (!isCommitted(leaf, control, output)) throw new ScriptRefused('Witness program hash mismatch')
  const key = keyOfLeaf(leaf)
  const { bytes, type } = taprootSignature(signature)
  const digest = transaction.library.preimageWitnessV1(index, scripts, type, amounts, undefined, leaf, LEAF_VERSION)
  if (!isValid(() => schnorr.verify(bytes, digest, key))) throw new ScriptRefused('Invalid Schnorr signature')
}

/** BIP341: the output key is the internal key moved by the digest of the leaf and its branch. */
function isCommitted(leaf: Uint8Array, control: Uint8Array, output: Uint8Array): boolean {
  if ((at(control, 0) & 0xfe) !== LEAF_VERSION) throw new ScriptRefused('this emulator knows one version of leaves')
  const internal = control.slice(1, 33)
  let node: Uint8Array = schnorr.utils.taggedHash('TapLeaf', concatBytes(Uint8Array.of(LEAF_VERSION), sized(leaf)))
  for (let from = 33; from < control.length; from += 32) {
    const other = control.slice(from, from + 32)
    const isFirst = Buffer.compare(node, other) < 0
    node = schnorr.utils.taggedHash('TapBranch', isFirst ? concatBytes(node, other) : concatBytes(other, node))
  }
  const tweak = BigInt(`0x${Buffer.from(schnorr.utils.taggedHash('TapTweak', concatBytes(internal, node))).toString('hex')}`)
  const lifted = schnorr.utils.lift_x(BigInt(`0x${Buffer.from(internal).toString('hex')}`))
  const point = lifted.add(secp256k1.Point.BASE.multiply(tweak)).toBytes(true)
  return equalBytes(point.slice(1), output) && (at(control, 0) & 1) === (point[0] === 3 ? 1 : 0)
}

/** The key of a leaf that asks for one signature and otherwise holds only what is never run: OP_FALSE OP_IF … OP_ENDIF. */
function keyOfLeaf(leaf: Uint8Array): Uint8Array {
  const [key, check, ...rest] = Script.decode(leaf)
  const isPlain = key instanceof Uint8Array && key.length === 32 && check === 'CHECKSIG'
  let depth = 0
  for (let i = 0; i < rest.length; i++) {
    if (depth === 0 && !(rest[i] === 0 && rest[i + 1] === 'IF')) throw new ScriptRefused('this emulator verifies leaves with one signature only')
    if (depth === 0) {
      depth = 1
      i++
    } else if (rest[i] === 'ENDIF') depth = 0
  }
  if (!isPlain || depth !== 0) throw new ScriptRefused('this emulator verifies leaves with one signature only')
  return Uint8Array.from(key)
}

function taprootSignature(signature: Uint8Array): { bytes: Uint8Array; type: number } {
  if (signature.length === 64) return { bytes: signature, type: SIGHASH_DEFAULT }
  if (signature.length === 65 && signature[64] === SIGHASH_ALL) return { bytes: signature.slice(0, 64), type: SIGHASH_ALL }
  throw new ScriptRefused('Invalid Schnorr signature size')
}

function isSignedBy(transaction: NetworkTransaction, index: number, amount: bigint, code: Uint8Array, signature: Uint8Array, key: Uint8Array): boolean {
  if (signature.at(-1) !== SIGHASH_ALL) throw new ScriptRefused('this emulator takes signatures of everything only (SIGHASH_ALL)')
  const digest = transaction.library.preimageWitnessV0(index, code, SIGHASH_ALL, amount)
  return isValid(() => secp256k1.verify(signature.slice(0, -1), digest, key, { prehash: false, lowS: true, format: 'der' }))
}

function numberOf(op: unknown): number {
  if (typeof op === 'number') return op
  return typeof op === 'string' && op.startsWith('OP_') ? Number(op.slice(3)) : -1
}

function hash160(bytes: Uint8Array): Uint8Array {
  return ripemd160(sha256(bytes))
}

function sized(bytes: Uint8Array): Uint8Array {
  if (bytes.length < 0xfd) return concatBytes(Uint8Array.of(bytes.length), bytes)
  return concatBytes(Uint8Array.of(0xfd, bytes.length & 0xff, bytes.length >> 8), bytes)
}

function isValid(check: () => boolean): boolean {
  try {
    return check()
  } catch {
    return false
  }
}
