import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { AppError, type CallInput, type Endpoint } from '@holdfast/contract'
import { decode, toHex } from '@holdfast/encoding'
import { currentPolicy } from '@holdfast/features/policy/server'
import { CoSignerError } from '@holdfast/features/signer-link/server'
import { genesisRecordShape } from '@holdfast/policy'
import { openSigned, recoveryKitShape, sealedShareShape } from '@holdfast/protocol'
import { putIntoForce, replaceThird } from '../../testing/replace-signer.ts'
import { CHAIN } from '../../testing/scripted-chain.ts'
import {
  ARTWORK,
  requestWithdrawal,
  resetScript,
  ETH,
  fund,
  makeWallet,
  type Member,
  openWorld,
  approveAs,
  type Wallet,
  approvalOn,
  type World,
} from '../../testing/test-world.ts'
import { archiveWallet } from '../../wallet/server/archive-wallet.ts'
import { createSubWallet } from '../../wallet/server/create-wallet.ts'
import { depositAddress } from '../../deposit-address/server/deposit-address.ts'
import { readWalletKeys } from '../../key/server/read-key.ts'
import { acceptExport } from './export-holders.ts'
import { type KeyChange, keyChanges } from './key-change.ts'
import { proposeKeyChange } from './propose-key-change.ts'
import { keyEndpoints } from './key-routes.ts'
import { isRetired, proposeExport, proposeRetirement } from './propose-key-order.ts'
import { readySigners } from './ready-signers.ts'
import { endStaleKeyChange } from './run-key-changes.ts'
import { takeOrderStep } from './take-order-step.ts'
import { callAs } from '../../testing/call-as.ts'
import { keyOf } from '../../testing/request-key.ts'
import { checkKeyShares, checkKeySharesAsBefore, getExport, getRecoveryTool, listKeys, listKeysAsBefore } from '../contract.ts'
import { exportEndpoints } from './export-routes.ts'

const DAY_MS = 24 * 3_600_000
let world: World
let wallet: Wallet
let ann: Member
let ben: Member
let cleo: Member

before(async () => {
  world = await openWorld()
  ;[ann, ben, cleo] = world.members
})
beforeEach(async () => {
  resetScript(world)
  world.clock.aheadMs = 0
  wallet = await makeWallet(world)
})
after(() => world.close())

const inOrganisation = <T>(act: Parameters<typeof world.db.asOrganisation<T>>[1]) => world.db.asOrganisation(world.orgId, act)
const now = () => world.context.ports.clock.nowMs()
const orderNow = async ({ row }: KeyChange) => (await inOrganisation((tx) => keyChanges.read(tx, row.id)))!
const step = ({ row }: KeyChange) => takeOrderStep(world.context, world.orgId, row.id)
const word = async (order: KeyChange, member: Member, decision?: 'approve' | 'reject') => approveAs(world, approvalOn(world, order.intent, member, decision))
const recipientOf = (name: string) => `age1${name.repeat(58).slice(0, 58)}`
const holder = (party: number, { id, name }: Member) => ({ party, personId: id, recipient: recipientOf(name[0]!.toLowerCase()) })
const asked = () => ({
  personId: ann.id,
  language: 'en_US' as const,
  key: keyOf(`key-order-${toHex(world.context.ports.random.bytes(8))}`),
  walletId: wallet.walletId,
  remark: 'moving house',
  demandSecondFactor: async () => {},
})
const askForExport = async (holders = [holder(1, ben), holder(2, cleo), holder(3, ann)]) =>
  (await inOrganisation((tx) => proposeExport(tx, world.context, { ...asked(), holders }))).change
const retire = async (leavesHoldings = false) => (await inOrganisation((tx) => proposeRetirement(tx, world.context, { ...asked(), leavesHoldings }))).change
const accept = (order: KeyChange, member: Member, accepted = true) =>
  inOrganisation((tx) => acceptExport(tx, world.context, { id: order.row.id, personId: member.id, accepted }))
const fileOf = ({ row }: KeyChange) => inOrganisation((tx) => tx.selectFrom('key_export').select('kit').where('change_id', '=', row.id).executeTakeFirst())
const refusedAs =
  (name: string, reason = /./) =>
  (error: unknown) =>
    error instanceof AppError && error.errorName === name && (error.details.reason === undefined || reason.test(String(error.details.reason)))

describe('an export', () => {
  it('gives a kit sealed to the recipients it names, after approvals, the delay, and the word of each of them, and nothing before', async () => {
    const order = await askForExport()
    for (const member of [ben, cleo]) await word(order, member)
    for (const member of [ann, ben, cleo]) await accept(order, member)
    assert.equal(await step(order), 'wait', 'it can still be rejected')
    assert.equal(await fileOf(order), undefined)
    world.clock.aheadMs = DAY_MS + 1000
    assert.equal(await step(order), 'done')
    assert.equal((await orderNow(order)).row.state, 'done')
    const kit = decode(recoveryKitShape, (await fileOf(order))!.kit)
    const sealed = kit.shares.map((each, i) => openSigned(sealedShareShape, each, world.signers.signKeys[i]!)!)
    assert.deepEqual(
      sealed.map((each) => each.kind === 'single' && each.recipients),
      [ben, cleo, ann].map(({ name }) => [recipientOf(name[0]!.toLowerCase())]),
    )
    assert.ok(kit.addresses.some((each) => each.address === wallet.address))
    assert.equal(await step(order), 'done')
  })

  it('is read with who decides and what is asked of the reader, and its file by those alone whom it names or who asked', async () => {
    const read = (order: KeyChange, { id }: Member) =>
      callAs(exportEndpoints(world.context, {} as never), getExport, { item_id: order.row.id }, { orgId: world.orgId, personId: id })
    const order = await askForExport([holder(1, ben), holder(2, cleo)])
    const first = await read(order, ben)
    assert.deepEqual([first.state, first.must_accept, first.file, first.reason, first.nodes[0]!.need], [1, true, null, 'moving house', 2])
    assert.equal((await read(order, ann)).must_accept, false, 'who asked is named by none of its recipients')
    for (const member of [ben, cleo]) await word(order, member)
    assert.equal((await read(order, ben)).state, 2)
    for (const member of [ben, cleo]) await accept(order, member)
    assert.equal((await read(order, ben)).must_accept, false)
    world.clock.aheadMs = DAY_MS + 1000
    assert.equal(await step(order), 'done')
    const [named, stranger] = [await read(order, cleo), { id: wallet.walletId } as Member]
    assert.deepEqual([named.state, named.file !== null, (await read(order, stranger)).file], [3, true, null])
    const tool = await callAs(exportEndpoints(world.context, {} as never), getRecoveryTool, {} as never, { orgId: world.orgId, personId: ben.id })
    assert.deepEqual([tool.offline_only, /recover/.test(tool.command)], [true, true])
  })

  it('waits for each person it names, and one to whom the recipient does not belong ends it', async () => {
    const order = await askForExport()
    for (const member of [ben, cleo]) await word(order, member)
    await accept(order, ben)
    await accept(order, ben)
    world.clock.aheadMs = DAY_MS + 1000
    assert.equal(await step(order), 'wait')
    await assert.rejects(accept(order, ben, false), refusedAs('state_changed'))
    await accept(order, cleo, false)
    assert.equal((await orderNow(order)).row.state, 'rejected')
    assert.equal(await step(order), 'done')
    assert.equal(await fileOf(order), undefined)
  })

  it('is rejected by one of those who govern also after it was approved, until the signers follow it', async () => {
    const [before, itsWallet] = [world, wallet]
    world = await openWorld({ threshold: 1n })
    try {
      ;[ann, ben, cleo] = world.members
      wallet = await makeWallet(world)
      const order = await askForExport([holder(1, ann), holder(3, ben)])
      assert.equal((await word(order, ben)).state, 'approved')
      await assert.rejects(askForExport(), refusedAs('key_change_open'))
      assert.equal((await word(order, cleo, 'reject')).state, 'rejected')
      await assert.rejects(word(order, ben, 'reject'), refusedAs('state_changed'))
      world.clock.aheadMs = DAY_MS + 1000
      assert.equal(await step(order), 'done')
      assert.equal(await fileOf(order), undefined)
      const again = await askForExport([holder(1, ann), holder(3, ben)])
      assert.equal((await word(again, ben)).state, 'approved')
      assert.equal((await word(again, ben, 'reject')).state, 'rejected', 'a change of mind')
      await askForExport()
    } finally {
      await world.close()
      ;[world, wallet] = [before, itsWallet]
      ;[ann, ben, cleo] = world.members
    }
  })

  it('names different people with different recipients of this organisation, for two signers at least', async () => {
    const one = holder(1, ann)
    await assert.rejects(askForExport([one]), refusedAs('key_change_refused', /at least two signers/))
    await assert.rejects(askForExport([one, { ...holder(2, ben), party: 1 }]), refusedAs('key_change_refused', /each signer once/))
    await assert.rejects(askForExport([one, { ...holder(2, ben), personId: ann.id }]), refusedAs('key_change_refused', /a different person and recipient/))
    await assert.rejects(
      askForExport([one, { ...holder(2, ben), recipient: one.recipient }]),
      refusedAs('key_change_refused', /a different person and recipient/),
    )
    await assert.rejects(askForExport([one, { ...holder(2, ben), recipient: 'AGE-SECRET-KEY-1' }]), refusedAs('key_change_refused', /not the public key/))
    const stranger = { ...holder(2, ben), personId: '0190a000-0000-7000-8000-000000000000' }
    await assert.rejects(askForExport([one, stranger]), refusedAs('key_change_refused', /does not belong to anyone in this organisation/))
  })
})

describe('a wallet about whose key an order is open', () => {
  it('is not archived before the order has ended', async () => {
    const archive = () => inOrganisation((tx) => archiveWallet(tx, world.context.networks, { walletId: wallet.walletId, isArchived: true, nowMs: now() }))
    const order = await retire()
    await assert.rejects(archive(), refusedAs('wallet_has_orders'))
    await inOrganisation((tx) => keyChanges.withdraw(tx, world.context, { id: order.row.id, personId: ann.id, remark: '' }))
    await archive()
  })
})

describe('a key that is retired', () => {
  const address = () =>
    inOrganisation((tx) =>
      depositAddress(tx, world.context.networks, { subWalletId: wallet.subWalletId, chain: CHAIN, symbol: 'ETH', language: 'en_US', nowMs: now() }),
    )

  it('pays nothing and gets no new addresses, once those who govern have approved it and all three signers have said so', async () => {
    const order = await retire()
    assert.equal(await step(order), 'done', 'nothing without approvals')
    assert.equal((await inOrganisation((tx) => readWalletKeys(tx, wallet.walletId)))[0]!.retiredAtMs, null)
    for (const member of [ben, cleo]) await word(order, member)
    world.signers.setOnline(1, 2)
    assert.equal(await step(order), 'wait')
    world.signers.setOnline(1, 2, 3)
    world.signers.epochs.before = (name, party) => {
      if (name === 'follow-key-order' && party === 3) throw new CoSignerError({ kind: 'unavailable', party, check: '', message: 'gone' })
    }
    assert.equal(await step(order), 'wait')
    assert.notEqual((await inOrganisation((tx) => readWalletKeys(tx, wallet.walletId)))[0]!.retiredAtMs, null, 'two signers sign nothing any more')
    world.signers.epochs.before = () => {}
    assert.equal(await step(order), 'done')
    const { row } = await orderNow(order)
    assert.deepEqual([row.state, row.statements !== null], ['done', true])
    const closed = await address()
    assert.deepEqual([closed.enableDeposit, closed.address], [false, null])
    assert.match(closed.text, /Do not transfer to its addresses any more/)
    const caller = { personId: ann.id, ports: world.context.ports }
    await assert.rejects(
      inOrganisation((tx) => createSubWallet(tx, caller, { key: keyOf('another-one'), walletId: wallet.walletId, name: 'Another' })),
      refusedAs('wallet_retired'),
    )
    await assert.rejects(requestWithdrawal(world, wallet), refusedAs('wallet_retired'))
    await assert.rejects(retire(), refusedAs('key_change_refused', /is retired/))
    for (const [action, party] of [['refresh'], ['repair', 2]] as const) {
      const { personId, language, key, walletId, demandSecondFactor } = asked()
      const proposal = { personId, language, key, walletId, action, party, demandSecondFactor }
      await assert.rejects(
        inOrganisation((tx) => proposeKeyChange(tx, world.context, proposal)),
        refusedAs('key_change_refused', /is retired/),
      )
    }
  })

  it('whose retirement ended half way, with a signer replaced, is retired by another order, and stays out of use meanwhile', async () => {
    const order = await retire()
    for (const member of [ben, cleo]) await word(order, member)
    world.signers.epochs.before = (name, party) => {
      if (name === 'follow-key-order' && party === 3) throw new CoSignerError({ kind: 'unavailable', party, check: '', message: 'gone' })
    }
    assert.equal(await step(order), 'wait')
    world.signers.epochs.before = () => {}
    await replaceThird(world)
    await inOrganisation((tx) => endStaleKeyChange(tx, world.context, order.row.id))
    assert.equal((await orderNow(order)).row.state, 'superseded')
    const { keyId, retiredAtMs } = (await inOrganisation((tx) => readWalletKeys(tx, wallet.walletId)))[0]!
    assert.deepEqual([retiredAtMs !== null, await inOrganisation((tx) => isRetired(tx, keyId))], [true, false])
    await assert.rejects(requestWithdrawal(world, wallet), refusedAs('wallet_retired'))
    const again = await retire()
    for (const member of [ben, cleo]) await word(again, member)
    assert.equal(await step(again), 'done')
    assert.ok(await inOrganisation((tx) => isRetired(tx, keyId)))
  })

  it('has nothing left that nobody spoke of: payments end first, and what stays is named in the order', async () => {
    await fund(world, wallet, 2n * ETH)
    await requestWithdrawal(world, wallet, { amount: '1' })
    await assert.rejects(retire(true), refusedAs('key_change_refused', /1 payment\(s\)/))
    wallet = await makeWallet(world)
    await fund(world, wallet, 3n * ETH)
    await assert.rejects(retire(), refusedAs('key_change_refused', /still holds 3 ETH/))
    await fund(world, wallet, 1n, ARTWORK)
    await assert.rejects(retire(), refusedAs('key_change_refused', /3 ETH .*, 1 ART/))
    const order = await retire(true)
    assert.match((order.intent as { remark: string }).remark, /^Left in the wallet: 3 ETH \(.*\)\. moving house$/)
    await inOrganisation((tx) => keyChanges.withdraw(tx, world.context, { id: order.row.id, personId: ann.id, remark: '' }))
    const wordy = { ...asked(), remark: '退役旧钱包'.repeat(40), language: 'zh_CN' as const, leavesHoldings: true }
    const { change } = await inOrganisation((tx) => proposeRetirement(tx, world.context, { ...wordy, remark: `${wordy.remark}${'𠮷'.repeat(100)}` }))
    const { remark } = change.intent as { remark: string }
    assert.match(remark, /^钱包中留存：3 ETH .*。 (退役旧钱包){40}𠮷+$/u)
    assert.ok(new TextEncoder().encode(remark).length <= 800)
  })
})

const answer = <E extends Endpoint>(endpoint: E, fields: Record<string, string>) =>
  callAs(keyEndpoints(world.context), endpoint, fields as CallInput<E>, { orgId: world.orgId, personId: ann.id })

describe('what keys answer to calls', () => {
  it('a check of shares is asked for by a person, who is told at once which signer did not show its share', async () => {
    const { walletId } = wallet
    world.signers.beforeSession = () => {
      throw new CoSignerError({ kind: 'cheat', party: 2, check: 'c15', message: 'proof that it has its share of the key' })
    }
    const failed = await answer(checkKeyShares, { wallet_id: walletId })
    resetScript(world)
    assert.deepEqual([failed.party, /its share/.test(failed.fault!)], [2, true])
    const keyOf = async () => (await answer(listKeys, { wallet_id: walletId })).list[0]!
    assert.deepEqual([(await keyOf()).check_party, (await keyOf()).check_asked_by], [2, 'Ann'])
    for (const endpoint of [checkKeyShares, checkKeySharesAsBefore])
      assert.deepEqual(await answer(endpoint, { wallet_id: walletId }), { fault: null, party: null })
    assert.deepEqual([(await keyOf()).check_fault, (await keyOf()).checked_at !== null], [null, true])
    assert.deepEqual(await answer(listKeysAsBefore, { wallet_id: walletId }), await answer(listKeys, { wallet_id: walletId }), 'the path of earlier releases')
    await assert.rejects(answer(checkKeyShares, { wallet_id: ann.id }), { code: '200005' })
  })

  it('keys are listed in pages, or one by its wallet', async () => {
    const list = (fields: Record<string, string>) => answer(listKeys, fields)
    const { list: whole, pageTotal } = await list({ page_size: '200' })
    assert.equal(pageTotal, whole.length)
    const last = await list({ page_size: '1', page_no: String(pageTotal) })
    assert.deepEqual([last.list.map((each) => each.wallet_id), last.has_more], [[wallet.walletId], false])
    assert.equal((await list({ page_size: '1' })).has_more, pageTotal > 1)
    const one = await list({ wallet_id: wallet.walletId })
    assert.deepEqual([one.list.map((each) => each.wallet_id), one.pageTotal], [[wallet.walletId], 1])
  })
})

describe('a repair of a signer that lost its folder', () => {
  it('has it pin every version of the policy at once, also those whose orders have expired', async () => {
    await putIntoForce(world, { ...world.policy, genesis: (await inOrganisation(currentPolicy)).fingerprint })
    const inForce = await inOrganisation(currentPolicy)
    world.signers.unpinned.add(3)
    await readySigners(world.context, world.orgId, inForce, [0])
    const record = decode(genesisRecordShape, world.signers.pinned.get(3)!)
    assert.equal(record.kind === 'followed' && record.policyChanges.length, inForce.policyChanges.length)
  })
})
