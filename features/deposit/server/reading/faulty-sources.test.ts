import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { type Block, ChainError, type ChainNode } from '@holdfast/chain-core'
import { assertConserved } from '@holdfast/ledger'
import fc from 'fast-check'
import { TOKEN } from '../../../testing/scripted-chain.ts'
import { requestWithdrawal, balanceOf, resetScript, ETH, fund, makeWallet, openWorld, scan, type Wallet, type World } from '../../../testing/test-world.ts'
import { DEPOSIT_MAX } from '../holds/too-large.ts'
import { scanChain } from './scan.ts'

const FINALITY = 3
/** More blocks than are kept behind what is posted. */
const LONG = 5_000
/** After every address of these tests was made. */
const LATER_MS = 4_000_000_000_000
const MAX_UINT256 = (1n << 256n) - 1n
let world: World
let wallet: Wallet

before(async () => {
  world = await openWorld({ finalityBlocks: FINALITY })
})
beforeEach(async () => {
  resetScript(world)
  delete world.network.witnesses
  wallet = await makeWallet(world)
  await scan(world)
})
afterEach(() => world.db.asSystem(assertConserved))
after(() => world.close())

async function depositsOf() {
  return world.db.asOrganisation(world.orgId, (tx) =>
    tx.selectFrom('deposit').selectAll().where('sub_wallet_id', '=', wallet.subWalletId).orderBy('height').orderBy('created_at').orderBy('id').execute(),
  )
}

async function alarms(): Promise<{ cause: string; reason: string }[]> {
  return world.db.asOrganisation(world.orgId, (tx) =>
    tx.selectFrom('asset_alarm').select(['cause', 'reason']).where('place', '=', wallet.address).where('over_at', 'is', null).orderBy('cause').execute(),
  )
}

const halt = async () => (await world.db.asSystem((tx) => tx.selectFrom('chain_halt').select('reason').executeTakeFirst()))?.reason
const available = async (contract: string | null = null) => (await balanceOf(world, wallet, contract)).available

/** The same chain as its other node reports it, with each block changed by `tell`. */
function toldBy(tell: (block: Block) => Block): ChainNode {
  const { node } = world.chain
  return { ...node, readBlock: async (height) => tellOf(await node.readBlock(height), tell) }
}
const tellOf = (block: Block | undefined, tell: (block: Block) => Block) => block && tell(block)
const honest = () => toldBy((block) => block)
const invented = (amount: bigint): Block['transfers'][number] => ({
  txid: `0x${'ab'.repeat(32)}`,
  index: 1,
  asset: { chain: world.network.chain, contract: TOKEN },
  from: `0x${'51'.repeat(20)}`,
  to: wallet.address,
  amount,
})

describe('a source that lied once and tells the truth again, without any reorganisation', () => {
  it('invented a payment: the payment ends, an alarm names the source, and deposits and payments go on', async () => {
    await fund(world, wallet, 10n * ETH)
    world.network.witnesses = [honest()]
    const lying = world.chain.tip.height + 1n
    world.network.node = toldBy((block) => (block.height === lying ? { ...block, transfers: [...block.transfers, invented(7n)] } : block))
    world.chain.mine(1)
    await scan(world)
    world.network.node = honest()
    world.chain.give(wallet.address, 5_000_000n, TOKEN)
    world.chain.mine(FINALITY + 1)
    await scan(world)
    assert.equal(await halt(), undefined)
    assert.equal(await available(TOKEN), 5_000_000n)
    assert.deepEqual(
      (await depositsOf()).filter(({ amount }) => amount === 7n).map(({ state, sub_status }) => [state, sub_status]),
      [['reversed', 'never_there']],
    )
    const [alarm] = await alarms()
    assert.equal(alarm!.cause, 'untold')
    assert.match(alarm!.reason, /source 1 told of 0.000007 USDC/)
    await requestWithdrawal(world, wallet)
  })

  it('still lies: nothing of the chain is posted, since the sources do not agree', async () => {
    world.network.witnesses = [honest()]
    const lying = world.chain.tip.height + 1n
    world.network.node = toldBy((block) => (block.height === lying ? { ...block, transfers: [...block.transfers, invented(7n)] } : block))
    world.chain.mine(FINALITY + 1)
    await scan(world)
    assert.match((await halt())!, /differ/)
    assert.equal(await available(TOKEN), 0n)
    world.network.node = honest()
    await scan(world)
    assert.equal(await halt(), undefined)
  })

  it('left a payment out: it is found when the block is compared, credited, and an alarm names the source', async () => {
    world.network.witnesses = [honest()]
    world.chain.give(wallet.address, 3_000_000n, TOKEN)
    const hiding = world.chain.tip.height + 1n
    world.network.node = toldBy((block) => (block.height === hiding ? { ...block, transfers: [], timestampMs: LATER_MS } : block))
    world.network.witnesses = [toldBy((block) => ({ ...block, timestampMs: LATER_MS }))]
    world.chain.mine(1)
    await scan(world)
    assert.deepEqual(await depositsOf(), [])
    world.network.node = toldBy((block) => ({ ...block, timestampMs: LATER_MS }))
    world.chain.mine(FINALITY)
    await scan(world)
    assert.equal(await available(TOKEN), 3_000_000n)
    assert.match((await alarms())[0]!.reason, /source 1 left out 3 USDC/)
  })

  it('told another amount: what the block really has is credited, and what it told is not', async () => {
    world.network.witnesses = [honest()]
    world.chain.give(wallet.address, 3_000_000n, TOKEN)
    world.network.node = toldBy((block) => ({ ...block, transfers: block.transfers.map((each) => ({ ...each, amount: each.amount * 1_000n })) }))
    world.chain.mine(1)
    await scan(world)
    world.network.node = honest()
    world.chain.mine(FINALITY)
    await scan(world)
    assert.equal(await available(TOKEN), 3_000_000n)
    assert.deepEqual(
      (await depositsOf()).map(({ state, amount }) => [state, amount]).sort(),
      [
        ['credited', 3_000_000n],
        ['reversed', 3_000_000_000n],
      ].sort(),
    )
  })

  it('invented that somebody took tokens: it is forgotten, and the network goes on', async () => {
    await fund(world, wallet, 5_000_000n, TOKEN)
    world.network.witnesses = [honest()]
    const lying = world.chain.tip.height + 1n
    const theft = { ...invented(1_000_000n), from: wallet.address, to: `0x${'52'.repeat(20)}`, takenBy: `0x${'53'.repeat(20)}` }
    world.network.node = toldBy((block) => (block.height === lying ? { ...block, transfers: [theft] } : block))
    world.chain.mine(1)
    await scan(world)
    world.network.node = honest()
    world.chain.mine(FINALITY + 1)
    await scan(world)
    assert.equal(await halt(), undefined)
    assert.equal(await available(TOKEN), 5_000_000n)
  })
})

describe('a source that gives up blocks which are final', () => {
  /** The chain as a source has it that reports other blocks from a height on, which bring nothing. */
  const forkedAt = (from: bigint): ChainNode => {
    const { node } = world.chain
    const told = (height: bigint, hash: string) => (height < from ? hash : `0x${height.toString(16).padStart(64, 'f')}`)
    const other = (block: Block | undefined): Block | undefined =>
      block && block.height >= from
        ? { ...block, hash: told(block.height, block.hash), parentHash: told(block.height - 1n, block.parentHash), transfers: [] }
        : block
    return {
      ...node,
      readBlock: async (height) => other(await node.readBlock(height)),
      blockHash: async (height) => other(await node.readBlock(height))?.hash,
      head: async () => ({ height: world.chain.tip.height, hash: told(world.chain.tip.height, world.chain.tip.hash) }),
    }
  }
  const creditedIn = async () => {
    await fund(world, wallet, ETH)
    const [deposit] = await depositsOf()
    assert.equal(await available(), ETH)
    return deposit!.height
  }

  it('alone: what was credited stays credited, nothing is paid or posted while it says so, and then all goes on', async () => {
    world.network.witnesses = [honest()]
    const height = await creditedIn()
    for (const others of [[honest()], [{ ...honest(), blockHash: () => Promise.reject(new ChainError('no answer')) }]]) {
      world.network.node = forkedAt(height)
      world.network.witnesses = others
      world.chain.mine(1)
      await assert.rejects(scanChain(world.context, world.network), ChainError)
      assert.equal(await available(), ETH, 'one source took it back')
      assert.match((await halt())!, /source/)
      world.network.node = world.chain.node
      world.network.witnesses = [honest()]
      world.chain.mine(1)
      await scan(world)
      assert.equal(await halt(), undefined)
    }
    assert.deepEqual(
      (await depositsOf()).map(({ state }) => state),
      ['credited'],
    )
  })

  it('together with the other one, or as the only one: the chain has replaced them, and their deposits are reversed', async () => {
    for (const isAlone of [false, true]) {
      if (!isAlone) world.network.witnesses = [honest()]
      const height = await creditedIn()
      world.network.node = forkedAt(height)
      if (isAlone) delete world.network.witnesses
      else world.network.witnesses = [forkedAt(height)]
      world.chain.mine(1)
      await scan(world)
      assert.equal(await available(), 0n)
      world.network.node = world.chain.node
      if (!isAlone) world.network.witnesses = [honest()]
      world.chain.mine(1)
      await scan(world)
      assert.equal(await available(), ETH)
      wallet = await makeWallet(world)
    }
  })
})

describe('a second source that cannot be asked', () => {
  it(`for ${LONG} blocks: deposits of all that time are credited once it answers`, async () => {
    let isSilent = false
    const { node } = world.chain
    const answer = <T>(ask: () => Promise<T>): Promise<T> => (isSilent ? Promise.reject(new ChainError('no answer')) : ask())
    world.network.witnesses = [
      { ...node, blockHash: (height) => answer(() => node.blockHash(height)), readBlock: (height) => answer(() => node.readBlock(height)) },
    ]
    await scan(world)
    isSilent = true
    world.chain.give(wallet.address, ETH)
    world.chain.mine(LONG)
    await scan(world)
    assert.match((await halt())!, /1 of 2 sources confirm/)
    isSilent = false
    world.chain.give(wallet.address, ETH)
    world.chain.mine(FINALITY + 1)
    for (let rounds = 0; rounds < 20; rounds++) await scan(world)
    assert.equal(await halt(), undefined)
    assert.equal(await available(), 2n * ETH)
  })

  it('where a network is final only after so many blocks, deposits are credited all the same', async () => {
    const slow = { ...world.network, finalityBlocks: LONG }
    world.chain.give(wallet.address, ETH)
    world.chain.mine(LONG)
    while (await scanChain(world.context, slow)) continue
    assert.equal(await available(), 0n)
    world.chain.mine(5)
    while (await scanChain(world.context, slow)) continue
    assert.equal(await available(), ETH)
  })

  it(`if the ledger of an asset was broken for ${LONG} blocks, deposits of that time are credited once it adds up`, async () => {
    await fund(world, wallet, ETH)
    const alarm = { org_id: world.orgId, chain: world.network.chain, contract: '', cause: 'books' as const, place: '' }
    await world.db.asOrganisation(world.orgId, (tx) =>
      tx
        .insertInto('asset_alarm')
        .values({ ...alarm, reason: 'broken', since_at: 1 })
        .execute(),
    )
    world.chain.give(wallet.address, ETH)
    world.chain.mine(LONG)
    await scan(world)
    assert.equal(await available(), ETH)
    await world.db.asOrganisation(world.orgId, (tx) => tx.updateTable('asset_alarm').set({ over_at: 1 }).where('cause', '=', 'books').execute())
    world.chain.mine(1)
    await scan(world)
    assert.equal(await available(), 2n * ETH)
  })
})

describe('a token that says any number', () => {
  it('stops no other deposit, however often it does: each is held, and an alarm is raised for amounts that cannot be posted', async () => {
    for (let i = 0; i < 12; i++) world.chain.give(wallet.address, MAX_UINT256, TOKEN)
    world.chain.give(wallet.address, ETH)
    world.chain.mine(FINALITY + 1)
    await scan(world)
    assert.equal(await available(), ETH)
    assert.equal(await available(TOKEN), 0n)
    assert.equal((await depositsOf()).filter(({ sub_status }) => sub_status === 'amount_too_large').length, 12)
    assert.deepEqual(
      (await alarms()).map(({ cause }) => cause),
      ['uncredited'],
    )
  })

  it('of any amounts: later deposits are credited, and the ledger holds the sum of all that can be posted', async () => {
    const amounts = fc.array(fc.oneof(fc.bigInt({ min: 1n, max: MAX_UINT256 }), fc.constantFrom(DEPOSIT_MAX, DEPOSIT_MAX + 1n, MAX_UINT256)), {
      minLength: 1,
      maxLength: 12,
    })
    await fc.assert(
      fc.asyncProperty(amounts, async (list) => {
        wallet = await makeWallet(world)
        for (const amount of list) world.chain.give(wallet.address, amount, TOKEN)
        world.chain.give(wallet.address, ETH)
        world.chain.mine(FINALITY + 1)
        await scan(world)
        assert.equal(await available(), ETH)
        assert.equal(
          await available(TOKEN),
          list.reduce((sum, each) => (each > DEPOSIT_MAX ? sum : sum + each), 0n),
        )
      }),
      { numRuns: 10 },
    )
  })
})

describe('a listed token that logs a transfer in a form of its own', () => {
  it('stops nothing: others are credited, and its holders are told by an alarm', async () => {
    const odd = { contract: TOKEN, txid: `0x${'cd'.repeat(32)}`, index: 1 }
    const height = world.chain.tip.height + 1n
    world.network.node = toldBy((block) => (block.height === height ? { ...block, oddLogs: [odd, { ...odd, contract: `0x${'77'.repeat(20)}` }] } : block))
    world.chain.give(wallet.address, ETH)
    world.chain.mine(FINALITY + 1)
    await scan(world)
    assert.equal(await available(), ETH)
    const told = await world.db.asOrganisation(world.orgId, (tx) =>
      tx.selectFrom('asset_alarm').select(['contract', 'place', 'reason']).where('cause', '=', 'odd_log').where('over_at', 'is', null).execute(),
    )
    assert.deepEqual(
      told.map(({ contract, place }) => [contract, place]),
      [[TOKEN, '']],
    )
    assert.match(told[0]!.reason, /0xcdcd.* in another form than its standard/)
  })
})

describe('another source of a block with many deposits', () => {
  it('is asked for the block no more often than where it has one', async () => {
    const questionsFor = async (count: number): Promise<number> => {
      let asked = 0
      world.network.witnesses = [toldBy((block) => (asked++, block))]
      const before = await available()
      for (let i = 0; i < count; i++) world.chain.give(wallet.address, ETH)
      world.chain.mine(FINALITY + 1)
      await scan(world)
      assert.equal(await available(), before + BigInt(count) * ETH)
      return asked
    }
    assert.equal(await questionsFor(1), await questionsFor(40))
  })
})

describe('a deposit that cannot be credited for a reason of its own', () => {
  it('is marked and told of, those after it are credited, and it is credited once it can be', async () => {
    world.chain.give(wallet.address, ETH)
    world.chain.mine(1)
    await scan(world)
    const [first] = await depositsOf()
    let isBroken = true
    const before = await available()
    const { db } = world.context
    const broken: typeof db = {
      ...db,
      asOrganisation: (orgId, act) =>
        db.asOrganisation(orgId, async (tx) => {
          const done = await act(tx)
          const row = await tx.selectFrom('deposit').select('state').where('id', '=', first!.id).executeTakeFirst()
          if (row?.state === 'credited' && isBroken) throw new Error('the row is broken')
          return done
        }),
    }
    const read = async () => {
      while (await scanChain({ ...world.context, db: broken }, world.network)) continue
    }
    world.chain.give(wallet.address, 2n * ETH)
    world.chain.mine(FINALITY + 1)
    await read()
    assert.equal(await available(), before + 2n * ETH)
    assert.deepEqual(
      (await depositsOf()).map(({ state, sub_status }) => [state, sub_status]),
      [
        ['confirmed', 'not_booked'],
        ['credited', null],
      ],
    )
    assert.match((await alarms()).find(({ cause }) => cause === 'uncredited')!.reason, /cannot be booked: the row is broken/)
    isBroken = false
    world.chain.mine(1)
    await read()
    assert.equal(await available(), before + 3n * ETH)
    assert.deepEqual(await alarms(), [])
  })
})
