import { generateKeyPairSync, type KeyObject, createPublicKey, randomBytes } from 'node:crypto'
import { listMachines, saveMachine } from '@holdfast/features/api-key/contract'
import { listPolicyChanges } from '@holdfast/features/policy/contract'
import { createOpenClient, importKey, type OpenClient } from '@holdfast/open-client'
import { nodePorts as ports } from '@holdfast/ports/node'
import { LOCAL_CHAIN } from '../../../apps/launcher/src/local-settings.ts'
import { waitUntil } from '../../../apps/launcher/src/wait-until.ts'
import type { FundedOrganisation } from './funded-organisation.ts'
import type { TestStack } from './start-test-stack.ts'

const RIGHTS = ['wallet.read', 'address.read', 'address.create', 'withdraw.create', 'withdraw.cancel', 'notification.read'] as const
const FAR_MS = 4_000_000_000_000

export type ApiKey = { privateKey: KeyObject; keyId: string; client: OpenClient }
type Changes = { permissions?: readonly string[]; addresses?: readonly string[]; wallets?: readonly string[] | null; privateKey?: KeyObject }

/** An API key that two people approved and that is on, with a client that has its private half. */
export async function makeApiKey(
  { settings: { consoleOrigin } }: Pick<TestStack, 'settings'>,
  { alice, bruno, chiara }: Pick<FundedOrganisation, 'alice' | 'bruno' | 'chiara'>,
  appId: string,
  changes: Changes = {},
): Promise<ApiKey> {
  const { permissions = RIGHTS, addresses = ['127.0.0.1', '::1'], wallets = null, privateKey = generateKeyPairSync('ed25519').privateKey } = changes
  const { base_version } = await alice.client.call(listMachines, {})
  const a_day = [{ chain: LOCAL_CHAIN, asset: '', max: '1' }]
  const by = { by: 'people' as const, need: 1, who: [bruno, chiara].map(({ personId: id }) => ({ kind: 'person' as const, id })) }
  const rule = { a_day, orders_a_day: 20, from: [], to: 'any' as const, ...by, co_signer: null, fees: [{ chain: LOCAL_CHAIN, max: '0.1' }] }
  const public_key = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex')
  const draft = { base_version, app_id: appId, kind: 'api' as const, name: appId, public_key, purpose: 'Tests', expire_at: FAR_MS, rule }
  const settings = {
    permissions: [...permissions] as never,
    wallets: wallets === null ? null : [...wallets],
    addresses: [...addresses],
    per_minute: 6000,
    is_on: true,
  }
  await alice.client.call(saveMachine, { request_id: `make-${appId}-${randomBytes(4).toString('hex')}`, draft, settings })
  const { list } = await alice.client.call(listPolicyChanges, {})
  for (const member of [bruno, chiara]) await member.decide(list[0]!.intent_hash, 'approve')
  const keyId = await waitUntil(ports, `the key ${appId}`, async () => {
    const { list: machines } = await alice.client.call(listMachines, {})
    const found = machines.find((each) => each.app_id === appId)
    return found?.status === 'on' ? (found.key_id ?? undefined) : undefined
  })
  const key = await importKey(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
  return { privateKey, keyId, client: createOpenClient({ baseUrl: consoleOrigin, keyId, key }) }
}
