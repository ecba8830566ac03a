import { hash } from 'node:crypto'
import { bytes, digest, equalBytes, struct } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import { bitOf } from './base-ot.ts'
import { bytesToWords, ROW_WORDS } from './bit-matrix.ts'
import { CheatError, ProtocolFault } from '../round/errors.ts'
import { bytesToInteger, fourIntegers, ORDER, parseScalar, randomScalar, reduce, scalarBytes, scalarHex } from '../group/group.ts'
import { type ExtensionMessage, type ExtensionPrefixes, extendAsReceiver } from './ot-extension.ts'
import { INPUTS, RHO, SCALAR_BYTES, WIDE_BYTES, WIDTH, XI } from '../round/parameters.ts'
import type { Random } from '../round/randomness.ts'
import { hashPrefix, hashWithPrefix, type Session } from '../round/transcript.ts'

/**
 * Random vector OLE, DKLs23 (eprint 2023/765) Protocol 5.2 with l = 2 and rho = 2. Bob gets a random chi and shares d, Alice puts in a = (a_0, a_1) and
 * gets shares c, with c_i + d_i = a_i * chi modulo q. Alice is the OT extension's sender, Bob its receiver.
 */
export const CORRECTIONS_BYTES = XI * WIDTH * SCALAR_BYTES

/** Alice's message: corrections a~ (416 * 4 scalars), eta (2 scalars) and the hash of mu. */
export type VoleMessage = { corrections: Uint8Array; eta0: Uint8Array; eta1: Uint8Array; rowCheck: Uint8Array }

/** The hash prefixes of one multiplication. `peer` is the other party. */
export type VoleSession = { pad: Uint8Array; theta: Uint8Array; rowCheck: Uint8Array; peer: number }
export type BobState = { choices: Uint8Array; rows: Uint32Array; message: ExtensionMessage }
type Pair = [bigint, bigint]

/**
 * A multiple of q above 2^256. It keeps a difference of two pads positive, and stands for zero if a choice bit says that nothing is added: a sum with it
 * takes the same digits and so the same time, where adding 0n is skipped. What is chosen is read from a pair by the bit, without a branch.
 */
const LIFT = 2n * ORDER
/** Bytes of a pad. q is so near 2^256 that 32 uniform bytes are uniform modulo q but for 2^-127, as the wide scalars are. */
const PAD_BYTES = SCALAR_BYTES
const PAD_OPTIONS = { outputLength: WIDTH * PAD_BYTES, outputEncoding: 'hex' } as const

export const noncesShape = struct('holdfast/mpc/rvole/nonces/v1', { bob: bytes(32), alice: bytes(32) })

/**
 * One direction of multiplication between `bob` and `alice`. `nonces` are 32 fresh bytes of each, which both have sent: a pad never comes back, even
 * were a session id used twice by mistake and the peer to repeat itself.
 */
export function openVole(session: Session, bob: number, alice: number, nonces: { bob: Uint8Array; alice: Uint8Array }): VoleSession {
  const data = digest(noncesShape, { bob: nonces.bob, alice: nonces.alice })
  const prefix = (use: string) => hashPrefix(session, `rvole/${use}`, bob, alice, data)
  return { pad: prefix('pad'), theta: prefix('theta'), rowCheck: prefix('row-check'), peer: session.me === bob ? alice : bob }
}

export const gadgetShape = struct('holdfast/mpc/rvole/gadget/v2', { jointSeed: bytes(32) })

/**
 * The public gadget vector g of xi uniform scalars (DKLs23 Protocol 5.2), from the pair's joint seed and nothing else: whatever else of the set-up went in, the
 * party that speaks last could choose until it liked the vector. It is one for the whole life of the seeds, for the same reason.
 */
export function gadgetVector(jointSeed: Uint8Array): bigint[] {
  const hex = Buffer.from(hashWithPrefix(XI * WIDE_BYTES, digest(gadgetShape, { jointSeed }))).toString('hex')
  return fours(hex, XI, 8 * WIDE_BYTES).map((value) => value % ORDER)
}

/** Bob, steps 1 and 2: random choice bits beta, chi = sum of g_j beta_j, and the OT extension's message. */
export function startAsBob(extension: ExtensionPrefixes, gadget: readonly bigint[], keys: Uint8Array, random: Random): { chi: bigint; state: BobState } {
  const state = extendAsReceiver(extension, keys, random)
  let chi = 0n
  for (let j = 0; j < XI; j++) chi += at([LIFT, LIFT + at(gadget, j)], bitOf(state.choices, j))
  return { chi: chi % ORDER, state }
}

/** Alice, step 3: her shares c of a * chi and her message. `rows` are those of `extendAsSender` with `delta`. */
export function answerAsAlice(
  vole: VoleSession,
  gadget: readonly bigint[],
  rows: Uint32Array,
  delta: Uint8Array,
  inputs: Pair,
  random: Random,
): { shares: Pair; message: VoleMessage } {
  const deltaWords = bytesToWords(delta)
  const checks: Pair = [randomScalar(random), randomScalar(random)] // a^, one for each check column
  const values = [...inputs, ...checks].map((value) => value + LIFT)
  const pads = new PadReader(vole.pad)
  const zeros: bigint[][] = []
  const shares: Pair = [0n, 0n]
  let corrections = ''
  for (let j = 0; j < XI; j++) {
    const zero = pads.read(j, rows, null)
    const one = pads.read(j, rows, deltaWords)
    // a~_{j,i} = alpha^0_{j,i} - alpha^1_{j,i} + a_i
    for (let i = 0; i < WIDTH; i++) corrections += scalarHex((zero[i]! - one[i]! + values[i]!) % ORDER)
    for (let i = 0; i < INPUTS; i++) shares[i]! += gadget[j]! * zero[i]!
    zeros.push(zero)
  }
  const message = { corrections: new Uint8Array(Buffer.from(corrections, 'hex')) }
  const theta = thetaOf(vole, message.corrections)
  const etaOf = (k: 0 | 1) => reduce(checks[k] + at(theta, k) * inputs[0] + at(theta, RHO + k) * inputs[1])
  // mu_{j,k} = alpha^0_{j,l+k} + sum over i of theta_{i,k} alpha^0_{j,i}; only its hash is sent.
  const rowCheck = rowCheckOf(vole, zeros.map((zero) => muOf(theta, zero)).flat())
  return {
    shares: [reduce(-shares[0]), reduce(-shares[1])],
    message: { ...message, eta0: scalarBytes(etaOf(0)), eta1: scalarBytes(etaOf(1)), rowCheck },
  }
}

/** Bob, steps 4 and 5: his shares d. Throws ProtocolFault for values out of range and CheatError where Alice's inputs differ between the OTs. */
export function finishAsBob(vole: VoleSession, gadget: readonly bigint[], state: BobState, message: VoleMessage): Pair {
  const corrections = parseCorrections(message.corrections, vole.peer)
  const eta = [parseScalar(message.eta0, vole.peer, 'eta'), parseScalar(message.eta1, vole.peer, 'eta')]
  const theta = thetaOf(vole, message.corrections)
  const pads = new PadReader(vole.pad)
  const shares: Pair = [0n, 0n]
  const mu: bigint[] = []
  for (let j = 0; j < XI; j++) {
    const chosen = bitOf(state.choices, j)
    const pad = pads.read(j, state.rows, null)
    for (let i = 0; i < WIDTH; i++) pad[i]! += [LIFT, LIFT + corrections[j * WIDTH + i]!][chosen]!
    for (let i = 0; i < INPUTS; i++) shares[i]! += gadget[j]! * pad[i]!
    // Alice's mu differs from ours by eta exactly where we chose 1.
    muOf(theta, pad).forEach((value, k) => mu.push((value + [LIFT, LIFT - eta[k]!][chosen]!) % ORDER))
  }
  // DKLs23 Protocol 5.2 step 5: all of Alice's OTs carried the same inputs. What passes depends on our choices, hence a cheat and not a fault.
  if (!equalBytes(rowCheckOf(vole, mu), message.rowCheck)) throw new CheatError(vole.peer, 'multiplication consistency (DKLs23 Protocol 5.2)')
  return [reduce(shares[0]), reduce(shares[1])]
}

/** `count` integers of `bits` bits each, `count` a multiple of four. */
function fours(hex: string, count: number, bits: number): bigint[] {
  const digits = bits // four integers of bits / 4 digits each
  const integers: bigint[] = []
  for (let at = 0; at < count / 4; at++) integers.push(...fourIntegers(hex.slice(at * digits, (at + 1) * digits), bits))
  return integers
}

/** The XOF in one call, at half the cost of a hash object. Node before 24.4 does not know the length wanted, and must not give a short pad. */
function padOf(input: Uint8Array): string {
  const pad = hash('shake256', input, PAD_OPTIONS)
  if (pad.length !== 2 * PAD_OPTIONS.outputLength) throw new Error('this Node does not hash to a given length in one call: use 24.4 or later')
  return pad
}

/** The pads of the OTs: random oracle of (row index, row) to four integers of 256 bits, left unreduced. */
class PadReader {
  readonly #input: Uint8Array
  readonly #view: DataView

  constructor(prefix: Uint8Array) {
    // Fixed layout: 32 bytes of prefix, 2 of row index, 16 of row.
    this.#input = new Uint8Array(prefix.length + 2 + ROW_WORDS * 4)
    this.#input.set(prefix)
    this.#view = new DataView(this.#input.buffer, prefix.length)
  }

  /** Pads of row j, or of row j + offset. */
  read(j: number, rows: Uint32Array, offset: Uint32Array | null): bigint[] {
    this.#view.setUint16(0, j)
    for (let word = 0; word < ROW_WORDS; word++) this.#view.setUint32(2 + word * 4, at(rows, j * ROW_WORDS + word) ^ (offset ? at(offset, word) : 0), true)
    return fourIntegers(padOf(this.#input), 8 * PAD_BYTES)
  }
}

/** theta_{i,k} at i * rho + k: the Fiat-Shamir challenge on Alice's corrections. */
function thetaOf(vole: VoleSession, corrections: Uint8Array): bigint[] {
  const uniform = hashWithPrefix(INPUTS * RHO * WIDE_BYTES, vole.theta, corrections)
  return Array.from({ length: INPUTS * RHO }, (_, i) => bytesToInteger(uniform.subarray(i * WIDE_BYTES, (i + 1) * WIDE_BYTES)) % ORDER)
}

function muOf(theta: readonly bigint[], pad: readonly bigint[]): bigint[] {
  return [0, 1].map((k) => (pad[INPUTS + k]! + theta[k]! * pad[0]! + theta[RHO + k]! * pad[1]!) % ORDER)
}

function rowCheckOf(vole: VoleSession, mu: readonly bigint[]): Uint8Array {
  return hashWithPrefix(32, vole.rowCheck, Buffer.from(mu.map(scalarHex).join(''), 'hex'))
}

/** All corrections, each below q. All are looked at whatever we chose: a refusal must not depend on our choice bits. */
function parseCorrections(encoded: Uint8Array, peer: number): bigint[] {
  const hex = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.length).toString('hex')
  const corrections = fours(hex, XI * WIDTH, 8 * SCALAR_BYTES)
  if (corrections.some((value) => value >= ORDER)) throw new ProtocolFault(peer, 'a correction is not below the group order')
  return corrections
}
