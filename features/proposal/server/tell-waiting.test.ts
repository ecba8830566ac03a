import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { encode, toHex } from '@holdfast/encoding'
import { waitingChallenge, waitingShape } from '@holdfast/intent'
import { currentPolicy } from '@holdfast/features/policy/server'
import { approve, assertionOf, ETH, fund, makeWallet, type Member, openWorld, pageCalls, requestWithdrawal, type World } from '../../testing/test-world.ts'

let world: World

before(async () => {
  world = await openWorld()
})
after(() => world?.close())

async function waitingFor(member: Member, signer = member): Promise<string[]> {
  const statement = { atMs: BigInt(world.context.ports.clock.nowMs()), nonce: world.context.ports.random.bytes(32) }
  const assertion = { ...assertionOf(signer, waitingChallenge(statement)), credentialId: member.credentialId }
  const { fingerprint } = await world.db.asOrganisation(world.orgId, currentPolicy)
  const body = { genesis: toHex(fingerprint), waiting: toHex(encode(waitingShape, { statement, assertion })) }
  const answer = (await pageCalls(world)['order.waiting']!(body)) as { hashes: string[] }
  assert.deepEqual(Object.keys(answer), ['hashes'], 'hashes and nothing else')
  return answer.hashes
}

it('tells whoever asks with their approval key which orders wait for them, by hashes alone', async () => {
  const [ann, ben, cleo] = world.members
  const wallet = await makeWallet(world, 'Treasury')
  await fund(world, wallet, 10n * ETH)
  const { order } = await requestWithdrawal(world, wallet, { amount: '0.1' })
  const hash = toHex(order.row.intent_hash)
  assert.deepEqual([await waitingFor(ann), await waitingFor(ben), await waitingFor(cleo)], [[], [hash], [hash]])
  await approve(world, order.row.id, ben)
  assert.deepEqual([await waitingFor(ben), await waitingFor(cleo)], [[], [hash]])
  await assert.rejects(waitingFor(cleo, ben), { message: /signature does not verify/ })
})
