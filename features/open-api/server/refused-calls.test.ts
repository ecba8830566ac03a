import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { after, before, test } from 'node:test'
import { AppError } from '@holdfast/contract'
import type { Door, IncomingCall } from '@holdfast/http'
import { componentsOf, signatureBase, signatureParams } from '@holdfast/http-signatures'
import { known } from '@holdfast/units'
import { namedRule } from '../../../packages/policy/src/testing/named-rules.ts'
import { readCalls } from '../../api-key/server/call-log.ts'
import { openWorld, type World } from '../../testing/test-world.ts'
import { SHARED_CALLS } from '../open-contract.ts'
import { openDoor } from './open-door.ts'

const MACHINE = 'payouts'
const HERE = '203.0.113.7'
const own = generateKeyPairSync('ed25519')
const stranger = generateKeyPairSync('ed25519')

let world: World
let door: Door

before(async () => {
  const publicKey = Uint8Array.from(own.publicKey.export({ type: 'spki', format: 'der' }).subarray(-32))
  const machine = { id: MACHINE, name: 'Payouts', kind: 'api', publicKey, purpose: '', expiresAtMs: 4_000_000_000_000n }
  world = await openWorld({ machines: [machine], namedRules: () => [namedRule('nothing')] })
  const settings = { permissions: ['wallet.read'], wallets: null, addresses: [HERE], per_minute: 1, is_on: true, door_two: null }
  const row = { machine_id: MACHINE, version: 1, document: JSON.stringify(settings), base_version: 0, change_id: null, made_by: null, made_at: 1 }
  await world.db.asOrganisation(world.orgId, (tx) =>
    tx
      .insertInto('machine_settings')
      .values({ org_id: tx.orgId, ...row, state: 'in_force', decided_by: null, decided_at: null })
      .execute(),
  )
  // What a call does is not what is looked at here.
  const handled = Object.values(SHARED_CALLS).map(({ of: endpoint }) => ({ endpoint, forAnybody: async () => ({}) }))
  door = openDoor(world.context, { proposals: {} as never, handled: handled as never, document: { paths: {} } })
})
after(() => world.close())

/** A signed call of the wallets of the key. */
function callOf({ key = own.privateKey, ip = HERE, query = '' }: { key?: KeyObject; ip?: string; query?: string } = {}): IncomingCall {
  const [method, path] = ['GET', '/open/v1/wallets']
  const created = Math.floor(world.context.ports.clock.nowMs() / 1000)
  const nonce = randomBytes(18).toString('base64')
  const components = componentsOf(false)
  const params = signatureParams(components, { created, nonce, keyId: `${world.orgId}.${MACHINE}`, algorithm: 'ed25519' })
  const authority = new URL(world.context.settings.consoleOrigin).host
  const base = known(signatureBase({ method, authority, path, query: '', headers: {} }, components, params), 'what is signed')
  const headers = { 'signature-input': `sig=${params}`, signature: `sig=:${sign(null, Buffer.from(base), key).toString('base64')}:` }
  return { method, path, query, headers, body: undefined, ip, requestId: createHash('sha256').update(nonce).digest('hex').slice(0, 16) }
}

/** What the door says of a call, which is written down as the server does it. */
async function said(call: IncomingCall): Promise<AppError | undefined> {
  const { endpoint } = known(
    door.endpoints.find((each) => each.endpoint.path === call.path),
    'the call',
  )
  const refused = await door.admit(endpoint, call).then(
    () => undefined,
    (cause: unknown) => (cause instanceof AppError ? cause : Promise.reject(cause)),
  )
  await door.record(call, { httpStatus: refused?.httpStatus ?? 200, code: refused?.code ?? '0', durationMs: 1 })
  return refused
}

test('a refused call is in the log with why, and one too many is told when there is one again', async () => {
  assert.equal((await said(callOf({ key: stranger.privateKey })))?.code, '100005')
  assert.equal((await said(callOf({ ip: '198.51.100.1' })))?.code, '100007')
  assert.equal(await said(callOf()), undefined)
  const late = await said(callOf())
  assert.equal(late?.code, '300006')
  const { retry_after: seconds } = late?.details ?? {}
  assert.ok(Number.isInteger(seconds) && Number(seconds) >= 1 && Number(seconds) <= 60, String(seconds))
  const { list } = await world.db.asOrganisation(world.orgId, (tx) => readCalls(tx, { page_no: 1, page_size: 20 }))
  assert.deepEqual(list.map(({ code, refused, ip }) => [code, refused, ip]).toReversed(), [
    ['100005', 'signature', HERE],
    ['100007', 'address', '198.51.100.1'],
    ['0', null, HERE],
    ['300006', 'rate', HERE],
  ])
})

test('a refused call whose query has a NUL is in the log as any other', async () => {
  assert.equal((await said(callOf({ key: stranger.privateKey, query: 'note=a%00b' })))?.code, '100005')
  const { list } = await world.db.asOrganisation(world.orgId, (tx) => readCalls(tx, { page_no: 1, page_size: 1 }))
  assert.deepEqual(
    list.map(({ code, body_masked: body }) => [code, body]),
    [['100005', 'note=a\ufffdb']],
  )
})
