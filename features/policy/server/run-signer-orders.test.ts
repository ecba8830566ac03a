import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { AppError } from '@holdfast/contract'
import { encode, toHex } from '@holdfast/encoding'
import { deviceMessage, freezeHash, freezeShape, type FreezeStatement } from '@holdfast/intent'
import { uuidToBytes } from '@holdfast/units'
import { p256 } from '@noble/curves/nist.js'
import { resetScript, type Member, approveAs, approvalOn } from '../../testing/test-world.ts'
import { currentPolicy } from './current-policy.ts'
import { keepFreeze, spreadFreezes } from './freezes.ts'
import { proposeAbsence } from './signer-order/propose-signer-order.ts'
import { startSignerOrders } from './signer-order/run-signer-orders.ts'
import { signerOrders } from './signer-order/signer-order.ts'
import { apply, approveAs as approveChangeAs, draftOf, inOrganisation, lower, openPolicyWorld, propose, world } from './testing/policy-world.ts'
import { keyOf } from '../../testing/request-key.ts'

const ORIGIN = 'http://approve.localhost:24000'

before(() => openPolicyWorld())
beforeEach(() => {
  resetScript(world)
  world.clock.aheadMs = 0
})
after(() => world.close())

const freezesKept = () => inOrganisation((tx) => tx.selectFrom('signing_freeze').selectAll().execute())

/** A freeze as a signer's page passes it on; `key` signs it, that of the member unless told. */
async function freezeOf(member: Member, { key = member, genesis }: { key?: Member; genesis?: Uint8Array } = {}): Promise<Uint8Array> {
  const { ports } = world.context
  const { fingerprint } = await inOrganisation((tx) => currentPolicy(tx))
  const statement: FreezeStatement = {
    genesis: genesis ?? fingerprint,
    person: uuidToBytes(member.id),
    atMs: BigInt(ports.clock.nowMs()),
    nonce: ports.random.bytes(32),
    reason: 'a key was stolen',
  }
  const signature = p256.sign(deviceMessage(freezeHash(statement), ORIGIN), key.secretKey)
  return encode(freezeShape, { statement, assertion: { kind: 'device', credentialId: member.credentialId, origin: ORIGIN, signature } })
}

const refusedAs = (name: string) => (error: unknown) => error instanceof AppError && error.errorName === name

describe('a freeze', () => {
  it('is kept once, and only where the person has signed it for an organisation that is here', async () => {
    const [ann, ben] = world.members
    await assert.rejects(keepFreeze(world.context, await freezeOf(ann, { key: ben })), refusedAs('invalid_parameters'))
    await assert.rejects(keepFreeze(world.context, await freezeOf(ann, { genesis: new Uint8Array(32) })), refusedAs('order_not_found'))
    assert.equal((await freezesKept()).length, 0)
    const given = await freezeOf(ann)
    for (let i = 0; i < 2; i++) assert.deepEqual(await keepFreeze(world.context, given), { state: 'frozen' })
    assert.equal((await freezesKept()).length, 1)
  })

  it('is told to each signer once, and to one that was away as soon as it is there', async () => {
    world.signers.setOnline(1, 2)
    await spreadFreezes(world.context)
    await spreadFreezes(world.context)
    assert.deepEqual(world.signers.toldToFreeze, [1, 2])
    world.signers.setOnline(1, 2, 3)
    await spreadFreezes(world.context)
    await spreadFreezes(world.context)
    assert.deepEqual(world.signers.toldToFreeze, [1, 2, 3])
  })
})

describe('the sweep over orders to the signers', () => {
  const reports: unknown[] = []
  const proposeAway = async (party: number) => {
    const [ann] = world.members
    const asked = { personId: ann.id, language: 'en_US' as const, remark: 'its machine is lost', demandSecondFactor: async () => {} }
    const key = keyOf(`signer-order-${toHex(world.context.ports.random.bytes(8))}`)
    return (await inOrganisation((tx) => proposeAbsence(tx, world.context, { ...asked, key, party, days: 3, away: undefined }))).order
  }
  const stateOf = async (id: string) => (await inOrganisation((tx) => signerOrders.read(tx, id)))!.row.state
  const sweep = async (isDone: () => Promise<boolean>) => {
    const work = startSignerOrders(world.context, (cause) => reports.push(cause))
    while (!(await isDone())) await world.context.ports.timer.sleep(10)
    await work.stop()
  }

  it('brings freezes and approved orders to the signers, ends what nobody approved in time, and leaves what is still open', async () => {
    const [, ben, cleo] = world.members
    const late = await proposeAway(3)
    world.clock.aheadMs = 8 * 24 * 3_600_000
    await sweep(async () => (await stateOf(late.row.id)) === 'expired')
    world.clock.aheadMs = 0
    const order = await proposeAway(3)
    await keepFreeze(world.context, await freezeOf(ben))
    await sweep(async () => world.signers.toldToFreeze.length === 3)
    assert.equal(await stateOf(order.row.id), 'approving')
    for (const member of [ben, cleo]) await approveAs(world, approvalOn(world, order.intent, member))
    world.signers.setOnline(1, 2)
    await sweep(async () => (await stateOf(order.row.id)) === 'followed')
    assert.deepEqual(
      world.signers.followed.map(({ party }) => party),
      [1, 2],
    )
    assert.deepEqual(reports, [])
  })

  it('ends what waits for approvals under a policy that another has followed, so that the same can be requested again at once', async () => {
    const [, ben, cleo] = world.members
    const order = await proposeAway(3)
    const change = await propose(await draftOf(lower))
    for (const member of [ben, cleo]) await approveChangeAs(change, member)
    assert.equal(await apply(change), 'applied')
    await sweep(async () => (await stateOf(order.row.id)) !== 'approving')
    assert.equal(await stateOf(order.row.id), 'superseded')
    const again = await proposeAway(3)
    assert.deepEqual([again.row.state, again.row.policy_version], ['approving', 2n])
    assert.deepEqual(reports, [])
  })
})

it('a freeze is told at once, however many others a signer that is away has still to hear of', async () => {
  const [ann, ben] = world.members
  world.signers.setOnline(1, 2)
  const kept = { record: await freezeOf(ann), person_id: ann.id, told: '[1,2]', created_at: 1n, updated_at: 1n }
  const hashes = Array.from({ length: 250 }, () => world.context.ports.random.bytes(32))
  await inOrganisation((tx) =>
    tx
      .insertInto('signing_freeze')
      .values(hashes.map((hash) => ({ org_id: tx.orgId, hash, ...kept })))
      .execute(),
  )
  world.signers.toldToFreeze.length = 0
  await keepFreeze(world.context, await freezeOf(ben))
  await spreadFreezes(world.context)
  assert.deepEqual(world.signers.toldToFreeze, [1, 2])
})
