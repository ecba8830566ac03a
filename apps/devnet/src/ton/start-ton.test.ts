import { nodePorts } from '@holdfast/ports/node'
import { Address, beginCell, type Cell, comment, internal, SendMode, toNano } from '@ton/core'
import { keyPairFromSeed, sign } from '@ton/crypto'
import { JettonMaster, JettonWallet, TonClient, WalletContractV4, WalletContractV5R1 } from '@ton/ton'
import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, before, describe, it } from 'node:test'
import { startTon, TON_CHAIN, type TonConfig, type TonNetwork } from './start-ton.ts'

const config: TonConfig = { port: 0, dataFolder: mkdtempSync(`${tmpdir()}/holdfast-ton-`), blockTimeMs: 1_000, mining: false }
const keys = keyPairFromSeed(Buffer.alloc(32, 7))
const wallet = WalletContractV5R1.create({ publicKey: keys.publicKey, walletId: { networkGlobalId: -31_337 } })
const older = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey })
const bob = WalletContractV4.create({ workchain: 0, publicKey: keyPairFromSeed(Buffer.alloc(32, 8)).publicKey }).address
const text = (address: Address) => address.toString({ bounceable: false, testOnly: true })

let network: TonNetwork
let client: TonClient
let validUntil: number

async function start(): Promise<void> {
  network = await startTon(nodePorts, config)
  client = new TonClient({ endpoint: network.url })
  validUntil = Math.floor(Date.now() / 1_000) + 3_600
}

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => 'taken',
    (cause: { response?: { data?: { error?: string } } }) => cause.response?.data?.error ?? String(cause),
  )
/** Signs as a threshold key does: the library hands out the cell, and gets 64 bytes for its hash. */
const order = (seqno: number, messages: ReturnType<typeof internal>[], from: object = wallet, secretKey = keys.secretKey) =>
  (from as { createTransfer(given: object): Promise<Cell> }).createTransfer({
    seqno,
    timeout: validUntil,
    sendMode: SendMode.PAY_GAS_SEPARATELY + SendMode.IGNORE_ERRORS,
    messages,
    signer: async (cell: Cell) => sign(cell.hash(), secretKey),
  })

before(async () => {
  await start()
  await network.pay(null, text(wallet.address), toNano('100'))
  await network.pay(null, text(older.address), toNano('100'))
  await network.pay(network.token.contract, text(wallet.address), 1_000_000n)
  await network.mine(1)
})
after(() => network.stop())

describe('the TON emulator, used by the client of @ton/ton', () => {
  it('says what it is', async () => assert.match(await (await fetch(network.url)).text(), /emulator.*no TON node/))

  it('has paid before any wallet was there', async () => {
    // A payment in the jetton came with a nanoton of its own.
    assert.equal(await client.getBalance(wallet.address), toNano('100') + 1n)
    assert.equal(await client.isContractDeployed(wallet.address), false)
  })

  it('makes a wallet by its first order and pays with a comment, by the newer wallet and the older', async () => {
    for (const [i, contract] of [wallet, older].entries()) {
      const opened = client.open(contract)
      const body = await order(0, [internal({ to: bob, value: '1.5', bounce: false, body: 'invoice 42' })], contract)
      const { source_fees: fees } = await client.estimateExternalMessageFee(contract.address, {
        body,
        initCode: contract.init.code,
        initData: contract.init.data,
        ignoreSignature: true,
      })
      assert.ok(fees.gas_fee > 0 && fees.in_fwd_fee > 0 && fees.fwd_fee > 0, JSON.stringify(fees))
      await opened.send(body)
      await network.mine(1)
      assert.deepEqual([await client.isContractDeployed(contract.address), await opened.getSeqno()], [true, 1])
      const missing = toNano('1.5') * BigInt(i + 1) - (await client.getBalance(bob))
      assert.ok(missing >= 0n && missing < 1_000n, `${missing} for storage`)
      const [last] = await client.getTransactions(bob, { limit: 1 })
      assert.ok(last!.inMessage!.body.equals(comment('invoice 42')))
      assert.match(await refusal(opened.send(body)), /cannot apply external message/)
      const [sent] = await client.getTransactions(contract.address, { limit: 1 })
      const { createdLt } = sent!.outMessages.values()[0]!.info as { createdLt: bigint }
      assert.ok((await client.tryLocateResultTx(contract.address, bob, String(createdLt))).hash().equals(last!.hash()))
      assert.ok((await client.tryLocateSourceTx(contract.address, bob, String(createdLt))).hash().equals(sent!.hash()))
    }
  })

  it('moves a jetton, and tells its receiver', async () => {
    const master = client.open(JettonMaster.create(Address.parse(network.token.contract)))
    const own = client.open(JettonWallet.create(await master.getWalletAddress(wallet.address)))
    assert.equal(await own.getBalance(), 1_000_000n)
    const transfer = beginCell().storeUint(0xf8a7ea5, 32).storeUint(1, 64).storeCoins(250n).storeAddress(bob).storeAddress(wallet.address)
    const body = transfer.storeBit(0).storeCoins(1n).storeBit(1).storeRef(comment('jetton memo')).endCell()
    await client.open(wallet).send(await order(1, [internal({ to: own.address, value: '0.1', body })]))
    await network.mine(1)
    const theirs = await master.getWalletAddress(bob)
    assert.deepEqual([await client.open(JettonWallet.create(theirs)).getBalance(), await own.getBalance()], [250n, 999_750n])
    const [notice] = await client.getTransactions(bob, { limit: 1 })
    assert.ok((notice!.inMessage!.info.src as Address).equals(theirs))
    assert.equal(notice!.inMessage!.body.beginParse().loadUint(32), 0x7362d09c)
  })

  it('shows every transaction of a block, and a history page by page', async () => {
    const messages = Array.from({ length: 20 }, () => internal({ to: bob, value: '0.01', bounce: false }))
    await client.open(wallet).send(await order(2, messages))
    await network.mine(1)
    const { latestSeqno } = await client.getMasterchainInfo()
    const [shard] = await client.getWorkchainShards(latestSeqno)
    assert.equal((await client.getShardTransactions(shard!.workchain, shard!.seqno, shard!.shard)).length, 21)
    const all = await client.getTransactions(bob, { limit: 100 })
    const first = all.slice(0, 5).at(-1)!
    const next = await client.getTransactions(bob, { limit: 5, lt: String(first.lt), hash: first.hash().toString('base64') })
    assert.deepEqual(
      next.map(({ lt }) => lt),
      all.slice(5, 10).map(({ lt }) => lt),
    )
  })
})

describe('the TON emulator refuses', () => {
  const pay = [internal({ to: bob, value: '1', bounce: false })]

  it('a foreign signature, a number out of turn, another network, and what is past its time', async () => {
    const opened = client.open(wallet)
    const other = keyPairFromSeed(Buffer.alloc(32, 9))
    const foreign = WalletContractV5R1.create({ publicKey: keys.publicKey, walletId: { networkGlobalId: -3 } })
    assert.match(await refusal(opened.send(await order(3, pay, wallet, other.secretKey))), /cannot apply/)
    assert.match(await refusal(opened.send(await order(4, pay))), /cannot apply/)
    assert.match(await refusal(opened.send(await order(3, pay, foreign))), /cannot apply/)
    validUntil = 1_700_000_000
    assert.match(await refusal(opened.send(await order(3, pay))), /cannot apply/)
  })

  it('what it does not know', async () => {
    const ask = async (body: string) => (await fetch(network.url, { method: 'POST', body })).json() as Promise<{ ok: boolean }>
    for (const body of [
      '',
      '{}',
      '[]',
      '{"method":"constructor"}',
      '{"method":"shards","params":{"seqno":999999}}',
      '{"method":"sendBoc","params":{"boc":"x"}}',
    ])
      assert.equal((await ask(body)).ok, false, body)
  })
})

describe('the TON emulator', () => {
  it('has the same blocks and accounts after a restart, and its faucet goes on', async () => {
    const seen = async () => [
      await client.getMasterchainInfo(),
      await client.getBalance(bob),
      (await client.getTransactions(bob, { limit: 1 }))[0]!.hash().toString('hex'),
    ]
    await network.mine(1)
    const before = await seen()
    await network.stop()
    const { nowMs } = nodePorts.clock
    network = await startTon({ ...nodePorts, clock: { ...nodePorts.clock, nowMs: () => Math.min(nowMs(), 0) } }, config)
    client = new TonClient({ endpoint: network.url })
    assert.deepEqual(await seen(), before)
    const txid = await network.pay(null, text(bob), 5n)
    await network.mine(1)
    assert.ok(network.heightOf(txid)! > 0n)
  })

  it('makes blocks by itself, and is another chain under another number', async () => {
    const other = await startTon(nodePorts, { ...config, mining: true, blockTimeMs: 50, globalId: -31_338 })
    try {
      assert.deepEqual([network.chain, other.chain], [TON_CHAIN, 'ton:-31338'])
      const txid = await other.pay(null, text(bob), 5n)
      while (other.heightOf(txid) === undefined) await nodePorts.timer.sleep(10)
    } finally {
      await other.stop()
    }
  })
})
