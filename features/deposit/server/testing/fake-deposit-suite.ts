import { ChainError } from '@holdfast/chain-core'
import type { Network } from '@holdfast/features/network/server'
import { assertConserved, balances } from '@holdfast/ledger'
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { makeWallet, openWorld, scan, type World } from '../../../testing/test-world.ts'
import { addPayee } from './add-payee.ts'

export const FINALITY = 3

/** What a case may do: pay `to`, an address of ours that was never paid, or seem to pay it. */
export type Scene = {
  to: string
  network: Network
  /** Reads what there is. */
  read(): Promise<void>
  /** Makes everything so far final, and reads it. */
  settle(): Promise<void>
}
export type Paid = { contract?: string; amount: bigint }

/** A trick that must bring nobody anything, and the honest payment most like it, which returns what it brings. */
export type FakeDeposit = { name: string; fake(scene: Scene): unknown; control(scene: Scene): Paid | Promise<Paid> }

export type FakeDepositSuite = {
  family: string
  /** How many cases there are, so that none is lost unnoticed. */
  count: number
  network(): Promise<Pick<Network, 'chain' | 'codec' | 'node' | 'assets' | 'collections'>>
  addressOf(number: number): string
  mine(blocks: number): void | Promise<void>
  /** Makes every source tell the truth again. */
  heal(): void
  cases(): readonly FakeDeposit[]
  close?(): Promise<void>
}

/** Registers a family's part of the corpus: each case goes through the real adapter and codec, the deposit reader and the database. */
export function fakeDepositSuite(suite: FakeDepositSuite): void {
  describe(`fake deposits on ${suite.family}`, () => {
    let world: World
    let walletId: string
    let payees = 0
    const tally = { refused: 0, credited: 0 }
    before(async () => {
      world = await openWorld({ finalityBlocks: FINALITY })
      ;({ walletId } = await makeWallet(world))
      Object.assign(world.network, { collections: [], ...(await suite.network()) })
      await suite.mine(1)
      await scan(world)
    })
    afterEach(() => world.db.asSystem(assertConserved))
    after(async () => {
      await suite.close?.()
      await world?.close()
    })

    // A source that cannot be believed stops the reading until it can.
    const read = () => scan(world).catch((cause: unknown) => assert.ok(cause instanceof ChainError, String(cause)))
    const settle = async () => {
      await suite.mine(FINALITY + 1)
      await read()
    }
    const play = async (act: (scene: Scene) => unknown): Promise<{ paid: unknown; booked: { contract: string | null; amount: bigint }[] }> => {
      const to = suite.addressOf(++payees)
      const subWalletId = await addPayee(world, { walletId, number: payees, chain: world.network.chain, address: to })
      const paid = await act({ to, network: world.network, read, settle })
      await settle()
      const all = await world.db.asOrganisation(world.orgId, (tx) => balances(tx, subWalletId))
      return { paid, booked: all.filter(({ available }) => available > 0n).map(({ asset, available }) => ({ contract: asset.contract, amount: available })) }
    }

    for (const { name, fake, control } of suite.cases()) {
      it(`${name}: nothing is credited, and the honest payment beside it is`, async () => {
        const { booked: stolen } = await play(fake)
        assert.deepEqual(stolen, [], 'a fake was credited')
        tally.refused++
        suite.heal()
        delete world.network.witnesses
        const { paid, booked } = await play(control)
        const { contract = null, amount } = paid as Paid
        assert.deepEqual(booked, [{ contract, amount }])
        tally.credited++
      })
    }

    it(`all ${suite.count} fakes are refused and all ${suite.count} honest payments credited`, (t) => {
      assert.deepEqual(tally, { refused: suite.count, credited: suite.count })
      t.diagnostic(`${suite.family}: ${tally.refused} of ${suite.count} fakes not credited, ${tally.credited} of ${suite.count} honest payments credited`)
    })
  })
}
