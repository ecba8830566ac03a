import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Endpoint } from '@holdfast/contract'
import { insertSampleRows, openTestDatabase } from '@holdfast/db/test'
import { encode, fromHex, toHex } from '@holdfast/encoding'
import { currentPolicy } from '@holdfast/features/policy/server'
import { closeProposal, tellStoppers } from '@holdfast/features/proposal/server'
import { createSealer } from '@holdfast/features/session/server'
import { pushChallenge, pushShape, type PushStatement, waitingChallenge } from '@holdfast/intent'
import { nodePorts } from '@holdfast/ports/node'
import { proposals } from '../../../apps/server/src/features.ts'
import { approve, assertionOf, ETH, fund, makeWallet, type Member, openWorld, requestWithdrawal, type Wallet, type World } from '../../testing/test-world.ts'
import { callAs } from '../../testing/booked-world.ts'
import { listDevices, removeDevice } from '../contract.ts'
import { DEVICES_MAX, pushPageCalls } from './page-calls.ts'
import { pushEndpoints } from './routes.ts'
import { readPushKey, renewPushSeals } from './push-key.ts'
import { sendDuePushes } from './send-pushes.ts'

const never = new AbortController().signal
const sealer = createSealer([new Uint8Array(32).fill(7)], nodePorts.random)
const MINUTE_MS = 60_000

type Push = { path: string; headers: IncomingMessage['headers']; body: string }

/** A push service of this machine: it takes what it is given, and answers as a test says. */
async function openPushService() {
  const pushes: Push[] = []
  const service = { pushes, status: 201, origin: '', host: '', close: async () => {} }
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    pushes.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(pieces).toString() })
    response.writeHead(service.status, service.status === 302 ? { location: '/elsewhere' } : {}).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  service.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  service.origin = `http://${service.host}`
  service.close = () => new Promise((resolve) => void (server.closeAllConnections(), server.close(() => resolve())))
  return service
}

let world: World
let wallet: Wallet
let service: Awaited<ReturnType<typeof openPushService>>

before(async () => {
  world = await openWorld()
  service = await openPushService()
  wallet = await makeWallet(world, 'Treasury')
  await fund(world, wallet, 100n * ETH)
})
after(async () => {
  await service?.close()
  await world?.close()
})
beforeEach(async () => {
  service.pushes.length = 0
  service.status = 201
  await world.db.asSystem((tx) => tx.deleteFrom('push_subscription').execute())
  world.clock.aheadMs += 10 * MINUTE_MS
})

const needs = () => ({ ...world.context, sealer, localHosts: new Set([service.host]) })
const sweep = () => sendDuePushes(needs(), never)
const ask = async (amount = '0.1') => (await requestWithdrawal(world, wallet, { amount })).order.row.id
const devices = () => world.db.asSystem((tx) => tx.selectFrom('push_subscription').selectAll().orderBy('created_at').execute())

type Wish = Partial<PushStatement> & { signer?: Member; genesis?: Uint8Array; challenge?: (statement: PushStatement) => Uint8Array }

/** Sends a wish as the signer of the approval page passes it on. */
async function wish(member: Member, { signer = member, genesis, challenge = pushChallenge, ...given }: Wish = {}): Promise<{ on: boolean }> {
  const calls = pushPageCalls(needs(), { proposals, ...needs() })
  const { key } = (await calls['push.key']!({})) as { key: string }
  const fresh = { atMs: BigInt(world.context.ports.clock.nowMs()), nonce: nodePorts.random.bytes(32) }
  const statement = { endpoint: `${service.origin}/ben`, on: true, serverKey: fromHex(key), ...fresh, ...given }
  const assertion = { ...assertionOf(signer, challenge(statement)), credentialId: member.credentialId }
  const { fingerprint } = await world.db.asOrganisation(world.orgId, currentPolicy)
  return (await calls['push.set']!({ genesis: toHex(genesis ?? fingerprint), push: toHex(encode(pushShape, { statement, assertion })) })) as { on: boolean }
}

describe('a device', () => {
  it('is told once that something waits for its owner, without a word of what, and no other device is', async () => {
    const [ann, ben] = world.members
    await wish(ben)
    await wish(ann, { endpoint: `${service.origin}/ann` })
    assert.equal(await sweep(), 0)
    await ask()
    assert.equal(await sweep(), 1)
    assert.deepEqual(
      service.pushes.map(({ path, body }) => [path, body]),
      [['/ben', '']],
      'who asked is not told',
    )
    const [{ headers }] = service.pushes as [Push]
    assert.deepEqual([headers['content-length'], headers['urgency'], headers['ttl'], headers['topic']], ['0', 'high', '86400', 'holdfast-waiting'])
    assert.equal(await sweep(), 0)
    world.clock.aheadMs += 10 * MINUTE_MS
    assert.equal(await sweep(), 0, 'of one thing it is told once')
  })

  it('is told by a token that its push service can check with the key that the browser was given', async () => {
    await wish(world.members[1])
    await ask()
    await sweep()
    const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(service.pushes[0]!.headers.authorization!) ?? []
    const [head = '', claims = '', signature = ''] = token.split('.')
    const { publicKey } = await readPushKey(needs())
    assert.deepEqual(new Uint8Array(Buffer.from(key, 'base64url')), publicKey)
    const half = (from: number) => Buffer.from(publicKey.slice(from, from + 32)).toString('base64url')
    const checked = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: half(1), y: half(33) }, format: 'jwk' })
    assert.ok(verify('sha256', Buffer.from(`${head}.${claims}`), { key: checked, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url')))
    const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
    assert.deepEqual(read(head), { typ: 'JWT', alg: 'ES256' })
    const { aud, exp, sub } = read(claims)
    assert.deepEqual([aud, sub], [service.origin, world.context.settings.consoleOrigin])
    const secondsLeft = exp - world.context.ports.clock.nowMs() / 1000
    assert.ok(secondsLeft > 0 && secondsLeft <= 86_400)
  })

  it('is told nothing twice in a minute, however many servers sweep and however much begins to wait', async () => {
    await wish(world.members[1])
    await ask()
    await Promise.all([sweep(), sweep(), sweep()])
    world.clock.aheadMs += 1_000
    await ask()
    await sweep()
    assert.equal(service.pushes.length, 1)
    world.clock.aheadMs += MINUTE_MS
    await sweep()
    assert.equal(service.pushes.length, 2, 'what began to wait meanwhile is told after it')
  })

  it('is told of a reminder once its owner is back, if they are out of office', async () => {
    const [ann, ben] = world.members
    await wish(ben)
    const id = await ask()
    assert.equal(await sweep(), 1)
    world.clock.aheadMs += 10 * MINUTE_MS
    const nowMs = world.context.ports.clock.nowMs()
    await world.db.asOrganisation(world.orgId, async (tx) => {
      const away = { person_id: ben.id, from_at: nowMs, to_at: nowMs + 60 * MINUTE_MS, deputy: null, note: '', ended_at: null, updated_at: nowMs }
      await tx
        .insertInto('absence')
        .values({ org_id: tx.orgId, ...away })
        .execute()
      await tx
        .insertInto('order_reminder')
        .values({ org_id: tx.orgId, order_id: id, person_id: ann.id, times: 1, reminded_at: nowMs + 1 })
        .execute()
    })
    assert.equal(await sweep(), 0)
    world.clock.aheadMs += 61 * MINUTE_MS
    assert.equal(await sweep(), 1)
  })

  it('is told nothing of what its owner has decided, or no longer waits', async () => {
    const [, ben] = world.members
    await wish(ben)
    world.clock.aheadMs += 1_000
    await approve(world, await ask(), ben)
    assert.equal(await sweep(), 0)
    await world.db.asSystem((tx) => tx.updateTable('person').set({ state: 'suspended' }).where('id', '=', ben.id).execute())
    await ask()
    assert.equal(await sweep(), 0, 'nor is one who is suspended told anything')
    await world.db.asSystem((tx) => tx.updateTable('person').set({ state: 'active' }).where('id', '=', ben.id).execute())
  })

  it('is told once more when what has its approvals waits, and its owner can still stop it', async () => {
    const [, ben] = world.members
    const id = await ask()
    await wish(ben)
    assert.equal(await sweep(), 0)
    world.clock.aheadMs += MINUTE_MS
    const untilMs = BigInt(world.context.ports.clock.nowMs() + 10 * MINUTE_MS)
    await world.db.asOrganisation(world.orgId, async (tx) => {
      await closeProposal(tx, id)
      await tellStoppers(tx, world.context, { subjectId: id, untilMs })
    })
    assert.equal(await sweep(), 1)
    world.clock.aheadMs += MINUTE_MS
    await world.db.asOrganisation(world.orgId, (tx) => tellStoppers(tx, world.context, { subjectId: id, untilMs }))
    assert.equal(await sweep(), 0, 'of one thing it is told once')
  })

  it('is forgotten when its push service has forgotten it, and is tried again later when that fails', async () => {
    await wish(world.members[1])
    await ask()
    for (const status of [500, 302, 429]) {
      service.status = status
      assert.equal(await sweep(), 1)
      assert.equal(await sweep(), 0)
      world.clock.aheadMs += 10 * MINUTE_MS
    }
    assert.deepEqual(
      service.pushes.map(({ path }) => path),
      ['/ben', '/ben', '/ben'],
      'a redirect is not followed',
    )
    assert.equal((await devices())[0]?.failures, 3)
    service.status = 410
    await sweep()
    assert.deepEqual(await devices(), [])
    await wish(world.members[1])
    world.clock.aheadMs += MINUTE_MS
    await ask()
    service.status = 404
    await sweep()
    assert.deepEqual(await devices(), [])
  })

  it('whose address leads to a private network is never connected to, and forgotten', async () => {
    const [, ben] = world.members
    await wish(ben, { endpoint: 'https://10.0.0.1/push' })
    await wish(ben, { endpoint: 'https://localhost/push' })
    await ask()
    const connected: string[] = []
    const send: World['context']['ports']['net']['send'] = async ({ url }) => (
      connected.push(url), { status: 201, headers: {}, body: new Uint8Array(), isCut: false }
    )
    const { ports } = world.context
    assert.equal(await sendDuePushes({ ...needs(), ports: { ...ports, net: { ...ports.net, send } } }, never), 2)
    assert.deepEqual([connected, await devices()], [[], []])
    await assert.rejects(wish(ben, { endpoint: 'http://push.example/x' }), { message: /must begin with https/ })
    await assert.rejects(wish(ben, { endpoint: 'https://ann:secret@push.example/x' }), { message: /user name/ })
  })

  it('stays one, and the youngest of a person stay', async () => {
    const [, ben] = world.members
    await wish(ben)
    await wish(ben)
    assert.equal((await devices()).length, 1)
    for (let n = 0; n < DEVICES_MAX; n++) {
      world.clock.aheadMs += 1
      await wish(ben, { endpoint: `https://push.example/${n}` })
    }
    const kept = (await devices()).map(({ endpoint }) => endpoint)
    assert.equal(kept.length, DEVICES_MAX)
    assert.ok(!kept.includes(`${service.origin}/ben`))
  })

  it('is told nothing any more once its owner says so', async () => {
    const [, ben, cleo] = world.members
    await wish(ben)
    await wish(cleo)
    assert.deepEqual(await wish(ben, { on: false }), { on: false })
    assert.deepEqual(
      (await devices()).map(({ person_id }) => person_id),
      [cleo.id],
    )
  })
})

describe('the list of own devices', () => {
  const call = <E extends Endpoint>(endpoint: E, input: Record<string, unknown>, member: number) =>
    callAs({ world, endpoints: pushEndpoints(world.context), member }, endpoint, input)
  const listOf = async (member: number) => (await call(listDevices, {}, member)).list

  it('says of each since when it is told, when it last was and whether it is reached, and never its address', async () => {
    const sinceMs = world.context.ports.clock.nowMs()
    await wish(world.members[1])
    const [before] = await listOf(1)
    assert.deepEqual({ ...before, since: 0 }, { id: before!.id, service: service.host, since: 0, last_told_at: null, failing: false })
    assert.ok(before!.since >= sinceMs)
    world.clock.aheadMs += 1_000
    await ask()
    service.status = 500
    await sweep()
    assert.deepEqual([(await listOf(1))[0]!.last_told_at, (await listOf(1))[0]!.failing], [null, true])
    service.status = 201
    world.clock.aheadMs += 10 * MINUTE_MS
    const toldMs = world.context.ports.clock.nowMs()
    await sweep()
    const [told] = await listOf(1)
    assert.ok(told!.last_told_at! >= toldMs && !told!.failing)
    assert.ok(!JSON.stringify(told).includes('/ben'))
  })

  it('is one of each person alone, and switches off nothing of anybody else', async () => {
    const [, ben, cleo] = world.members
    await wish(ben)
    await wish(cleo)
    await wish(ben, { endpoint: `${service.origin}/second` })
    assert.deepEqual([(await listOf(0)).length, (await listOf(1)).length, (await listOf(2)).length], [0, 2, 1])
    const second = (await listOf(1))[0]!
    await assert.rejects(call(removeDevice, { id: second.id }, 2), { message: /does not exist, or you may not see it/ })
    await call(removeDevice, { id: second.id }, 1)
    assert.deepEqual(
      (await devices()).map(({ person_id, endpoint }) => [person_id, new URL(endpoint).pathname]),
      [
        [ben.id, '/ben'],
        [cleo.id, '/ben'],
      ],
    )
  })
})

describe('the wish to be told', () => {
  it('counts when the owner of the key has signed it just now, for this server, and not otherwise', async () => {
    const [, ben, cleo] = world.members
    const nowMs = () => BigInt(world.context.ports.clock.nowMs())
    await assert.rejects(wish(ben, { signer: cleo }), { message: /signature does not verify/ })
    await assert.rejects(
      wish(ben, { challenge: ({ atMs, nonce }) => waitingChallenge({ atMs, nonce }) }),
      { message: /signature does not verify/ },
      'a question what waits is no such wish',
    )
    for (const atMs of [nowMs() - 310_000n, nowMs() + 310_000n]) await assert.rejects(wish(ben, { atMs }), { message: /not asked just now/ })
    await assert.rejects(wish(ben, { serverKey: new Uint8Array(65).fill(4) }), { message: /another server/ })
    await assert.rejects(wish({ ...ben, credentialId: nodePorts.random.bytes(16) }), { message: /no policy names this key/ })
    await world.db.asSystem((tx) => tx.updateTable('person').set({ state: 'suspended' }).where('id', '=', ben.id).execute())
    await assert.rejects(wish(ben), { message: /suspended/ })
    await world.db.asSystem((tx) => tx.updateTable('person').set({ state: 'active' }).where('id', '=', ben.id).execute())
    assert.deepEqual(await devices(), [])
  })

  it('of one organisation tells nothing of another', async () => {
    const theirs = await insertSampleRows(world.db, 'theirs')
    await assert.rejects(wish(world.members[1], { genesis: nodePorts.random.bytes(32) }), { name: 'AppError' })
    await wish(world.members[1])
    await ask()
    assert.equal(await sweep(), 1)
    assert.deepEqual(
      service.pushes.map(({ path }) => path),
      ['/ben'],
    )
    const seen = await world.db.asOrganisation(theirs.orgId, (tx) => tx.selectFrom('push_subscription').select('org_id').execute())
    assert.deepEqual(seen, [{ org_id: theirs.orgId }])
  })
})

it('the key of the server is made once, kept sealed, and sealed anew with the newest secret', async () => {
  const db = await openTestDatabase()
  try {
    const [one, other] = await Promise.all([readPushKey({ db, ports: nodePorts, sealer }), readPushKey({ db, ports: nodePorts, sealer })])
    assert.deepEqual(one, other)
    const newer = createSealer([new Uint8Array(32).fill(8), new Uint8Array(32).fill(7)], nodePorts.random)
    assert.deepEqual([await db.asSystem((tx) => renewPushSeals(tx, newer)), await db.asSystem((tx) => renewPushSeals(tx, newer))], [1, 0])
    const newest = createSealer([new Uint8Array(32).fill(8)], nodePorts.random)
    assert.deepEqual(await readPushKey({ db, ports: nodePorts, sealer: newest }), one)
    const { sealed_secret } = await db.asSystem((tx) => tx.selectFrom('push_key').select('sealed_secret').executeTakeFirstOrThrow())
    assert.ok(!Buffer.from(sealed_secret, 'base64url').includes(Buffer.from(one.secret)))
  } finally {
    await db.close()
  }
})
