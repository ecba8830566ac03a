import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { MemberContext } from '@holdfast/http'
import { makeWallet, openWorld, type Wallet, type World } from '../../testing/test-world.ts'
import * as contract from '../contract.ts'
import { noticeEndpoints } from './notice-routes.ts'
import { changePlan } from './plan.ts'

let world: World
let wallet: Wallet

before(async () => {
  world = await openWorld()
  wallet = await makeWallet(world, 'Deposits')
})
after(() => world.close())

test('where e-mails go is shown whole only to those who may edit the receivers or the members', async () => {
  const [ann, ben] = world.members
  await world.db.asOrganisation(world.orgId, async (tx) => {
    await tx.updateTable('person').set({ login: 'ben@acme.example' }).where('org_id', '=', tx.orgId).where('id', '=', ben.id).execute()
    const change = { walletId: wallet.walletId, requesterId: ann.id, action: 'notices' as const }
    await changePlan(tx, world.context, change, (plan) => ({ ...plan, receivers: [{ personId: ben.id, events: ['stuck' as const] }] }))
  })
  const list = noticeEndpoints(world.context).find(({ endpoint }) => endpoint === contract.listCollectingReceivers)
  const targets = async (...permissions: string[]) => {
    const context = { orgId: world.orgId, personId: ann.id, session: { permissions: new Set(permissions) } } as unknown as MemberContext
    const answer = contract.listCollectingReceivers.output.parse(await list?.handler(context, { wallet_id: wallet.walletId } as never))
    return answer.list.map(({ name, target }) => [name, target])
  }
  assert.deepEqual(await targets('co_signer.read'), [['Ben', 'b***n@acme.example']])
  for (const permission of ['co_signer.write', 'member.write']) assert.deepEqual(await targets('co_signer.read', permission), [['Ben', 'ben@acme.example']])
})
