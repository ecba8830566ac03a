/**
 * Measures whether what touches secrets takes a time that depends on them (dudect: Reparaz, Balasch, Verbauwhede, DATE 2017): a fixed input against random
 * ones, interleaved at random, cropped at percentiles, compared by Welch's t. Run: `node bench/timing.bench.ts [runs]`. Prints one JSON line for each step.
 * |t| above 4.5 says that the two classes differ; below, that this many runs do not show it. `t` is the largest of all crops, with its sign, so that it is
 * rather too large. Two controls say what the figures are worth: a step known to leak, which has to be found, and one class measured against itself, which
 * must not differ.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { answerBaseOts, chooseBaseOts, openBaseOts } from '../packages/mpc/src/transfer/base-ot.ts'
import { bytesToInteger, ORDER, reduce, scalarBytes } from '../packages/mpc/src/group/group.ts'
import { multiplyGenerator, multiplySecret } from '../packages/mpc/src/group/multiply-secret.ts'
import { extendAsReceiver, extendAsSender, extensionPrefixes } from '../packages/mpc/src/transfer/ot-extension.ts'
import { COLUMN_BYTES, LAMBDA_C, OT_KEY_BYTES } from '../packages/mpc/src/round/parameters.ts'
import { answerAsAlice, finishAsBob, gadgetVector, openVole, startAsBob } from '../packages/mpc/src/transfer/rvole.ts'
import { openSession } from '../packages/mpc/src/round/transcript.ts'
import { openSegments, sealSegments } from '../packages/open-wire/src/index.ts'

type Class = 'fixed' | 'random'
/** `prepare` makes an input outside the measured time; `act` is measured, `times` times over. */
type Step<I> = { name: string; fixed: string; times: number; share: number; prepare(kind: Class): I; act(input: I): unknown }

const RUNS = Number(process.argv[2] ?? 4000)
const WARM_UP = 200
const random = (length: number): Uint8Array => new Uint8Array(randomBytes(length))
const scalar = (): bigint => 1n + (bytesToInteger(random(48)) % (ORDER - 1n))
const zeros = (length: number): Uint8Array => new Uint8Array(length)
const step = <I>(each: Step<I>): Step<unknown> => each as Step<unknown>
const point = secp256k1.Point.BASE.multiply(scalar())

const session = openSession(
  { protocol: 'dkls23/v1', genesis: random(32), keyId: random(32), epoch: 0n, session: random(32), me: 1, parties: [1, 2] },
  'timing',
  2,
  random(32),
)
const prefixes = extensionPrefixes(session, 1, 2, random(32))
const gadget = gadgetVector(random(32))
const both = random(2 * LAMBDA_C * OT_KEY_BYTES)
const chosenOf = (delta: Uint8Array) => {
  const keys = new Uint8Array(LAMBDA_C * OT_KEY_BYTES)
  for (let i = 0; i < LAMBDA_C; i++) {
    const at = (2 * i + ((delta[i >> 3]! >> (i & 7)) & 1)) * OT_KEY_BYTES
    keys.set(both.subarray(at, at + OT_KEY_BYTES), i * OT_KEY_BYTES)
  }
  return keys
}
/** A generator whose first draw, which is the choice bits, is given. */
const drawing = (first: Uint8Array) => {
  let isFirst = true
  return (length: number) => {
    if (!isFirst || length !== first.length) return random(length)
    isFirst = false
    return first
  }
}
const delta = random(LAMBDA_C / 8)
const vole = openVole(session, 1, 2, { bob: random(32), alice: random(32) })
const bobWith = (choices: Uint8Array) => {
  const { state } = startAsBob(prefixes, gadget, both, drawing(choices))
  const rows = extendAsSender(prefixes, delta, chosenOf(delta), state.message, 1)
  return { state, message: answerAsAlice(vole, gadget, rows, delta, [scalar(), scalar()], random).message }
}
const choicesOf = (kind: Class) => (kind === 'fixed' ? zeros(COLUMN_BYTES) : random(COLUMN_BYTES))
const scalarOf = (kind: Class, fixed = 1n) => (kind === 'fixed' ? fixed : scalar())
const basePrefix = random(32)
const setUpWith = (choices: Uint8Array) => {
  const chosen = chooseBaseOts(basePrefix, choices, random)
  return { chosen, answer: answerBaseOts(basePrefix, chosen.message, 2, random).answer }
}

const program = generateKeyPairSync('rsa', { modulusLength: 2048 })
const SEALED = Buffer.from(sealSegments('x'.repeat(8 * 234), program.privateKey), 'base64url')
/** A request at door two of which one segment, or all of them, the key has not made. */
const harmed = (at: number, length = 256) => {
  const bytes = Buffer.from(SEALED)
  bytes.set(random(length), at)
  return bytes.toString('base64url')
}

const steps: Step<unknown>[] = [
  step({
    name: 'control that leaks: library, variable time',
    fixed: 'scalar 2^100 + 5',
    times: 1,
    share: 1,
    prepare: (kind) => scalarOf(kind, (1n << 100n) + 5n),
    act: (k) => point.multiplyUnsafe(k),
  }),
  step({
    name: 'control that does not: one class twice',
    fixed: 'random',
    times: 1,
    share: 1,
    prepare: () => scalar(),
    act: (k) => multiplySecret(point, k, random),
  }),
  step({ name: 'multiplySecret', fixed: 'scalar 1', times: 1, share: 1, prepare: (kind) => scalarOf(kind), act: (k) => multiplySecret(point, k, random) }),
  step({
    name: 'multiplySecret',
    fixed: 'scalar 2^200 + 5',
    times: 1,
    share: 1,
    prepare: (kind) => scalarOf(kind, (1n << 200n) + 5n),
    act: (k) => multiplySecret(point, k, random),
  }),
  step({
    name: 'multiplyGenerator (k_i, sk_i, c, d)',
    fixed: 'scalar 1',
    times: 1,
    share: 1,
    prepare: (kind) => scalarOf(kind),
    act: (k) => multiplyGenerator(k, random),
  }),
  step({
    name: 'multiplyGenerator (k_i, sk_i, c, d)',
    fixed: 'scalar q - 1',
    times: 1,
    share: 1,
    prepare: (kind) => scalarOf(kind, ORDER - 1n),
    act: (k) => multiplyGenerator(k, random),
  }),
  step({
    name: 'library: multiply G by a long-lived scalar',
    fixed: 'scalar 1',
    times: 1,
    share: 1,
    prepare: (kind) => scalarOf(kind),
    act: (k) => secp256k1.Point.BASE.multiply(k),
  }),
  step({
    name: 'OT extension, receiver: columns of its choices',
    fixed: 'no choices',
    times: 1,
    share: 1,
    prepare: choicesOf,
    act: (choices) => extendAsReceiver(prefixes, both, drawing(choices)),
  }),
  step({
    name: 'OT extension, sender: check under delta',
    fixed: 'delta 0',
    times: 1,
    share: 1,
    prepare: (kind) => {
      const own = kind === 'fixed' ? zeros(LAMBDA_C / 8) : random(LAMBDA_C / 8)
      return { own, keys: chosenOf(own), message: extendAsReceiver(prefixes, both, random).message }
    },
    act: ({ own, keys, message }) => extendAsSender(prefixes, own, keys, message, 1),
  }),
  step({
    name: 'multiplication, Bob: chi of his choices',
    fixed: 'no choices',
    times: 1,
    share: 1,
    prepare: choicesOf,
    act: (choices) => startAsBob(prefixes, gadget, both, drawing(choices)),
  }),
  step({
    name: 'multiplication, Bob: shares and check',
    fixed: 'no choices',
    times: 1,
    share: 0.2,
    prepare: (kind) => bobWith(choicesOf(kind)),
    act: ({ state, message }) => finishAsBob(vole, gadget, state, message),
  }),
  step({
    name: 'multiplication, Alice: corrections of her inputs',
    fixed: 'inputs 1, 1',
    times: 1,
    share: 0.2,
    prepare: (kind) => {
      const { message } = extendAsReceiver(prefixes, both, random)
      const inputs: [bigint, bigint] = kind === 'fixed' ? [1n, 1n] : [scalar(), scalar()]
      return { rows: extendAsSender(prefixes, delta, chosenOf(delta), message, 1), inputs }
    },
    act: ({ rows, inputs }) => answerAsAlice(vole, gadget, rows, delta, inputs, random),
  }),
  step({ name: 'scalarBytes', fixed: 'scalar 1', times: 50, share: 2, prepare: (kind) => scalarOf(kind), act: scalarBytes }),
  step({
    name: 'bytesToInteger',
    fixed: '32 zero bytes but the last',
    times: 50,
    share: 2,
    prepare: (kind) => scalarBytes(scalarOf(kind)),
    act: bytesToInteger,
  }),
  step({
    name: 'reduce, a product of two scalars',
    fixed: '1 times a scalar',
    times: 50,
    share: 2,
    prepare: (kind) => [scalarOf(kind), scalar()] as const,
    act: ([a, b]) => reduce(a * b),
  }),
  step({
    name: 'half of a signature: u = r mask + c + d',
    fixed: 'r = 1',
    times: 50,
    share: 2,
    prepare: (kind) => [scalarOf(kind), scalar(), scalar()] as const,
    act: ([r, mask, c]) => scalarBytes(reduce(r * mask + c)),
  }),
  step({
    name: 'half of a signature: w = m phi + r v',
    fixed: 'phi = 1',
    times: 50,
    share: 2,
    prepare: (kind) => [scalarOf(kind), scalar(), scalar(), scalar()] as const,
    act: ([phi, m, r, v]) => scalarBytes(reduce(m * phi + r * v)),
  }),
  step({
    name: 'door two: a request that is not right',
    fixed: 'its first segment, against its last',
    times: 1,
    share: 0.5,
    prepare: (kind) => harmed(kind === 'fixed' ? 0 : SEALED.length - 256),
    act: (data) => openSegments(data, program.publicKey),
  }),
  step({
    name: 'door two: a request that is not right',
    fixed: 'one segment, against all of them',
    times: 1,
    share: 0.5,
    prepare: (kind) => harmed(0, kind === 'fixed' ? 256 : SEALED.length),
    act: (data) => openSegments(data, program.publicKey),
  }),
  step({
    name: 'pair set-up: points of the choices',
    fixed: 'no choices',
    times: 1,
    share: 0.01,
    prepare: (kind) => (kind === 'fixed' ? zeros(16) : random(16)),
    act: (choices) => chooseBaseOts(basePrefix, choices, random),
  }),
  step({
    name: 'pair set-up: keys of the choices',
    fixed: 'no choices',
    times: 1,
    share: 0.01,
    prepare: (kind) => setUpWith(kind === 'fixed' ? zeros(16) : random(16)),
    act: ({ chosen, answer }) => openBaseOts(basePrefix, chosen, answer, 2),
  }),
]

/** Welch's t of two samples. */
function welch(a: readonly number[], b: readonly number[]): number {
  const [first, second] = [a, b].map((values) => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)
    return { mean, error: variance / values.length }
  }) as [{ mean: number; error: number }, { mean: number; error: number }]
  return (first.mean - second.mean) / Math.sqrt(first.error + second.error || Number.MIN_VALUE)
}

const CROPS = [1, 0.95, 0.9, 0.75, 0.5]
const quantile = (sorted: readonly number[], part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!

function measure(each: Step<unknown>): void {
  const runs = Math.max(40, Math.round(RUNS * each.share))
  const times: Record<Class, number[]> = { fixed: [], random: [] }
  for (let run = -Math.min(WARM_UP, runs); run < runs; run++) {
    const kind: Class = random(1)[0]! & 1 ? 'fixed' : 'random'
    const input = each.prepare(kind)
    const from = process.hrtime.bigint()
    for (let i = 0; i < each.times; i++) each.act(input)
    const tookNs = Number(process.hrtime.bigint() - from) / each.times
    if (run >= 0) times[kind].push(tookNs)
  }
  const all = [...times.fixed, ...times.random].sort((a, b) => a - b)
  // Interrupts and collections make the long tail; what depends on the input is in front of it.
  const cropped = CROPS.map((part) => {
    const limit = quantile(all, part)
    return welch(
      times.fixed.filter((ns) => ns <= limit),
      times.random.filter((ns) => ns <= limit),
    )
  })
  const t = cropped.reduce((worst, value) => (Math.abs(value) > Math.abs(worst) ? value : worst), 0)
  const medianUs = (kind: Class) =>
    Math.round(
      quantile(
        [...times[kind]].sort((a, b) => a - b),
        0.5,
      ) / 10,
    ) / 100
  console.log(
    JSON.stringify({
      figure: `timing: ${each.name}`,
      fixed: each.fixed,
      runs,
      medianUsFixed: medianUs('fixed'),
      medianUsRandom: medianUs('random'),
      t: Math.round(t * 10) / 10,
      differs: Math.abs(t) > 4.5,
    }),
  )
}

for (const each of steps) measure(each)
