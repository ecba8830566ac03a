import { nodePorts } from '@holdfast/ports/node'
import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, before, describe, it } from 'node:test'
import { TronWeb, utils } from 'tronweb'
import hostileToken from '@holdfast/chain-evm/artifacts/hostile-token.json' with { type: 'json' }
import { UNSTAKE_MS } from './stake.ts'
import { startTron, type TronConfig, type TronNetwork } from './start-tron.ts'

const dataFolder = mkdtempSync(`${tmpdir()}/holdfast-tron-`)
const config: TronConfig = { port: 0, dataFolder, blockTimeMs: 3_000, mining: false }
const TRX = 1_000_000n

let network: TronNetwork
let tron: TronWeb
const people = [0, 1, 2, 3].map((i) => {
  const privateKey = `${i + 1}`.repeat(64)
  return { privateKey, address: TronWeb.address.fromPrivateKey(privateKey) as string }
})
const [alice, bob, carol, dave] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0], (typeof people)[0]]

type Made = Exclude<Parameters<TronWeb['trx']['sign']>[0], string>
type Told = {
  id?: string
  fee?: number
  blockNumber: number
  result?: string
  receipt: Record<string, number | string>
  log?: { address: string }[]
  contract_address?: string
}

const infoOf = async (txid: string) => (await tron.trx.getUnconfirmedTransactionInfo(txid)) as unknown as Told
const sign = async (made: unknown, who = alice) => (await tron.trx.sign(made as Made, who.privateKey)) as Made
const post = async (method: string, body: object) =>
  (await (await fetch(`${network.url}/wallet/${method}`, { method: 'POST', body: JSON.stringify(body) })).json()) as Record<string, never>
const refusal = (answer: object) => {
  const { code, message } = answer as { code?: string; message?: string }
  return `${code}: ${Buffer.from(message ?? '', 'hex').toString()}`
}

/** Sends what was made, signed, and tells what became of it in the next block. */
async function included(made: unknown, who = alice): Promise<Told> {
  const answer = (await tron.trx.sendRawTransaction((await sign(made, who)) as never)) as unknown as { result?: boolean; txid: string }
  assert.equal(answer.result, true, refusal(answer))
  assert.deepEqual(await infoOf(answer.txid), {})
  await network.mine(1)
  return infoOf(answer.txid)
}

async function start(): Promise<void> {
  network = await startTron(nodePorts, config)
  tron = new TronWeb({ fullHost: network.url })
  tron.setAddress(alice.address)
}

before(async () => {
  await start()
  await network.pay(null, alice.address, 5_000n * TRX)
  await network.pay(network.token.contract, alice.address, 1_000_000n)
  await network.mine(1)
})
after(() => network.stop())

describe('the TRON emulator, used by tronweb', () => {
  it('says that it is an emulator', async () => assert.match(await (await fetch(network.url)).text(), /emulator.*not TRON software/))

  it('pays TRX: 1.1 TRX for an address that is paid for the first time, and then bandwidth', async () => {
    const first = await included(await tron.transactionBuilder.sendTrx(bob.address, 7_000_000, alice.address))
    assert.deepEqual([first.fee, first.receipt.net_fee], [1_100_000, 100_000])
    const second = await included(await tron.transactionBuilder.sendTrx(bob.address, 7_000_000, alice.address))
    assert.deepEqual([second.fee, second.receipt.net_usage], [undefined, 268])
    const third = [
      await included(await tron.transactionBuilder.sendTrx(bob.address, 2, alice.address)),
      await included(await tron.transactionBuilder.sendTrx(bob.address, 3, alice.address)),
    ]
    assert.equal(third[1]!.receipt.net_fee, 265_000)
    assert.equal(await tron.trx.getBalance(bob.address), 14_000_005)
    const block = await tron.trx.getBlock(third[1]!.blockNumber)
    assert.equal((block.transactions![0] as unknown as { ret: { contractRet: string }[] }).ret[0]!.contractRet, 'SUCCESS')
    const parent = await tron.trx.getBlock(third[1]!.blockNumber - 1)
    assert.equal(block.block_header.raw_data.parentHash, parent.blockID)
  })

  it('moves a token: energy as estimated, more for a new holder, and the log of the transfer', async () => {
    const parameters = (to: string) => [
      { type: 'address', value: to },
      { type: 'uint256', value: '5' },
    ]
    const energies: number[] = []
    for (let i = 0; i < 2; i++) {
      const call = [network.token.contract, 'transfer(address,uint256)', {}, parameters(bob.address), alice.address] as const
      const { energy_used: estimate } = await tron.transactionBuilder.triggerConstantContract(...call)
      const { transaction } = await tron.transactionBuilder.triggerSmartContract(call[0], call[1], { feeLimit: 100_000_000 }, call[3], call[4])
      const info = await included(transaction)
      assert.equal(info.receipt.result, 'SUCCESS')
      assert.equal(info.receipt.energy_usage_total, estimate)
      assert.equal(info.receipt.energy_fee, estimate! * 100)
      assert.equal(info.log!.length, 1)
      energies.push(estimate!)
    }
    assert.equal(energies[0]! - energies[1]!, 15_000)
    const [word] = (
      await tron.transactionBuilder.triggerConstantContract(
        network.token.contract,
        'balanceOf(address)',
        {},
        [{ type: 'address', value: bob.address }],
        alice.address,
      )
    ).constant_result!
    assert.equal(BigInt(`0x${word}`), 10n)
  })

  it('runs out of energy where the fee limit is too low, and takes what was burnt', async () => {
    const parameters = [
      { type: 'address', value: carol.address },
      { type: 'uint256', value: '5' },
    ]
    const { transaction } = await tron.transactionBuilder.triggerSmartContract(
      network.token.contract,
      'transfer(address,uint256)',
      { feeLimit: 500_000 },
      parameters,
      alice.address,
    )
    const info = await included(transaction)
    assert.deepEqual([info.receipt.result, info.result, info.receipt.energy_fee, info.log], ['OUT_OF_ENERGY', 'FAILED', 500_000, undefined])
  })

  it('makes a contract at the address that tronweb foretells', async () => {
    const made = await tron.transactionBuilder.createSmartContract(
      { abi: hostileToken.abi as never, bytecode: hostileToken.bytecode.slice(2), feeLimit: 2_000_000_000, name: 'Hostile' },
      alice.address,
    )
    const info = await included(made)
    assert.equal(info.receipt.result, 'SUCCESS')
    assert.equal(info.contract_address, (made as unknown as { contract_address: string }).contract_address)
  })

  it('stakes, lends energy so that the borrower burns nothing, takes it back, and gives the stake back when its time of waiting is over', async () => {
    await included(await tron.transactionBuilder.freezeBalanceV2(2_000_000_000, 'ENERGY', alice.address))
    await included(await tron.transactionBuilder.delegateResource(1_500_000_000, bob.address, 'ENERGY', alice.address))
    const { delegatedResource } = await post('getdelegatedresourcev2', {
      fromAddress: TronWeb.address.toHex(alice.address),
      toAddress: TronWeb.address.toHex(bob.address),
    })
    assert.equal((delegatedResource as unknown as { frozen_balance_for_energy: number }[])[0]!.frozen_balance_for_energy, 1_500_000_000)
    const lent = await tron.trx.getAccountResources(bob.address)
    assert.equal(lent.EnergyLimit, Math.floor((1_500 * 180e9) / (19e9 + 1_500)))
    await included(await tron.transactionBuilder.undelegateResource(1_500_000_000, bob.address, 'ENERGY', alice.address))
    await included(await tron.transactionBuilder.unfreezeBalanceV2(2_000_000_000, 'ENERGY', alice.address))
    const { unfrozenV2 } = (await tron.trx.getUnconfirmedAccount(alice.address)) as { unfrozenV2?: { unfreeze_amount: number }[] }
    assert.equal(unfrozenV2?.[0]!.unfreeze_amount, 2_000_000_000)
    const early = await sign(await tron.transactionBuilder.withdrawExpireUnfreeze(alice.address))
    await tron.trx.sendRawTransaction(early as never)
    await network.mine(1)
    assert.deepEqual(await infoOf(early.txID), {})
    await network.mine(UNSTAKE_MS / 3_000)
    const { amount } = (await post('getcanwithdrawunfreezeamount', { owner_address: TronWeb.address.toHex(alice.address) })) as { amount?: number }
    assert.equal(amount, 2_000_000_000)
    const info = (await included(await tron.transactionBuilder.withdrawExpireUnfreeze(alice.address))) as { withdraw_expire_amount?: number }
    assert.equal(info.withdraw_expire_amount, 2_000_000_000)
  })

  it('takes back every end of a stake that waits, and keeps what is locked from being taken back', async () => {
    await included(await tron.transactionBuilder.freezeBalanceV2(100_000_000, 'ENERGY', alice.address))
    await included(await tron.transactionBuilder.unfreezeBalanceV2(60_000_000, 'ENERGY', alice.address))
    const cancelled = (await included(await tron.transactionBuilder.cancelUnfreezeBalanceV2(alice.address))) as {
      cancel_unfreezeV2_amount?: { key: string; value: number }[]
    }
    assert.equal(cancelled.cancel_unfreezeV2_amount?.find(({ key }) => key === 'ENERGY')?.value, 60_000_000)
    assert.equal((await tron.trx.getCanDelegatedMaxSize(alice.address, 'ENERGY')).max_size, 100_000_000)
    await included(await tron.transactionBuilder.delegateResource(50_000_000, bob.address, 'ENERGY', alice.address, true, 20))
    const back = await tron.transactionBuilder.undelegateResource(50_000_000, bob.address, 'ENERGY', alice.address)
    const early = await sign(back)
    await tron.trx.sendRawTransaction(early as never)
    await network.mine(20)
    assert.deepEqual(await infoOf(early.txID), {})
    await included(await tron.transactionBuilder.undelegateResource(50_000_000, bob.address, 'ENERGY', alice.address))
    assert.equal((await tron.trx.getCanDelegatedMaxSize(alice.address, 'ENERGY')).max_size, 100_000_000)
  })

  it('asks for the signatures of a permission of several keys', async () => {
    await network.pay(null, dave.address, 200n * TRX)
    await network.mine(1)
    const keys = [
      { address: bob.address, weight: 1 },
      { address: carol.address, weight: 1 },
      { address: dave.address, weight: 1 },
    ]
    const permission = { permission_name: 'pay', threshold: 2, keys }
    const operations = `7fff1fc0033e${'00'.repeat(26)}`
    const update = await tron.transactionBuilder.updateAccountPermissions(dave.address, { type: 0, ...permission } as never, undefined, [
      { type: 2, operations, ...permission },
    ] as never)
    assert.equal((await included(update, dave)).fee! >= 100_000_000, true)
    const made = await tron.transactionBuilder.sendTrx(bob.address, 9, dave.address, { permissionId: 2 })
    const one = (await tron.trx.multiSign(made, bob.privateKey, 2)) as Made
    assert.match(refusal(await tron.trx.sendRawTransaction(one as never)), /SIGERROR/)
    const two = (await tron.trx.multiSign(one, carol.privateKey, 2)) as Made
    assert.equal(((await tron.trx.sendRawTransaction(two as never)) as { result?: boolean }).result, true)
    await network.mine(1)
    assert.equal((await infoOf(two.txID)).fee! >= 1_000_000, true)
  })
})

describe('the TRON emulator refuses', () => {
  const pay = () => tron.transactionBuilder.sendTrx(bob.address, 11, alice.address)
  const broadcast = async (signed: object) => refusal((await tron.trx.sendRawTransaction(signed as never)) as object)

  it('a second sending, a foreign signature, other bytes than the id, another chain, and what is past its time', async () => {
    const signed = await sign(await pay())
    await tron.trx.sendRawTransaction(signed as never)
    assert.match(await broadcast(signed), /^DUP_TRANSACTION_ERROR/)
    await network.mine(1)
    assert.match(await broadcast(signed), /^DUP_TRANSACTION_ERROR/)
    const made = (await pay()) as unknown as Made
    const foreign = utils.crypto.ECKeySign(utils.code.hexStr2byteArray(made.txID), utils.code.hexStr2byteArray(bob.privateKey))
    assert.match(await broadcast({ ...made, signature: [foreign] }), /^SIGERROR/)
    assert.match(await broadcast({ ...(await sign(made)), txID: '00'.repeat(32) }), /^SIGERROR/)
    const header = { ref_block_bytes: '0001', ref_block_hash: '1122334455667788', timestamp: Date.now(), expiration: Date.now() + 60_000 }
    assert.match(await broadcast(await sign(await tron.transactionBuilder.sendTrx(bob.address, 1, alice.address, { blockHeader: header }))), /^TAPOS_ERROR/)
    const late = await sign(await pay())
    await network.mine(21)
    assert.match(await broadcast(late), /^TRANSACTION_EXPIRATION_ERROR/)
  })

  it('what an account cannot pay', async () => {
    const made = await tron.transactionBuilder.sendTrx(bob.address, 1_000_000_000, carol.address).catch((cause: Error) => cause)
    assert.ok(made instanceof Error || /CONTRACT_VALIDATE_ERROR/.test(await broadcast(await sign(made, carol))))
    const signed = await sign(await tron.transactionBuilder.sendTrx(bob.address, 4_999_000_000, alice.address))
    await tron.trx.sendRawTransaction(signed as never)
    await network.mine(1)
    assert.deepEqual(await infoOf(signed.txID), {})
  })
})

describe('the TRON emulator', () => {
  it('has the same blocks after a restart, and blocks without what a reorganisation took out', async () => {
    const made = await sign(await tron.transactionBuilder.sendTrx(bob.address, 13, alice.address))
    await tron.trx.sendRawTransaction(made as never)
    await network.mine(2)
    const seen = async () => [
      (await post('getnowblock', {})).blockID,
      await tron.trx.getBalance(alice.address),
      await tron.trx.getBalance(bob.address),
      await infoOf(made.txID),
    ]
    const before = await seen()
    await network.stop()
    await start()
    assert.deepEqual(await seen(), before)
    await network.reorganise(2)
    assert.deepEqual(await infoOf(made.txID), {})
    const after = await seen()
    await network.stop()
    await start()
    assert.deepEqual(await seen(), after)
  })

  it('calls a block solid when 18 others stand on it', async () => {
    const solid = async () =>
      ((await (await fetch(`${network.url}/walletsolidity/getnowblock`)).json()) as { block_header: { raw_data: { number: number } } }).block_header.raw_data
        .number
    const { block_header: head } = (await post('getnowblock', {})) as unknown as { block_header: { raw_data: { number: number } } }
    assert.equal(await solid(), head.raw_data.number - 18)
  })

  it('makes blocks by itself, and is another chain under another name', async () => {
    const other = await startTron(nodePorts, { ...config, mining: true, blockTimeMs: 50, name: 'other' })
    try {
      assert.notEqual(other.chain, network.chain)
      const txid = await other.pay(null, alice.address, TRX)
      while (other.heightOf(txid) === undefined) await nodePorts.timer.sleep(10)
    } finally {
      await other.stop()
    }
  })
})
