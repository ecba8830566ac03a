import { type AssetRef, ChainError, leftOf, type StakeOrder, type TransferOrder } from '@holdfast/chain-core'
import { startTron, TRON_CHAIN as chain, type TronNetwork } from '@holdfast/devnet/tron'
import { nodePorts } from '@holdfast/ports/node'
import { toHex } from '@holdfast/encoding'
import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, before, describe, it } from 'node:test'
import { TronWeb } from 'tronweb'
import hostileToken from '@holdfast/chain-evm/artifacts/hostile-token.json' with { type: 'json' }
import { addressText, tronCodec } from '../codec/index.ts'
import { publicKey, secretKey, sign } from '../testing/samples.ts'
import { tronNode, type TronNode } from './index.ts'

const codec = tronCodec({ chain })
const coin: AssetRef = { chain, contract: null }
const alice = codec.addressFromKey(publicKey)
const { fetch, timer } = nodePorts
const TRX = 1_000_000n

let network: TronNetwork
let node: TronNode
let token: AssetRef
let hostile: string
let tronWeb: TronWeb
let strangers = 0
const stranger = () => addressText(Uint8Array.of(0x41, ...new Uint8Array(16), 9, 9, 9, ++strangers))

function order(changes: Partial<TransferOrder>): TransferOrder {
  return { from: alice, to: stranger(), asset: coin, amount: 5n, feeCap: 100n * TRX, slot: 0n, tier: 1, ...changes }
}

/** An order of Alice about her stake for energy, but for the changes. */
function stakeOrder(changes: Partial<StakeOrder>): TransferOrder {
  const stake: StakeOrder = { action: 'stake', resource: 'energy', amount: TRX, receiver: null, lockBlocks: 0n, ...changes }
  return order({ to: stake.receiver ?? alice, amount: stake.amount, stake })
}

async function send(unsigned: Uint8Array): Promise<string> {
  const { raw, txid } = codec.attach(unsigned, codec.sighashes(unsigned).map(sign))
  assert.deepEqual(await node.broadcast(raw), { outcome: 'accepted' })
  await network.mine(1)
  return txid
}

type Made = Exclude<Parameters<TronWeb['trx']['sign']>[0], string>

/** Sends what tronweb made, signed by Alice; answers with the block's transfers and the transaction's state. */
async function sendMade(made: unknown) {
  const signed = (await tronWeb.trx.sign(made as Made, toHex(secretKey))) as unknown as { txID: string }
  const answer = (await tronWeb.trx.sendRawTransaction(signed as never)) as { result?: boolean }
  assert.equal(answer.result, true, JSON.stringify(answer))
  await network.mine(1)
  const state = await node.transaction(signed.txID)
  assert.ok(state.state === 'included')
  return { state, block: (await node.readBlock(state.height))! }
}

async function call(contract: string, signature: string, parameters: { type: string; value: unknown }[], feeLimit = 100_000_000) {
  const made = await tronWeb.transactionBuilder.triggerSmartContract(contract, signature, { feeLimit, txLocal: true }, parameters as never, alice)
  return sendMade(made.transaction)
}

before(async () => {
  network = await startTron(nodePorts, { port: 0, dataFolder: mkdtempSync(`${tmpdir()}/holdfast-tron-`), blockTimeMs: 3_000, mining: false })
  token = { chain, contract: network.token.contract }
  node = tronNode({ chain, rpcUrl: network.url, tokens: [network.token.contract], fetch, timer, validForMs: 120_000 })
  tronWeb = new TronWeb({ fullHost: network.url })
  await network.pay(null, alice, 10_000n * TRX)
  await network.pay(token.contract, alice, 1_000_000n)
  await network.mine(1)
  const options = { abi: hostileToken.abi as never, bytecode: hostileToken.bytecode.slice(2), feeLimit: 2_000_000_000, name: 'Hostile' }
  const made = await tronWeb.transactionBuilder.createSmartContract(options, alice)
  await sendMade(made)
  hostile = TronWeb.address.fromHex((made as unknown as { contract_address: string }).contract_address)
})
after(() => network.stop())

describe('what no money came from', () => {
  const address = (value: string) => ({ type: 'address', value })
  const amount = (value: string) => ({ type: 'uint256', value })

  it('is not reported: forged logs, a token that says no, a failed call, one without energy, a transfer of nothing', async () => {
    const bob = stranger()
    const forged = await call(hostile, 'forge(address,address,uint256)', [address(alice), address(bob), amount('5')])
    assert.ok(forged.state.success)
    assert.deepEqual(forged.block.transfers, [])
    assert.deepEqual(
      forged.block.unknownTransfers!.map(({ to, asset }) => [to, asset.contract]),
      [[bob, hostile]],
    )
    assert.deepEqual((await call(hostile, 'transfer(address,uint256)', [address(bob), amount('5')])).block.transfers, [])
    const reverted = await call(hostile, 'forgeThenRevert(address,address,uint256)', [address(alice), address(bob), amount('5')])
    assert.deepEqual([reverted.state.success, reverted.block.transfers, reverted.block.unknownTransfers], [false, [], []])
    const poor = await call(token.contract!, 'transfer(address,uint256)', [address(bob), amount('5')], 100_000)
    assert.deepEqual([poor.state.success, poor.block.transfers], [false, []])
    assert.ok(poor.state.fee >= 100_000n)
    const tooMuch = await call(token.contract!, 'transfer(address,uint256)', [address(bob), amount('1000000000')])
    assert.deepEqual([tooMuch.state.success, tooMuch.block.transfers], [false, []])
    assert.deepEqual((await call(token.contract!, 'transferFrom(address,address,uint256)', [address(bob), address(alice), amount('0')])).block.transfers, [])
    assert.equal(await node.balance(bob, token), 0n)
  })

  it('but the real one beside them is', async () => {
    const bob = stranger()
    const paid = await call(token.contract!, 'transfer(address,uint256)', [address(bob), amount('5')])
    assert.deepEqual(
      paid.block.transfers.map(({ from, to, asset, amount: moved, index }) => [from, to, asset.contract, moved, index]),
      [[alice, bob, token.contract, 5n, 1]],
    )
  })

  it('and more money than a number of JSON holds is read to the last digit and does not stop the reading', async () => {
    const to = stranger()
    const { height } = await node.head()
    await send(await node.prepare(order({ to, amount: 54_321n })))
    const rich: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init)
      return new Response((await answer.text()).replaceAll(/"amount":\s*54321\b/g, '"amount":20000000000000001'), { status: answer.status })
    }
    const told = tronNode({ chain, rpcUrl: network.url, tokens: [], fetch: rich, timer })
    const block = (await told.readBlock(height + 1n))!
    assert.deepEqual(
      block.transfers.map((each) => [each.to, each.amount]),
      [[to, 20_000_000_000_000_001n]],
    )
  })

  it('tells of a watched token whose logs are no TRC-20 transfers, and reads on', async () => {
    const careless = tronNode({ chain, rpcUrl: network.url, tokens: [hostile], fetch, timer })
    const odd = await call(hostile, 'forgeIndexed(address,address,uint256)', [address(alice), address(stranger()), amount('5')])
    const block = (await careless.readBlock(odd.state.height))!
    assert.deepEqual([block.transfers, block.oddLogs?.map(({ contract, index }) => [contract, index])], [[], [[hostile, 1]]])
  })
})

describe('what a transfer costs', () => {
  it('is 1.1 TRX more where the recipient has no account yet, and the estimate is what the chain takes', async () => {
    const to = stranger()
    for (const activation of [1_100_000n, 0n]) {
      const [, { feeMax, parameters }] = await node.estimateFee(order({ to }))
      assert.equal(parameters.activation, activation)
      const state = await node.transaction(await send(await node.prepare(order({ to }))))
      assert.ok(state.state === 'included' && state.success)
      assert.equal(state.fee, parameters.feeExpected)
      assert.ok(feeMax >= 1_100_000n && state.fee <= feeMax)
    }
  })

  it('is in energy what the token uses, with a fee limit from the estimate that grows by tier', async () => {
    const to = stranger()
    const tiers = await node.estimateFee(order({ to, asset: token }))
    const [economy, normal, fast] = tiers.map(({ parameters }) => parameters)
    assert.deepEqual(
      [economy!.feeLimit, normal!.feeLimit, fast!.feeLimit],
      [110n, 130n, 160n].map((percent) => (economy!.energy! * 100n * percent) / 100n),
    )
    const state = await node.transaction(await send(await node.prepare(order({ to, asset: token }))))
    assert.ok(state.state === 'included' && state.success)
    assert.equal(state.fee, normal!.feeExpected)
    const again = await node.estimateFee(order({ to, asset: token }))
    assert.equal(economy!.energy! - again[0].parameters.energy!, 15_000n)
  })

  it('stays within the cap by a lower fee limit, as long as that buys what is needed now', async () => {
    const wanted = order({ asset: token })
    const [economy, , fast] = await node.estimateFee(wanted)
    const capped = codec.decode(await node.prepare({ ...wanted, tier: 2, feeCap: economy.feeMax }))
    assert.ok(capped.feeMax <= economy.feeMax && fast.feeMax > economy.feeMax)
    await assert.rejects(node.prepare({ ...wanted, feeCap: economy.feeMax / 2n }), /fee cap of \d+ sun cannot be met/)
  })

  it('cannot be told where the token refuses, and by a chain whose prices are above what the codec bounds', async () => {
    await assert.rejects(node.estimateFee(order({ asset: token, amount: 10n ** 12n })), /the token refuses/)
    const dear: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init)
      return String(input).endsWith('getchainparameters')
        ? new Response((await answer.text()).replace('"getTransactionFee","value":1000', '"getTransactionFee","value":1001'))
        : answer
    }
    const risen = tronNode({ chain, rpcUrl: network.url, tokens: [], fetch: dear, timer })
    await assert.rejects(risen.estimateFee(order({})), /prices have risen/)
  })
})

describe('resources', () => {
  it('are staked for, lent and taken back by transactions of our own making, and who has them burns nothing for energy', async () => {
    const bob = stranger()
    await send(await node.prepare(order({ to: bob, amount: 3n * TRX })))
    await send(await node.prepare(stakeOrder({ amount: 6_000n * TRX })))
    const energyOf = async (address: string) => leftOf((await node.stake.resources(address)).meters.energy)
    const energy = await energyOf(alice)
    assert.ok(energy > 50_000n, String(energy))
    const lent = { amount: 4_000n * TRX, receiver: bob }
    await send(await node.prepare(stakeOrder({ action: 'delegate', ...lent })))
    const [, { parameters }] = await node.estimateFee(order({ asset: token }))
    assert.equal(parameters.energyAvailable, await energyOf(alice))
    assert.ok((await energyOf(bob)) > 30_000n && (await energyOf(alice)) < energy)
    await send(await node.prepare(stakeOrder({ action: 'undelegate', ...lent })))
    assert.equal(await energyOf(bob), 0n)
    const [, { parameters: staked }] = await node.estimateFee(order({ asset: token }))
    const state = await node.transaction(await send(await node.prepare(order({ asset: token }))))
    assert.ok(state.state === 'included' && state.success)
    assert.equal(state.fee, staked.feeExpected)
    assert.ok(staked.feeExpected! <= staked.bandwidth! * 1_000n && (await energyOf(alice)) < energy)
  })
})

describe('what an account has of resources', () => {
  const made = async (about: Partial<StakeOrder>) => send(await node.prepare(stakeOrder({ amount: 10n * TRX, ...about })))

  it('is told whole: use, stakes, to whom they are delegated and until when, and what was ended and waits', async () => {
    const bob = stranger()
    assert.equal((await node.stake.resources(bob)).isActive, false)
    await send(await node.prepare(order({ to: bob, amount: TRX })))
    const before = await node.stake.resources(alice)
    await made({})
    await made({ resource: 'bandwidth' })
    await made({ action: 'delegate', amount: 3n * TRX, receiver: bob })
    await made({ action: 'delegate', amount: 2n * TRX, receiver: bob, lockBlocks: 1_000n })
    await made({ action: 'unstake', resource: 'bandwidth', amount: 4n * TRX })
    const { isActive, stakes, delegations, unstaking, withdrawable, unstakesLeft } = await node.stake.resources(alice)
    const grew = (resource: 'energy' | 'bandwidth', what: 'own' | 'delegatedOut') => stakes[resource][what] - before.stakes[resource][what]
    assert.deepEqual([isActive, grew('energy', 'own'), grew('energy', 'delegatedOut'), grew('bandwidth', 'own')], [true, 5n * TRX, 5n * TRX, 6n * TRX])
    assert.deepEqual(
      delegations.filter(({ to }) => to === bob).map(({ resource, amount, lockedUntilMs }) => [resource, amount, lockedUntilMs !== null]),
      [
        ['energy', 3n * TRX, false],
        ['energy', 2n * TRX, true],
      ],
    )
    assert.deepEqual([unstaking.map(({ resource, amount }) => [resource, amount]), withdrawable, unstakesLeft], [[['bandwidth', 4n * TRX]], 0n, 31n])
    const { stakes: bobs, meters } = await node.stake.resources(bob)
    assert.deepEqual([bobs.energy.delegatedIn, bobs.energy.own, bobs.energy.delegatable], [5n * TRX, 0n, 0n])
    assert.ok(meters.energy.limit > 0n && meters.energy.used === 0n)
    await network.mine(100)
    const later = await node.stake.resources(alice)
    assert.deepEqual([later.unstaking, later.withdrawable, later.unstakesLeft], [[], 4n * TRX, 32n])
    const staked = await node.stake.staked(alice)
    const taken = await node.transaction(await made({ action: 'withdraw', resource: null, amount: 0n }))
    assert.ok(taken.state === 'included' && taken.success)
    assert.equal(taken.unstaked, 4n * TRX)
    assert.equal(staked - (await node.stake.staked(alice)), 4n * TRX)
  })

  it('is delegated only as far as it is not used, and delegated energy spares the one who pays it', async () => {
    const bob = stranger()
    const { stakes } = await node.stake.resources(alice)
    await send(await node.prepare(order({ to: bob, amount: TRX })))
    await made({ amount: 3_000n * TRX })
    const paid = await node.transaction(await send(await node.prepare(order({ asset: token }))))
    assert.ok(paid.state === 'included' && paid.success)
    const used = await node.stake.resources(alice)
    assert.ok(used.meters.energy.used > 0n && used.stakes.energy.delegatable < stakes.energy.own + 3_000n * TRX)
    const tooMuch = await node.prepare(stakeOrder({ action: 'delegate', amount: used.stakes.energy.delegatable + 100n * TRX, receiver: bob }))
    const { raw, txid } = codec.attach(tooMuch, codec.sighashes(tooMuch).map(sign))
    await node.broadcast(raw)
    await network.mine(1)
    assert.deepEqual(await node.transaction(txid), { state: 'unknown' }, 'no block takes it')
    const [{ parameters }] = await node.estimateFee(order({ asset: token }))
    assert.ok(parameters.energyAvailable! >= parameters.energy!)
    assert.ok(parameters.feeExpected! <= parameters.bandwidth! * 1_000n, 'nothing is burnt for energy')
    assert.ok(parameters.feeLimit! > parameters.energy! * 100n, 'the limit comes from the estimate, whoever pays')
  })
})

describe('who may sign for an account', () => {
  it('is its own key alone, until the account lets others: then all of them are told', async () => {
    const bob = TronWeb.address.fromPrivateKey('22'.repeat(32)) as string
    assert.deepEqual(await node.control(stranger()), { isOwn: true, permissions: [] })
    assert.equal((await node.control(alice)).isOwn, true)
    await network.pay(null, bob, 200n * TRX)
    await network.mine(1)
    const thief = { permission_name: 'owner', threshold: 1, keys: [{ address: alice, weight: 1 }] }
    const active = { type: 2, permission_name: 'active0', threshold: 2, operations: `7fff1fc0033e${'00'.repeat(26)}` }
    const keys = [bob, alice].map((address) => ({ address, weight: 1 }))
    const made = await tronWeb.transactionBuilder.updateAccountPermissions(bob, { type: 0, ...thief } as never, undefined, [{ ...active, keys }] as never)
    const signed = await tronWeb.trx.sign(made as never, '22'.repeat(32))
    await tronWeb.trx.sendRawTransaction(signed as never)
    await network.mine(1)
    const { isOwn, permissions } = await node.control(bob)
    assert.equal(isOwn, false)
    assert.deepEqual(
      permissions.map(({ name, threshold, keys: who }) => [name, threshold, who.map(({ address }) => address)]),
      [
        ['owner', 1n, [alice]],
        ['active0', 2n, [bob, alice]],
      ],
    )
  })
})

describe('the slot of an expiring transaction', () => {
  it('is open while a block may still take it, and ended by the first block past its time when none did', async () => {
    const { height: before } = await node.head()
    const unsigned = await node.prepare(order({}))
    const { validUntilMs } = codec.decode(unsigned)
    assert.equal(await node.slotUse(alice, unsigned, before), undefined)
    await network.mine(30)
    assert.equal(await node.slotUse(alice, unsigned, (await node.head()).height), undefined)
    await network.mine(60)
    const { height: head } = await node.head()
    const use = (await node.slotUse(alice, unsigned, head))!
    assert.equal(use.txid, null)
    const [end, earlier] = [(await node.readBlock(use.height))!, (await node.readBlock(use.height - 1n))!]
    assert.ok(BigInt(end.timestampMs) >= validUntilMs! && BigInt(earlier.timestampMs) < validUntilMs!)
    assert.equal(use.blockHash, end.hash)
    const { raw } = codec.attach(unsigned, codec.sighashes(unsigned).map(sign))
    const late = await node.broadcast(raw)
    assert.ok(late.outcome === 'unknown' && /EXPIRATION/.test(late.reason), JSON.stringify(late))
  })

  it('is found used in the chain also by a node that has forgotten the transaction, and not called dead by one that hides blocks', async () => {
    const unsigned = await node.prepare(order({}))
    const txid = await send(unsigned)
    await network.mine(60)
    const { height } = await node.head()
    const forgetting: typeof fetch = async (input, init) => (String(input).endsWith('gettransactioninfobyid') ? Response.json({}) : fetch(input, init))
    const forgetful = tronNode({ chain, rpcUrl: network.url, tokens: [], fetch: forgetting, timer })
    assert.equal((await forgetful.slotUse(alice, unsigned, height))!.txid, txid)
    const hiding: typeof fetch = async (input, init) => {
      const answer = await forgetting(input, init)
      if (!String(input).endsWith('getblockbylimitnext')) return answer
      const { block } = (await answer.json()) as { block: object[] }
      return Response.json({ block: block.slice(0, 1) })
    }
    const hidden = tronNode({ chain, rpcUrl: network.url, tokens: [], fetch: hiding, timer })
    await assert.rejects(hidden.slotUse(alice, unsigned, height), ChainError)
  })

  it('is another one for two orders that are alike, prepared on one block', async () => {
    const to = stranger()
    const [first, second] = [await node.prepare(order({ to, slot: 1n })), await node.prepare(order({ to, slot: 2n }))]
    assert.notEqual(codec.decode(first).slot, codec.decode(second).slot)
  })

  it('gives back our signature in its one form, however somebody wrote it on its way', async () => {
    const unsigned = await node.prepare(order({}))
    const { raw } = codec.attach(unsigned, codec.sighashes(unsigned).map(sign))
    const rewritten = raw.slice()
    rewritten[raw.length - 1]! -= 27
    const answer = (await (
      await fetch(`${network.url}/wallet/broadcasthex`, { method: 'POST', body: JSON.stringify({ transaction: toHex(rewritten) }) })
    ).json()) as { result?: boolean }
    assert.equal(answer.result, true)
    await network.mine(1)
    assert.deepEqual((await node.slotUse(alice, unsigned, (await node.head()).height))!.raw, raw)
  })
})

describe('the node', () => {
  it('tells the last final block, contracts from plain accounts, and balances of now alone', async () => {
    const [head, final] = [await node.head(), await node.finalHead!()]
    assert.equal(head.height - final.height, 18n)
    assert.equal(await node.blockHash(final.height), final.hash)
    assert.deepEqual([await node.isContract(token.contract!), await node.isContract(alice), await node.isContract(stranger())], [true, false, false])
    assert.equal(await node.balance(alice, coin, head.height), await node.balance(alice, coin))
    await assert.rejects(node.balance(alice, coin, head.height - 1n), /no balances of the past/)
    await assert.rejects(node.balance(alice, { chain, contract: alice }), ChainError)
  })
})
