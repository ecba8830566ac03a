import { type AssetRef, type Block, ChainError, type TransferOrder, readTokenWallets } from '@holdfast/chain-core'
import { startTon, TON_CHAIN as chain, type TonNetwork } from '@holdfast/devnet/ton'
import { nodePorts } from '@holdfast/ports/node'
import { Address, beginCell, Cell, contractAddress, internal, SendMode, toNano } from '@ton/core'
import { keyPairFromSeed } from '@ton/crypto'
import { JettonMaster, TonClient, WalletContractV4, WalletContractV5R1 } from '@ton/ton'
import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, before, describe, it } from 'node:test'
import jettonMaster from '../artifacts/jetton-master.json' with { type: 'json' }
import jettonWallet from '../artifacts/jetton-wallet.json' with { type: 'json' }
import { addressText, tonCodec } from '../codec/index.ts'
import { longMemo, publicKey, sign } from '../testing/samples.ts'
import { tonNode, type TonNodeConfig } from './index.ts'

const codec = tonCodec({ chain })
const coin: AssetRef = { chain, contract: null }
const alice = codec.addressFromKey(publicKey)
const { fetch, timer } = nodePorts
const TON = 1_000_000_000n
/** Somebody with a wallet of the library's, who sends what no order of ours would. */
const mallory = keyPairFromSeed(Buffer.alloc(32, 9))
const mallorys = WalletContractV5R1.create({ publicKey: mallory.publicKey, walletId: { networkGlobalId: -31_337 } })
const text = (address: Address) => address.toString({ bounceable: false, testOnly: true })

let network: TonNetwork
let node: ReturnType<typeof tonNode>
let token: AssetRef
let client: TonClient
let strangers = 0
const stranger = () => addressText({ workchain: 0, hash: Uint8Array.of(...new Uint8Array(29), 9, 9, ++strangers) }, true)
const open = (changes: Partial<TonNodeConfig> = {}) =>
  tonNode({ chain, rpcUrl: network.url, tokens: [token.contract!], publicKeyOf: async () => publicKey, fetch, timer, validForMs: 120_000, ...changes })

function order(changes: Partial<TransferOrder>): TransferOrder {
  return { from: alice, to: stranger(), asset: coin, amount: TON, feeCap: TON, slot: 0n, tier: 1, ...changes }
}

async function send(changes: Partial<TransferOrder>): Promise<string> {
  const unsigned = await node.prepare(order({ slot: await node.nextSlot(alice), ...changes }))
  const { raw, txid } = codec.attach(unsigned, codec.sighashes(unsigned).map(sign))
  assert.deepEqual(await node.broadcast(raw), { outcome: 'accepted' })
  await network.mine(1)
  return txid
}

const headBlock = async (): Promise<Block> => (await node.readBlock((await node.head()).height))!
const paidTo = ({ transfers }: Block, to: string) => transfers.filter((each) => each.to === to).map(({ asset, amount, memo }) => ({ asset, amount, memo }))

/** Mallory's wallet sends anything; answers with the block that holds it. */
async function malloryDoes(...messages: ReturnType<typeof internal>[]): Promise<Block> {
  const opened = client.open(mallorys)
  const seqno = await opened.getSeqno()
  const given = { seqno, timeout: 4_000_000_000, sendMode: SendMode.PAY_GAS_SEPARATELY + SendMode.IGNORE_ERRORS, secretKey: mallory.secretKey, messages }
  await opened.send((mallorys as { createTransfer(given: object): unknown }).createTransfer(given) as Cell)
  await network.mine(1)
  return headBlock()
}

before(async () => {
  network = await startTon(nodePorts, { port: 0, dataFolder: mkdtempSync(`${tmpdir()}/holdfast-ton-`), blockTimeMs: 5_000, mining: false })
  token = { chain, contract: network.token.contract }
  client = new TonClient({ endpoint: network.url })
  node = open()
  await network.pay(null, alice, 100n * TON)
  await network.pay(null, text(mallorys.address), 100n * TON)
  await network.pay(token.contract, alice, 1_000_000n)
  await network.mine(1)
})
after(() => network.stop())

describe('payments that are read', () => {
  it('have the comment they came with, in coin and in a jetton, short and over several cells', async () => {
    for (const asset of [coin, token]) {
      for (const memo of ['10042', longMemo]) {
        const to = stranger()
        await network.pay(asset.contract, to, 5_000n, memo)
        await network.mine(1)
        assert.deepEqual(paidTo(await headBlock(), to), [{ asset, amount: 5_000n, memo }])
      }
    }
  })

  it('are those of the older wallet too: what it is sent, and what it pays by its first order and after it', async () => {
    const older = client.open(WalletContractV4.create({ workchain: 0, publicKey: mallory.publicKey }))
    const from = text(older.address)
    await network.pay(null, from, 5n * TON, 'to the older wallet')
    await network.mine(1)
    assert.deepEqual(paidTo(await headBlock(), from), [{ asset: coin, amount: 5n * TON, memo: 'to the older wallet' }])
    for (const seqno of [0, 1]) {
      const to = stranger()
      const message = internal({ to: Address.parse(to), value: TON, bounce: false, body: `invoice ${seqno}` })
      await older.send(
        older.createTransfer({ seqno, timeout: 4_000_000_000, sendMode: SendMode.PAY_GAS_SEPARATELY, secretKey: mallory.secretKey, messages: [message] }),
      )
      await network.mine(1)
      const paid = (await headBlock()).transfers.find((each) => each.to === to)!
      assert.deepEqual([paid.from, paid.amount, paid.memo], [from, TON, `invoice ${seqno}`])
      assert.match(paid.txid, new RegExp(`^[0-9a-f]{64}:${from}$`))
    }
    assert.equal(await node.balance(from, coin), await client.getBalance(older.address))
  })

  it('are all there where one transaction makes many, more than a page of them', async () => {
    const to = Array.from({ length: 120 }, stranger)
    const blocks = [await malloryDoes(...to.map((each) => internal({ to: Address.parse(each), value: 7n, bounce: false })))]
    const found = blocks[0]!.transfers.filter((each) => to.includes(each.to))
    assert.equal(found.length, 120)
    assert.equal(new Set(found.map(({ txid, index }) => `${txid} ${index}`)).size, 120)
    assert.equal(new Set(found.map(({ txid }) => txid)).size, 1)
  })

  it('are no payment where the account sent the coin back', async () => {
    const to = stranger()
    const block = await malloryDoes(internal({ to: Address.parse(to), value: toNano('1'), bounce: true }))
    assert.deepEqual(paidTo(block, to), [])
    assert.deepEqual(paidTo(block, text(mallorys.address)), [])
    assert.equal(await node.balance(to, coin), 0n)
  })

  it('are no payment in a jetton where somebody only says so', async () => {
    const to = stranger()
    const master = client.open(JettonMaster.create(Address.parse(token.contract!)))
    const wallet = await master.getWalletAddress(Address.parse(to))
    const said = (op: number) =>
      beginCell().storeUint(op, 32).storeUint(1, 64).storeCoins(777n).storeAddress(mallorys.address).storeAddress(null).storeCoins(0).storeBit(0).endCell()
    const notice = internal({ to: Address.parse(to), value: toNano('0.1'), bounce: false, body: said(0x7362d09c) })
    const arrival = internal({ to: wallet, value: toNano('0.1'), bounce: false, body: said(0x178d4519) })
    const block = await malloryDoes(notice, arrival)
    assert.deepEqual(paidTo(block, to), [{ asset: coin, amount: toNano('0.1'), memo: undefined }])
    const [claim] = block.unknownTransfers!.filter((each) => each.to === to)
    assert.deepEqual([claim!.asset.contract, claim!.amount], [text(mallorys.address), 777n])
    assert.equal(await node.balance(to, token), 0n)
  })

  it('are claims and no payment where the jetton is none of the watched ones', async () => {
    const other = open({ tokens: [] })
    const to = stranger()
    await network.pay(token.contract, to, 5_000n)
    await network.mine(1)
    const block = (await other.readBlock((await other.head()).height))!
    assert.deepEqual(paidTo(block, to), [])
    assert.deepEqual(
      block.unknownTransfers!.filter((each) => each.to === to).map(({ amount }) => amount),
      [5_000n],
    )
  })

  it('are those that the master of a jetton makes, for whoever the address of the jetton wallet says, and none by another jetton', async () => {
    const code = Cell.fromBase64(jettonMaster.code)
    const data = beginCell().storeCoins(0).storeAddress(mallorys.address).storeRef(Cell.fromBase64(jettonWallet.code)).endCell()
    const master = contractAddress(0, { code, data })
    const to = stranger()
    const mint = beginCell().storeUint(21, 32).storeUint(0, 64).storeAddress(Address.parse(to)).storeCoins(444n).endCell()
    await malloryDoes(internal({ to: master, value: toNano('0.1'), bounce: false, init: { code, data } }))
    const { height } = await malloryDoes(internal({ to: master, value: toNano('0.2'), body: mint }))
    const asset = { chain, contract: text(master) }
    const watching = open({ tokens: [token.contract!, asset.contract] })
    const made = (await watching.readBlock(height))!.transfers.filter((each) => each.to === to)
    assert.deepEqual(
      made.map((each) => [each.asset, each.amount, each.from]),
      [[asset, 444n, asset.contract]],
    )
    assert.equal(await watching.balance(to, asset), 444n)
    assert.deepEqual(paidTo((await node.readBlock(height))!, to), [])
  })

  it('are refused to be told for what is no jetton', async () => {
    await assert.rejects(open({ tokens: [alice] }).balance(alice, { chain, contract: alice }), ChainError)
    await assert.rejects(node.balance(alice, { chain, contract: stranger() }), /has no get_jetton_data/)
  })
})

describe('the wallets of a jetton', () => {
  it('are told as a policy pins them, as they stand in the bytes of an order to pay it', async () => {
    const told = await node.tokenWallets!(token.contract!)
    const unsigned = await node.prepare(order({ slot: await node.nextSlot(alice), asset: token, amount: 3n }))
    assert.equal(codec.decode(unsigned).tokenWallets, told)
    assert.equal(readTokenWallets(told)!.token, token.contract)
    await assert.rejects(node.tokenWallets!(stranger()), ChainError)
  })
})

describe('orders', () => {
  it('carry a memo, to a wallet and with a jetton', async () => {
    for (const asset of [coin, token]) {
      const to = stranger()
      const txid = await send({ to, asset, amount: 1_000n, memo: 'Rechnung Nr. 7' })
      const block = await headBlock()
      assert.deepEqual(paidTo(block, to), [{ asset, amount: 1_000n, memo: 'Rechnung Nr. 7' }])
      assert.ok(block.transfers.some((each) => each.to === to && each.txid === txid && each.from === alice))
    }
  })

  it('of a jetton cost what did not come back, and what came back is no payment', async () => {
    const had = await node.balance(alice, coin)
    const state = await node.transaction(await send({ asset: token, amount: 3n, tier: 2 }))
    assert.ok(state.state === 'included' && state.success)
    assert.equal(had - (await node.balance(alice, coin)), state.fee)
    assert.ok(state.fee < 60_000_000n, String(state.fee))
    assert.deepEqual(paidTo(await headBlock(), alice), [])
  })

  it('of more of a jetton than there is fail, are told so, and cost what was burnt', async () => {
    const had = await node.balance(alice, coin)
    const to = stranger()
    const state = await node.transaction(await send({ to, asset: token, amount: 10n ** 12n }))
    assert.ok(state.state === 'included' && !state.success)
    assert.equal(had - (await node.balance(alice, coin)), state.fee)
    assert.deepEqual(paidTo(await headBlock(), to), [])
  })

  it('of more coin than there is are carried out as nothing, and told so', async () => {
    const state = await node.transaction(await send({ amount: 10n ** 6n * TON }))
    assert.ok(state.state === 'included' && !state.success && state.fee > 0n)
  })

  it('to several pay each of them once, in coin and in a jetton, and cost to the last nanoton what the paying address lost beside', async () => {
    for (const asset of [coin, token]) {
      const payments = [700n, 800n, 900n].map((amount) => ({ to: stranger(), amount }))
      const had = await node.balance(alice, coin)
      const txid = await send({ to: payments[0]!.to, asset, amount: 2_400n, payments })
      const state = await node.transaction(txid)
      assert.ok(state.state === 'included' && state.success)
      const block = await headBlock()
      assert.deepEqual(state.arrivals, [{ height: state.height, blockHash: state.blockHash }])
      for (const { to, amount } of payments) assert.deepEqual(paidTo(block, to), [{ asset, amount, memo: undefined }])
      const of = block.transfers.filter((each) => each.txid === txid && each.asset.contract === asset.contract)
      assert.equal(new Set(of.map(({ index }) => index)).size, 3)
      assert.equal(had - (await node.balance(alice, coin)), state.fee + (asset === coin ? 2_400n : 0n))
    }
  })

  it('to several leave out what cannot be sent, and the others arrive: the blocks show which, and the fee is what it cost', async () => {
    for (const [asset, more] of [
      [coin, 10n ** 6n * TON],
      [token, 10n ** 12n],
    ] as const) {
      const payments = [700n, more, 900n].map((amount) => ({ to: stranger(), amount }))
      const had = await node.balance(alice, coin)
      const state = await node.transaction(await send({ to: payments[0]!.to, asset, amount: 1_600n + more, payments }))
      assert.ok(state.state === 'included' && state.success)
      const block = await headBlock()
      assert.deepEqual(
        payments.map(({ to }) => paidTo(block, to).map(({ amount }) => amount)),
        [[700n], [], [900n]],
      )
      assert.equal(had - (await node.balance(alice, coin)), state.fee + (asset === coin ? 1_600n : 0n))
    }
  })

  it('to as many as one order takes stay within what is said of their fee, and a cap below that is refused', async () => {
    for (const [asset, count] of [
      [coin, 100],
      [token, 20],
    ] as const) {
      const payments = Array.from({ length: count }, () => ({ to: stranger(), amount: 1n }))
      const wanted = { to: payments[0]!.to, asset, amount: BigInt(count), payments }
      const [{ feeMax }] = await node.estimateFee(order(wanted))
      const had = await node.balance(alice, coin)
      const state = await node.transaction(await send({ ...wanted, feeCap: feeMax }))
      assert.ok(state.state === 'included' && state.success && state.fee <= feeMax)
      assert.equal(had - (await node.balance(alice, coin)), state.fee + (asset === coin ? BigInt(count) : 0n))
      await assert.rejects(node.prepare(order({ ...wanted, feeCap: feeMax - 1n })), /cannot be met/)
    }
  })

  it('stay within the cap by less coin for the work, as long as that is enough', async () => {
    const wanted = order({ asset: token, amount: 5n, slot: await node.nextSlot(alice) })
    const [economy, , fast] = await node.estimateFee(wanted)
    const capped = codec.decode(await node.prepare({ ...wanted, tier: 2, feeCap: economy.feeMax + 1n }))
    assert.ok(capped.feeMax === economy.feeMax + 1n && fast.feeMax > capped.feeMax)
    await assert.rejects(node.prepare({ ...wanted, feeCap: economy.feeMax - 1n }), /fee cap of \d+ nanotons cannot be met/)
  })

  it('are not prepared for an address whose key is not known, nor in the place of another', async () => {
    const unknown = open({ publicKeyOf: async () => undefined })
    await assert.rejects(unknown.prepare(order({ from: stranger() })), /the key of .* is not known/)
    await assert.rejects(node.prepare(order({ from: stranger() })), /the key of .* is not known/)
    assert.ok(await unknown.prepare(order({})), 'once made, the wallet itself says its key')
    await assert.rejects(node.prepare(order({ replaces: new Uint8Array() })), /cannot be replaced/)
  })
})

describe('the slot of an order', () => {
  it('is open until the time of its bytes has passed in the shard, and then ended by no transaction', async () => {
    const unsigned = await node.prepare(order({ slot: await node.nextSlot(alice) }))
    assert.equal(await node.slotUse(alice, unsigned, (await node.head()).height), undefined)
    await network.mine(30)
    const { height, hash } = await node.head()
    assert.deepEqual(await node.slotUse(alice, unsigned, height), { txid: null, height, blockHash: hash, raw: null })
    assert.equal(await node.slotUse(alice, unsigned, height - 29n), undefined)
    const { raw } = codec.attach(unsigned, codec.sighashes(unsigned).map(sign))
    assert.equal((await node.broadcast(raw)).outcome, 'unknown')
  })

  it('is ended by another order in it, also for a node that was opened later', async () => {
    const slot = await node.nextSlot(alice)
    const unsigned = await node.prepare(order({ slot }))
    const txid = await send({ slot })
    const { height } = await node.head()
    for (const each of [node, open()]) {
      const use = (await each.slotUse(alice, unsigned, height))!
      assert.deepEqual([use.txid, use.height, use.raw], [txid, height, null])
    }
    assert.equal(await node.slotUse(alice, unsigned, height - 1n), undefined)
  })

  it('is looked for no further back than to the order before it or to its time, however long the history is', async () => {
    let pages = 0
    // One transaction a page, so that each that is looked at is a question.
    const counting: typeof globalThis.fetch = async (input, init) => {
      const body = String(init?.body)
      if (body.includes('"getTransactions"')) pages++
      return fetch(input, { ...init!, body: body.replace('"limit":64', '"limit":1') })
    }
    const asked = async (ask: (fresh: typeof node) => Promise<unknown>) => {
      pages = 0
      await ask(open({ fetch: counting }))
      return pages
    }
    const first = await send({ slot: await node.nextSlot(alice) })
    for (let i = 0; i < 3; i++) await send({ slot: await node.nextSlot(alice) })
    const unsigned = await node.prepare(order({ slot: await node.nextSlot(alice) }))
    const { height } = await node.head()
    const whole = await asked((fresh) => fresh.transaction(`${'0'.repeat(64)}${first.slice(64)}`))
    assert.ok(whole > 10)
    assert.ok((await asked((fresh) => fresh.slotUse(alice, unsigned, height))) <= 2)
    assert.ok((await asked((fresh) => fresh.transaction(first))) < whole)
    const later = 10n ** 15n
    assert.equal(await asked((fresh) => fresh.transaction(first, later)), 1, 'nothing from before is looked at')
  })

  it('is not called open by a node that leaves a transaction out', async () => {
    const slot = await node.nextSlot(alice)
    const unsigned = await node.prepare(order({ slot }))
    await send({ slot })
    await send({})
    const hiding: typeof globalThis.fetch = async (input, init) => {
      const answer = await fetch(input, init)
      if (!String(init?.body).includes('"getTransactions"')) return answer
      const told = (await answer.json()) as { result: object[] }
      return Response.json({ ...told, result: told.result.toSpliced(1, 1) })
    }
    await assert.rejects(open({ fetch: hiding }).slotUse(alice, unsigned, (await node.head()).height), /leaves transactions out/)
  })
})

describe('the node', () => {
  it('tells contracts from wallets and from nothing, balances of now alone, and that its head is final', async () => {
    assert.deepEqual([await node.isContract(token.contract!), await node.isContract(alice), await node.isContract(stranger())], [true, false, false])
    const { height } = await node.head()
    assert.equal(await node.balance(alice, coin, height), await node.balance(alice, coin))
    await assert.rejects(node.balance(alice, coin, height - 1n), /no balances of the past/)
    assert.deepEqual(await node.finalHead!(), await node.head())
    assert.deepEqual((await node.readBlock(0n))!.transfers, [])
  })

  it('takes an address in any of its forms', async () => {
    const raw = Address.parse(alice).toRawString()
    assert.equal(await node.balance(raw, coin), await node.balance(alice, coin))
  })
})
