import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type BuildError, SIGNATURES_MAX } from '@holdfast/chain-core'
import { toHex } from '@holdfast/encoding'
import { chain, codec, from, network, sign, signTaproot, taprootFrom, third } from '../testing/samples.ts'
import { type ListedCoin, ProofsTooLargeError, requireScript } from '../codec/index.ts'
import { serializeTransaction, txidOf } from '../codec/transaction.ts'
import { parsePsbt, serializePsbt, withoutProof } from '../codec/psbt.ts'
import { coinsThatFit, prepareCancel, prepareTransfer, tiersOf } from './prepare-transfer.ts'
import { NodeRefused } from './rpc.ts'

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

  it('is that of a slower tier where the coins do not suffice beside the one that was wanted, or where that took too many coins', async () => {
    const { rpc } = coinsMadeBy(() => 0, 10, from)
    const rates = [1_000n, 2_000n, 100_000n] as [bigint, bigint, bigint]
    const quoted = rates.map((satPerKvb) => ({ feeMax: 10n ** 6n, parameters: { satPerKvb } })) as [never, never, never]
    const paid = { from, to: third, asset: { chain, contract: null }, feeCap: 10n ** 6n, slot: 0n, quoted }
    const feeMaxOf = async (amount: bigint, tier: 0 | 1 | 2, of = coins, by = rpc) => {
      const { feeMax, transfers } = codec.decode(await prepareTransfer(by, chain, { ...paid, amount, tier }, of, rates))
      assert.equal(transfers[0]!.amount, amount)
      return feeMax
    }
    const most = 200_000n - feeOf(200_000n)
    assert.ok((await feeMaxOf(most, 2)) <= 200_000n - most, 'the fast one leaves nothing of such coins')
    const slow = tiersOf(chain, rates, { ...paid, amount: 200_000n }, coins)[0].feeMax
    assert.equal(await feeMaxOf(200_000n - slow, 1), slow)
    await assert.rejects(feeMaxOf(200_000n, 1), (cause: BuildError) => cause.obstacle.kind === 'coins_missing')
    const many = coinsMadeBy(() => 0, SIGNATURES_MAX + 10, from)
    const all = 20_000n * BigInt(SIGNATURES_MAX)
    const ofMany = tiersOf(chain, rates, { ...paid, amount: all }, many.coins.slice(0, SIGNATURES_MAX))[0].feeMax
    assert.equal(await feeMaxOf(all - ofMany, 1, many.coins, many.rpc), ofMany)
    await assert.rejects(feeMaxOf(all, 1, many.coins, many.rpc), (cause: BuildError) => cause.obstacle.kind === 'coins_small')
  })

  it('that is too small for any network to carry is that of one coin: it is only looked at', () => {
    assert.ok(feeOf(0n) <= feeOf(10_000n))
  })
})

describe('what takes the place of a payment that waits', () => {
  const { coins, rpc: known } = coinsMadeBy(() => 0, 10, from)
  /** A node that has nothing pending of ours, whose rates are 1, 4 and 50 satoshi for a vbyte. */
  const rpc = async (method: string, ...params: unknown[]) => {
    if (method === 'getmempoolentry') throw new NodeRefused('it does not wait', -5, 'it does not wait')
    if (method !== 'estimatesmartfee') return known(method, ...params)
    return { feerate: { 144: 0.00001, 6: 0.00004, 2: 0.0005 }[Number(params[0])] }
  }
  const order = { from, to: third, asset: { chain, contract: null }, amount: 25_000n, feeCap: 10n ** 7n, slot: 0n, tier: 0 as const }
  const ways = {
    'speeds it up': (replaces: Uint8Array, feeCap: bigint) => prepareTransfer(rpc, chain, { ...order, feeCap, tier: 2, replaces }, coins),
    'cancels it': (replaces: Uint8Array, feeCap: bigint) => prepareCancel(rpc, { from, replaces, feeCap, tier: 2 }),
  }

  for (const [what, prepare] of Object.entries(ways)) {
    it(`${what} for what the cap allows, where the rate that is wished for would cost more`, async () => {
      const replaces = await prepareTransfer(rpc, chain, order, coins)
      const feeOf = async (feeCap: bigint) => codec.decode(await prepare(replaces, feeCap)).feeMax
      const before = codec.decode(replaces).feeMax
      const fast = await feeOf(10n ** 7n)
      // A vbyte cannot be paid for by half.
      const within = (fee: bigint, cap: bigint) => assert.ok(fee > before && fee <= cap && cap - fee < 200n, `${before}, ${fee} and ${cap}`)
      within(await feeOf(fast - 1n), fast - 1n)
      within(await feeOf(fast / 2n), fast / 2n)
      await assert.rejects(feeOf(before), (cause: BuildError) => cause.obstacle.kind === 'fee_cap')
    })
  }

  it('speeds it up for what its coins can bear, where they cannot bear the rate that is wished for', async () => {
    const replaces = await prepareTransfer(rpc, chain, { ...order, amount: 198_000n }, coins)
    const { feeMax } = codec.decode(await prepareTransfer(rpc, chain, { ...order, amount: 198_000n, tier: 2, replaces }, coins))
    assert.ok(feeMax > codec.decode(replaces).feeMax && feeMax <= 2_000n, `${feeMax}`)
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
    await assert.rejects(prepareTransfer(rpc, chain, joined(from, coins), coins, RATES), ProofsTooLargeError)
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

describe('coins of one transaction', () => {
  const script = requireScript(network, from)
  const input = { txid: '11'.repeat(32), index: 0, script: new Uint8Array(), sequence: 0xffff_ffff }
  const made = { version: 2, inputs: [input], outputs: Array.from({ length: 500 }, (_, i) => ({ amount: 300_000n + BigInt(i), script })), lockTime: 0 }
  const [txid, bytes] = [txidOf(made), serializeTransaction(made)]
  const coins = made.outputs.map(({ amount }, index): ListedCoin => ({ txid, index, amount, script, height: 1n }))
  const rpc = async (method: string) => {
    if (method === 'getmempoolinfo') return { mempoolminfee: 0.00001, minrelaytxfee: 0.00001 }
    if (method === 'estimatesmartfee') return { errors: ['Insufficient data'] }
    return method === 'getblockhash' ? '22'.repeat(32) : toHex(bytes)
  }
  const order = { from, to: third, asset: { chain, contract: null }, amount: 19_000_000n - 100_000n, feeCap: 10n ** 8n, slot: 0n, tier: 0 as const }
  const wanted = { ...order, amount: 64n * 300_000n - 100_000n }

  it('are all proven by it once, so that an order spends 64 of them', async () => {
    const unsigned = await prepareTransfer(rpc, chain, wanted, coins, RATES)
    const { transaction } = parsePsbt(unsigned)
    assert.ok(transaction.inputs.length > 60)
    assert.equal(transaction.inputs.filter(({ previous }) => previous).length, 1)
    assert.ok(unsigned.length < 2 * bytes.length, `${unsigned.length}`)
    assert.equal(codec.decode(unsigned).inputs!.length, transaction.inputs.length)
    // A replacement knows the proof from what it replaces.
    const { raw } = codec.attach(unsigned, codec.sighashes(unsigned).map(sign))
    assert.deepEqual(codec.detach(raw).unsigned, unsigned)
  })

  it('are read as orders of older versions have them, each with the proof, and in no other way', async () => {
    const { transaction } = parsePsbt(await prepareTransfer(rpc, chain, { ...order, amount: 3n * 300_000n }, coins, RATES))
    const { inputs } = transaction
    const [first, second] = [inputs[0]!, inputs[1]!]
    const withProof = (which: (i: number) => boolean) =>
      serializePsbt({ ...transaction, inputs: inputs.map((coin, i) => ({ ...withoutProof(coin), ...(which(i) && { previous: bytes }) })) })
    assert.deepEqual(codec.decode(withProof(() => true)), codec.decode(withProof((i) => i === 0)))
    assert.ok(first.previous && !second.previous)
    assert.throws(() => codec.decode(withProof((i) => i === 1)), /is given and not needed|is missing/)
    assert.throws(() => codec.decode(withProof((i) => i > 0)), /is missing|is given/)
    assert.throws(() => codec.decode(withProof(() => false)), /is missing, so its amount is not proven/)
    assert.throws(() => codec.decode(withProof((i) => i < 2)), /is given and not needed/)
    // Whoever lies about a coin without a proof of its own is found out by that of the first.
    const lie = { ...transaction, inputs: inputs.map((coin, i) => (i === 1 ? { ...coin, amount: coin.amount - 1n } : coin)) }
    assert.throws(() => codec.decode(serializePsbt(lie)), /does not prove its amount/)
    const other = { ...transaction, inputs: inputs.map((coin, i) => (i === 1 ? { ...coin, index: 499 } : coin)) }
    assert.throws(() => codec.decode(serializePsbt(other)), /does not prove its amount/)
  })
})

describe('six coins whose proofs have 93 kB each', () => {
  const { coins, rpc } = coinsMadeBy(() => 3_000, 6, from)
  const order = { ...joined(from, []), to: third, amount: 50_000n, coins: [] }

  it('pay what two of them hold, and above that the words say that proofs are too large and not that coin is missing', async () => {
    const unsigned = await prepareTransfer(rpc, chain, { ...order, amount: 35_000n }, coins, RATES)
    assert.equal(codec.decode(unsigned).inputs!.length, 2)
    await assert.rejects(prepareTransfer(rpc, chain, { ...order, amount: 70_000n }, coins, RATES), (cause) => {
      return (
        cause instanceof ProofsTooLargeError &&
        /so large that signers cannot read them all/.test(cause.message) &&
        !/are missing with the fee/.test(cause.message)
      )
    })
  })

  it('are not offered by an estimate either, while what can be paid is', async () => {
    const known = new Map<string, number>()
    const fitting = await coinsThatFit(rpc, chain, { ...order, amount: 35_000n }, coins, 2_000n, known)
    assert.equal(fitting.length, 6)
    await assert.rejects(coinsThatFit(rpc, chain, { ...order, amount: 70_000n }, coins, 2_000n, known), ProofsTooLargeError)
    assert.equal(known.size, 6)
    // What is amiss besides is for the estimate to say.
    assert.deepEqual(await coinsThatFit(rpc, chain, { ...order, amount: 10n ** 9n }, coins, 2_000n, known), coins)
  })
})
