import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SIGNATURES_MAX } from '@holdfast/chain-core'
import { toHex } from '@holdfast/encoding'
import { chain, codec, from, network, sign, signTaproot, taprootFrom, third } from '../testing/samples.ts'
import { type ListedCoin, ProofsTooLarge, requireScript } from '../codec/index.ts'
import { serializeTransaction, txidOf } from '../codec/transaction.ts'
import { prepareTransfer, tiersOf } from './prepare-transfer.ts'

const FILLER = { amount: 1_000n, script: requireScript(network, third) }
const RATES = [1_000n, 2_000n, 3_000n] as [bigint, bigint, bigint]

/** So many coins of an address, each made by a transaction with so many outputs beside, and a node that has those. */
function coinsMadeBy(outputs: (index: number) => number, count: number, address: string) {
  const script = requireScript(network, address)
  const made = Array.from({ length: count }, (_, index) => {
    const inputs = [{ txid: '11'.repeat(32), index, script: new Uint8Array(), sequence: 0xffff_ffff }]
    const transaction = { version: 2, inputs, outputs: [{ amount: 20_000n, script }, ...Array.from({ length: outputs(index) }, () => FILLER)], lockTime: 0 }
    return { txid: txidOf(transaction), bytes: serializeTransaction(transaction) }
  })
  const coins = made.map(({ txid }): ListedCoin => ({ txid, index: 0, amount: 20_000n, script, height: 1n }))
  const asked: string[] = []
  const rpc = async (method: string, ...params: unknown[]) => {
    if (method === 'getblockhash') return '22'.repeat(32)
    if (method === 'getmempoolinfo') return { mempoolminfee: 0.00001, minrelaytxfee: 0.00001 }
    if (method !== 'getrawtransaction') return { errors: ['Insufficient data'] }
    asked.push(String(params[0]))
    return toHex(made.find(({ txid }) => txid === params[0])!.bytes)
  }
  return { coins, rpc, asked }
}

const joined = (address: string, coins: readonly ListedCoin[]) => ({
  from: address,
  to: address,
  asset: { chain, contract: null },
  amount: 19_000n * BigInt(coins.length),
  feeCap: 10n ** 8n,
  slot: 0n,
  tier: 0 as const,
  coins: coins.map(({ txid, index }) => `${txid}:${index}`),
})

describe('the fee of a payment', () => {
  const { coins } = coinsMadeBy(() => 0, 10, from)
  const feeOf = (amount: bigint) => tiersOf(chain, RATES, { from, to: third, asset: { chain, contract: null }, amount }, coins)[1].feeMax

  it('of all that is there is that of spending every coin, so that what is left beside it can be paid', async () => {
    const [all, one] = [200_000n, feeOf(10_000n)]
    assert.ok(feeOf(all) > 5n * one, `${feeOf(all)} and ${one}`)
    const amount = all - feeOf(all)
    assert.ok(feeOf(amount) <= feeOf(all))
    const { rpc } = coinsMadeBy(() => 0, 10, from)
    const order = { from, to: third, asset: { chain, contract: null }, amount, feeCap: feeOf(all), slot: 0n, tier: 1 as const }
    assert.equal(codec.decode(await prepareTransfer(rpc, chain, order, coins, RATES)).inputs!.length, 10)
  })

  it('that is too small for any network to carry is that of one coin: it is only looked at', () => {
    assert.ok(feeOf(0n) <= feeOf(10_000n))
  })
})

describe('an order that spends as many coins as signers sign for', () => {
  it('proves each P2WPKH coin by the transaction that made it, and the signed bytes are read too', async () => {
    const { coins, rpc, asked } = coinsMadeBy(() => 100, SIGNATURES_MAX, from)
    const unsigned = await prepareTransfer(rpc, chain, joined(from, coins), coins, RATES)
    assert.ok(unsigned.length > 200_000, `${unsigned.length}`)
    assert.equal(codec.decode(unsigned).inputs!.length, SIGNATURES_MAX)
    assert.equal(asked.length, SIGNATURES_MAX)
    const { raw } = codec.attach(unsigned, codec.sighashes(unsigned).map(sign))
    assert.deepEqual(codec.detach(raw).unsigned, unsigned)
  })

  it('needs no proofs for taproot coins, however large what made them', async () => {
    const { coins, rpc, asked } = coinsMadeBy(() => 2_000, SIGNATURES_MAX, taprootFrom)
    const unsigned = await prepareTransfer(rpc, chain, joined(taprootFrom, coins), coins, RATES)
    assert.ok(unsigned.length < 10_000)
    assert.deepEqual(asked, [])
    const { raw } = codec.attach(unsigned, codec.sighashes(unsigned).map(signTaproot))
    assert.deepEqual(codec.detach(raw).unsigned, unsigned)
  })

  it('says that it does not fit where its own coins were made by very large transactions', async () => {
    const { coins, rpc } = coinsMadeBy(() => 300, SIGNATURES_MAX, from)
    await assert.rejects(prepareTransfer(rpc, chain, joined(from, coins), coins, RATES), ProofsTooLarge)
  })

  it('takes other coins where it may choose, and leaves those of the largest transactions alone', async () => {
    const isLarge = (index: number) => index % 2 === 0
    const { coins, rpc } = coinsMadeBy((index) => (isLarge(index) ? 1_000 : 10), 40, from)
    const order = { ...joined(from, []), to: third, amount: 20_000n * 18n, coins: [] }
    const unsigned = await prepareTransfer(rpc, chain, order, coins, RATES)
    const spent = codec.decode(unsigned).inputs!.map(({ outpoint }) => coins.findIndex(({ txid }) => outpoint.startsWith(txid)))
    assert.ok(spent.filter(isLarge).length <= 8, `${spent.filter(isLarge).length} large ones`)
    assert.ok(codec.decode(unsigned).transfers[0]!.amount === order.amount)
  })
})
