import { type ChildProcess, spawn } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { equalBytes, type StructShape, toHex } from '@holdfast/encoding'
import { type Link, linkPublicKey, listenLink } from '@holdfast/link'
import { nodePorts } from '@holdfast/ports/node'
import { type CallDefinition, signerCalls } from '@holdfast/protocol'
import type { SignerCalls } from '../calls/calls.ts'
import { PARTIES, TestTime } from './cluster.ts'
import type { Founded, Office } from './founded-cluster.ts'
import { Log } from './log-of.ts'

const PROGRAM = fileURLToPath(new URL('../main.ts', import.meta.url))
const CALL_MAX_MS = 120_000

/** Three signers as processes, on copies of the founded folders, linked to a server that the test plays. */
export type SignerProcesses = Office & {
  kill(party: number): void
  /** Kills a signer and waits until it is gone. */
  stop(party: number): Promise<void>
  /** Starts a signer that was killed, on its folder as it is then, and waits for its link. */
  revive(party: number): Promise<void>
  /** Called before each call to a signer, with the call's name. */
  watch: { onCall: (party: number, name: string) => void }
}

export async function openProcesses(founded: Founded): Promise<SignerProcesses> {
  const root = await mkdtemp(join(tmpdir(), 'holdfast-processes-'))
  await cp(founded.root, root, { recursive: true })
  const me = { secretKey: nodePorts.random.bytes(32) }
  const signKeys = founded.organisation.genesis.signers.map((signer) => signer.signKey)
  const links = new Map<number, PromiseWithResolvers<Link>>(PARTIES.map((party) => [party, Promise.withResolvers<Link>()]))
  const onLink = (link: Link) => {
    const party = signKeys.findIndex((key) => equalBytes(key, link.peerKey)) + 1
    links.get(party)!.resolve(link)
    // Whoever calls from now on has the newest link: a signer dials again where one was lost.
    const newest = Promise.withResolvers<Link>()
    newest.resolve(link)
    links.set(party, newest)
  }
  const server = await listenLink({ ports: nodePorts, host: '127.0.0.1', port: 0, me, allowed: signKeys, handlers: [], onLink })
  const children = new Map<number, ChildProcess>()
  const start = (party: number) => {
    const data = `${root}/${party}`
    const env = {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: join(root, 'compiled'),
      SIGNER_PARTY: String(party),
      SIGNER_OPERATOR: 'Somebody',
      SIGNER_DATA: data,
      SIGNER_VAULT_KEY_FILE: join(data, 'vault-key'),
      SIGNER_SERVER_HOST: '127.0.0.1',
      SIGNER_SERVER_PORT: String(server.port),
      SIGNER_SERVER_KEY: toHex(linkPublicKey(me)),
      SIGNER_GENESIS_PINS: 'any',
    }
    children.set(party, spawn(process.execPath, ['--disable-sigusr1', PROGRAM, 'run'], { env, stdio: 'ignore' }))
  }
  const watch: SignerProcesses['watch'] = { onCall: () => {} }
  const callsOf = (party: number) =>
    Object.fromEntries(
      Object.entries(signerCalls).map(([name, call]) => [
        name,
        async (asked: never) => {
          const link = await links.get(party)!.promise
          const answer = link.call(call as CallDefinition<StructShape, StructShape>, asked, { timeoutMs: CALL_MAX_MS })
          watch.onCall(party, name)
          return answer
        },
      ]),
    ) as SignerCalls
  const kill = (party: number) => void children.get(party)!.kill('SIGKILL')
  const gone = async (party: number) => {
    const child = children.get(party)!
    if (child.exitCode === null && child.signalCode === null) await new Promise((resolve) => child.once('exit', resolve))
  }
  const time = new TestTime()
  time.nowMs = nodePorts.clock.nowMs()
  const log = new Log(founded.organisation.fingerprint)
  log.append('genesis', founded.organisation.record)
  for (const party of PARTIES) start(party)
  await Promise.all([...links.values()].map((link) => link.promise))
  const noSuch = () => {
    throw new Error('made by the test itself')
  }
  return {
    root,
    time,
    signers: new Map(),
    calls: new Map(PARTIES.map((party) => [party, callsOf(party)])),
    founded,
    log,
    request: noSuch,
    requestWithoutCosigning: noSuch,
    watch,
    kill,
    stop: async (party) => {
      kill(party)
      await gone(party)
    },
    revive: async (party) => {
      await gone(party)
      links.set(party, Promise.withResolvers<Link>())
      start(party)
      await links.get(party)!.promise
    },
    close: async () => {
      for (const child of children.values()) child.kill('SIGKILL')
      await server.close()
      await rm(root, { recursive: true, force: true })
    },
  }
}
