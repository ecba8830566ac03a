import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { concatBytes, decode, type StructShape, toHex } from '@holdfast/encoding'
import { PeerError, type Link, linkPublicKey, listenLink } from '@holdfast/link'
import { PROTOCOL } from '@holdfast/mpc'
import { nodePorts } from '@holdfast/ports/node'
import { type CallDefinition, envelopeShape, type SessionRequest, type Signed, signerCalls, signMessage } from '@holdfast/protocol'
import { createCalls, type SignerCalls } from './calls/calls.ts'
import type { Signer } from './signer.ts'
import { openSigner, PARTIES, resultOf, runSession, TestTime } from './testing/cluster.ts'
import { type Founded, found } from './testing/founded-cluster.ts'

const PROGRAM = fileURLToPath(new URL('main.ts', import.meta.url))
const PARTY = 2

let founded: Founded
let folder: string
let files: string[]

before(async () => {
  founded = await found(nodePorts.clock.nowMs())
  folder = await mkdtemp(join(tmpdir(), 'holdfast-damage-'))
  const all = await readdir(`${founded.root}/${PARTY}`, { recursive: true, withFileTypes: true })
  files = all.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name).slice(`${founded.root}/${PARTY}/`.length))
})
after(async () => {
  await founded?.remove()
  await rm(folder, { recursive: true, force: true })
})

type End = { code: number | null; said: string }

const environment = (data: string, server: { port: number; key: string }) => ({
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: join(folder, 'compiled'),
  SIGNER_PARTY: String(PARTY),
  SIGNER_OPERATOR: 'Somebody',
  SIGNER_DATA: data,
  SIGNER_VAULT_KEY_FILE: join(data, 'vault-key'),
  SIGNER_SERVER_HOST: '127.0.0.1',
  SIGNER_SERVER_PORT: String(server.port),
  SIGNER_SERVER_KEY: server.key,
})

/** Starts the signer as a process on a copy of its folder, damaged by `harm`. It ends, or says that it serves. */
async function startOn(harm: (path: (file: string) => string) => Promise<void>): Promise<End> {
  const copy = await mkdtemp(join(folder, 'copy-'))
  await cp(`${founded.root}/${PARTY}`, copy, { recursive: true })
  await harm((file) => join(copy, file))
  const child = spawn(process.execPath, [PROGRAM, 'run'], { env: environment(copy, { port: 9, key: '00'.repeat(32) }) })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => {
      said += data.toString()
      if (/serves \d+ organisation/.test(said)) child.kill('SIGKILL')
    })
  }
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  await rm(copy, { recursive: true, force: true })
  return { code, said: said.replaceAll(copy, '') }
}

const remove = (path: string) => rm(path, { recursive: true })
const halve = async (path: string) => truncate(path, Math.floor((await stat(path)).size / 2))
const flip = async (path: string) => {
  const bytes = await readFile(path)
  bytes[bytes.length >> 1]! ^= 0x10
  await writeFile(path, bytes)
}

describe('the memory of a signer', () => {
  it('is open to no inspector: the signal that starts one in Node does nothing, however the signer was started', async () => {
    const copy = await mkdtemp(join(folder, 'copy-'))
    await cp(`${founded.root}/${PARTY}`, copy, { recursive: true })
    const child = spawn(process.execPath, [PROGRAM, 'run'], { env: environment(copy, { port: 9, key: '00'.repeat(32) }) })
    let said = ''
    const ended = new Promise<NodeJS.Signals | null>((resolve) => child.on('close', (_code, signal) => resolve(signal)))
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data: Buffer) => {
        const before = said
        said += data.toString()
        if (/serves \d+ organisation/.test(before) || !/serves \d+ organisation/.test(said)) return
        child.kill('SIGUSR1')
        // Were an inspector opened, it would say so before the next signal is taken.
        setTimeout(() => child.kill('SIGTERM'), 500)
      })
    }
    await ended
    await rm(copy, { recursive: true, force: true })
    assert.match(said, /serves \d+ organisation/)
    assert.doesNotMatch(said, /[Dd]ebugger/)
  })
})

describe('a signer on damaged files', () => {
  it('starts on whole ones', async () => {
    const { said } = await startOn(async () => {})
    assert.match(said, /serves 1 organisation/)
  })

  it('stops, names the file and says what to do, whichever of its files is cut short, gone or has one bit changed', async () => {
    assert.deepEqual(files.map((file) => file.replace(/^.*\//, '').replace(/-?[0-9a-f]{64}.*/, '')).sort(), [
      'identity',
      'journal',
      'journal.head',
      'pair-seeds',
      'pair-seeds',
      'share',
      'vault-key',
      'vault-parameters',
    ])
    const guessed: string[] = []
    for (const file of files) {
      for (const [what, harm] of Object.entries({ cut: halve, changed: flip, removed: remove })) {
        // A pair that was never set up has no file; one whose file is gone is set up anew.
        if (file.includes('pair-seeds') && what === 'removed') continue
        const { code, said } = await startOn((path) => harm(path(file)))
        // The two files of a journal stand for each other, and so do the vault key and what it was checked by.
        const named = file.endsWith('.head') ? file.replace('.head', '') : file === 'vault-parameters' ? 'vault-' : file
        const isGood = code === 1 && said.includes(named) && /put back|run `init`/i.test(said) && !/\n\s+at /.test(said)
        if (!isGood) guessed.push(`${file} ${what}: code ${code}, ${said}`)
      }
    }
    assert.deepEqual(guessed, [])
  })

  it('does not take a folder whose journal is gone for a new organisation', async () => {
    const organisation = `organisations/${toHex(founded.organisation.fingerprint)}`
    const { code, said } = await startOn(async (path) => {
      for (const name of ['journal', 'journal.head', 'vault']) await remove(path(`${organisation}/${name}`))
    })
    assert.equal(code, 1)
    assert.match(said, /the journal in it is empty.*put back a whole copy of the folder/)
  })
})

/** The signer as a process on a copy of its folder, linked to a server that this test plays; the other two are in this process. */
async function openLinked(t: TestContext): Promise<{ child: ChildProcess; calls: Map<number, SignerCalls>; secretOf(party: bigint): Uint8Array }> {
  const root = await mkdtemp(join(folder, 'linked-'))
  await cp(founded.root, root, { recursive: true })
  const me = { secretKey: nodePorts.random.bytes(32) }
  const arrived = Promise.withResolvers<Link>()
  const allowed = [founded.organisation.genesis.signers[PARTY - 1]!.signKey]
  const server = await listenLink({ ports: nodePorts, host: '127.0.0.1', port: 0, me, allowed, handlers: [], onLink: arrived.resolve })
  const child = spawn(process.execPath, [PROGRAM, 'run'], { env: environment(`${root}/${PARTY}`, { port: server.port, key: toHex(linkPublicKey(me)) }) })
  const link = await arrived.promise
  const time = new TestTime()
  time.nowMs = nodePorts.clock.nowMs()
  const others: [number, Signer][] = await Promise.all(
    PARTIES.filter((party) => party !== PARTY).map(async (party) => [party, await openSigner(root, party, time)] as [number, Signer]),
  )
  const remote = Object.entries(signerCalls).map(([name, call]) => [
    name,
    (asked: never) => link.call(call as CallDefinition<StructShape, StructShape>, asked, { timeoutMs: 60_000 }),
  ])
  t.after(async () => {
    child.kill('SIGKILL')
    await server.close()
    for (const [, signer] of others) await signer.close()
  })
  const calls = new Map(others.map(([party, signer]) => [party, createCalls(signer)]))
  const secretOf = (party: bigint) => others.find(([each]) => BigInt(each) === party)![1].options.identity.secretKey
  return { child, calls: calls.set(PARTY, Object.fromEntries(remote) as SignerCalls), secretOf }
}

describe('a signer process on the link', () => {
  it('ends the session and not itself on malformed messages of the protocol, and makes a key with the next good ones', async (t) => {
    const { child, calls, secretOf } = await openLinked(t)
    const { fingerprint } = founded.organisation
    const request = (salt: number): SessionRequest => ({
      kind: 'generateKey',
      protocol: PROTOCOL,
      genesis: fingerprint,
      keyId: new Uint8Array(32).fill(salt),
      epoch: 0n,
      parties: [1n, 2n, 3n],
      purpose: 'payments',
      nonce: new Uint8Array(32).fill(salt),
    })
    const random = (length: number) => nodePorts.random.bytes(length)
    /** What somebody between the signers could make of an envelope, on the way, or its sender if that is malicious. */
    const tricks: ((signed: Signed) => Signed[])[] = [
      ({ party }) => [{ message: random(200), party, signature: random(64) }],
      (signed) => [{ ...signed, message: signed.message.subarray(0, signed.message.length >> 1) }],
      (signed) => [{ ...signed, message: new Uint8Array(0) }],
      (signed) => [{ ...signed, message: concatBytes(signed.message, Uint8Array.of(0)) }],
      (signed) => [{ ...signed, party: 200n }],
      (signed) => Array.from({ length: 8 }, () => signed),
      // The sender itself is malicious: its signature is good, and what it says is not of the protocol.
      ({ message, party }) => {
        const envelope = decode(envelopeShape, message)
        return [signMessage(envelopeShape, { ...envelope, body: random(envelope.body.length) }, party, secretOf(party))]
      },
      ({ message, party }) => [signMessage(envelopeShape, { ...decode(envelopeShape, message), body: new Uint8Array(0) }, party, secretOf(party))],
      ({ message, party }) => [signMessage(envelopeShape, { ...decode(envelopeShape, message), round: 255n }, party, secretOf(party))],
    ]
    for (const [i, trick] of tricks.entries()) {
      for (const at of [1, 2]) {
        const outcomes = await runSession(calls, request(10 + 2 * i + at), {
          deliver: (envelopes, to, round) => (to === PARTY && round === at ? envelopes.flatMap(trick) : envelopes),
        })
        const outcome = outcomes.get(PARTY)
        assert.ok(outcome instanceof PeerError && ['fault', 'cheat'].includes(outcome.kind), `trick ${i} in round ${at}: ${String(outcome)}`)
        assert.equal(child.exitCode, null)
      }
    }
    await assert.rejects(calls.get(PARTY)!.openSession({ request: random(500) }), { kind: 'fault' })
    await assert.rejects(calls.get(PARTY)!.startSession({ requestHash: random(32), joins: [], words: [] }))
    await assert.rejects(calls.get(PARTY)!.deliver({ session: random(32), envelopes: [] }))
    const made = await runSession(calls, request(99))
    for (const party of PARTIES) assert.ok(resultOf(made, party).length > 0)
    assert.equal(child.exitCode, null)
  })
})
