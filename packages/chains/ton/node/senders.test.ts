import { startTon, TON_CHAIN as chain, type TonNetwork } from '@holdfast/devnet/ton'
import { nodePorts } from '@holdfast/ports/node'
import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, before, describe, it } from 'node:test'
import { requireNetwork } from '../codec/index.ts'
import { readTransactions } from './read-block.ts'
import { openRpc, type Rpc } from './rpc.ts'
import { openSenders } from './senders.ts'
import type { Internal, Transaction } from './transaction.ts'

const { globalId } = requireNetwork(chain)
let network: TonNetwork
let rpc: Rpc
let transactions: Transaction[]
let message: Internal
let sender: Transaction

before(async () => {
  network = await startTon(nodePorts, { port: 0, dataFolder: mkdtempSync(`${tmpdir()}/holdfast-ton-`), blockTimeMs: 1_000, mining: false })
  rpc = openRpc({ ...nodePorts, chain, globalId, rpcUrl: network.url, timeoutMs: 15_000, answerMaxBytes: 1 << 24 })
  const txid = await network.pay(null, `0:${'17'.repeat(32)}`, 5n)
  await network.mine(1)
  transactions = (await readTransactions(rpc, network.heightOf(txid)!))!.transactions
  sender = transactions.find((each) => each.sent.length > 0)!
  message = sender.sent[0]!
})
after(() => network.stop())

describe('the transaction that sent a message', () => {
  it('is the same whether it was read a block before or has to be asked for', async () => {
    const asked = await openSenders(rpc).of(message)
    assert.deepEqual(asked, sender)
    const remembering = openSenders(() => Promise.reject(new Error('nobody is asked')))
    remembering.remember(transactions)
    assert.equal(await remembering.of(message), sender)
  })

  it('is not one that a node gives in its place', async () => {
    const other = transactions.find((each) => each.hash !== sender.hash)!
    const swapped: Rpc = (method, params) => rpc('tryLocateResultTx', { ...params, method })
    assert.ok(other)
    await assert.rejects(openSenders(swapped).of(message), /as one that it is not/)
  })

  it('is none where the chain itself made the coin', async () => {
    const from = { workchain: -1, hash: new Uint8Array(32) }
    assert.equal(await openSenders(rpc).of({ ...message, from, id: 'another' }), undefined)
  })
})
