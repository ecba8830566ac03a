import { brc20Asset, ChainError } from '@holdfast/chain-core'
import { nodePorts } from '@holdfast/ports/node'
import { schnorr } from '@noble/curves/secp256k1.js'
import { toHex } from '@holdfast/encoding'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { BitcoinDevnet } from '@holdfast/devnet/bitcoin'
import { NO_BITCOIND, testNetworks } from '../testing/networks.ts'
import { chain, codec, from, recipient, secretKey, sign, signTaproot, taprootFrom, taprootKey, third } from '../testing/samples.ts'
import {
  addressOfScript,
  cancelTransfer,
  commitAmount,
  commitInscription,
  draftTransfer,
  finishDraft,
  followInscriptions,
  lockInscribed,
  networkBytes,
  networkOf,
  networkTransactions,
  CpfpNeedlessError,
  previousNeeded,
  readBrc20,
  requireScript,
  revealInscription,
  spendableCoins,
  type SpentCoin,
  type UnsignedTransaction,
  writeBrc20Transfer,
} from '../codec/index.ts'
import { bitcoinNode, type BitcoinNode } from './index.ts'

const coin = { chain, contract: null }
const { fetch, timer } = nodePorts
const NO_CAP = 10n ** 12n
const UNREAD = { listed: new Set<string>(), read: new Set<string>() }

for (const { name, start } of testNetworks) {
  describe(`what only a Bitcoin node has, against ${name}`, { skip: start ? false : NO_BITCOIND }, () => {
    let network: Omit<BitcoinDevnet, 'label'>
    let node: BitcoinNode
    before(async () => {
      network = await start!()
      node = bitcoinNode({ chain, rpcUrl: network.rpcUrl, fetch, timer })
    })
    after(() => network?.stop())

    const signed = (unsigned: Uint8Array) => codec.attach(unsigned, codec.sighashes(unsigned).map(sign))
    const finish = async (draft: UnsignedTransaction) => {
      const previous = new Map<string, Uint8Array>()
      for (const txid of previousNeeded(draft)) previous.set(txid, Buffer.from((await network.call('getrawtransaction', txid)) as string, 'hex'))
      return finishDraft(draft, previous)
    }
    /** What a payee makes of a waiting payment: spends it to somebody else; its fee. */
    const strangerSpends = async (coins: readonly SpentCoin[], satPerKvb: bigint) => {
      const unsigned = finishDraft(
        draftTransfer({ chain, from: taprootFrom, payments: [{ to: third, amount: 50_000n }], coins, satPerKvb, feeCap: NO_CAP }),
        new Map(),
      )
      const { raw } = codec.attach(unsigned, codec.sighashes(unsigned).map(signTaproot))
      assert.deepEqual(await node.broadcast(raw), { outcome: 'accepted' })
      return { fee: codec.decode(unsigned).feeMax }
    }
    const order = (amount: bigint) => ({ from, to: third, asset: coin, amount, feeCap: NO_CAP, slot: 0n, tier: 0 as const })
    const waiting = async () => (await network.call('getrawmempool')) as string[]

    it('speeds a payment up: the replacement takes its slot, and whoever asks about the slot hears of it', async () => {
      for (const amount of [30_000n, 40_000n]) await network.fund(from, amount)
      const slow = await node.prepare(order(60_000n))
      assert.equal(codec.decode(slow).inputs!.length, 2)
      const first = signed(slow)
      assert.deepEqual(await node.broadcast(first.raw), { outcome: 'accepted' })
      assert.deepEqual(await node.transaction(first.txid), { state: 'pending' })
      const fast = await node.prepare({ ...order(60_000n), tier: 2, replaces: slow })
      assert.equal(codec.decode(fast).slot, codec.decode(slow).slot)
      const second = signed(fast)
      assert.deepEqual(await node.broadcast(second.raw), { outcome: 'accepted' })
      assert.deepEqual(await waiting(), [second.txid])
      assert.deepEqual(await node.transaction(first.txid), { state: 'unknown' })
      const refused = await node.broadcast(first.raw)
      assert.ok(refused.outcome === 'unknown' && /insufficient fee/.test(refused.reason))
      await network.mine(1)
      const { height } = await node.head()
      const use = (await node.slotUse(from, slow, height))!
      assert.deepEqual([use.txid, use.height, use.raw], [second.txid, height, null])
      assert.deepEqual(codec.detach((await node.slotUse(from, fast, height))!.raw!).unsigned, fast)
      assert.equal(await node.slotUse(from, slow, height - 1n), undefined)
      await assert.rejects(node.prepare({ ...order(50_000n), replaces: slow }), /pays something else/)
    })

    it('cancels a payment: the anchor comes back, and the payment can never be made', async () => {
      await network.fund(from, 400_000n)
      const unsigned = await node.prepare(order(100_000n))
      await node.broadcast(signed(unsigned).raw)
      const cancel = await finish(cancelTransfer({ replaces: unsigned, satPerKvb: 5_000n, feeCap: NO_CAP }))
      const { raw, txid } = signed(cancel)
      assert.deepEqual(await node.broadcast(raw), { outcome: 'accepted' })
      await network.mine(1)
      assert.equal((await node.slotUse(from, unsigned, (await node.head()).height))!.txid, txid)
      const again = await node.broadcast(signed(unsigned).raw)
      assert.ok(again.outcome === 'unknown' && /missing/.test(again.reason))
    })

    /** A payment that a stranger broadcasts and nobody mines; its id. Paid of the same coin for more, it takes the place of the one before. */
    const strangerPays = async (to: string, satPerKvb: bigint, stranger: readonly SpentCoin[]) => {
      const unsigned = finishDraft(
        draftTransfer({ chain, from: taprootFrom, payments: [{ to, amount: 150_000n }], coins: stranger, satPerKvb, feeCap: NO_CAP }),
        new Map(),
      )
      const { raw, txid } = codec.attach(unsigned, codec.sighashes(unsigned).map(signTaproot))
      assert.deepEqual(await node.broadcast(raw), { outcome: 'accepted' })
      return txid
    }
    const strangersCoins = async () => (await node.listCoins(taprootFrom)).map(({ txid, index, amount, script }) => ({ txid, index, amount, script }))
    const wanting = (address: string) => async () => new Set([address])

    it('tells of what waits and pays a wanted address, once, and of what took its place', async () => {
      await network.fund(taprootFrom, 300_000n)
      const coins = await strangersCoins()
      const txid = await strangerPays(from, 1_000n, coins)
      const { txids, looked, payments } = await node.coins.pending(UNREAD, wanting(from))
      assert.deepEqual([[...txids], looked], [[txid], [txid]])
      const [payment] = payments
      const [transfer] = payment!.transfers
      assert.deepEqual([payment!.txid, payment!.spends, payment!.transfers.length], [txid, coins.map((each) => `${each.txid}:${each.index}`), 1])
      assert.deepEqual([transfer!.from, transfer!.to, transfer!.amount], [taprootFrom, from, 150_000n])
      // Change of the payer is no payment, and what is known is not read again.
      assert.deepEqual((await node.coins.pending(UNREAD, wanting(taprootFrom))).payments, [])
      assert.deepEqual((await node.coins.pending({ listed: new Set([txid]), read: new Set([txid]) }, wanting(from))).looked, [])
      assert.equal(await node.coins.pendingSpender(payment!.spends), txid)
      // What left the pool since it was listed is passed over; a node that tells of something else is not believed.
      const telling = (told: (params: unknown[], answer: Response) => Response | Promise<Response>) => {
        const telling: typeof globalThis.fetch = async (input, init) => {
          const { method, params } = JSON.parse(String(init!.body)) as { method: string; params: unknown[] }
          const answer = await fetch(input, init)
          return method === 'getrawtransaction' ? told(params, answer) : answer
        }
        return bitcoinNode({ chain, rpcUrl: network.rpcUrl, fetch: telling, timer }).coins.pending(UNREAD, wanting(from))
      }
      const missing = () => Response.json({ result: null, error: { code: -5, message: 'No such mempool transaction' }, id: 1 }, { status: 500 })
      assert.deepEqual((await telling(missing)).payments, [])
      assert.deepEqual((await telling(([asked], answer) => (asked === txid ? answer : missing()))).payments, [])
      const changed = (change: object) => async (_: unknown, answer: Response) => {
        const { result } = (await answer.json()) as { result: object }
        return Response.json({ result: { ...result, ...change }, error: null, id: 1 })
      }
      assert.deepEqual((await telling(changed({ blockhash: '00'.repeat(32) }))).payments, [])
      for (const lie of [{ txid: 'ab'.repeat(32) }, { vout: {} }, { vin: [{}] }]) await assert.rejects(telling(changed(lie)), ChainError)
      const winner = await strangerPays(third, 9_000n, coins)
      assert.deepEqual((await node.coins.pending({ listed: new Set([txid]), read: new Set([txid]) }, wanting(from))).payments, [])
      assert.equal(await node.coins.pendingSpender(payment!.spends), winner)
      assert.deepEqual(await node.transaction(txid), { state: 'unknown' })
      await network.mine(1)
      assert.equal(await node.coins.pendingSpender(payment!.spends), undefined)
      assert.equal(await node.coins.pendingFee(winner), undefined)
    })

    it('speeds a pending deposit up by a child that spends it alone, and both are mined', async () => {
      await network.fund(taprootFrom, 300_000n)
      const parent = await strangerPays(from, 1_000n, await strangersCoins())
      const { payments } = await node.coins.pending(UNREAD, wanting(from))
      const { index } = payments[0]!.transfers[0]!
      const cpfpFor = `${parent}:${index}`
      const child = { ...order(150_000n), to: from, cpfpFor, tier: 2 as const }
      const unsigned = await node.prepare(child)
      const { inputs, transfers, feeMax } = codec.decode(unsigned)
      assert.deepEqual(inputs, [{ outpoint: cpfpFor, address: from, amount: 150_000n }])
      assert.deepEqual(
        transfers.map(({ to, amount }) => [to, amount]),
        [[from, 150_000n - feeMax]],
      )
      // Under a lower cap it takes the next slower rate, and where the deposit pays that by itself none is made.
      const slower = codec.decode(await node.prepare({ ...child, feeCap: feeMax - 1n })).feeMax
      assert.ok(slower < feeMax)
      await assert.rejects(node.prepare({ ...child, feeCap: 1n }), /cap .* cannot be met/)
      await assert.rejects(bitcoinNode({ chain, rpcUrl: network.rpcUrl, fetch, timer, fallbackRates: [1n, 1n, 1n] }).prepare(child), CpfpNeedlessError)
      const { raw, txid } = signed(unsigned)
      assert.deepEqual(await node.broadcast(raw), { outcome: 'accepted' })
      const both = (await node.coins.pendingFee(txid))!
      assert.ok(both.fee * 1000n >= both.size * 9_900n)
      await assert.rejects(node.prepare(child), /not there to be spent/)
      await network.mine(1)
      assert.equal((await node.transaction(parent)).state, 'included')
      assert.equal((await node.transaction(txid)).state, 'included')
      await assert.rejects(node.prepare({ ...child, cpfpFor: `${txid}:0` }), /in a block already/)
    })

    it('does not call included what a reorganisation threw out, although the node still tells of its block', async () => {
      const { txid, height } = await network.fund(recipient, 70_000n)
      const hash = await network.call('getbestblockhash')
      const had = await node.balance(recipient, coin)
      await network.call('invalidateblock', hash)
      assert.deepEqual(await node.transaction(txid), { state: 'pending' })
      assert.equal(await node.balance(recipient, coin), had - 70_000n)
      await network.call('generateblock', from, [])
      assert.deepEqual(await node.transaction(txid), { state: 'pending' })
      await network.mine(1)
      const state = await node.transaction(txid)
      assert.ok(state.state === 'included' && state.height === height + 1n)
    })

    it('tells what an address had at the end of earlier blocks', async () => {
      const { height: start } = await node.head()
      const had = await node.balance(from, coin)
      await network.fund(from, 55_000n)
      const { raw } = signed(await node.prepare(order(20_000n)))
      await node.broadcast(raw)
      await network.mine(1)
      const spent = 20_000n + codec.decode(codec.detach(raw).unsigned).feeMax
      const balances = await Promise.all([0n, 1n, 2n].map((blocks) => node.balance(from, coin, start + blocks)))
      assert.deepEqual(balances, [had, had + 55_000n, had + 55_000n - spent])
      await assert.rejects(node.balance(from, coin, start + 100n), /above the head/)
    })

    it('spends coins that somebody else lists only after asking for each', async () => {
      const listed = await node.listCoins(from)
      const unspent = await node.coins.unspent(from)
      assert.deepEqual(
        unspent,
        listed.map(({ txid, index, amount, height }) => ({ outpoint: `${txid}:${index}`, address: from, amount, height })),
      )
      const gone = { ...unspent[0]!, outpoint: `${'ab'.repeat(32)}:0` }
      const own = bitcoinNode({ chain, rpcUrl: network.rpcUrl, fetch, timer, coinsOf: async () => [...unspent, gone] })
      assert.deepEqual(await own.listCoins(from), listed)
      const lying = bitcoinNode({ chain, rpcUrl: network.rpcUrl, fetch, timer, coinsOf: async () => [{ ...unspent[0]!, amount: unspent[0]!.amount + 1n }] })
      await assert.rejects(lying.prepare(order(5_000n)), /another than was listed/)
      const locked = listed.map(({ txid, index }) => `${txid}:${index}`)
      await assert.rejects(node.prepare({ ...order(5_000n), lockedOutpoints: locked }), /do not suffice/)
    })

    it('inscribes a BRC-20 transfer, finds it in its block, and never spends its coin as plain coin', async () => {
      const { contentType, body } = writeBrc20Transfer('ordi', 25n * 10n ** 17n)
      const commit = commitInscription(taprootKey, contentType, body)
      const amount = commitAmount({ chain, commit, to: from }, 3_000n, 546n)
      const { txid } = await network.fund(addressOfScript(networkOf(chain), commit.script)!, amount)
      const paid = (await network.call('getrawtransaction', txid, 1)) as { vout: { scriptPubKey: { hex: string } }[] }
      const index = paid.vout.findIndex((each) => each.scriptPubKey.hex === toHex(commit.script))
      const reveal = revealInscription({ chain, commit, coin: { txid, index, amount }, to: from }, 546n)
      const raw = toHex(reveal.finish(schnorr.sign(reveal.digest, secretKey)))
      // Some nodes keep such transactions out of their pool, and none out of a block.
      await network.call('generateblock', from, [raw])
      const { height } = await node.head()
      const { transactions } = (await node.readWholeBlock(height))!
      const inscribed = transactions.reduce<Parameters<typeof followInscriptions>[0]>((known, each) => followInscriptions(known, each).inscribed, [])
      assert.deepEqual(
        inscribed.map(({ id, outpoint, inscription }) => ({ id, outpoint, operation: readBrc20(inscription) })),
        [{ id: `${reveal.txid}i0`, outpoint: `${reveal.txid}:0`, operation: { op: 'transfer', ticker: 'ordi', amount: 25n * 10n ** 17n, digits: 1 } }],
      )
      const coins = await node.listCoins(from)
      assert.equal(coins.length - spendableCoins(coins, lockInscribed({}, inscribed)).length, 1)
    })

    it('inscribes a token and sends it by transactions of ours alone, which the same bytes go on with wherever they stopped', async () => {
      const { height: start } = await node.head()
      await network.fund(taprootFrom, 300_000n)
      const token = { ...order(7n), from: taprootFrom, asset: { chain, contract: brc20Asset('ordi') }, inscribes: 546n }
      const had = await node.balance(taprootFrom, coin)
      const [, normal] = await node.estimateFee(token)
      const unsigned = await node.prepare({ ...token, tier: 1 })
      assert.equal(codec.decode(unsigned).feeMax, normal.feeMax)
      await assert.rejects(node.prepare({ ...token, feeCap: 100n }), /cap .* cannot be met/)
      const { raw, txid } = codec.attach(unsigned, codec.sighashes(unsigned).map(signTaproot))
      const [commit] = networkTransactions(chain, raw)
      // Somebody has sent the first of them alone, and a block has it: nobody else can have the place of the others.
      await network.call('sendrawtransaction', toHex(commit!.bytes))
      await network.mine(1)
      assert.equal(await node.slotUse(taprootFrom, unsigned, (await node.head()).height), undefined)
      // Some nodes keep reveals out of their pool, and none out of a block: there the others go into one as they are.
      const first = await node.broadcast(raw)
      if (first.outcome === 'accepted') {
        assert.deepEqual(await node.broadcast(raw), { outcome: 'accepted' })
        assert.equal((await waiting()).length, 2)
        await network.mine(1)
      } else {
        assert.notEqual(name, 'the emulator')
        const [, ...rest] = networkTransactions(chain, raw).map(({ bytes }) => toHex(bytes))
        await network.call('generateblock', taprootFrom, rest)
      }
      assert.deepEqual(await node.broadcast(raw), { outcome: 'accepted' })
      const { height } = await node.head()
      const use = (await node.slotUse(taprootFrom, unsigned, height))!
      assert.deepEqual([use.txid, use.height, codec.detach(use.raw!)], [txid, height, { unsigned, txid, from: taprootFrom }])
      assert.equal(await node.balance(taprootFrom, coin), had - 546n - normal.feeMax)
      // What comes back to the address on the way is no payment to it.
      const blocks = await Promise.all(Array.from({ length: Number(height - start) }, (_, i) => node.readBlock(start + 1n + BigInt(i))))
      const paid = blocks.flatMap((block) => block!.transfers).filter(({ from: payer, to }) => payer === taprootFrom || to === taprootFrom)
      assert.deepEqual(
        paid.map(({ to, amount }) => [to === taprootFrom || to === third ? to : 'commitment', amount]),
        [
          [taprootFrom, 300_000n],
          ['commitment', 330n],
          [third, 546n],
        ],
      )
    })

    it('speeds up and cancels what the payee has spent already, and pays for what falls with it', async () => {
      for (const replace of ['speed up', 'cancel'] as const) {
        await network.fund(from, 400_000n)
        const unsigned = await node.prepare({ ...order(150_000n), to: taprootFrom })
        const paid = signed(unsigned)
        await node.broadcast(paid.raw)
        const index = codec.decode(unsigned).change![0]?.index === 0 ? 1 : 0
        const coins = [{ txid: paid.txid, index, amount: 150_000n, script: requireScript(networkOf(chain), taprootFrom) }]
        const child = await strangerSpends(coins, 20_000n)
        assert.equal((await waiting()).length, 2)
        const bytes =
          replace === 'cancel'
            ? await node.prepareCancel!({ from, replaces: unsigned, feeCap: NO_CAP, tier: 0 })
            : await node.prepare({ ...order(150_000n), to: taprootFrom, tier: 1, replaces: unsigned })
        assert.ok(codec.decode(bytes).feeMax > codec.decode(unsigned).feeMax + child.fee)
        // Never above what people approved: then nothing is made, and the order waits.
        const feeCap = codec.decode(bytes).feeMax - 1n
        const capped =
          replace === 'cancel'
            ? node.prepareCancel!({ from, replaces: unsigned, feeCap, tier: 0 })
            : node.prepare({ ...order(150_000n), to: taprootFrom, feeCap, replaces: unsigned })
        await assert.rejects(capped, /cap .* cannot be met/)
        const winner = signed(bytes)
        assert.deepEqual(await node.broadcast(winner.raw), { outcome: 'accepted' })
        assert.deepEqual(await waiting(), [winner.txid])
        await network.mine(1)
        assert.equal((await node.transaction(winner.txid)).state, 'included')
      }
    })
  })
}

describe('a Bitcoin node that cannot be believed', () => {
  const { start } = testNetworks[0]!
  it('that has too little to estimate gets the fallback, and one that names absurd rates is refused', async () => {
    const network = await start!()
    const rpcUrl = network.rpcUrl
    const wanted = { from, to: third, asset: coin, amount: 5_000n }
    const tiers = await bitcoinNode({ chain, rpcUrl, fetch, timer, fallbackRates: [500n, 7_000n, 6_000n] }).estimateFee(wanted)
    assert.deepEqual(
      tiers.map(({ parameters }) => parameters.satPerKvb),
      [1_000n, 7_000n, 7_000n],
    )
    const answering =
      (method: string, result: unknown): typeof globalThis.fetch =>
      async (input, init) =>
        JSON.parse(String(init!.body)).method === method ? Response.json({ result, error: null, id: 1 }) : fetch(input, init)
    for (const feerate of [11, -1, '0.1', Number.MAX_VALUE]) {
      const absurd = bitcoinNode({ chain, rpcUrl, fetch: answering('estimatesmartfee', { feerate, blocks: 2 }), timer })
      await assert.rejects(absurd.estimateFee(wanted), ChainError)
    }
    const told = bitcoinNode({ chain, rpcUrl, fetch: answering('estimatesmartfee', { feerate: 0.00012345, blocks: 2 }), timer })
    assert.equal((await told.estimateFee(wanted))[2].parameters.satPerKvb, 12_345n)
    await network.stop()
  })

  it('sends nothing that the node says it would refuse, and calls it unknown; the password is in no message', async () => {
    const network = await start!()
    const methods: string[] = []
    const spying: typeof globalThis.fetch = async (input, init) => {
      methods.push(JSON.parse(String(init!.body)).method)
      return fetch(input, init)
    }
    await network.fund(from, 50_000n)
    const rpcUrl = network.rpcUrl.replace('//', '//name:open-sesame@')
    const node = bitcoinNode({ chain, rpcUrl, fetch: spying, timer })
    const unsigned = await node.prepare({ from, to: third, asset: coin, amount: 5_000n, feeCap: NO_CAP, slot: 0n, tier: 1 })
    const { raw } = codec.attach(unsigned, codec.sighashes(unsigned).map(sign))
    assert.ok(networkBytes(chain, raw).length > 100)
    const height = (await network.call('getblockcount')) as number
    await network.call('invalidateblock', await network.call('getblockhash', height))
    await network.call('generateblock', from, [])
    const waiting = (await network.call('getrawmempool')) as string[]
    assert.equal(waiting.length, 1)
    await network.stop()
    const gone = await node.broadcast(raw)
    assert.ok(gone.outcome === 'unknown' && !gone.reason.includes('open-sesame'))
    assert.equal(methods.includes('sendrawtransaction'), false)
  })
})
