import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { decode, encode, toHex } from '@holdfast/encoding'
import { drillDigest, drillRecordShape, kitHash, recoveryKitShape } from '@holdfast/protocol'
import { nodePorts } from '@holdfast/ports/node'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sql } from 'kysely'
import { makeWallet, openWorld, type Wallet, type World } from '../../testing/test-world.ts'
import { demoDrillUrl, holdDemoDrill } from './demo-drill.ts'

let world: World
let wallet: Wallet
let holder: { port: number; close(): Promise<void> }
/** What whoever holds drills answers to a kit. */
let answer: (kit: Uint8Array) => Promise<Response>

before(async () => {
  world = await openWorld()
  holder = await nodePorts.net.serveHttp('127.0.0.1', 0, async (request) => answer(new Uint8Array(await request.arrayBuffer())))
})
after(async () => {
  await holder.close()
  await world.close()
})
beforeEach(async () => {
  wallet = await makeWallet(world)
  const [own] = world.policy.recovery.map(({ recipients }) => recipients)
  Object.assign(world.context.settings, { demoRecipients: [own, own, own], demoDrillUrl: `http://127.0.0.1:${holder.port}` })
  await markDemo(true)
  answer = async (kit) => new Response(new Uint8Array(await proofOf(kit)))
})

const markDemo = (demo: boolean) => world.db.asSystem((tx) => sql`update organisation set demo = ${demo} where id = ${world.orgId}::uuid`.execute(tx))
const url = () => world.db.asOrganisation(world.orgId, (tx) => demoDrillUrl(tx, world.context.settings))
const hold = () => holdDemoDrill(world.context, world.orgId, wallet.walletId)

/** The proof that the recovery tool writes for a kit. */
async function proofOf(bytes: Uint8Array): Promise<Uint8Array> {
  const kit = decode(recoveryKitShape, bytes)
  const { secret } = world.signers.keys.get(toHex(kit.keyId))!
  const genesis = await world.db.asOrganisation(world.orgId, async (tx) => (await tx.selectFrom('genesis').select('hash').executeTakeFirstOrThrow()).hash)
  const drill = { genesis, keyId: kit.keyId, epoch: kit.epoch, kitHash: kitHash(kit), addressesChecked: 1n, atMs: BigInt(world.context.ports.clock.nowMs()) }
  const signature = secp256k1.sign(drillDigest(drill), Buffer.from(secret.toString(16).padStart(64, '0'), 'hex'), { prehash: false })
  return encode(drillRecordShape, { drill, signature })
}

test('the drill of a demo is held for whoever asks, and its proof opens deposits like any other', async () => {
  const { state, depositsOpen } = await hold()
  assert.deepEqual([state, depositsOpen], ['verified', true])
})

test('no drill is held for a real organisation, nor for one whose shares others open, nor where nobody holds drills', async () => {
  const { settings } = world.context
  const refused = async (why: string) => {
    assert.equal(await url(), undefined, why)
    await assert.rejects(hold(), { errorName: 'not_permitted' }, why)
  }
  await markDemo(false)
  await refused('a real organisation')
  await markDemo(true)
  Object.assign(settings, { demoRecipients: [['age1another'], ['age1another'], ['age1another']] })
  await refused('recipients of others')
  Object.assign(settings, { demoRecipients: null })
  await refused('no demos here')
  const [own] = world.policy.recovery.map(({ recipients }) => recipients)
  Object.assign(settings, { demoRecipients: [own, own, own], demoDrillUrl: null })
  await refused('nobody holds drills')
})

test('what is answered in place of a proof opens nothing, and is refused in words', async () => {
  const state = async () =>
    world.db.asOrganisation(world.orgId, (tx) => tx.selectFrom('recovery_kit').select('verified_at').orderBy('created_at', 'desc').executeTakeFirstOrThrow())
  answer = async () => new Response('the kit does not hold', { status: 422 })
  await assert.rejects(hold(), { errorName: 'drill_not_held' })
  answer = async () => new Response('not a proof')
  await assert.rejects(hold(), { errorName: 'invalid_parameters' })
  answer = async () => new Response('x'.repeat(6_001))
  await assert.rejects(hold(), { errorName: 'drill_not_held' })
  assert.equal((await state()).verified_at, null)
})
