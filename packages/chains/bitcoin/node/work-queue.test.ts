import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nodePorts } from '@holdfast/ports/node'
import { encode, bytes, struct, toHex, uint } from '@holdfast/encoding'
import { sha256 } from '@noble/hashes/sha2.js'
import { chain, from, network, third } from '../testing/samples.ts'
import { requireScript } from '../codec/index.ts'
import { bitcoinNode } from './index.ts'

// What `rpcworkqueue` of Bitcoin Core is where nobody sets it.
const QUEUE = 16
const NO_CAP = 10n ** 12n
const numberShape = struct('holdfast/test/coin-number/v1', { seed: bytes(1), number: uint() })
const txidOf = (seed: number, number: number) => toHex(sha256(encode(numberShape, { seed: Uint8Array.of(seed), number: BigInt(number) })))

/** A node with so many coins of an address that answers as bitcoind does: what comes while its work queue is full gets status 503 and no JSON. */
function busyNode(count: number) {
  const script = toHex(requireScript(network, from))
  const stranger = toHex(requireScript(network, third))
  const coins = Array.from({ length: count }, (_, i) => ({ outpoint: `${txidOf(1, i)}:0`, address: from, amount: 20_000n, height: 1n }))
  const seen = { most: 0, refused: 0, asked: 0 }
  let queued = 0
  const input = (i: number) => ({ txid: txidOf(2, i), vout: 0, sequence: 0 })
  const paying = { txid: txidOf(3, 0), vin: Array.from({ length: 500 }, (_, i) => input(i)), vout: [{ n: 0, value: 0.0002, scriptPubKey: { hex: script } }] }
  const answer = (method: string, [first]: unknown[]): unknown => {
    if (method === 'getblockhash') return network.genesisHash
    if (method === 'getmempoolinfo') return { mempoolminfee: 0.00001, minrelaytxfee: 0.00001 }
    if (method === 'estimatesmartfee') return { errors: ['Insufficient data'] }
    if (method === 'gettxout') return { value: 0.0002, confirmations: 3, scriptPubKey: { hex: script } }
    if (method === 'getrawmempool') return [paying.txid]
    if (method === 'getrawtransaction')
      return first === paying.txid ? paying : { txid: first, vin: [], vout: [{ n: 0, value: 0.0001, scriptPubKey: { hex: stranger } }] }
    throw new Error(method)
  }
  const fetch: typeof globalThis.fetch = async (_, init) => {
    seen.asked++
    if (++queued > QUEUE) {
      queued--
      seen.refused++
      return new Response('Work queue depth exceeded', { status: 503 })
    }
    seen.most = Math.max(seen.most, queued)
    await new Promise((resolve) => setImmediate(resolve))
    queued--
    const { method, params } = JSON.parse(String(init!.body)) as { method: string; params: unknown[] }
    return Response.json({ result: answer(method, params), error: null, id: 1 })
  }
  return { seen, coins, node: bitcoinNode({ chain, rpcUrl: 'http://node.example:8332', fetch, timer: nodePorts.timer, coinsOf: async () => coins }) }
}

describe('an address with 2,000 coins, at a node that takes 16 questions at once', () => {
  it('is read, estimated for and paid from', async () => {
    const { node, seen, coins } = busyNode(2_000)
    const payment = { from, to: third, asset: { chain, contract: null }, amount: 15_000n }
    assert.equal((await node.listCoins(from)).length, coins.length)
    assert.ok((await node.estimateFee(payment))[0].feeMax > 0n)
    const unsigned = await node.prepare({ ...payment, feeCap: NO_CAP, slot: 0n, tier: 0 })
    assert.ok(unsigned.length > 0)
    assert.equal(seen.refused, 0)
    assert.ok(seen.asked > 6_000)
  })

  it('is read though others ask the same node meanwhile, by this program', async () => {
    const { node, seen } = busyNode(2_000)
    await Promise.all([node.listCoins(from), node.listCoins(from), node.estimateFee({ from, to: third, asset: { chain, contract: null }, amount: 15_000n })])
    assert.ok(seen.most <= QUEUE / 2, `${seen.most} at once`)
    assert.equal(seen.refused, 0)
  })

  it('hears of a waiting payment that spends 500 coins of a stranger', async () => {
    const { node, seen } = busyNode(0)
    const { payments } = await node.coins.pending({ listed: new Set(), read: new Set() }, async () => new Set([from]))
    assert.equal(payments.length, 1)
    assert.equal(seen.refused, 0)
  })
})
