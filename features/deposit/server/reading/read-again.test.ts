import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { ChainError } from '@holdfast/chain-core'
import type { InputOf, OutputOf } from '@holdfast/contract'
import { acknowledgeAlarm, getNetworkStatus, getTokenMark, markToken, readBlocksAgain } from '@holdfast/features/network/contract'
import { networkEndpoints, signsOfToken } from '@holdfast/features/network/server'
import { assertConserved } from '@holdfast/ledger'
import { TOKEN } from '../../../testing/scripted-chain.ts'
import { balanceOf, resetScript, ETH, fund, makeWallet, openWorld, scan, type Wallet, type World } from '../../../testing/test-world.ts'
import { leastAmount } from './match-deposits.ts'
import { auditAll } from '../audit/run-audits.ts'
import { scanChain } from './scan.ts'

let world: World
let wallet: Wallet

before(async () => {
  world = await openWorld()
})
beforeEach(async () => {
  resetScript(world)
  delete world.network.witnesses
  wallet = await makeWallet(world)
  await scan(world)
})
afterEach(() => world.db.asSystem(assertConserved))
after(() => world.close())

type Endpoint = typeof acknowledgeAlarm | typeof getNetworkStatus | typeof getTokenMark | typeof markToken | typeof readBlocksAgain
async function call<E extends Endpoint>(endpoint: E, input: object): Promise<unknown> {
  const handled = networkEndpoints(world.context).find((each) => (each.endpoint as unknown) === endpoint)!
  return handled.handler({ orgId: world.orgId, personId: world.members[0].id } as never, endpoint.input.parse(input) as never)
}
type Status = ReturnType<typeof getNetworkStatus.output.parse>
const status = async () => (await call(getNetworkStatus, {})) as Status
const alarms = async () => (await status()).alarms.filter(({ address }) => address === wallet.address)
const chain = () => world.network.chain
const available = async (contract: string | null = null) => (await balanceOf(world, wallet, contract)).available
const more = async () => {
  world.chain.mine(1)
  await scan(world)
}

/** Has the only source leave everything out of one block that pays the wallet, and then tell the truth. */
async function leftOut(pay: () => void): Promise<bigint> {
  pay()
  const height = world.chain.tip.height + 1n
  const { node } = world.chain
  world.network.node = { ...node, readBlock: async (at) => hidden(await node.readBlock(at), height) }
  world.chain.mine(world.network.finalityBlocks + 2)
  await scan(world)
  world.network.node = node
  return height
}
type Read = Awaited<ReturnType<World['network']['node']['readBlock']>>
const hidden = (block: Read, height: bigint): Read => (block?.height === height ? { ...block, transfers: [] } : block)

describe('blocks that are read again', () => {
  it('bring what the only source left out, once, and report how many payments that was', async () => {
    const height = await leftOut(() => void world.chain.give(wallet.address, 3_000_000n, TOKEN))
    assert.equal(await available(TOKEN), 0n)
    const asked: InputOf<typeof readBlocksAgain> = { chain: chain(), from_height: 0, to_height: Number(height) + 1 }
    const sent = { ...asked, from_height: String(asked.from_height), to_height: String(asked.to_height) }
    await call(readBlocksAgain, sent)
    await assert.rejects(call(readBlocksAgain, sent), { code: '300013' }, 'one at a time')
    for (let i = 0; i < 5; i++) await more()
    assert.equal(await available(TOKEN), 3_000_000n)
    const { reading } = (await status()).networks[0]!
    assert.deepEqual([reading!.found, reading!.done_at === null], [1, false])
    await call(readBlocksAgain, sent)
    for (let i = 0; i < 5; i++) await more()
    assert.equal(await available(TOKEN), 3_000_000n)
    assert.equal((await status()).networks[0]!.reading!.found, 0)
  })

  it('are those that were read, at most ten thousand of them', async () => {
    const tip = Number(world.chain.tip.height)
    await assert.rejects(call(readBlocksAgain, { chain: chain(), from_height: '0', to_height: String(tip + 5) }), { code: '100004' })
    for (const [from_height, to_height] of [
      ['5', '4'],
      ['0', '10000'],
      ['-1', '3'],
    ])
      await assert.rejects(call(readBlocksAgain, { chain: chain(), from_height, to_height }))
  })

  it('that a source has thrown away hold up nobody: others are credited and the network goes on, and they are read once it has them', async () => {
    const { node } = world.chain
    let isPruned = true
    const pruned = { ...node, readBlock: (at: bigint) => (at < 1n && isPruned ? Promise.reject(new ChainError('it keeps no such block')) : node.readBlock(at)) }
    const told: string[] = []
    let memory = {}
    const read = async () => {
      world.chain.mine(world.network.finalityBlocks + 1)
      while (await scanChain(world.context, world.network, memory, (cause) => void told.push(String(cause)))) continue
    }
    for (const [first, second] of [
      [pruned, undefined],
      [pruned, node],
      [node, pruned],
    ] as const) {
      Object.assign(world.network, { node: first, witnesses: second && [second] })
      if (!second) delete world.network.witnesses
      wallet = await makeWallet(world)
      isPruned = true
      await call(readBlocksAgain, { chain: chain(), from_height: '0', to_height: '0' })
      for (let round = 1; round <= 4; round++) {
        world.chain.give(wallet.address, ETH)
        await read()
        assert.equal(await available(), ETH * BigInt(round))
      }
      assert.deepEqual((await status()).networks[0]!.halt, null)
      assert.ok(
        told.splice(0).some((words) => words.includes('read again')),
        'whoever runs the server is told',
      )
      isPruned = false
      memory = {}
      await read()
      assert.notEqual((await status()).networks[0]!.reading!.done_at, null)
    }
  })

  it('go to the last that was read if nobody says how far', async () => {
    const height = await leftOut(() => void world.chain.give(wallet.address, 2_000_000n, TOKEN))
    await assert.rejects(call(readBlocksAgain, { chain: chain(), from_height: String(world.chain.tip.height + 5n) }), { code: '100004' })
    await call(readBlocksAgain, { chain: chain(), from_height: String(height) })
    const { reading } = (await status()).networks[0]!
    const { height: last } = await world.db.asSystem((tx) =>
      tx.selectFrom('chain_cursor').select('height').where('chain', '=', chain()).executeTakeFirstOrThrow(),
    )
    assert.deepEqual([reading!.from_height, reading!.to_height], [String(height), String(last)])
    for (let i = 0; i < 3; i++) await more()
    assert.equal(await available(TOKEN), 2_000_000n)
  })

  it('bring nothing a second time that was found by what the address has', async () => {
    const height = await leftOut(() => void world.chain.give(wallet.address, ETH))
    // Its source shows no traces, so coin without a transaction is assumed to be moved by a contract.
    await world.db.asSystem((tx) => tx.updateTable('chain_cursor').set({ unseen_height: height }).where('chain', '=', chain()).execute())
    await auditAll(world.context)
    await world.db.asSystem((tx) => tx.updateTable('chain_cursor').set({ unseen_height: null }).where('chain', '=', chain()).execute())
    assert.equal(await available(), ETH)
    await call(readBlocksAgain, { chain: chain(), from_height: String(height), to_height: String(height) })
    for (let i = 0; i < 3; i++) await more()
    assert.equal(await available(), ETH)
  })
})

describe('an alarm that a person has looked into', () => {
  it('ends, and one of a surplus comes again only if that grows', async () => {
    await fund(world, wallet, ETH)
    const dust = leastAmount(18) - 1n
    const addDust = async (times: number) => {
      for (let i = 0; i < times; i++) world.chain.give(wallet.address, dust)
      world.chain.mine(world.network.finalityBlocks + 1)
      await scan(world)
      await auditAll(world.context)
    }
    await addDust(101)
    const [alarm] = await alarms()
    assert.equal(alarm!.cause, 'surplus')
    const named = { chain: chain(), contract: '', cause: 'surplus', address: wallet.address }
    await call(acknowledgeAlarm, named)
    await assert.rejects(call(acknowledgeAlarm, named), { code: '300013' })
    await addDust(50)
    assert.deepEqual(await alarms(), [])
    await addDust(60)
    assert.equal((await alarms())[0]!.cause, 'surplus')
  })

  it('is not one of a ledger that does not add up, nor of money that is missing', () => {
    for (const cause of ['books', 'missing', 'control']) assert.ok(!acknowledgeAlarm.input.safeParse({ chain: chain(), contract: '', cause }).success)
  })
})

describe('a token whose balances differ from what it logs', () => {
  it('is looked at by every source, so that one that hides a sign hides it from nobody', async () => {
    const { node } = world.chain
    const fee = { kind: 'fee' as const, name: 'feeRate()' }
    const telling = (functions: (typeof fee)[], compared: number, differing: number) => {
      return { ...node, contracts: { tokenSigns: async () => ({ functions, compared, differing }) } }
    }
    const silent = { ...node, contracts: { tokenSigns: () => Promise.reject(new ChainError('no answer')) } }
    const signs = (first: object, ...witnesses: object[]) => signsOfToken({ node: first, witnesses } as never, TOKEN)
    assert.deepEqual(await signs(telling([], 5, 0), telling([fee], 4, 1), silent), { functions: [fee], compared: 4, differing: 1 })
    assert.deepEqual(await signs(telling([], 0, 0), telling([], 3, 0)), { functions: [], compared: 3, differing: 0 })
    assert.equal(await signs(silent), null)
    assert.equal(await signs(node), null)
    await assert.rejects(signs({ contracts: { tokenSigns: () => Promise.reject(new TypeError('a bug')) } }), TypeError)
  })

  it('is held once somebody has marked it, is left out of comparisons, and is credited again when the mark is taken back', async () => {
    await fund(world, wallet, 5_000_000n, TOKEN)
    const mark = (uneven: string) => call(markToken, { chain: chain(), contract: TOKEN, uneven, reason: 'keeps a fee' })
    world.chain.stolen.set(`${wallet.address}|${TOKEN}`, 500_000n)
    await auditAll(world.context)
    assert.equal((await alarms())[0]!.cause, 'missing')
    const marked = async () => (await call(getTokenMark, { chain: chain(), contract: TOKEN })) as OutputOf<typeof getTokenMark>
    assert.deepEqual(await marked(), { mark: null, signs: null })
    await mark('true')
    const { mark: said } = await marked()
    assert.deepEqual([said?.by, said?.reason], [world.members[0].name, 'keeps a fee'])
    await auditAll(world.context)
    assert.deepEqual(await alarms(), [])
    await fund(world, wallet, 1_000_000n, TOKEN)
    assert.equal(await available(TOKEN), 5_000_000n)
    await mark('false')
    await fund(world, wallet, 2_000_000n, TOKEN)
    assert.equal(await available(TOKEN), 7_000_000n)
    await assert.rejects(call(markToken, { chain: chain(), contract: `0x${'99'.repeat(20)}`, uneven: 'true' }), { code: '120202' })
  })
})
