import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { evmCodec } from '@holdfast/chain-evm/codec'
import type { OrganisationTx } from '@holdfast/db'
import { asOwner } from '@holdfast/db/test'
import { toHex } from '@holdfast/encoding'
import { currentPolicy } from '@holdfast/features/policy/server'
import { assertConserved } from '@holdfast/ledger'
import { checkApproval } from '@holdfast/policy'
import { nodePorts } from '@holdfast/ports/node'
import { insertSampleRows } from '../../../packages/db/src/testing/sample-rows.ts'
import { readMigrations } from '../../../packages/db/src/migrate.ts'
import { proposals } from '../../../apps/server/src/features.ts'
import { checkTime } from '../../../apps/signer/src/checks/verify.ts'
import type { TodoItem } from '../contract.ts'
import { askForClaim, refuseClaim } from '../../deposit/server/claims.ts'
import { proposeKeyChange } from '../../key-recovery/server/propose-key-change.ts'
import { proposePolicyChange } from '../../policy/server/change/propose-policy.ts'
import { proposeAbsence } from '../../policy/server/signer-order/propose-signer-order.ts'
import { expireOrder } from '../../transfer/server/order/expire.ts'
import { CHAIN } from '../../testing/scripted-chain.ts'
import {
  approve,
  balanceOf,
  orderOf,
  requestWithdrawal,
  resetScript,
  ETH,
  fund,
  makeWallet,
  type Member,
  openWorld,
  approveAs,
  scan,
  approvalOf,
  type Wallet,
  type World,
} from '../../testing/test-world.ts'
import { countWaiting, listProposals } from './list-proposals.ts'
import { nameMissingDeciders } from './name-deciders.ts'
import { remindApprovers } from './remind-approvers.ts'
import { closeProposal } from './write-proposal.ts'
import { keyOf } from '../../testing/request-key.ts'

let world: World
let wallet: Wallet
let ann: Member
let ben: Member
let cleo: Member

const HOUR_MS = 3_600_000

const inOrganisation = <T>(act: (tx: OrganisationTx) => Promise<T>) => world.db.asOrganisation(world.orgId, act)
const viewerOf = (tx: OrganisationTx, personId: string) => ({
  tx,
  context: world.context,
  language: 'en_US' as const,
  personId,
  nowMs: world.context.ports.clock.nowMs(),
  fiat: 'USD' as const,
})

type Asked = { state: 'wait' | 'mine' | 'done'; page_no?: number; page_size?: number; keyword?: string; wallet_id?: string }
const pageOf = (member: Member, { page_no = 1, page_size = 200, ...asked }: Asked) =>
  inOrganisation((tx) => listProposals(viewerOf(tx, member.id), proposals, { page_no, page_size, ...asked }))
const idsOf = (list: readonly TodoItem[]) => list.map((each) => each.item_id)

const asked = (by: Member) => ({
  personId: by.id,
  language: 'en_US' as const,
  key: keyOf(`request-${toHex(nodePorts.random.bytes(8))}`),
  remark: 'It moves house',
  demandSecondFactor: async () => {},
})

/** A policy change by which one approval is enough. */
async function proposeOneApproval(by: Member): Promise<string> {
  const { change } = await inOrganisation(async (tx) => {
    const { policy } = await currentPolicy(tx)
    const everybody = world.members.map(({ id }) => id)
    const rules = policy.rules.map(({ id }) => ({ id, initiators: everybody, approvers: everybody, threshold: 1 }))
    const nothing = { add_keys: [], drop_keys: [], add_pages: [], drop_pages: [], add_assets: [], add_call_rules: [], add_stake_rules: [], drop_rules: [] }
    const draft = { base_version: Number(policy.version), governance: { approvers: everybody, threshold: 2 }, rules, ...nothing }
    return proposePolicyChange(tx, world.context, { ...asked(by), wallets: [], served: [], draft })
  })
  return change.row.id
}

/** A claim of a held payment. */
async function claimHeld(by: Member): Promise<string> {
  const place = { org_id: world.orgId, chain: CHAIN, address: wallet.address }
  await inOrganisation((tx) =>
    tx
      .insertInto('deposit_comment')
      .values({ ...place, comment: '0123456789AB', label: 'Zoë', created_at: 1 })
      .execute(),
  )
  world.chain.give(wallet.address, ETH)
  world.chain.mine(3)
  await scan(world)
  return inOrganisation(async (tx) => {
    const held = tx
      .selectFrom('deposit')
      .select('id')
      .where('org_id', '=', world.orgId)
      .where('address', '=', wallet.address)
      .where('sub_status', 'is not', null)
    const { id } = await held.executeTakeFirstOrThrow()
    return askForClaim(tx, world.context, { depositId: id, memo: '0123456789AB', personId: by.id, reason: 'By its receipt' })
  })
}

/** One of every kind, requested by one person. */
async function proposeOfEach(by: Member) {
  return {
    transfer: (await requestWithdrawal(world, wallet, { by })).order.row.id,
    policy_change: await proposeOneApproval(by),
    signer_order: (await inOrganisation((tx) => proposeAbsence(tx, world.context, { ...asked(by), party: 2, days: 3, away: undefined }))).order.row.id,
    key_change: (
      await inOrganisation((tx) => proposeKeyChange(tx, world.context, { ...asked(by), walletId: wallet.walletId, action: 'refresh', party: undefined }))
    ).change.row.id,
    deposit_claim: await claimHeld(by),
  }
}

beforeEach(async () => {
  world = await openWorld({ network: { codec: { ...evmCodec({ chain: CHAIN }), memoMax: 64 } } })
  ;[ann, ben, cleo] = world.members
  resetScript(world)
  wallet = await makeWallet(world)
  await fund(world, wallet, 10n * ETH)
})
afterEach(async () => {
  await world.db.asSystem(assertConserved)
  await world.close()
})

describe('the list of proposals', () => {
  it('has every kind, changes of rules and keys before what they decide, each with its fields', async () => {
    const { transfer, policy_change, signer_order, key_change, deposit_claim } = await proposeOfEach(ann)
    const { list, counts, pageTotal, review_url } = await pageOf(ben, { state: 'wait' })
    assert.deepEqual(idsOf(list).slice(0, 3).sort(), [policy_change, signer_order, key_change].sort())
    assert.deepEqual(idsOf(list).slice(3), [deposit_claim, transfer])
    assert.deepEqual(new Set(list.map(({ mine }) => mine)), new Set(['decide']))
    assert.deepEqual(
      [pageTotal, counts.wait, counts.policy_change, counts.key_change, counts.signer_order, counts.deposit_claim, counts.transfer],
      [5, 5, 1, 1, 1, 1, 1],
    )
    assert.equal(review_url!.split(',').length, 4, 'a held payment is not decided on the approval page')
    for (const item of list) {
      const isMoney = item.kind === 'transfer' || item.kind === 'deposit_claim'
      assert.deepEqual(['amount' in item, item.reminded], [isMoney, null], item.kind)
    }
    assert.deepEqual((await pageOf(ann, { state: 'wait' })).list, [])
    const mine = await pageOf(ann, { state: 'mine' })
    assert.deepEqual(idsOf(mine.list).sort(), idsOf(list).sort())
    assert.equal(mine.counts.mine, 5)
  })

  it('has an order no more that nobody decided in time, and no word of a person that comes later counts', async () => {
    const transfer = (await requestWithdrawal(world, wallet, { expireHours: 1 })).order.row.id
    const { intent } = await orderOf(world, transfer)
    const inTime = await approvalOf(world, transfer, cleo)
    assert.deepEqual(await approveAs(world, await approvalOf(world, transfer, ben)), { state: 'approving', missing: 1 })
    const waiting = () => inOrganisation((tx) => countWaiting(tx, proposals, { personId: cleo.id, nowMs: Date.now() }))
    assert.equal(await waiting(), 1)
    world.clock.aheadMs += HOUR_MS + 1
    await inOrganisation((tx) => expireOrder(tx, world.context, transfer))
    const { list, counts, pageTotal } = await pageOf(cleo, { state: 'wait' })
    assert.deepEqual([list, counts.wait, counts.transfer, pageTotal, await waiting()], [[], 0, 0, 0, 0])
    const mine = await pageOf(ann, { state: 'mine' })
    assert.deepEqual(
      [mine.counts.mine, mine.list.map(({ item_id, state, status, sub_status }) => [item_id, state, status, sub_status])],
      [0, [[transfer, 'done', 2202, 'approval_expired']]],
    )
    assert.deepEqual([(await orderOf(world, transfer)).state, (await balanceOf(world, wallet)).held], ['expired', 0n])
    const late = await approvalOf(world, transfer, cleo)
    for (const approval of [inTime, late]) await assert.rejects(approveAs(world, approval), { code: '300004' })
    // What a signer would say of both: one was signed too late, and whatever was signed in time brings an order that is over.
    assert.equal(checkApproval(inTime, intent, world.policy).name, 'Cleo')
    assert.throws(() => checkApproval(late, intent, world.policy), { refusal: { code: 'approval-out-of-time' } })
    assert.doesNotThrow(() => checkTime(intent, Number(intent.expiresAtMs)))
    assert.throws(() => checkTime(intent, world.context.ports.clock.nowMs()), { check: 'c4', message: /the order has expired/ })
  })

  it('is narrowed by a wallet and by words, in any letter case', async () => {
    const { transfer, key_change, policy_change, deposit_claim } = await proposeOfEach(ann)
    const other = await makeWallet(world, 'Reserve')
    assert.deepEqual(idsOf((await pageOf(ben, { state: 'wait', wallet_id: wallet.walletId })).list).sort(), [transfer, key_change, deposit_claim].sort())
    assert.deepEqual((await pageOf(ben, { state: 'wait', wallet_id: other.walletId })).list, [])
    const found = async (keyword: string) => idsOf((await pageOf(ben, { state: 'wait', keyword })).list)
    assert.deepEqual(await found('V2'), [policy_change])
    assert.deepEqual(await found('RECEIPT'), [deposit_claim])
    assert.deepEqual(await found('0x3c44cdd'), [transfer])
    assert.equal((await found('ann')).length, 5)
    assert.deepEqual(await found('50%'), [])
  })

  it('repeats and skips nothing of what waited, although more is requested while its pages are read', async () => {
    const before: string[] = []
    for (let i = 0; i < 7; i++) before.push((await requestWithdrawal(world, wallet, { amount: '0.1' })).order.row.id)
    const seen: string[] = []
    for (let page = 1; ; page++) {
      const { list, has_more } = await pageOf(ben, { state: 'wait', page_no: page, page_size: 3 })
      seen.push(...idsOf(list))
      if (!has_more) break
      if (page < 3) await requestWithdrawal(world, wallet, { amount: '0.1' })
    }
    assert.equal(new Set(seen).size, seen.length)
    assert.deepEqual(seen.slice(0, 7), before, 'what expires first stands first')
    const newest = await pageOf(ann, { state: 'mine', page_size: 4 })
    assert.deepEqual(idsOf(newest.list), seen.toReversed().slice(0, 4))
  })

  it('is of one organisation: what another one decides is neither found in it nor closed by it', async () => {
    const theirs = await insertSampleRows(world.db, 'other')
    const waits = async () =>
      (await world.db.asSystem((tx) => tx.selectFrom('proposal').select(['subject_id', 'is_open']).where('org_id', '=', theirs.orgId).execute()))[0]!
    const { subject_id: id } = await waits()
    assert.deepEqual((await pageOf(ben, { state: 'wait' })).list, [])
    const asThem = await inOrganisation((tx) => listProposals(viewerOf(tx, theirs.personId), proposals, { state: 'mine', page_no: 1, page_size: 20 }))
    assert.deepEqual([asThem.list, asThem.counts.mine, asThem.counts.wait], [[], 0, 0])
    await inOrganisation((tx) => closeProposal(tx, id))
    await assert.rejects(
      inOrganisation((tx) => remindApprovers(tx, world.context, proposals, { itemId: id, personId: theirs.personId })),
      { errorName: 'order_not_found' },
    )
    assert.equal((await waits()).is_open, true)
  })
})

describe('reminding of what waits', () => {
  const remind = (itemId: string, member: Member) => inOrganisation((tx) => remindApprovers(tx, world.context, proposals, { itemId, personId: member.id }))
  const itemOf = async (member: Member, state: Asked['state'], id: string) => (await pageOf(member, { state })).list.find((each) => each.item_id === id)!

  it('is for whoever asked or governs, of every kind that is signed, and once an hour for all of them together', async () => {
    const { policy_change: id, deposit_claim: claim } = await proposeOfEach(ann)
    const nowMs = world.context.ports.clock.nowMs()
    const own = await itemOf(ann, 'mine', id)
    assert.ok(own.remind_at !== null && own.remind_at >= nowMs, JSON.stringify(own))
    assert.deepEqual((await remind(id, ann)).reminded, ['Ben', 'Cleo'])
    const seen = await itemOf(ben, 'wait', id)
    assert.deepEqual([seen.reminded?.by, seen.remind_at], ['Ann', seen.reminded!.at + 3_600_000], 'he governs, and has to wait for his turn')
    await assert.rejects(remind(id, ben), { errorName: 'rate_limited' })
    world.clock.aheadMs += 3_600_001
    assert.deepEqual((await remind(id, ben)).reminded, ['Cleo'], 'and nobody is reminded by themselves')
    world.clock.aheadMs = 0
    assert.equal((await itemOf(ann, 'mine', claim)).remind_at, null)
    await assert.rejects(remind(claim, ann), { errorName: 'order_not_found' }, 'a right decides it, so nobody is named')
  })
})

describe('what existed before the table of proposals', () => {
  const rows = async () => ({
    proposals: await inOrganisation((tx) => tx.selectFrom('proposal').selectAll().where('org_id', '=', tx.orgId).orderBy('subject_id').execute()),
    people: await inOrganisation((tx) =>
      tx.selectFrom('proposal_person').selectAll().where('org_id', '=', tx.orgId).orderBy('subject_id').orderBy('person_id').execute(),
    ),
  })

  it('is put there as it would be now, open and past, with whose word is missing', async () => {
    const { transfer } = await proposeOfEach(ann)
    await approve(world, transfer, ben)
    const rejected = (await requestWithdrawal(world, wallet, { remark: 'Rent' })).order.row.id
    await approveAs(world, await approvalOf(world, rejected, cleo, 'reject'))
    const refused = await inOrganisation(async (tx) => {
      const { id } = await tx.selectFrom('deposit_claim').select('id').where('org_id', '=', tx.orgId).executeTakeFirstOrThrow()
      await refuseClaim(tx, world.context, { claimId: id, personId: ben.id, reason: 'No' })
      return id
    })
    const written = await rows()
    const inserts = (await readMigrations(nodePorts)).find(({ name }) => name === '0280-proposals.sql')!.statements.filter((each) => each.startsWith('insert'))
    await asOwner(world.db, async (client) => {
      for (const statement of ['delete from proposal_person', 'delete from proposal', ...inserts]) await client.query(statement)
    })
    const moved = await rows()
    assert.deepEqual(moved.proposals, written.proposals)
    const spoken = written.people.filter(({ spoken_at }) => spoken_at !== null)
    assert.deepEqual(spoken.map(({ person_id }) => person_id).sort(), [ben.id, ben.id, cleo.id].sort())
    assert.deepEqual(moved.people, spoken)
    for (let times = 0; times < 2; times++) await nameMissingDeciders(world.context, proposals, (cause) => assert.fail(String(cause)))
    const isOpen = (id: string) => id !== rejected && id !== refused
    assert.deepEqual(
      (await rows()).people,
      written.people.filter(({ subject_id, spoken_at }) => spoken_at !== null || isOpen(subject_id)),
    )
    assert.equal(written.people.filter(({ person_id }) => person_id === ann.id).length, 0, 'who asked decides nothing')
  })

  it('lets a server start if one of them cannot be read: that is reported, and the others are shown', async () => {
    const broken = (await requestWithdrawal(world, wallet)).order.row.id
    const whole = (await requestWithdrawal(world, wallet)).order.row.id
    await asOwner(world.db, async (client) => {
      await client.query('delete from proposal_person')
      await client.query("update transfer_order set intent = '\\x00' where id = $1", [broken])
    })
    const told: unknown[] = []
    await nameMissingDeciders(world.context, proposals, (cause) => told.push(cause))
    assert.equal(told.length, 1)
    assert.deepEqual(idsOf((await pageOf(ben, { state: 'wait' })).list), [whole])
  })
})
