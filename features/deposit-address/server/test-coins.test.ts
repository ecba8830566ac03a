import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { nodePorts } from '@holdfast/ports/node'
import { openWorld, type World } from '../../testing/test-world.ts'
import { askFaucet, hasTestCoins } from './test-coins.ts'

let world: World
let faucet: { port: number; close(): Promise<void> }
const asked: unknown[] = []
let answer = () => Response.json({ txid: '0xab', height: '1' })

before(async () => {
  world = await openWorld()
  faucet = await nodePorts.net.serveHttp('127.0.0.1', 0, async (request) => {
    asked.push([new URL(request.url).pathname, await request.json()])
    return answer()
  })
})
after(async () => {
  await faucet.close()
  await world.close()
})

const payment = { address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', asset: 'ETH', amount: '10' }
const local = () => ({ ...world.network, local: true, faucetUrl: `http://127.0.0.1:${faucet.port}/?chain=other` })

test('the faucet of a local network is asked for the network, whatever its page has in its address', async () => {
  assert.deepEqual(await askFaucet(nodePorts, local(), payment), { txid: '0xab' })
  assert.deepEqual(asked, [['/api/fund', { ...payment, chain: world.network.chain }]])
})

test('on a network of value nobody is asked for coins', async () => {
  for (const network of [
    { ...local(), local: false },
    { ...local(), faucetUrl: null },
  ]) {
    assert.equal(hasTestCoins(network), false)
    await assert.rejects(askFaucet(nodePorts, network, payment), { errorName: 'not_permitted' })
  }
  assert.equal(asked.length, 1)
})

test('a faucet that refuses, or does not answer, is told of in its own words', async () => {
  answer = () => Response.json({ error: { code: 'over_limit', message: 'at most 1000 ETH at a time' } }, { status: 400 })
  await assert.rejects(askFaucet(nodePorts, local(), payment), { errorName: 'no_test_coins', details: { reason: 'at most 1000 ETH at a time' } })
  answer = () => new Response('<html>')
  await assert.rejects(askFaucet(nodePorts, local(), payment), { errorName: 'no_test_coins' })
})
