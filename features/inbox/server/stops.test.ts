import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { MemberContext } from '@holdfast/http'
import { permissionsOf } from '@holdfast/features/session/server'
import { uuidToBytes } from '@holdfast/units'
import { approveBy, dayLimit, namedRule, NOWHERE, personOf } from '../../../packages/policy/src/testing/named-rules.ts'
import { proposals } from '../../../apps/server/src/features.ts'
import { approvalOf, approveAs, ETH, fund, makeWallet, type Member, openWorld, requestWithdrawal, type Wallet, type World } from '../../testing/test-world.ts'
import { CHAIN } from '../../testing/scripted-chain.ts'
import { signOrder } from '../../transfer/server/signing/sign-order.ts'
import { listInbox } from '../contract.ts'
import { inboxEndpoints } from './routes.ts'

const HOUR_MS = 3_600_000
const STRANGERS = ['0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65', '0x976EA74026E726554dB657fA54763abd0C3a0aa9'] as const
const idOf = ({ id }: Member) => personOf({ id: uuidToBytes(id) })

let world: World
let wallet: Wallet

const inbox = async (member: number) => {
  const caller = { orgId: world.orgId, personId: world.members[member]!.id, language: 'en_US', session: { permissions: permissionsOf('owner') } }
  const { handler } = inboxEndpoints(world.context, proposals).find(({ endpoint }) => endpoint.path === listInbox.path)!
  return listInbox.output.parse(await handler(caller as unknown as MemberContext, {} as never))
}
const ask = async (to: string) => (await requestWithdrawal(world, wallet, { amount: '1', to })).order.row.id
const says = async (orderId: string, by: number, decision: 'approve' | 'reject' = 'approve') =>
  approveAs(world, await approvalOf(world, orderId, world.members[by]!, decision))
const stopsOf = async (member: number) => (await inbox(member)).needs.stops.map(({ kind, id }) => [kind, id])

before(async () => {
  world = await openWorld({
    namedRules: ([, ben, cleo]) => [
      namedRule('own', {
        conditions: [{ kind: 'destinations', ...NOWHERE, own: true, addresses: [] }],
        limits: [dayLimit({ amounts: [{ chain: CHAIN, asset: '', max: 2n * ETH }], maxCount: 100n })],
        action: { kind: 'pass', fees: [{ chain: CHAIN, max: ETH }], mayStop: [], expiresAfterMs: 0n },
      }),
      namedRule('slow', { action: approveBy([{ need: 1n, who: [idOf(ben!)] }], { delayMs: BigInt(HOUR_MS), mayStop: [idOf(cleo!)] }) }),
    ],
  })
  wallet = await makeWallet(world)
  await fund(world, wallet, 20n * ETH)
})
after(() => world.close())

it('tells whoever can still stop a payment that waits after its approvals, until when, and nobody else', async () => {
  const id = await ask(STRANGERS[0])
  await says(id, 1)
  const untilMs = world.context.ports.clock.nowMs() + HOUR_MS
  world.signers.seesQuorum = () => ({ signableAtMs: BigInt(untilMs), isSignable: false })
  assert.equal(await signOrder(world.context, world.orgId, id), 'wait')
  assert.deepEqual(await Promise.all([0, 1, 2].map(stopsOf)), [[], [], [['order', id]]])
  const told = (await inbox(2)).needs.stops.map((each) => [each.until, each.kind === 'order' && each.amount])
  assert.deepEqual(told, [[untilMs, '1']])
  world.clock.aheadMs += HOUR_MS
  assert.deepEqual(await stopsOf(2), [], 'its time is over')
  world.clock.aheadMs -= HOUR_MS
  await says(id, 2, 'reject')
  assert.deepEqual(await stopsOf(2), [], 'it was stopped')
})

it('tells the person who asks that their own signature is awaited, where the rule wants no other', async () => {
  const before = (await inbox(0)).needs.decisions
  const id = await ask((await makeWallet(world)).address)
  assert.equal((await inbox(0)).needs.decisions, before + 1)
  await says(id, 0)
  assert.equal((await inbox(0)).needs.decisions, before)
  const other = await ask(STRANGERS[1])
  assert.equal((await inbox(0)).needs.decisions, before, 'who asks for what others approve has nothing to decide')
  await says(other, 1, 'reject')
})
