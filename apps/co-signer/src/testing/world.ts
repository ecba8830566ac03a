import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { codecFor } from '@holdfast/chain-registry/codec'
import { encode } from '@holdfast/encoding'
import { encodeVote, intentShape, type TransferIntent, type Vote } from '@holdfast/intent'
import { policyHash } from '@holdfast/policy'
import { nodePorts } from '@holdfast/ports/node'
import type { DecideRequest } from '@holdfast/protocol/co-signer-calls'
import { COIN, NOW_MS, organisationOf, type TestOrganisation } from '../../../signer/src/testing/organisation-of.ts'
import { approve, type Member, makeMember } from '../../../signer/src/testing/people.ts'
import type { Decidable } from '../checks/verify-order.ts'
import { CoSigner, type CoSignerPorts } from '../co-signer.ts'
import { Figures } from '../figures.ts'
import type { Limits } from '../limits/read-limits.ts'
import type { Callback, Config } from '../read-config.ts'
import { Journal } from '../state/journal.ts'
import { type CoSignerKey, createKey } from '../state/sealed-key.ts'

export const MACHINE = 'treasury'
export const CHAIN = COIN.chain
export const SUPPLIER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const STRANGER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
export const ETHER = 10n ** 18n
export const [ann, ben, cleo] = ['Ann', 'Ben', 'Cleo'].map(makeMember) as [Member, Member, Member]
const members = [ann, ben, cleo]

/** A cost of scrypt that lets tests make keys without waiting. */
export const QUICK = 2 ** 4

/** People and then this machine approve every payment; only what the machine `askedBy` asks for, where one is named. */
export function organisationWith(
  publicKey: Uint8Array,
  machine: { id?: string; expiresAtMs?: number; kind?: string; askedBy?: { id: string; publicKey: Uint8Array }; need?: bigint; deputies?: Member[] } = {},
): TestOrganisation {
  const { id = MACHINE, expiresAtMs = NOW_MS + 10 * 86_400_000, kind = 'coSigner', askedBy, need = 1n, deputies } = machine
  const who = members.map(({ person }) => ({ kind: 'person' as const, id: person.id }))
  const steps = [
    { need, who },
    { need: 1n, who: [{ kind: 'machine' as const, id }] },
  ]
  return organisationOf({
    members,
    signKeys: [1, 2, 3].map((fill) => new Uint8Array(32).fill(fill)),
    policy: {
      ...(deputies && { deputies: deputies.map(({ person }) => ({ kind: 'person' as const, id: person.id })) }),
      machines: [
        { id, name: 'Treasury', kind, publicKey, purpose: 'looks at every payment', expiresAtMs: BigInt(expiresAtMs) },
        ...(askedBy ? [{ ...askedBy, name: 'Payouts', kind: 'api', purpose: 'asks', expiresAtMs: BigInt(expiresAtMs) }] : []),
      ],
      rules: [
        {
          kind: 'named',
          id: 'payments',
          name: 'Payments',
          level: 'higher',
          covers: { kind: 'payments' },
          conditions: askedBy ? [{ kind: 'askers', who: [{ kind: 'machine', id: askedBy.id }] }] : [],
          limits: [],
          action: { kind: 'approve', steps, mayStop: [], delayMs: 0n, expiresAfterMs: 0n },
        },
      ],
    },
  })
}

export function orderOf(
  { fingerprint, policy }: Pick<TestOrganisation, 'fingerprint' | 'policy'>,
  number: number,
  changes: Partial<TransferIntent> = {},
): TransferIntent {
  const salted = (length: number) => new Uint8Array(length).map((_, i) => (number >> (8 * (i % 4))) & 0xff)
  return {
    kind: 'transfer',
    genesis: fingerprint,
    orderId: salted(16),
    keyId: new Uint8Array(32).fill(7),
    path: [0n, 0n],
    from: '0x9fB29AAc15b9A4B7F17c3385939b007540f4d791',
    to: SUPPLIER,
    memo: null,
    asset: COIN,
    amount: ETHER,
    feeAsset: COIN,
    feeCap: 2_100_000_000_000_000n,
    slotRule: 'account-nonce',
    notBeforeMs: BigInt(NOW_MS - 60_000),
    expiresAtMs: BigInt(NOW_MS + 86_400_000),
    policyVersion: policy.version,
    policyHash: policyHash(policy),
    initiator: cleo.person.id,
    screening: null,
    remark: '',
    nonce: salted(32),
    ...changes,
  }
}

export const requestOf = (intent: Decidable, approvals: readonly Vote[], changes: Partial<DecideRequest> = {}): DecideRequest => ({
  genesis: intent.genesis,
  intent: encode(intentShape, intent),
  approvals: approvals.map(encodeVote),
  rule: null,
  unsigned: null,
  keyStatements: [],
  ...changes,
})

export const limitsOf = (changes: Partial<Limits> = {}): Limits => ({
  networks: [CHAIN],
  assets: [{ network: CHAIN, contract: null, perOrder: '5', perDay: '8' }],
  destinations: { allow: 'any', deny: [] },
  contracts: [],
  stake: [],
  hours: null,
  ...changes,
})

export type World = {
  folder: string
  key: CoSignerKey
  organisation: TestOrganisation
  config: Config
  clock: { nowMs: number }
  figures: Figures
  /** What the callback answers, and each body that it was sent. */
  callback: { answer: (body: Uint8Array, headers: Headers) => Promise<Response> | Response; asked: Record<string, unknown>[] }
  open(changes?: { config?: Partial<Config>; of?: TestOrganisation }): Promise<CoSigner>
  journal(): Journal
  request(number: number, changes?: Partial<TransferIntent>): DecideRequest
}

/** A co-signer with a folder of its own and a callback that says SUCCESS; all end with the test. */
export async function openWorld(t: TestContext, limits: Partial<Limits> = {}, callback?: (url: string) => Callback | null): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'co-signer-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const clock = { nowMs: NOW_MS }
  const ports: CoSignerPorts = { ...nodePorts, clock: { nowMs: () => clock.nowMs, monotonicMs: () => clock.nowMs } }
  const key = await createKey(nodePorts, join(folder, 'key'), 'correct horse battery', QUICK)
  const organisation = organisationWith(key.publicKey)
  const heard: World['callback'] = { answer: () => new Response('SUCCESS'), asked: [] }
  const server = await nodePorts.net.serveHttp('127.0.0.1', 0, async (request) => {
    const body = new Uint8Array(await request.arrayBuffer())
    heard.asked.push(JSON.parse(new TextDecoder().decode(body)) as Record<string, unknown>)
    return heard.answer(body, request.headers)
  })
  t.after(() => server.close())
  await writeFile(join(folder, 'limits.json'), JSON.stringify(limitsOf(limits)))
  const url = `http://127.0.0.1:${server.port}/co-signer`
  const config: Config = {
    organisation: organisation.fingerprint,
    machine: MACHINE,
    server: { host: '127.0.0.1', port: 1, key: new Uint8Array(32) },
    proxy: null,
    files: { key: join(folder, 'key'), journal: join(folder, 'journal'), witness: join(folder, 'witness'), limits: join(folder, 'limits.json') },
    callback: callback ? callback(url) : { form: 'field', url, timeoutMs: 5_000 },
    figures: null,
  }
  const figures = new Figures()
  let journal: Journal | undefined
  t.after(() => journal?.close())
  const world: World = {
    folder,
    key,
    organisation,
    config,
    clock,
    figures,
    callback: heard,
    journal: () => journal as Journal,
    open: async (changes = {}) => {
      await journal?.close()
      journal = await Journal.open(ports, { path: config.files.journal, witnessPath: config.files.witness, key: key.journalKey })
      const coSigner = new CoSigner({
        ports,
        config: { ...config, ...(changes.of && { organisation: changes.of.fingerprint }), ...changes.config },
        key,
        journal,
        figures,
        codecFor,
        say: () => {},
      })
      coSigner.begin((changes.of ?? organisation).record, null)
      return coSigner
    },
    request: (number, changes = {}) => {
      const intent = orderOf(organisation, number, changes)
      return requestOf(intent, [approve(ann, intent, organisation.policy)])
    },
  }
  return world
}

/** What an answer decides, in a word. */
export const wordOf = (answer: Awaited<ReturnType<CoSigner['decide']>>): string =>
  answer.kind === 'later' ? `later: ${answer.reason}` : answer.reason === '' ? 'approve' : `reject: ${answer.reason}`
