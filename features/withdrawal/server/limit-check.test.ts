import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { uuidToBytes } from '@holdfast/units'
import { dayLimit, namedRule, personOf } from '../../../packages/policy/src/testing/named-rules.ts'
import { CHAIN } from '../../testing/scripted-chain.ts'
import { ETH, fund, makeWallet, type Member, openWorld, requestWithdrawal, type World } from '../../testing/test-world.ts'
import { checkLimits } from './limit-check.ts'

const stepOf = ({ id }: Member) => ({ need: 1n, who: [personOf({ id: uuidToBytes(id) })] })

let world: World

before(async () => {
  world = await openWorld({
    namedRules: ([, ben, cleo]) => [
      namedRule('small', { limits: [dayLimit({ amounts: [{ chain: CHAIN, asset: '', max: 2n * ETH }] })], steps: [stepOf(ben!)] }),
      namedRule('large', { steps: [stepOf(cleo!)] }),
    ],
  })
})
after(() => world.close())

it('the bounds of a payment leave of a limit what its rule has not let through: orders that wait take of it, and those under other rules do not', async () => {
  const wallet = await makeWallet(world)
  await fund(world, wallet, 20n * ETH)
  const asset = world.context.networks.asset(CHAIN, 'ETH')
  assert.ok(asset)
  const { network, members } = world
  const left = async () => {
    const asked = { network, asset, subWalletId: wallet.subWalletId, personId: members[0].id, amount: 1n, nowMs: world.context.ports.clock.nowMs() }
    const { window } = await world.db.asOrganisation(world.orgId, (tx) => checkLimits(tx, asked))
    return window?.left
  }
  const ask = async (amount: string) => (await requestWithdrawal(world, wallet, { amount })).order.row.rule_id
  assert.equal(await left(), '2')
  assert.deepEqual([await ask('0.5'), await left()], ['small', '1.5'])
  assert.deepEqual([await ask('1.75'), await left()], ['large', '1.5'])
  assert.deepEqual([await ask('1.5'), await left()], ['small', '0'])
})
