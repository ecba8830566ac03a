import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { tronCodec } from '@holdfast/chain-tron/codec'
import { CHAIN } from '../../testing/scripted-chain.ts'
import { makeWallet, openWorld, type World } from '../../testing/test-world.ts'
import { depositAddress } from '../../deposit-address/server/deposit-address.ts'

const TRON = 'tron:0x2b6653dc'
let world: World
before(async () => void (world = await openWorld()))
after(() => world.close())

it('a network or a coin that came after the policy gets no deposits, since it could not be paid out', async () => {
  const { network, context } = world
  const codec = tronCodec({ chain: TRON })
  network.assets = [...network.assets, { chain: CHAIN, contract: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', symbol: 'LATE', decimals: 6 }]
  const assets = [{ chain: TRON, contract: null, symbol: 'TRX', decimals: 6 }]
  context.networks.list().push({ ...network, chain: TRON, family: 'tron', codec, assets })
  const { subWalletId } = await makeWallet(world)
  const chains = await world.db.asOrganisation(world.orgId, (tx) => tx.selectFrom('address').select('chain').where('sub_wallet_id', '=', subWalletId).execute())
  assert.deepEqual(chains, [{ chain: CHAIN }])
  const told = (chain: string, symbol: string) =>
    world.db.asOrganisation(world.orgId, (tx) =>
      depositAddress(tx, context.networks, { subWalletId, chain, symbol, language: 'en_US', nowMs: context.ports.clock.nowMs() }),
    )
  for (const [chain, symbol] of [
    [CHAIN, 'LATE'],
    [TRON, 'TRX'],
  ] as const) {
    const { enableDeposit, address, text } = await told(chain, symbol)
    assert.deepEqual([enableDeposit, address], [false, null])
    assert.match(text, /policy does not name this coin/)
  }
  assert.doesNotMatch((await told(CHAIN, 'ETH')).text, /policy/)
})
