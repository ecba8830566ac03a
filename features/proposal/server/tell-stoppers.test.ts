import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { encode, toHex } from '@holdfast/encoding'
import { currentPolicy } from '@holdfast/features/policy/server'
import { waitingChallenge, waitingShape } from '@holdfast/intent'
import { uuidToBytes } from '@holdfast/units'
import { approveBy, namedRule, personOf } from '../../../packages/policy/src/testing/named-rules.ts'
import {
  approvalOf,
  approveAs,
  assertionOf,
  ETH,
  fund,
  makeWallet,
  type Member,
  openWorld,
  pageCalls,
  requestWithdrawal,
  type Wallet,
  type World,
} from '../../testing/test-world.ts'
import { signOrder } from '../../transfer/server/signing/sign-order.ts'

const HOUR_MS = 3_600_000
const STRANGER = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const idOf = ({ id }: Member) => personOf({ id: uuidToBytes(id) })

let world: World
let wallet: Wallet

before(async () => {
  world = await openWorld({
    namedRules: ([, ben, cleo]) => [
      namedRule('slow', { action: approveBy([{ need: 1n, who: [idOf(ben!)] }], { delayMs: BigInt(HOUR_MS), mayStop: [idOf(cleo!)] }) }),
    ],
  })
  wallet = await makeWallet(world)
  await fund(world, wallet, 20n * ETH)
})
after(() => world.close())

const says = async (orderId: string, by: number, decision: 'approve' | 'reject') =>
  approveAs(world, await approvalOf(world, orderId, world.members[by]!, decision))

const mails = () =>
  world.db.asOrganisation(world.orgId, (tx) =>
    tx.selectFrom('mail').select(['about_id', 'person_id', 'subject', 'body']).where('org_id', '=', tx.orgId).where('topic', '=', 'order_stoppable').execute(),
  )

async function waitingFor(member: Member): Promise<string[]> {
  const statement = { atMs: BigInt(world.context.ports.clock.nowMs()), nonce: world.context.ports.random.bytes(32) }
  const assertion = { ...assertionOf(member, waitingChallenge(statement)), credentialId: member.credentialId }
  const { fingerprint } = await world.db.asOrganisation(world.orgId, currentPolicy)
  const body = { genesis: toHex(fingerprint), waiting: toHex(encode(waitingShape, { statement, assertion })) }
  return ((await pageCalls(world)['order.waiting']!(body)) as { hashes: string[] }).hashes
}

/** An order that has its approvals and waits an hour. */
async function waitingOrder(): Promise<{ id: string; hash: string; untilMs: number }> {
  const { order } = await requestWithdrawal(world, wallet, { amount: '1', to: STRANGER })
  await says(order.row.id, 1, 'approve')
  const untilMs = world.context.ports.clock.nowMs() + HOUR_MS
  world.signers.seesQuorum = () => ({ signableAtMs: BigInt(untilMs), isSignable: false })
  assert.equal(await signOrder(world.context, world.orgId, order.row.id), 'wait')
  return { id: order.row.id, hash: toHex(order.row.intent_hash), untilMs }
}

it('tells whoever can still stop an approved order once, by e-mail, until when, and neither who approved it nor what it is', async () => {
  const [, , cleo] = world.members
  const { id, untilMs } = await waitingOrder()
  assert.equal(await signOrder(world.context, world.orgId, id), 'wait', 'asked again before its time')
  const told = await mails()
  assert.deepEqual(
    told.map((each) => [each.about_id, each.person_id]),
    [[id, cleo.id]],
  )
  const until = new Date(untilMs).toISOString().slice(0, 16).replace('T', ' ')
  assert.ok(told[0]!.body.includes(until), told[0]!.body)
  assert.match(told[0]!.body, /\/mpc\/inbox/)
  assert.doesNotMatch(told[0]!.body, /ETH|0x/)
  await says(id, 2, 'reject')
})

it('lists it for them at the approval page for as long as a no stops it', async () => {
  const [, ben, cleo] = world.members
  const stopped = await waitingOrder()
  assert.deepEqual([await waitingFor(cleo), await waitingFor(ben)], [[stopped.hash], []])
  await says(stopped.id, 2, 'reject')
  assert.deepEqual(await waitingFor(cleo), [], 'it was stopped')
  const late = await waitingOrder()
  assert.deepEqual(await waitingFor(cleo), [late.hash])
  world.clock.aheadMs += HOUR_MS
  assert.deepEqual(await waitingFor(cleo), [], 'its time is over')
})
