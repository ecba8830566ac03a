import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, before, describe, it } from 'node:test'
import { nodePorts } from '@holdfast/ports/node'
import { TronWeb } from 'tronweb'
import { startTron, type TronNetwork } from './start-tron.ts'

const dataFolder = mkdtempSync(`${tmpdir()}/holdfast-energy-`)
const TRX = 1_000_000n
const HOUR_MS = 3_600_000
const people = [1, 2].map((i) => {
  const privateKey = `${i}`.repeat(64)
  return { privateKey, address: TronWeb.address.fromPrivateKey(privateKey) as string }
})
const [payer, shop] = people as [(typeof people)[0], (typeof people)[0]]

let nowMs = Date.now()
const ports = { ...nodePorts, clock: { ...nodePorts.clock, nowMs: () => nowMs } }
let network: TronNetwork
let tron: TronWeb
type Told = Record<string, string> & { error?: string }

const start = async () => {
  network = await startTron(ports, { port: 0, dataFolder, blockTimeMs: 3_000, mining: false })
  tron = new TronWeb({ fullHost: network.url })
}
const ask = async (at: string, body?: object): Promise<Told> =>
  (await (await fetch(`${network.url}/energy-market/${at}`, body && { method: 'POST', body: JSON.stringify(body) })).json()) as Told
const energyOf = async (address: string) => Number((await tron.trx.getAccountResources(address)).EnergyLimit ?? 0)
const stateOf = async (id: string, txid: string | null) => (await ask(`orders/${id}`, { payment_txid: txid })).state
const order = (reference: string, energy = '65000') => ask('orders', { receiver: shop.address, energy, payer: payer.address, reference })
const send = async (to: string, amount: number, who = payer): Promise<string> => {
  const made = await tron.transactionBuilder.sendTrx(to, amount, who.address)
  const { txid } = (await tron.trx.sendRawTransaction((await tron.trx.sign(made, who.privateKey)) as never)) as unknown as { txid: string }
  await network.mine(1)
  return txid
}

before(async () => {
  await start()
  for (const { address } of people) await network.pay(null, address, 100n * TRX)
  await network.mine(1)
})
after(async () => {
  await network.stop()
  rmSync(dataFolder, { recursive: true, force: true })
})

describe('the local provider of energy', () => {
  it('says what it asks, that it is play money, and refuses what it cannot do', async () => {
    const quote = await ask(`quote?receiver=${shop.address}&energy=65000`)
    assert.deepEqual([quote.label?.includes('play money'), quote.chain, quote.price], [true, network.chain, '2600000'])
    assert.match((await ask('quote?receiver=TJRabPrwbZy45sbavfcjinPJC18kjpRTv8&energy=65000')).error ?? '', /not active/)
    assert.match((await ask(`quote?receiver=${shop.address}&energy=5000001`)).error ?? '', /at most/)
    assert.match((await ask('quote?energy=1')).error ?? '', /receiver/)
    assert.match((await ask('elsewhere')).error ?? '', /quote, orders/)
  })

  it('delegates as much as was paid for, once, and takes it back at its end, also after a restart', async () => {
    const { id, pay_to: to, price } = await order('one')
    assert.ok(id && to)
    assert.equal((await order('one')).id, id, 'the same reference is the same order')
    assert.equal(await stateOf(id, null), 'unpaid')
    const txid = await send(to, Number(price))
    assert.equal(await stateOf(id, txid), 'paid')
    await network.mine(2)
    assert.equal(await stateOf(id, txid), 'delivered')
    const energy = await energyOf(shop.address)
    assert.ok(energy >= 65_000 && energy < 65_020, String(energy))
    await network.mine(3)
    assert.equal(await energyOf(shop.address), energy)
    const again = (await order('two')).id
    assert.equal(await stateOf(again ?? '', txid), 'unpaid', 'one payment pays for one order')
    await network.stop()
    nowMs += HOUR_MS + 60_000
    await start()
    await network.mine(3)
    assert.equal(await stateOf(id, txid), 'over')
    assert.equal(await energyOf(shop.address), 0)
  })

  it('delivers nothing for too little, from somebody else, or too late', async () => {
    const { id = '', pay_to: to = '', price } = await order('three')
    assert.equal(await stateOf(id, await send(to, Number(price) - 1)), 'unpaid')
    assert.equal(await stateOf(id, await send(to, Number(price), shop)), 'unpaid')
    assert.equal(await stateOf(id, 'a'.repeat(64)), 'unpaid')
    nowMs += HOUR_MS
    await network.mine(1)
    assert.equal(await stateOf(id, await send(to, Number(price))), 'failed')
    await network.mine(2)
    assert.equal(await energyOf(shop.address), 0)
  })
})
