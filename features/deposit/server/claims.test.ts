import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { ChainError } from '@holdfast/chain-core'
import { evmCodec } from '@holdfast/chain-evm/codec'
import { AppError, type Endpoint, type OutputOf } from '@holdfast/contract'
import { type HandledEndpoint, type MemberContext } from '@holdfast/http'
import { assertConserved } from '@holdfast/ledger'
import { getDeposit, listTransactions } from '../../transaction/contract.ts'
import { listTodo } from '@holdfast/features/proposal/contract'
import { proposalEndpoints } from '@holdfast/features/proposal/server'
import { transactionEndpoints } from '@holdfast/features/transaction/server'
import { depositStories } from '../../notification/server/stories/deposit-stories.ts'
import fc from 'fast-check'
import { proposals } from '../../../apps/server/src/features.ts'
import { CHAIN } from '../../testing/scripted-chain.ts'
import { balanceOf, resetScript, ETH, makeWallet, openWorld, scan, type Wallet, type World } from '../../testing/test-world.ts'
import { claimDeposit, decideClaim, keepHeld, withdrawClaim } from '../contract.ts'
import { depositEndpoints } from './routes.ts'
import { auditAll } from './audit/run-audits.ts'

const COMMENT = '0123456789AB'

let world: World
let wallet: Wallet
let endpoints: HandledEndpoint[]

const [ann, ben, cleo] = [0, 1, 2]

async function call<E extends Endpoint>(endpoint: E, input: Record<string, unknown>, member = ann): Promise<OutputOf<E>> {
  const handled = endpoints.find((each) => each.endpoint === endpoint)!
  const context = { orgId: world.orgId, personId: world.members[member]!.id, language: 'en_US', ports: world.context.ports } as unknown as MemberContext
  return endpoint.output.parse(await handled.handler(context, endpoint.input.parse(input) as never)) as OutputOf<E>
}

/** A payment without a comment to an address that needs one. */
async function heldPayment(blocks = 3): Promise<string> {
  world.chain.give(wallet.address, ETH)
  world.chain.mine(blocks)
  await scan(world)
  const { list } = await call(listTransactions, { type: 'held', sub_wallet_id: wallet.subWalletId, page_no: '1', page_size: '20' })
  return list[0]!.id
}

const ask = async (id: string, given: { memo?: string; by?: number } = {}) =>
  (await call(claimDeposit, { id, reason: 'By its receipt', memo: given.memo ?? '' }, given.by)).claim_id
const decide = (claim_id: string, member: number, result = 'confirm') => call(decideClaim, { claim_id, result, reason: 'Seen' }, member)
const money = async () => (await balanceOf(world, wallet)).available
/** What a person has to do about held payments, and what they asked for or decided. */
const todo = async (member: number, state: string) => {
  const { list, counts } = await call(listTodo, { state, kind: 'deposit_claim', page_no: '1', page_size: '20' }, member)
  assert.equal(counts.deposit_claim, list.length)
  return list.filter((item) => 'wallet_id' in item && item.wallet_id === wallet.walletId).map(({ mine, status, node }) => [mine, status, node.waiting_for])
}
const words = async () =>
  (await world.db.asOrganisation(world.orgId, (tx) => tx.selectFrom('log_entry').select('bytes').where('org_id', '=', tx.orgId).execute())).filter(
    ({ bytes }) => Buffer.from(bytes).includes('deposit-claim'),
  ).length

before(async () => {
  world = await openWorld({ network: { codec: { ...evmCodec({ chain: CHAIN }), memoMax: 64 } } })
  endpoints = [...depositEndpoints(world.context), ...transactionEndpoints(world.context), ...proposalEndpoints(world.context, proposals)]
})
beforeEach(async () => {
  resetScript(world)
  world.network.witnesses = []
  wallet = await makeWallet(world)
  const place = { org_id: world.orgId, chain: CHAIN, address: wallet.address }
  await world.db.asOrganisation(world.orgId, (tx) =>
    tx
      .insertInto('deposit_comment')
      .values({ ...place, comment: COMMENT, label: 'Zoë', created_at: 1 })
      .execute(),
  )
})
afterEach(() => world.db.asSystem(assertConserved))
after(() => world.close())

describe('a payment that is held', () => {
  it('is credited once another person confirms whose it is, in the ledger of the sub-wallet that has the address', async () => {
    const id = await heldPayment()
    const before = await words()
    const claim = await ask(id, { memo: ` ${COMMENT.toLowerCase()}` })
    const [row] = (await call(listTransactions, { type: 'held', page_no: '1', page_size: '20' })).list
    assert.deepEqual([row!.id, row!.next_action.action, row!.next_action.who.map(({ name }) => name)], [id, 'approve', ['Ben', 'Cleo']])
    assert.deepEqual(await todo(ann, 'mine'), [['initiator', 1000, ['Ben', 'Cleo']]])
    assert.deepEqual([await todo(ann, 'wait'), await todo(cleo, 'wait')], [[], [['decide', 1000, ['Ben', 'Cleo']]]])
    await assert.rejects(decide(claim, ann), { code: '300180' })
    assert.equal(await money(), 0n)
    await decide(claim, ben)
    assert.deepEqual([await todo(cleo, 'wait'), await todo(ben, 'done'), await todo(ann, 'mine')], [[], [['decided', 2000, []]], [['initiator', 2000, []]]])
    assert.equal(await money(), ETH)
    const shown = await call(getDeposit, { id })
    assert.deepEqual(
      [shown.status, shown.sub_status, shown.held, shown.claims.map(({ state, label, by, decided }) => [state, label, by.name, decided?.by])],
      [2000, 'ok', null, [['confirmed', 'Zoë', 'Ann', 'Ben']]],
    )
    assert.deepEqual(
      shown.timeline.map(({ state, actor, reason }) => [state, actor, reason]).filter(([state]) => state!.startsWith('claim')),
      [
        ['claim_asked', 'Ann', 'Zoë: By its receipt'],
        ['claim_confirmed', 'Ben', 'Seen'],
      ],
    )
    assert.equal(await words(), before + 2)
    assert.deepEqual(
      (await auditAll(world.context)).filter((each) => each.includes(wallet.address)),
      [],
    )
    const [told] = await world.db.asOrganisation(world.orgId, (tx) =>
      depositStories(tx, { networks: world.context.networks, heights: new Map() }, [{ deposit_id: id }]),
    )
    assert.deepEqual([told!.steps[0]!.event, told!.steps[0]!.fields.memo, told!.steps[0]!.fields.assigned_memo], ['deposit.credited', null, COMMENT])
    const news = await world.db.asOrganisation(world.orgId, (tx) =>
      tx.selectFrom('outbox').select(['topic', 'payload']).where('org_id', '=', tx.orgId).orderBy('sequence', 'desc').limit(3).execute(),
    )
    assert.ok(news.some(({ topic, payload }) => topic === 'deposit.changed' && JSON.stringify(payload).includes(id)))
  })

  it('is credited once, however many people confirm at the same moment', async () => {
    const claim = await ask(await heldPayment())
    const done = await Promise.allSettled([ben, cleo, ben, cleo, ben].map((member) => decide(claim, member)))
    assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 1)
    await assert.rejects(decide(claim, cleo), { code: '300013' })
    assert.equal(await money(), ETH)
  })

  it('stays held if another person refuses, if the claimant takes the claim back, and if somebody says why', async () => {
    const id = await heldPayment()
    const first = await ask(id)
    await assert.rejects(ask(id), { code: '300013' }, 'one at a time')
    await assert.rejects(decide(first, ann, 'refuse'), { code: '300180' })
    await decide(first, cleo, 'refuse')
    const second = await ask(id, { by: ben })
    await assert.rejects(call(withdrawClaim, { claim_id: second }, ann), { code: '300014' })
    await call(withdrawClaim, { claim_id: second }, ben)
    await assert.rejects(decide(second, cleo), { code: '300013' })
    await call(keepHeld, { id, reason: 'Nobody has asked for it' })
    const { held, claims } = await call(getDeposit, { id })
    assert.deepEqual([held!.comments, claims.map(({ state }) => state)], [[{ memo: COMMENT, label: 'Zoë' }], ['refused', 'withdrawn', 'kept']])
    assert.equal(await money(), 0n)
    await decide(await ask(id), ben)
    assert.equal(await money(), ETH)
    await assert.rejects(ask(id), { code: '300013' }, 'it is credited')
  })

  it('is credited by two people and never by one, in any order of their acts', async () => {
    const member = fc.integer({ min: 0, max: 2 })
    const acts = fc.array(fc.record({ by: member, act: fc.constantFrom('ask', 'confirm', 'confirm', 'refuse', 'withdraw', 'keep') }), { maxLength: 9 })
    const play = async (steps: { by: number; act: string }[]) => {
      const before = await money()
      const id = await heldPayment()
      const newest = async () => (await call(getDeposit, { id })).claims.at(-1)?.id ?? id
      for (const { by, act } of steps) {
        const done = async () => {
          if (act === 'ask') await ask(id, { by })
          else if (act === 'keep') await call(keepHeld, { id, reason: 'Not clear' }, by)
          else if (act === 'withdraw') await call(withdrawClaim, { claim_id: await newest() }, by)
          else await decide(await newest(), by, act)
        }
        await done().catch((cause: unknown) => assert.ok(cause instanceof AppError, String(cause)))
      }
      const { claims, status } = await call(getDeposit, { id })
      const confirmed = claims.filter(({ state, by, decided }) => state === 'confirmed' && by.name !== decided?.by)
      assert.deepEqual([await money(), status], [before + BigInt(confirmed.length) * ETH, confirmed.length === 1 ? 2000 : 1100])
    }
    await fc.assert(fc.asyncProperty(acts, play), { numRuns: 12 })
  })

  it('can be claimed only for a comment of its own address', async () => {
    await assert.rejects(ask(await heldPayment(), { memo: 'ZZZZZZZZZZZZ' }), { code: '100004' })
  })

  it('waits for finality and for sources that show it, and is taken back with its block', async () => {
    const claim = await ask(await heldPayment(1))
    await assert.rejects(decide(claim, ben), { code: '300181' })
    world.chain.mine(3)
    await scan(world)
    world.network.witnesses = [world.chain.node]
    world.chain.beforeAnswer = (question) => {
      if (question === 'readBlock') throw new ChainError('no answer')
    }
    await assert.rejects(decide(claim, ben), { code: '300082' })
    assert.equal(await money(), 0n)
    world.chain.beforeAnswer = () => {}
    await decide(claim, ben)
    assert.equal(await money(), ETH)
    world.chain.reorganise(4)
    world.chain.mine(5)
    await scan(world)
    assert.equal(await money(), 0n, 'it is held again in the block where it stands now')
    const { list } = await call(listTransactions, { type: 'held', sub_wallet_id: wallet.subWalletId, page_no: '1', page_size: '20' })
    await decide(await ask(list[0]!.id), ben)
    assert.equal(await money(), ETH)
  })
})
