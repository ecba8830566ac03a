/**
 * Measures threshold ECDSA (packages/mpc). Run: `node bench/mpc.bench.ts [signatures]`. Prints one JSON line for each figure.
 * All parties run in this one process on one thread; CPU time is that of the process (process.cpuUsage) divided by the parties. Beside each
 * figure: what it is to reach, and its ratio to the floor, one plain signature of the curve library in the same run. Peers are what npm has under
 * a permissive licence.
 */
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  combine_partial_sigs,
  create_commit_pkg,
  create_dealer_set,
  get_commit_pkg,
  get_group_signing_ctx,
  sign_msg,
  verify_final_sig,
  verify_partial_sig,
} from '@cmdcode/frost/lib'
import { schnorr, schnorr_FROST, secp256k1 } from '@noble/curves/secp256k1.js'
import {
  type EcdsaSignature,
  FROST_ED25519,
  FROST_TAPROOT,
  type KeyShare,
  type Message,
  type PairSeeds,
  PROTOCOL,
  type SchnorrSignature,
  startFrostSigning,
  startKeyGeneration,
  startPairSetup,
  startSigning,
  type Step,
} from '@holdfast/mpc'

const random = (length: number): Uint8Array => new Uint8Array(randomBytes(length))
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
const median = (values: number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!
const round = (value: number): number => Math.round(value * 100) / 100
const print = (figure: Record<string, unknown>): void => console.log(JSON.stringify(figure))

const [genesis, keyId] = [random(32), random(32)]
const contextOf = (me: number, parties: number[], session: Uint8Array, protocol = PROTOCOL) => ({ protocol, genesis, keyId, epoch: 0n, session, me, parties })

/** Runs all parties to the end. `sent` counts the bytes that each sends. */
function run<R>(parties: number[], start: (me: number, session: Uint8Array) => Step<R>): { results: Map<number, R>; cpu: number; wall: number; sent: number } {
  const session = random(32)
  const from = { cpu: cpuMs(), wall: performance.now() }
  let steps = new Map(parties.map((me) => [me, start(me, session)]))
  let sent = 0
  while ([...steps.values()].some((step) => step.awaiting)) {
    const messages: Message[] = [...steps.values()].flatMap((step) => step.outgoing)
    sent += messages.reduce((sum, { body }) => sum + body.length, 0)
    steps = new Map([...steps].map(([me, step]) => [me, step.receive(messages.filter(({ from, to }) => from !== me && (to === 0 || to === me)))]))
  }
  const results = new Map([...steps].map(([me, step]) => [me, step.result!]))
  return { results, cpu: cpuMs() - from.cpu, wall: performance.now() - from.wall, sent: sent / parties.length }
}

const generate = (protocol = PROTOCOL) => run<KeyShare>([1, 2, 3], (me, session) => startKeyGeneration(contextOf(me, [1, 2, 3], session, protocol), random))
const setUp = () => run<PairSeeds>([1, 2], (me, session) => startPairSetup(contextOf(me, [1, 2], session), random))

generate()
const generations = Array.from({ length: 9 }, () => generate())
setUp()
const setUps = Array.from({ length: 5 }, setUp)
const shares = generations[0]!.results
const seeds = setUps[0]!.results
const signOnce = (path: number[]) => {
  const digest = random(32)
  return run<EcdsaSignature>([1, 2], (me, session) =>
    startSigning({ context: contextOf(me, [1, 2], session), share: shares.get(me)!, seeds: seeds.get(me)!, path, digest }, random),
  )
}
const frostShares = new Map([FROST_ED25519, FROST_TAPROOT].map((protocol) => [protocol, generate(protocol).results]))
const signFrost = (protocol: string) => {
  const message = random(32)
  return run<SchnorrSignature>([1, 2], (me, session) =>
    startFrostSigning({ context: contextOf(me, [1, 2], session, protocol), share: frostShares.get(protocol)!.get(me)!, path: [0, 7], message }, random),
  )
}
const secret = random(32)
const signPlain = () => {
  const digest = new Uint8Array(createHash('sha256').update(random(32)).digest())
  const from = cpuMs()
  secp256k1.sign(digest, secret, { prehash: false })
  return cpuMs() - from
}

/** What the library's own FROST costs a party: no session, no derivation, no transport; a dealer made the key. */
const dealt = schnorr_FROST.trustedDealer({ min: 2, max: 3 })
function signLibrary(): void {
  const signers = Object.keys(dealt.secretShares).slice(0, 2)
  const message = random(32)
  const rounds = signers.map((id) => schnorr_FROST.commit(dealt.secretShares[id]!))
  const list = rounds.map(({ commitments }) => commitments)
  const parts = Object.fromEntries(
    signers.map((id, i) => [id, schnorr_FROST.signShare(dealt.secretShares[id]!, dealt.public, rounds[i]!.nonces, list, message)]),
  )
  for (const [i, id] of signers.entries()) {
    // As ours: each party checks the other's share, and the signature.
    schnorr_FROST.verifyShare(dealt.public, list, message, signers[1 - i]!, parts[signers[1 - i]!]!)
    const signature = schnorr_FROST.aggregate(dealt.public, list, message, parts)
    if (!id || !schnorr.verify(signature, message, dealt.public.commitments[0]!.subarray(1))) throw new Error('the library made no signature')
  }
}

const group = create_dealer_set(2, 3, [Buffer.from(random(32)).toString('hex')])
/** The same with @cmdcode/frost (MIT), likewise from a dealt key. */
function signPeer(): void {
  const message = Buffer.from(random(32)).toString('hex')
  const signers = group.shares.slice(0, 2)
  const commits = signers.map((share) => create_commit_pkg(share))
  const sessions = signers.map(() => get_group_signing_ctx(group.group_pk, commits, message))
  const parts = signers.map((share, i) => sign_msg(sessions[i]!, share, get_commit_pkg(commits, share)))
  for (const [i, session] of sessions.entries()) {
    const other = 1 - i
    if (!verify_partial_sig(session, get_commit_pkg(commits, signers[other]!), parts[other]!.pubkey, parts[other]!.psig))
      throw new Error('the peer refused a share')
    if (!verify_final_sig(session, message, combine_partial_sigs(session, parts))) throw new Error('the peer made no signature')
  }
}
const cpuOf = (act: () => void) => {
  const from = cpuMs()
  act()
  return (cpuMs() - from) / 2
}

/** Signatures a second where every core signs: two processes, each both parties of its signatures. */
async function throughput(count: number): Promise<number> {
  const workers = [1, 2].map(() => spawn(process.execPath, [import.meta.filename, 'worker', String(count)], { stdio: ['pipe', 'pipe', 'inherit'] }))
  await Promise.all(workers.map((worker) => new Promise((resolve) => worker.stdout.once('data', resolve))))
  const startedMs = performance.now()
  const ended = workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve)))
  for (const worker of workers) worker.stdin.end('go')
  await Promise.all(ended)
  return (2 * count * 1000) / (performance.now() - startedMs)
}

async function measure(count: number): Promise<void> {
  const measured = {
    'sign ECDSA, key itself': () => signOnce([]).cpu / 2,
    'sign ECDSA, child key two levels down': () => signOnce([0, 7]).cpu / 2,
    'sign ed25519 (FROST), child key': () => signFrost(FROST_ED25519).cpu / 2,
    'sign taproot (FROST), child key': () => signFrost(FROST_TAPROOT).cpu / 2,
    'peer: @noble/curves FROST taproot alone (MIT)': () => cpuOf(signLibrary),
    'peer: @cmdcode/frost taproot (MIT)': () => cpuOf(signPeer),
  }
  const times = new Map(Object.keys(measured).map((name): [string, number[]] => [name, []]))
  const plain: number[] = []
  // Interleaved, so that a slow moment of the machine falls on all alike.
  for (let i = -WARM_UP; i < count; i++) {
    for (const [name, act] of Object.entries(measured))
      if (i < 0) act()
      else times.get(name)!.push(act())
    plain.push(Array.from({ length: 10 }, signPlain).reduce((sum, ms) => sum + ms, 0) / 10)
  }
  const floor = median(plain)
  const figure = (name: string, cpuMsPerParty: number, more: Record<string, unknown> = {}) =>
    print({ figure: name, cpuMsPerParty: round(cpuMsPerParty), timesPlainSignature: round(cpuMsPerParty / floor), ...more })
  print({ figure: 'one plain signature of @noble/curves (the floor)', cpuMs: round(floor) })
  for (const [name, each] of times) figure(name, median(each), name.startsWith('sign ECDSA') ? { signatures: count, toReachMs: 12 } : {})
  print({ figure: 'bytes a party sends for an ECDSA signature', bytesPerParty: signOnce([0, 7]).sent, toReach: 64_000 })
  figure('pair set-up', median(setUps.map(({ cpu }) => cpu / 2)), { bytesPerParty: setUps[0]!.sent, toReachMs: 200 })
  figure('dkg', median(generations.map(({ cpu }) => cpu / 3)), { parties: 3, wallMs: round(median(generations.map(({ wall }) => wall))) })
  print({ figure: 'ECDSA signatures a second, two processes', perSecond: round(await throughput(count)), toReach: 75 })
  print({
    note: 'Threshold ECDSA has no peer here: the npm packages that do it are under the GPL (also where a wasm build of a GPL engine is labelled MIT), or not for commercial use.',
  })
}

const WARM_UP = 20
if (process.argv[2] === 'worker') {
  for (let i = 0; i < WARM_UP; i++) signOnce([0, 7])
  process.stdout.write('ready')
  process.stdin.once('data', () => {
    for (let i = 0; i < Number(process.argv[3]); i++) signOnce([0, 7])
    process.exit()
  })
} else await measure(Number(process.argv[2] ?? 200))
