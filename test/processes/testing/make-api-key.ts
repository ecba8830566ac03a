import { generateKeyPairSync, type KeyObject, createPublicKey, randomBytes } from 'node:crypto'
import { listMachines, type MachineCalls, type MachineDraft, type MachineRule, saveMachine } from '@holdfast/features/api-key/contract'
import type { KeySettings } from '../../../features/api-key/settings-contract.ts'
import { listPolicyChanges } from '@holdfast/features/policy/contract'
import { createOpenClient, importKey, type OpenClient } from '@holdfast/open-client'
import { nodePorts as ports } from '@holdfast/ports/node'
import { LOCAL_CHAIN } from '../../../apps/launcher/src/local-settings.ts'
import { waitUntil } from '../../../apps/launcher/src/wait-until.ts'
import type { FundedOrganisation } from './funded-organisation.ts'
import type { TestStack } from './start-test-stack.ts'

const RIGHTS = [
  ...['wallet.read', 'address.read', 'address.create', 'withdraw.create', 'withdraw.cancel', 'notification.read'],
  ...['web3.create', 'batch.create', 'tools.read', 'kyt.read', 'kyt.write'],
] as const
const FAR_MS = 4_000_000_000_000

export type ApiKey = { privateKey: KeyObject; keyId: string; client: OpenClient }
export type People = Pick<FundedOrganisation, 'alice' | 'bruno' | 'chiara'>
type Changes = {
  permissions?: readonly string[]
  addresses?: readonly string[]
  wallets?: readonly string[] | null
  privateKey?: KeyObject
  /** What is other about its rule, by which one of two people approves beside it. */
  rule?: Partial<MachineRule>
  /** What contracts it has called, once one of two people approves. */
  calls?: Pick<MachineCalls, 'contracts' | 'functions' | 'max_tokens'>
}

/** An API key that two people approved and that is on, with a client that has its private half. */
export async function makeApiKey(
  { settings: { consoleOrigin } }: Pick<TestStack, 'settings'>,
  people: People,
  appId: string,
  { privateKey = generateKeyPairSync('ed25519').privateKey, ...changes }: Changes = {},
): Promise<ApiKey> {
  const public_key = publicKeyText(privateKey)
  const { key_id: keyId } = await establishKey(people, appId, { kind: 'api', public_key, door_two: null }, changes)
  const key = await importKey(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
  return { privateKey, keyId, client: createOpenClient({ baseUrl: consoleOrigin, keyId, key }) }
}

/** The public key as the policy has it, in hexadecimal digits: 32 bytes of Ed25519, 33 of P-256. */
export function publicKeyText(privateKey: KeyObject): string {
  const { x = '', y } = createPublicKey(privateKey).export({ format: 'jwk' })
  const first = Buffer.from(x, 'base64url').toString('hex')
  return y === undefined ? first : `0${2 + ((Buffer.from(y, 'base64url').at(-1) ?? 0) & 1)}${first}`
}

type Of = { kind: 'api' | 'apiRsa'; public_key: string; door_two: KeySettings['door_two'] }

/** A key that two people approved and that is on, with what the console says of it. */
export async function establishKey(people: People, appId: string, { kind, public_key, door_two }: Of, changes: Omit<Changes, 'privateKey'> = {}) {
  const { permissions = RIGHTS, addresses = ['127.0.0.1', '::1'], wallets = null } = changes
  const a_day = [{ chain: LOCAL_CHAIN, asset: '', max: '1' }]
  const who = [people.bruno, people.chiara].map(({ personId: id }) => ({ kind: 'person' as const, id }))
  const fees = [{ chain: LOCAL_CHAIN, max: '0.1' }]
  const rule = { a_day, orders_a_day: 20, from: [], to: 'any' as const, by: 'people' as const, need: 1, who, co_signer: null, fees, ...changes.rule }
  const called = changes.calls && { calls: { ...changes.calls, chain: LOCAL_CHAIN, max_value: '0', calls_a_day: 20, need: 1, who, co_signer: null } }
  const settings = {
    permissions: [...permissions] as never,
    wallets: wallets === null ? null : [...wallets],
    addresses: [...addresses],
    per_minute: 6000,
    is_on: true,
    door_two,
  }
  return nameMachine(people, { app_id: appId, kind, public_key, rule, ...called }, settings)
}

type Named = Pick<MachineDraft, 'app_id' | 'kind' | 'public_key' | 'rule' | 'calls'>

/** Has two people name a machine in the policy, and waits until it is on. Answers what the console says of it; a co-signer has no `key_id`. */
export async function nameMachine({ alice, bruno, chiara }: People, named: Named, settings?: KeySettings) {
  const { base_version } = await alice.client.call(listMachines, {})
  const draft = { base_version, name: named.app_id, purpose: 'Tests', expire_at: FAR_MS, ...named }
  await alice.client.call(saveMachine, { request_id: `make-${named.app_id}-${randomBytes(4).toString('hex')}`, draft, settings })
  const { list } = await alice.client.call(listPolicyChanges, {})
  for (const member of [bruno, chiara]) await member.decide(list[0]!.intent_hash, 'approve')
  return waitUntil(ports, `the machine ${named.app_id}`, async () => {
    const { list: machines } = await alice.client.call(listMachines, {})
    const found = machines.find((each) => each.app_id === named.app_id)
    const isOn = named.kind === 'coSigner' ? found !== undefined && found.status !== 'pending' : found?.status === 'on'
    return found && isOn ? { ...found, key_id: found.key_id ?? '' } : undefined
  })
}
