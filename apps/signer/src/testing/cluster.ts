import { cp } from 'node:fs/promises'
import { codecFor } from '@holdfast/chain-registry/codec'
import { decode, encode } from '@holdfast/encoding'
import type { PeerError } from '@holdfast/link'
import { PROTOCOL } from '@holdfast/mpc'
import { nodePorts } from '@holdfast/ports/node'
import { envelopeShape, requestHash, type SessionRequest, sessionRequestShape, type Signed } from '@holdfast/protocol'
import { createCalls, type SignerCalls } from '../calls/calls.ts'
import type { Endorsed } from '../calls/endorse.ts'
import { createIdentity } from '../state/identity.ts'
import { type Turn } from '../sessions/sessions.ts'
import { Signer, type SignerConfig, type SignerPorts } from '../signer.ts'
import { openVaultKeys } from '../state/vault-key.ts'
import type { AskedKeyOrder } from '../checks/verify-key-order.ts'
import type { Log } from './log-of.ts'
import { NOW_MS } from './organisation-of.ts'

export const PARTIES = [1, 2, 3] as const
/** Every two of them. */
export const PAIRS = [
  [1n, 2n],
  [1n, 3n],
  [2n, 3n],
] as const

/** Time as a test wants it: the wall clock stands, and what waits for a time goes off when it is told to. */
export class TestTime {
  nowMs = NOW_MS
  readonly #waiting = new Set<() => void>()

  get ports(): SignerPorts {
    return {
      ...nodePorts,
      clock: { nowMs: () => this.nowMs, monotonicMs: nodePorts.clock.monotonicMs },
      timer: {
        sleep: nodePorts.timer.sleep,
        after: (_ms, callback) => {
          this.#waiting.add(callback)
          return () => void this.#waiting.delete(callback)
        },
      },
    }
  }

  /** Lets every wait come to its end. */
  fire(): void {
    for (const callback of [...this.#waiting]) {
      this.#waiting.delete(callback)
      callback()
    }
  }
}

export type Cluster = { root: string; time: TestTime; signers: Map<number, Signer>; calls: Map<number, SignerCalls>; close(): Promise<void> }

/** One signer on the folder of its party; a fresh one where the folder is empty. */
export async function openSigner(root: string, party: number, time: TestTime, changes: Partial<SignerConfig> = {}): Promise<Signer> {
  const dataFolder = `${root}/${party}`
  const storage = { dataFolder, identityPath: `${dataFolder}/identity`, vaultKey: { kind: 'file' as const, path: `${dataFolder}/vault-key` } }
  await nodePorts.disk.makeFolder(dataFolder)
  const vaultKeys = await openVaultKeys(nodePorts, storage, { create: true })
  const identity = await createIdentity(nodePorts, storage.identityPath, vaultKeys.identity)
  const config: SignerConfig = {
    party,
    name: `signer-${party}`,
    operator: `Operator ${party}`,
    dataFolder,
    peers: null,
    genesisPins: 'any',
    approval: null,
    ...changes,
  }
  return Signer.open({ ports: time.ports, config, identity, vaultKeys, codecFor, pageHash: null })
}

/** Three signers in this process, with a folder each under `root`. */
export async function openCluster(root: string, changes: Partial<SignerConfig> = {}): Promise<Cluster> {
  const time = new TestTime()
  const signers = new Map<number, Signer>()
  for (const party of PARTIES) signers.set(party, await openSigner(root, party, time, changes))
  const calls = new Map([...signers].map(([party, signer]) => [party, createCalls(signer)]))
  return { root, time, signers, calls, close: async () => void (await Promise.all([...signers.values()].map((signer) => signer.close()))) }
}

/** Stops one signer and starts it again, on the folder as it is then. */
export async function restart(cluster: Cluster, party: number, meanwhile: (folder: string) => Promise<void> = async () => {}): Promise<void> {
  await cluster.signers.get(party)!.close()
  await meanwhile(`${cluster.root}/${party}`)
  const signer = await openSigner(cluster.root, party, cluster.time)
  cluster.signers.set(party, signer)
  cluster.calls.set(party, createCalls(signer))
}

export const copyFolder = (from: string, to: string): Promise<void> => cp(from, to, { recursive: true, force: true })

/** Has every signer (or those given) sign the log's newest checkpoint, as a server does. Returns their lines. */
export async function cosignAll(cluster: Cluster, log: Log, parties: readonly number[] = PARTIES): Promise<string[]> {
  const { size, root } = log.checkpoint
  const lines: string[] = []
  for (const party of parties) {
    const calls = cluster.calls.get(party)!
    const { logSize } = await calls.status({ genesis: log.genesis })
    const proof = log.tree.consistencyProof(Number(logSize))
    lines.push((await calls.cosignCheckpoint({ genesis: log.genesis, size: BigInt(size), root, oldSize: logSize, proof })).line)
  }
  return lines
}

/** Where a test may put its hand into the relay. */
export type Relay = {
  joins?: (joins: Signed[], to: number) => Signed[]
  /** The words that a party is handed. */
  words?: (words: Signed[], to: number) => Signed[]
  /** What is handed to a party in a round (counted from 1), or null if nothing is. */
  deliver?: (envelopes: Signed[], to: number, round: number) => Signed[] | null
}

/**
 * Carries a session between its parties in lockstep, as the server does. Gives each party's result; a party that failed
 * has its error instead.
 */
export async function runSession(calls: ReadonlyMap<number, SignerCalls>, request: SessionRequest, relay: Relay = {}): Promise<Map<number, Turn | PeerError>> {
  const parties = request.parties.map(Number)
  const encoded = encode(sessionRequestShape, request)
  const hash = requestHash(request)
  const outcomes = new Map<number, Turn | PeerError>()
  const each = async <T>(which: readonly number[], act: (party: number) => Promise<T>): Promise<Map<number, T>> => {
    const failed = (party: number) => (cause: PeerError) => void outcomes.set(party, cause)
    const done = await Promise.all(which.map((party) => act(party).then((value) => [party, value] as const, failed(party))))
    return new Map(done.filter((entry) => entry !== undefined))
  }
  const joined = await each(parties, (party) => calls.get(party)!.openSession({ request: encoded }))
  if (joined.size === parties.length) {
    const joins = parties.map((party) => joined.get(party)!)
    const words = request.kind === 'sign' ? await gatherWords(calls, request.genesis, joins) : []
    let turns = await each(parties, (party) =>
      calls.get(party)!.startSession({ requestHash: hash, joins: relay.joins?.(joins, party) ?? joins, words: relay.words?.(words, party) ?? words }),
    )
    for (let round = 1; ; round++) {
      for (const [party, turn] of turns) if (turn.done) outcomes.set(party, turn)
      const outgoing = [...turns.values()].flatMap((turn) => turn.outgoing)
      const waiting = [...turns].filter(([, turn]) => !turn.done)
      const handedTo = (party: number) => (relay.deliver ? relay.deliver(forParty(outgoing, party), party, round) : forParty(outgoing, party))
      const handed = waiting.map(([party, turn]) => ({ party, session: turn.session, envelopes: handedTo(party) }))
      const served = new Map(handed.filter(({ envelopes }) => envelopes !== null && envelopes.length > 0).map((entry) => [entry.party, entry]))
      if (served.size === 0) break
      turns = await each([...served.keys()], (party) =>
        calls.get(party)!.deliver({ session: served.get(party)!.session, envelopes: served.get(party)!.envelopes! }),
      )
    }
  }
  await Promise.all(parties.map((party) => calls.get(party)!.endSession({ requestHash: hash })))
  return outcomes
}

/** What all three say on the session that these joins make. A signer that is not there, or says nothing, is left out. */
export async function gatherWords(calls: ReadonlyMap<number, SignerCalls>, genesis: Uint8Array, joins: Signed[]): Promise<Signed[]> {
  const ask = async (party: number) => calls.get(party)?.giveWord({ genesis, joins })
  const given = await Promise.all(PARTIES.map((party) => ask(party).catch(() => undefined)))
  return given.filter((word) => word !== undefined)
}

/** Has signers follow the next version of the policy, with the words of all that would. Throws what the first of them refuses. */
export async function applyPolicy(calls: ReadonlyMap<number, SignerCalls>, genesis: Uint8Array, record: Uint8Array, parties: readonly number[] = PARTIES) {
  const endorsements = await endorsementsOf(calls, genesis, { kind: 'policyChange', record })
  const versions: bigint[] = []
  for (const party of parties) versions.push((await calls.get(party)!.applyPolicy({ genesis, record, endorsements })).version)
  return versions
}

/** The words of all signers that would follow something; whoever would not, or is not there, is left out. */
export async function endorsementsOf(calls: ReadonlyMap<number, SignerCalls>, genesis: Uint8Array, subject: Endorsed): Promise<Signed[]> {
  const ask = async (party: number) => calls.get(party)?.endorse({ genesis, subject })
  const given = await Promise.all(PARTIES.map((party) => ask(party).catch(() => undefined)))
  return given.filter((word) => word !== undefined)
}

/** Has one signer follow an order about a key, with the words of all that would. */
export async function followKeyOrder(calls: ReadonlyMap<number, SignerCalls>, asked: AskedKeyOrder, party: number): Promise<Signed> {
  const { genesis, ...order } = asked
  return calls.get(party)!.followKeyOrder({ ...asked, endorsements: await endorsementsOf(calls, genesis, { kind: 'order', ...order }) })
}

function forParty(outgoing: readonly Signed[], party: number): Signed[] {
  return outgoing.filter((signed) => {
    const { from, to } = decode(envelopeShape, signed.message)
    return Number(from) !== party && (to === 0n || Number(to) === party)
  })
}

/** Has the three of an organisation make an ECDSA key under this id. */
export function generateKey(calls: Cluster['calls'], { genesis, keyId, nonce }: Pick<SessionRequest, 'genesis' | 'keyId' | 'nonce'>) {
  const parties = PARTIES.map(BigInt)
  return runSession(calls, { kind: 'generateKey', protocol: PROTOCOL, genesis, keyId, epoch: 0n, parties, purpose: 'payments', nonce })
}

/** The turn of a party that got a result. Throws what the party failed with. */
export function resultOf(outcomes: ReadonlyMap<number, Turn | PeerError>, party: number): Uint8Array {
  const outcome = outcomes.get(party)
  if (outcome === undefined) throw new Error(`party ${party} has neither a result nor an error`)
  if (outcome instanceof Error) throw outcome
  return outcome.result
}
