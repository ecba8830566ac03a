import { bytes, decode, encode, list, type Shape, struct, type StructShape } from '@holdfast/encoding'
import { CheatError, type Message, ProtocolFault, type Step } from '../index.ts'
import { p256 } from '@noble/curves/nist.js'
import { type Group, reduce, scalarBytes } from '../group/group.ts'
import { POINT_BYTES } from '../round/parameters.ts'
import { headerShape, messageShape } from '../round/transcript.ts'
import { flipBit } from './edit-message.ts'
import { hash32, messagesFor, seededRandom } from './run-parties.ts'

/**
 * For tests: one protocol to be tried cell by cell. `rounds` are the shapes of its messages; `start` begins party `me`, always alike for one session name.
 * Party 1 is honest and looked at, party 2 cheats. `isRight` says whether what party 1 got is as good as without the fault.
 */
export type FaultScenario = {
  name: string
  /** The group of the points and scalars in a round's message. */
  group(round: number): FaultGroup
  parties: number[]
  rounds: StructShape[]
  start(me: number, session: string): Step<unknown>
  isRight(result: unknown, honest: unknown): boolean
}

type FaultGroup = Pick<Group, 'order' | 'pointBytes' | 'generator' | 'scalarBytes' | 'multiplyBase' | 'sum'>

export const baseOtGroup: FaultGroup = {
  order: p256.Point.Fn.ORDER,
  pointBytes: POINT_BYTES,
  generator: p256.Point.BASE.toBytes(true),
  scalarBytes,
  multiplyBase: (scalar) => p256.Point.BASE.multiply(scalar).toBytes(true),
  sum: (terms) => {
    const { Fn } = p256.Point
    const total = terms.reduce((sum, { point, by }) => sum.add(p256.Point.fromBytes(point).multiplyUnsafe(Fn.create(by))), p256.Point.ZERO)
    return total.is0() ? null : total.toBytes(true)
  },
}

/** One cell: a fault in a field of a round, or in the message of the round or its header as a whole. `alike`: a broadcast changed for all its receivers. */
export type FaultCell = { round: number; field: string; fault: string; alike: boolean; apply(at: Applied): Message[] }
export type CellOutcome = { kind: 'fault' | 'cheat' | 'harmless'; text: string }

/**
 * What a fault is made from: the honest message, all honest messages of this session and of another one, what the victim sends in this very round, and the
 * number of the trial. Where a cheater speaks last, it knows the victim's message before it sends its own.
 */
type Applied = { message: Message; own: Message[][]; other: Message[][]; outgoing: Message[]; trial: number }
/** `ours` is the victim's value of the same field in the same round, where it sends one. */
type Edit = (value: any, other: any, trial: number, ours: any) => unknown

const MEASURED = { victim: 1, cheater: 2 }

/** All messages of an honest run, and what each party got. */
export function recordRun(scenario: FaultScenario, session: string): { rounds: Message[][]; results: Map<number, unknown> } {
  let steps = new Map(scenario.parties.map((me) => [me, scenario.start(me, session)]))
  const rounds: Message[][] = []
  while ([...steps.values()].some((step) => step.awaiting)) {
    const sent = [...steps.values()].flatMap((step) => step.outgoing)
    rounds.push(sent)
    steps = new Map([...steps].map(([me, step]) => [me, step.receive(messagesFor(me, sent))]))
  }
  return { rounds, results: new Map([...steps].map(([me, step]) => [me, step.result])) }
}

/** Every cell of a protocol, made from the shapes of its messages and from the message that carries them. */
export function cellsOf(scenario: FaultScenario, run: { rounds: Message[][] }): FaultCell[] {
  return scenario.rounds.flatMap((shape, i) => {
    const sent = run.rounds[i]!.filter(({ from }) => from === MEASURED.cheater)
    if (sent.length === 0) return []
    const isBroadcast = sent[0]!.to === 0
    const cell = (field: string, fault: string, apply: FaultCell['apply']) => ({ round: i + 1, field, fault, alike: false, apply })
    const payload = decode(shape, decode(messageShape, sent[0]!.body).payload)
    const inFields = leavesOf(shape, payload).flatMap(({ path, leaf }) =>
      editsOf(leaf, scenario.group(i + 1)).map(([fault, edit]) => cell(path.join('.'), fault, (at) => [editAt(at, shape, path, edit)])),
    )
    const inHeader = Object.keys(headerShape.fields).map((field) =>
      cell(`header.${field}`, 'changed', ({ message }) => {
        const whole = decode(messageShape, message.body)
        return [{ ...message, body: encode(messageShape, { ...whole, header: { ...whole.header, [field]: changed((whole.header as any)[field]) } }) }]
      }),
    )
    const whole = MESSAGE_FAULTS.map(([fault, apply]) => cell('message', fault, apply))
    // A broadcast can lie to one receiver alone, or to all of them alike.
    return [...inFields, ...inHeader, ...whole].flatMap((each) =>
      isBroadcast && !each.field.startsWith('header') && scenario.parties.length > 2 ? [each, { ...each, alike: true }] : [each],
    )
  })
}

/** What party 1 makes of the fault, and, where the fault is told to all alike, party 3 too. Throws whatever is neither of the protocol's two errors. */
export function tryCell(
  scenario: FaultScenario,
  cell: FaultCell,
  runs: { own: ReturnType<typeof recordRun>; other: ReturnType<typeof recordRun> },
  trial: number,
): CellOutcome[] {
  const looked = cell.alike ? scenario.parties.filter((party) => party !== MEASURED.cheater) : [MEASURED.victim]
  return looked.map((party) => {
    try {
      let step = scenario.start(party, 'own')
      for (let round = 1; step.awaiting; round++) {
        const honest = messagesFor(party, runs.own.rounds[round - 1]!)
        const at = (message: Message) => ({ message, own: runs.own.rounds, other: runs.other.rounds, outgoing: step.outgoing, trial })
        step = step.receive(
          round === cell.round ? honest.flatMap((message) => (message.from === MEASURED.cheater ? cell.apply(at(message)) : [message])) : honest,
        )
      }
      if (!scenario.isRight(step.result, runs.own.results.get(party))) throw new Error('a wrong result was given out')
      return { kind: 'harmless', text: 'the result is right' }
    } catch (error) {
      if (error instanceof CheatError) return { kind: 'cheat', text: error.check }
      if (error instanceof ProtocolFault) return { kind: 'fault', text: error.reason }
      throw error
    }
  })
}

type Leaf = { path: (string | number)[]; leaf: Shape | 'list' }

function leavesOf(shape: Shape, value: any, path: (string | number)[] = []): Leaf[] {
  if (shape.kind === 'struct') return Object.entries(shape.fields).flatMap(([name, field]) => leavesOf(field as Shape, value[name], [...path, name]))
  if (shape.kind !== 'list') return [{ path, leaf: shape }]
  return [{ path, leaf: 'list' }, ...value.flatMap((item: unknown, i: number) => leavesOf(shape.item, item, [...path, i]))]
}

/** The kinds of fault a field of this shape can have. */
function editsOf(leaf: Leaf['leaf'], group: FaultGroup): [string, Edit][] {
  if (leaf === 'list') {
    return [
      ['truncation', (value) => value.slice(0, -1)],
      ['empty', () => []],
      ['duplicate', (value) => value.map(() => value[0])],
      ['swap', (value) => [...value].reverse()],
    ]
  }
  if (leaf.kind === 'uint') {
    return [
      ['changed', (value) => changed(value)],
      ['zero', () => 0n],
    ]
  }
  const order = Buffer.from(group.order.toString(16).padStart(64, '0'), 'hex')
  const below = Buffer.from((group.order - 1n).toString(16).padStart(64, '0'), 'hex')
  const isLittle = group.scalarBytes(1n)[0] === 1
  const infinity = new Uint8Array(group.pointBytes)
  if (isLittle) infinity[0] = 1
  const place =
    (pattern: Uint8Array): Edit =>
    (value, _other, trial) =>
      placed(value, pattern, trial)
  return [
    ['bit flip', (value, _other, trial) => (value.length === 0 ? Uint8Array.of(1) : flipBit(value, (trial * 2654435761) % value.length, trial & 7))],
    ['truncation', (value) => value.slice(0, -1)],
    ['half', (value) => value.slice(0, value.length >> 1)],
    ['empty', () => new Uint8Array()],
    ['extension', (value) => new Uint8Array([...value, 0])],
    ['zero', (value) => new Uint8Array(value.length)],
    ['all ones', (value) => new Uint8Array(value.length).fill(0xff)],
    ['point at infinity', place(infinity)],
    ['the generator', place(group.generator)],
    ['another valid point', (value, _other, trial) => placed(value, group.multiplyBase(BigInt(trial + 2)), trial)],
    ['n', place(isLittle ? order.reverse() : order)],
    ['n - 1', place(isLittle ? below.reverse() : below)],
    ['value of another session', (_value, other) => other],
    ...rushingEdits((value, ours, byValue, byOurs) =>
      value.length === 32 && group.pointBytes !== value.length
        ? sumOfScalars(group, isLittle, value, ours, byValue, byOurs)
        : sumOfPoints(group, value, ours, byValue, byOurs),
    ),
    ...(group.pointBytes === 32 ? rushingEdits((...given) => sumOfScalars(group, isLittle, ...given), ' as scalars') : []),
  ]
}

type Sum = (value: Uint8Array, ours: Uint8Array, byValue: bigint, byOurs: bigint) => Uint8Array | null

/** Faults of one who speaks last: the value that turns the sum of both into its opposite, into nothing, into what it was without us, or is ours again. */
function rushingEdits(sum: Sum, kind = ''): [string, Edit][] {
  const combined =
    (byValue: bigint, byOurs: bigint): Edit =>
    (value, _other, _trial, ours) =>
      ours instanceof Uint8Array && ours.length === value.length ? (sum(value, ours, byValue, byOurs) ?? value) : value
  return [
    [`opposite of the sum with ours${kind}`, combined(-1n, -2n)],
    [`opposite of ours${kind}`, combined(0n, -1n)],
    [`less ours${kind}`, combined(1n, -1n)],
    [`with ours${kind}`, combined(1n, 1n)],
    [`ours${kind}`, (value, _other, _trial, ours) => ours ?? value],
  ]
}

/** byValue * value + byOurs * ours of two points; null if they are none, or the sum is infinity. */
function sumOfPoints(group: FaultGroup, value: Uint8Array, ours: Uint8Array, byValue: bigint, byOurs: bigint): Uint8Array | null {
  try {
    return group.sum([
      { point: value, by: byValue },
      { point: ours, by: byOurs },
    ])
  } catch {
    return null
  }
}

/** The same of two scalars. */
function sumOfScalars(group: FaultGroup, isLittle: boolean, value: Uint8Array, ours: Uint8Array, byValue: bigint, byOurs: bigint): Uint8Array | null {
  if (value.length !== 32) return null
  const integer = (encoded: Uint8Array) => BigInt(`0x${Buffer.from(isLittle ? encoded.toReversed() : encoded).toString('hex')}`)
  return group.scalarBytes(reduce(integer(value) * byValue + integer(ours) * byOurs, group.order))
}

/** `pattern` in place of the whole field, or of one of the points or scalars that a long field is made of. */
function placed(value: Uint8Array, pattern: Uint8Array, trial: number): Uint8Array {
  if (value.length <= pattern.length) return Uint8Array.from(pattern)
  const slots = Math.floor(value.length / pattern.length)
  const slot = (trial * 40503) % (slots + 1)
  const changedValue = Uint8Array.from(value)
  changedValue.set(pattern, slot === slots ? value.length - pattern.length : slot * pattern.length)
  return changedValue
}

function changed(value: string | bigint | Uint8Array): string | bigint | Uint8Array {
  if (typeof value === 'bigint') return value ^ 1n
  return typeof value === 'string' ? `${value}x` : flipBit(value, 5, 2)
}

/** The same message with one field changed, encoded without its limits of length, which a cheater does not keep. */
function editAt({ message, other, outgoing, trial }: Applied, shape: StructShape, path: (string | number)[], edit: Edit): Message {
  const whole = decode(messageShape, message.body)
  const payload: any = decode(shape, whole.payload)
  const twin = other[message.round - 1]!.find(({ from, to }) => from === message.from && to === message.to)!
  const heard = outgoing.find(({ round, to }) => round === message.round && (to === 0) === (message.to === 0))
  let [parent, otherParent, ourParent]: any[] = [
    payload,
    decode(shape, decode(messageShape, twin.body).payload),
    heard && decode(shape, decode(messageShape, heard.body).payload),
  ]
  for (const key of path.slice(0, -1)) [parent, otherParent, ourParent] = [parent[key], otherParent[key], ourParent?.[key]]
  const last = path.at(-1)!
  parent[last] = edit(parent[last], otherParent[last], trial, ourParent?.[last])
  return { ...message, body: encode(messageShape, { ...whole, payload: encode(loosened(shape), payload) }) }
}

function loosened<S extends Shape>(shape: S): S {
  if (shape.kind === 'bytes') return bytes() as Shape as S
  if (shape.kind === 'list') return list(loosened(shape.item)) as Shape as S
  if (shape.kind !== 'struct') return shape
  return struct(shape.tag, Object.fromEntries(Object.entries(shape.fields).map(([name, field]) => [name, loosened(field as Shape)]))) as Shape as S
}

const withBody = (message: Message, body: Uint8Array): Message => ({ ...message, body })
const sameIn = (rounds: Message[][], round: number, { from, to }: Message) =>
  rounds[round]?.find((each) => each.from === from && (each.to === 0) === (to === 0)) ?? null

const MESSAGE_FAULTS: [string, FaultCell['apply']][] = [
  ['bit flip', ({ message, trial }) => [withBody(message, flipBit(message.body, (trial * 2654435761 + 97) % message.body.length, trial & 7))]],
  ['truncation', ({ message, trial }) => [withBody(message, message.body.subarray(0, Math.max(0, message.body.length - 1 - trial * 13)))]],
  ['extension', ({ message }) => [withBody(message, new Uint8Array([...message.body, 0]))]],
  ['empty', ({ message }) => [withBody(message, new Uint8Array())]],
  ['random bytes', ({ message, trial }) => [withBody(message, seededRandom(`noise/${trial}`)(200 + trial))]],
  ['missing', () => []],
  ['duplicate', ({ message }) => [message, message]],
  ['replay of another session', ({ message, other }) => [withBody(message, sameIn(other, message.round - 1, message)!.body)]],
  [
    "another round's message",
    ({ message, own }) => [
      withBody(
        message,
        (own[message.round % own.length]!.find(({ from }) => from === message.from) ?? message).body.slice(
          message.round % own.length === message.round - 1 ? 1 : 0,
        ),
      ),
    ],
  ],
  ['wrong round', ({ message }) => [{ ...message, round: message.round + 1 }]],
  ['wrong sender', ({ message }) => [{ ...message, from: 9 }]],
  ['sent as ours', ({ message, outgoing }) => [withBody(message, outgoing[0]?.body ?? hash32('none'))]],
  [
    'swap between receivers',
    ({ message, own }) => [
      withBody(
        message,
        own[message.round - 1]!.find(({ from, to }) => from === message.from && to !== message.to)?.body ??
          own[message.round - 1]!.find(({ from }) => from !== message.from)!.body,
      ),
    ],
  ],
  ['wrong receiver', ({ message }) => [{ ...message, to: message.to === 0 ? 1 : 0 }]],
]
