import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { uuidToBytes } from '@holdfast/units'
import { dayLimit, namedRule, personOf } from '../../../packages/policy/src/testing/named-rules.ts'
import { createAddresses } from '../../deposit-address/contract.ts'
import { makeAddresses } from '../../deposit-address/server/making/run-addresses.ts'
import { depositAddressEndpoints } from '../../deposit-address/server/routes.ts'
import { callerOf } from '../../testing/request-key.ts'
import { CHAIN } from '../../testing/scripted-chain.ts'
import { ETH, fund, makeWallet, type Member, openWorld, requestWithdrawal, STRANGER, type Wallet, type World } from '../../testing/test-world.ts'
import { checkLimits } from './limit-check.ts'

const OTHER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'

const stepOf = ({ id }: Member) => ({ need: 1n, who: [personOf({ id: uuidToBytes(id) })] })
const ofEther = (max: bigint) => ({ amounts: [{ chain: CHAIN, asset: '', max }] })

type Asked = { from?: string; to?: string; by?: Member }

async function limitsOf(world: World, { subWalletId }: Wallet, { by = world.members[0], ...named }: Asked = {}) {
  const asset = world.context.networks.asset(CHAIN, 'ETH')
  assert.ok(asset)
  const asked = { network: world.network, asset, subWalletId, personId: by.id, amount: 1n, nowMs: world.context.ports.clock.nowMs(), ...named }
  return world.db.asOrganisation(world.orgId, (tx) => checkLimits(tx, asked))
}

describe('the limit of a rule for all orders under it', () => {
  let world: World
  before(async () => {
    world = await openWorld({
      namedRules: ([, ben, cleo]) => [
        namedRule('small', { limits: [dayLimit(ofEther(2n * ETH))], steps: [stepOf(ben!)] }),
        namedRule('large', { steps: [stepOf(cleo!)] }),
      ],
    })
  })
  after(() => world.close())

  it('leaves what its rule has not let through: orders that wait take of it, and those under other rules do not', async () => {
    const wallet = await makeWallet(world)
    await fund(world, wallet, 20n * ETH)
    const left = async () => (await limitsOf(world, wallet)).window?.left
    const ask = async (amount: string) => (await requestWithdrawal(world, wallet, { amount })).order.row.rule_id
    assert.equal(await left(), '2')
    assert.deepEqual([await ask('0.5'), await left()], ['small', '1.5'])
    assert.deepEqual([await ask('1.75'), await left()], ['large', '1.5'])
    assert.deepEqual([await ask('1.5'), await left()], ['small', '0'])
    assert.equal((await limitsOf(world, wallet)).max_withdraw, '16.249999999997', 'the next rule lets through what is there')
  })
})

describe('limits for each asker, paying address and recipient', () => {
  let world: World
  let wallet: Wallet
  let second: string

  /** One more address of the wallet's sub-wallet, which the signers attested. */
  async function oneMoreAddress(): Promise<string> {
    const kit = { drill: new Uint8Array([1]), verified_at: world.context.ports.clock.nowMs() }
    await world.db.asOrganisation(world.orgId, (tx) => tx.updateTable('recovery_kit').set(kit).execute())
    const make = depositAddressEndpoints(world.context).find(({ endpoint }) => endpoint === createAddresses)
    assert.ok(make)
    const input = { request_id: 'a-second-address', sub_wallet_id: wallet.subWalletId, chain: CHAIN, count: 1, addr_type: 1, label: 'Payroll' }
    const { id } = (await make.handler(callerOf(world.orgId, world.members[0].id, input) as never, input as never)) as { id: string }
    while (!(await makeAddresses(world.context, world.orgId, id)));
    const rows = world.db.asOrganisation(world.orgId, (tx) => tx.selectFrom('address').select('address').where('number', '=', 1).execute())
    return (await rows)[0]?.address ?? ''
  }

  before(async () => {
    world = await openWorld({
      namedRules: ([, , cleo]) => [
        namedRule('each', {
          limits: [
            dayLimit({ each: 'source', ...ofEther(2n * ETH) }),
            dayLimit({ each: 'destination', ...ofEther(3n * ETH) }),
            dayLimit({ each: 'asker', maxCount: 4n }),
          ],
          steps: [stepOf(cleo!)],
        }),
      ],
    })
    wallet = await makeWallet(world)
    await fund(world, wallet, 20n * ETH)
    second = await oneMoreAddress()
    await fund(world, { ...wallet, address: second }, 20n * ETH)
  })
  after(() => world.close())

  it('are counted for those of this payment, as signers count them, and not for its sub-wallet', async () => {
    const [, ben] = world.members
    const left = async (asked: Asked) => {
      const { window, order_window: orders } = await limitsOf(world, wallet, asked)
      return [window?.each, window?.left, orders?.left]
    }
    const pay = (amount: string, from: string | undefined, to: string) => requestWithdrawal(world, wallet, { amount, to, ...(from !== undefined && { from }) })
    assert.deepEqual(await left({}), ['source', '2', 4])
    await pay('1.5', undefined, STRANGER)
    assert.deepEqual(await left({}), ['source', '0.5', 3], 'the first address is the one that pays where none is named')
    assert.deepEqual(await left({ from: wallet.address }), ['source', '0.5', 3])
    assert.deepEqual(await left({ from: second }), ['source', '2', 3], 'another address of the sub-wallet has a limit of its own')
    assert.deepEqual(await left({ from: second, to: STRANGER }), ['destination', '1.5', 3], 'what was paid to a recipient counts from any address')
    assert.deepEqual(await left({ from: second, to: OTHER }), ['source', '2', 3])
    await pay('1.25', second, STRANGER)
    assert.deepEqual(await left({ from: second, to: STRANGER }), ['destination', '0.25', 2])
    assert.deepEqual(await left({ from: wallet.address, to: OTHER, by: ben }), ['source', '0.5', 4], 'nobody uses up the orders of somebody else')
    const most = async (asked: Asked) => {
      const { max_withdraw, allowed } = await limitsOf(world, wallet, asked)
      return [max_withdraw, allowed]
    }
    assert.deepEqual(await most({ from: second, to: STRANGER }), ['0.25', true])
    assert.deepEqual(await most({ from: wallet.address, to: OTHER }), ['0.5', true])
    for (const amount of ['0.25', '0.125']) await pay(amount, wallet.address, OTHER)
    assert.deepEqual(await most({ from: wallet.address, to: OTHER, by: ben }), ['0.125', true])
    assert.deepEqual(await most({ from: second, to: OTHER }), ['0', false], 'whose orders are used up can pay nothing more, whatever is left of amounts')
  })

  it('are refused for an address that is none of the sub-wallet', async () => {
    await assert.rejects(limitsOf(world, wallet, { from: STRANGER }), { errorName: 'resource_not_found' })
  })
})
