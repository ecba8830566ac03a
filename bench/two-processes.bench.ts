/**
 * Measures a threshold signature between two processes: each party in its own, messages over the operating system's pipe.
 * Run: `node bench/two-processes.bench.ts [signatures]`. Wall time, from the start at one party to the signature at both.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import {
  FROST_ED25519,
  type KeyShare,
  type Message,
  type PairSeeds,
  PROTOCOL,
  startFrostSigning,
  startKeyGeneration,
  startPairSetup,
  startSigning,
  type Step,
} from '@holdfast/mpc'

type Task = { share: KeyShare; seeds: PairSeeds | null; session: Uint8Array; digest: Uint8Array }
type ToPeer = { kind: 'start'; task: Task } | { kind: 'messages'; messages: Message[] }
type FromPeer = { messages: Message[]; done: boolean }

const WARM_UP = 40
const PATH = [0, 7]
const random = (length: number): Uint8Array => new Uint8Array(randomBytes(length))
const contextOf = (share: KeyShare, session: Uint8Array, me: number, parties: number[]) => {
  const { protocol, genesis, keyId, epoch } = share
  return { protocol, genesis, keyId, epoch, session, me, parties }
}
function start({ share, seeds, session, digest }: Task, me: number): Step<unknown> {
  const input = { context: contextOf(share, session, me, [1, 2]), share, path: PATH }
  return seeds ? startSigning({ ...input, seeds, digest }, random) : startFrostSigning({ ...input, message: digest }, random)
}

/** The second party: takes what the first one sends, and answers each time with what it has to say. */
function bePeer(): void {
  let step: Step<unknown>
  process.on('message', (heard: ToPeer) => {
    if (heard.kind === 'start') step = start(heard.task, 2)
    else step = step.receive(heard.messages)
    process.send!({ messages: step.outgoing, done: !step.awaiting } satisfies FromPeer)
  })
}

/** Runs all parties in this process; for making the key, which is not measured here. */
function runHere<R>(parties: number[], begin: (me: number) => Step<R>): Map<number, R> {
  let steps = new Map(parties.map((me) => [me, begin(me)]))
  while ([...steps.values()].some((step) => step.awaiting)) {
    const messages = [...steps.values()].flatMap((step) => step.outgoing)
    steps = new Map([...steps].map(([me, step]) => [me, step.receive(messages.filter(({ from, to }) => from !== me && (to === 0 || to === me)))]))
  }
  return new Map([...steps].map(([me, step]) => [me, step.result!]))
}

const answerOf = (peer: ChildProcess, message: ToPeer): Promise<FromPeer> =>
  new Promise((resolve) => {
    peer.once('message', (answer) => resolve(answer as FromPeer))
    peer.send(message)
  })

async function signOnce(peer: ChildProcess, shares: Map<number, KeyShare>, seeds: Map<number, PairSeeds> | null): Promise<number> {
  const [session, digest] = [random(32), random(32)]
  const startedMs = performance.now()
  const answering = answerOf(peer, { kind: 'start', task: { share: shares.get(2)!, seeds: seeds?.get(2) ?? null, session, digest } })
  let step = start({ share: shares.get(1)!, seeds: seeds?.get(1) ?? null, session, digest }, 1)
  let answer = await answering
  while (step.awaiting || !answer.done) {
    const ours = step.outgoing
    const next = answer.done ? undefined : answerOf(peer, { kind: 'messages', messages: ours })
    if (step.awaiting) step = step.receive(answer.messages)
    answer = next ? await next : answer
  }
  return performance.now() - startedMs
}

async function measure(protocol: string, count: number): Promise<void> {
  const [genesis, keyId] = [random(32), random(32)]
  const making = { protocol, genesis, keyId, epoch: 0n, session: random(32) }
  const shares = runHere<KeyShare>([1, 2, 3], (me) => startKeyGeneration({ ...making, me, parties: [1, 2, 3] }, random))
  const seeds = protocol === PROTOCOL ? runHere<PairSeeds>([1, 2], (me) => startPairSetup({ ...making, me, parties: [1, 2] }, random)) : null
  // Structured cloning: byte arrays and big integers travel as they are.
  const peer = fork(import.meta.filename, ['peer'], { serialization: 'advanced' })
  for (let i = 0; i < WARM_UP; i++) await signOnce(peer, shares, seeds)
  const times: number[] = []
  const plain: number[] = []
  for (let i = 0; i < count; i++) {
    times.push(await signOnce(peer, shares, seeds))
    plain.push(plainMs())
  }
  peer.disconnect()
  const [median, floor] = [times, plain].map((each) => [...each].sort((a, b) => a - b)[count >> 1]!) as [number, number]
  const round = (value: number) => Math.round(value * 100) / 100
  console.log(
    JSON.stringify({
      figure: `sign, child key, two processes, ${protocol}`,
      signatures: count,
      wallMs: round(median),
      toReachMs: protocol === PROTOCOL ? 16 : 15,
      timesPlainSignature: round(median / floor),
    }),
  )
}

const plainSecret = random(32)
/** The floor: one ordinary signature of the curve library. */
function plainMs(): number {
  const startedMs = performance.now()
  secp256k1.sign(random(32), plainSecret, { prehash: false })
  return performance.now() - startedMs
}

if (process.argv[2] === 'peer') bePeer()
else for (const protocol of [PROTOCOL, FROST_ED25519]) await measure(protocol, Number(process.argv[2] ?? 200))
