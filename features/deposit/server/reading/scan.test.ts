import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { assertConserved } from '@holdfast/ledger'
import fc from 'fast-check'
import { TOKEN } from '../../../testing/scripted-chain.ts'
import { balanceOf, resetScript, ETH, makeWallet, openWorld, scan, type Wallet, type World } from '../../../testing/test-world.ts'
import { leastAmount, matchDeposits } from './match-deposits.ts'
import { insertDeposits, readCursor } from './advance.ts'
import { insertAllowanceSpends } from './allowance-spends.ts'
import { scanChain, type ScanMemory } from './scan.ts'
import { openReaper } from '../testing/reaper.ts'

const FINALITY = 3
const STRANGER = `0x${'51'.repeat(20)}`
let world: World
let wallet: Wallet

before(async () => {
  world = await openWorld({ finalityBlocks: FINALITY })
})
beforeEach(async () => {
  resetScript(world)
  wallet = await makeWallet(world)
  await scan(world)
})
afterEach(() => world.db.asSystem(assertConserved))
after(() => world.close())

async function depositsOf(of: Wallet = wallet) {
  return world.db.asOrganisation(world.orgId, (tx) =>
    tx.selectFrom('deposit').selectAll().where('sub_wallet_id', '=', of.subWalletId).orderBy('created_at').orderBy('id').execute(),
  )
}

/** What the chain itself says that an address received, in blocks that are final. */
function truth(address: string, contract: string | null = null): bigint {
  const finalHeight = world.chain.tip.height - BigInt(FINALITY)
  return world.chain.blocks
    .filter((block) => block.height <= finalHeight)
    .flatMap((block) => block.transfers)
    .filter((each) => each.to === address && each.asset.contract === contract)
    .reduce((sum, each) => sum + each.amount, 0n)
}

async function available(contract: string | null = null): Promise<bigint> {
  return (await balanceOf(world, wallet, contract)).available
}

describe('a deposit', () => {
  it('is seen at once, counted block by block, and credited when it is final and not before', async () => {
    world.chain.give(wallet.address, ETH)
    for (const [confirmations, state] of [
      [0n, 'unconfirmed'],
      [1n, 'confirmed'],
      [2n, 'confirmed'],
      [3n, 'credited'],
    ] as const) {
      assert.equal(await available(), 0n)
      world.chain.mine()
      await scan(world)
      assert.deepEqual(
        (await depositsOf()).map((each) => [each.state, each.confirmations]),
        [[state, confirmations]],
      )
    }
    assert.equal(await available(), ETH)
  })

  it('of a token on the list is credited in that token, and one of any other is not', async () => {
    world.chain.give(wallet.address, 5_000_000n, TOKEN)
    world.chain.give(wallet.address, 7_000_000n, '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512')
    world.chain.mine(FINALITY + 1)
    await scan(world)
    assert.equal(await available(TOKEN), 5_000_000n)
    assert.equal((await depositsOf()).length, 1)
  })

  it('of nothing, of dust, or from an address to itself leaves no trace', async () => {
    world.chain.give(wallet.address, 0n)
    world.chain.give(wallet.address, leastAmount(18) - 1n)
    world.chain.give(wallet.address, 0n, TOKEN)
    world.chain.give(wallet.address, ETH, null, wallet.address)
    world.chain.mine(FINALITY + 1)
    await scan(world)
    assert.deepEqual(await depositsOf(), [])
    world.chain.give(wallet.address, leastAmount(18))
    world.chain.mine(FINALITY + 1)
    await scan(world)
    assert.equal(await available(), leastAmount(18))
  })

  it('that is read twice, by two servers at once, is credited once', async () => {
    for (let i = 0; i < 5; i++) {
      world.chain.give(wallet.address, ETH)
      world.chain.mine()
    }
    world.chain.mine(FINALITY)
    await Promise.all(
      [1, 2, 3].map(async () => {
        while (await scanChain(world.context, world.network)) {
          /* goes on */
        }
      }),
    )
    await scan(world)
    assert.equal(await available(), 5n * ETH)
  })

  it('is credited together with all others of its asset that are final, each once, also by two servers at once', async () => {
    const other = await makeWallet(world)
    await scan(world)
    const pay = (count: number) => {
      for (let i = 0; i < count; i++) {
        world.chain.give(i % 2 ? other.address : wallet.address, ETH)
        world.chain.give(i % 2 ? other.address : wallet.address, 1_000_000n, TOKEN)
      }
      world.chain.mine(FINALITY + 1)
    }
    const transactionsOf = async (count: number): Promise<number> => {
      let begun = 0
      const db: typeof world.context.db = {
        ...world.context.db,
        asOrganisation: (orgId, act) => {
          begun++
          return world.context.db.asOrganisation(orgId, act)
        },
      }
      pay(count)
      while (await scanChain({ ...world.context, db }, world.network)) continue
      return begun
    }
    assert.equal(await transactionsOf(2), await transactionsOf(60))
    pay(60)
    await Promise.all([scan(world), scan(world)])
    for (const each of [wallet, other]) {
      assert.equal((await balanceOf(world, each)).available, 61n * ETH)
      assert.equal((await balanceOf(world, each, TOKEN)).available, 61_000_000n)
      assert.ok((await depositsOf(each)).every(({ state }) => state === 'credited'))
    }
  })

  it('is taken in however many others and however many takings its block has: whoever floods one stops nothing', async () => {
    const many = 12_000
    const { chain, name } = world.network
    const paid = (i: number, contract: string | null, parties: { from: string; to: string; takenBy?: string }) => ({
      ...{ txid: `0x${i.toString(16).padStart(64, '0')}`, index: 1, asset: { chain, contract }, amount: ETH },
      ...parties,
    })
    const numbers = Array.from({ length: many }, (_, i) => i)
    const transfers = [
      ...numbers.map((i) => paid(i, null, { from: STRANGER, to: wallet.address })),
      ...numbers.map((i) => paid(many + i, TOKEN, { from: wallet.address, to: STRANGER, takenBy: STRANGER })),
    ]
    const { tip } = world.chain
    const block = { height: tip.height + 1n, hash: `0x${'ab'.repeat(32)}`, parentHash: tip.hash, timestampMs: 1, transfers }
    // Nothing of it is kept: to credit so many takes minutes.
    const undone = new Error('undone')
    const taken = await world.db
      .asSystem(async (tx) => {
        await insertDeposits(tx, world.context, world.orgId, await matchDeposits(tx, world.network, block), block)
        await insertAllowanceSpends(tx, world.context, world.network, block)
        const count = async (table: 'deposit' | 'token_pull') =>
          (await tx.selectFrom(table).select('id').where('block_hash', '=', block.hash).where('sub_wallet_id', '=', wallet.subWalletId).execute()).length
        throw Object.assign(undone, { counts: [await count('deposit'), await count('token_pull')] })
      })
      .catch((cause: unknown) => (cause === undone ? (cause as Error & { counts: number[] }).counts : Promise.reject(cause as Error)))
    assert.deepEqual(taken, [many, many], name)
  })
})

describe('a reader that is behind', () => {
  it('asks for the head once for all blocks up to it, and once more to see that there is no other', async () => {
    let asked = 0
    const { node } = world.network
    const head = () => {
      asked++
      return node.head()
    }
    const network = { ...world.network, node: { ...node, head } }
    world.chain.give(wallet.address, ETH)
    world.chain.mine(20)
    const memory: ScanMemory = {}
    while (await scanChain(world.context, network, memory)) continue
    assert.equal(asked, 2)
    assert.equal(await available(), ETH)
  })
})

describe('an idle reader', () => {
  it('asks the chain for its head and the database for nothing, until the head changes', async () => {
    let asked = 0
    const db: typeof world.context.db = {
      ...world.context.db,
      asSystem: (act) => {
        asked++
        return world.context.db.asSystem(act)
      },
      readSystem: (act) => {
        asked++
        return world.context.db.readSystem(act)
      },
    }
    const memory: ScanMemory = {}
    const read = () => scanChain({ ...world.context, db }, world.network, memory)
    const readAll = async () => {
      while (await read()) continue
    }
    world.chain.mine(FINALITY + 1)
    await readAll()
    const before = asked
    assert.equal(await read(), false)
    assert.equal(asked, before)
    // Another block at the same height is another head.
    world.chain.reorganise(1)
    await readAll()
    assert.ok(asked > before)
    world.chain.give(wallet.address, ETH)
    world.chain.mine(FINALITY + 1)
    await readAll()
    assert.equal(await available(), ETH)
  })
})

describe('a reorganisation', () => {
  it('reverses what was credited by an entry, and credits it again in its new block', async () => {
    world.chain.give(wallet.address, ETH)
    world.chain.mine(FINALITY + 1)
    await scan(world)
    world.chain.reorganise(5)
    world.chain.mine(2)
    await scan(world)
    assert.equal(await available(), 0n)
    assert.deepEqual(
      (await depositsOf()).map((each) => each.state),
      ['reversed', 'confirmed'],
    )
    world.chain.mine(4)
    await scan(world)
    assert.equal(await available(), ETH)
    assert.deepEqual(
      (await depositsOf()).map((each) => each.state),
      ['reversed', 'credited'],
    )
  })

  it('that brings the old blocks back credits their deposits again, once', async () => {
    world.chain.give(wallet.address, ETH)
    world.chain.mine(FINALITY + 1)
    await scan(world)
    const old = world.chain.blocks.slice(-4)
    world.chain.reorganise(4, { dropGifts: true })
    world.chain.mine(5)
    await scan(world)
    assert.equal(await available(), 0n)
    world.chain.replaceFrom(old)
    world.chain.mine(3)
    await scan(world)
    assert.equal(await available(), ETH)
    assert.deepEqual(
      (await depositsOf()).map((each) => each.state),
      ['credited'],
    )
  })

  it('of money that was spent meanwhile waits for it, and never makes a balance negative', async () => {
    world.chain.give(wallet.address, ETH)
    world.chain.mine(FINALITY + 1)
    await scan(world)
    await world.db.asOrganisation(world.orgId, (tx) => tx.selectFrom('deposit').select('id').execute())
    const { hold } = await import('@holdfast/ledger')
    const asset = { chain: world.network.chain, contract: null }
    await world.db.asOrganisation(world.orgId, (tx) =>
      hold(tx, {
        id: crypto.randomUUID(),
        reference: `spent ${wallet.subWalletId}`,
        nowMs: 1,
        subWalletId: wallet.subWalletId,
        amounts: [{ asset, amount: ETH }],
      }),
    )
    world.chain.reorganise(4)
    world.chain.mine(2)
    await scan(world)
    assert.deepEqual(
      (await depositsOf()).map((each) => [each.state, each.sub_status]),
      [
        ['credited', 'reversal_due'],
        ['confirmed', null],
      ],
    )
    world.chain.mine(3)
    await scan(world)
    assert.deepEqual(
      (await depositsOf()).map((each) => each.state),
      ['reversed', 'credited'],
    )
    assert.deepEqual(await balanceOf(world, wallet), { available: 0n, held: ETH })
  })

  it('of money that was spent meanwhile, that brings the old blocks back, leaves it credited, also once there is enough again', async () => {
    world.chain.give(wallet.address, ETH)
    world.chain.mine(FINALITY + 1)
    await scan(world)
    const { hold } = await import('@holdfast/ledger')
    const amounts = [{ asset: { chain: world.network.chain, contract: null }, amount: ETH }]
    const spent = { id: crypto.randomUUID(), reference: `spent ${wallet.subWalletId}`, nowMs: 1, subWalletId: wallet.subWalletId, amounts }
    await world.db.asOrganisation(world.orgId, (tx) => hold(tx, spent))
    const old = world.chain.blocks.slice(-4)
    const shown = async () => (await depositsOf()).map((each) => [each.state, each.sub_status, each.confirmations])
    const before = await shown()
    world.chain.reorganise(4, { dropGifts: true })
    world.chain.mine(5)
    await scan(world)
    assert.deepEqual(
      (await shown()).map(([state, why]) => [state, why]),
      [['credited', 'reversal_due']],
    )
    world.chain.replaceFrom(old)
    world.chain.mine(3)
    await scan(world)
    assert.deepEqual(await shown(), before)
    world.chain.give(wallet.address, 2n * ETH)
    world.chain.mine(FINALITY + 1)
    await scan(world)
    assert.deepEqual(await balanceOf(world, wallet), { available: 2n * ETH, held: ETH })
    assert.deepEqual(
      (await shown()).map(([state, why]) => [state, why]),
      [
        ['credited', null],
        ['credited', null],
      ],
    )
  })

  it('to a chain that has nothing in common with ours stops the reading and posts nothing', async () => {
    const cursor = await readCursor(world.context, world.network.chain)
    const other = new (world.chain.constructor as new () => typeof world.chain)()
    other.mine(Number(cursor!.height) + 5)
    const network = { ...world.network, node: other.node }
    const foreign = {
      ...network,
      node: {
        ...other.node,
        readBlock: async (height: bigint) => ({
          ...(await other.node.readBlock(height))!,
          hash: `0x${'11'.repeat(31)}${height.toString(16).padStart(2, '0')}`,
        }),
      },
    }
    await assert.rejects(scanChain(world.context, foreign), { name: 'ScanHaltedError', message: /no block in common/ })
    assert.deepEqual(await readCursor(world.context, world.network.chain), cursor)
  })
})

type Act = { kind: 'give' | 'mine' | 'reorganise' | 'scan' | 'back'; count: number; keep: boolean; token: boolean }
const acts: fc.Arbitrary<Act[]> = fc.array(
  fc.record({
    kind: fc.constantFrom<Act['kind']>('give', 'mine', 'mine', 'reorganise', 'scan', 'scan', 'back'),
    count: fc.integer({ min: 1, max: 6 }),
    keep: fc.boolean(),
    token: fc.boolean(),
  }),
  { minLength: 5, maxLength: 25 },
)

function act({ kind, count, keep, token }: Act): void {
  const { chain } = world
  if (kind === 'give') for (let i = 0; i < count; i++) chain.give(wallet.address, BigInt(i + 1) * ETH, token ? TOKEN : null)
  if (kind === 'mine') chain.mine(count)
  if (kind === 'reorganise' && chain.blocks.length > count + 1) {
    chain.reorganise(count, { dropGifts: !keep })
    chain.mine(keep ? count : count + 1)
  }
}

async function endsInTheTruth(): Promise<void> {
  world.chain.mine(FINALITY + 1)
  await scan(world)
  assert.equal(await available(), truth(wallet.address))
  assert.equal(await available(TOKEN), truth(wallet.address, TOKEN))
  const canonical = world.chain.blocks
    .filter((block) => block.height <= world.chain.tip.height - BigInt(FINALITY))
    .flatMap((block) => block.transfers.filter((each) => each.to === wallet.address).map((each) => `${each.txid} ${block.hash}`))
  const credited = (await depositsOf()).filter((each) => each.state === 'credited').map((each) => `${each.txid} ${each.block_hash}`)
  assert.deepEqual(credited.sort(), canonical.sort())
}

describe('whatever the chain does', () => {
  it('the ledger ends in its canonical truth, through reorganisations to depth 6', async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (list) => {
        wallet = await makeWallet(world)
        const memory: ScanMemory = {}
        for (const each of list) {
          // A reader that is up to date has the most to reverse.
          if (each.kind === 'reorganise' && each.token) await scan(world)
          act(each)
          if (each.kind === 'scan') await scanChain(world.context, world.network, memory)
        }
        await endsInTheTruth()
      }),
      { numRuns: 25 },
    )
  })

  it('a reader killed at fifty random moments skips nothing and posts nothing twice', async () => {
    const reaper = openReaper()
    const mortal = reaper.mortal(world.context)
    world.chain.beforeAnswer = reaper.maybeDie
    const random = fc.sample(
      fc.record({
        after: fc.integer({ min: 1, max: 30 }),
        act: fc.record({
          kind: fc.constantFrom<Act['kind']>('give', 'mine', 'reorganise'),
          count: fc.integer({ min: 1, max: 6 }),
          keep: fc.boolean(),
          token: fc.boolean(),
        }),
      }),
      200,
    )
    for (const each of random) {
      if (reaper.deaths === 50) break
      if (each.after % 2 === 0) await scan(world)
      act({ kind: 'give', count: 2, keep: true, token: false })
      act({ kind: 'mine', count: 2, keep: true, token: false })
      if (each.after % 3 === 0) await scan(world)
      act(each.act)
      await reaper.run(each.after, () => scanChain(mortal, world.network))
    }
    assert.equal(reaper.deaths, 50)
    await endsInTheTruth()
  })
})
