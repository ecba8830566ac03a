import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { ChainError } from '@holdfast/chain-core'
import { authorityOf, authorizationDigest, codecFor, encodeAuthorization, signAuthorization } from '@holdfast/chain-evm/codec'
import { codeDelegatingTo, sweeper } from '@holdfast/chain-evm/collect'
import type { AppError } from '@holdfast/contract'
import { decode, toHex } from '@holdfast/encoding'
import { auditAll } from '@holdfast/features/deposit/server'
import { intentShape } from '@holdfast/intent'
import { assertConserved } from '@holdfast/ledger'
import { childSecret, signAlone } from '@holdfast/mpc'
import { verifyEvidence } from '@holdfast/protocol'
import { type Address, type Hex, zeroAddress } from 'viem'
import { listAlarms } from '../../../network/server/halts.ts'
import { evidenceOf } from '../../../testing/evidence-of.ts'
import { CHAIN } from '../../../testing/scripted-chain.ts'
import { orderOf } from '../../../testing/test-world.ts'
import { broadcastOrder } from '../../../transfer/server/settlement/broadcast-order.ts'
import { signOrder } from '../../../transfer/server/signing/sign-order.ts'
import * as contract from '../../contract.ts'
import { readConfig } from '../configs.ts'
import { lookAtCollector } from '../look.ts'
import { type CollectorWorld, openCollectorWorld } from '../testing/collector-world.ts'

/* The sweeper on a real network, from what addresses sign to their end of it: no address ever has a coin, and the books say what the chain says. */

const page = { page_no: 1, page_size: 50 }
let at: CollectorWorld
let { world, anvil, dollar, deposits, treasury, purse, call, inOrganisation, approveAll, mint, settle, dollarsOf } = {} as CollectorWorld
let id: string

before(async () => {
  at = await openCollectorWorld()
  ;({ world, anvil, dollar, deposits, treasury, purse, call, inOrganisation, approveAll, mint, settle, dollarsOf } = at)
})
after(() => at?.close())
afterEach(() => world.db.asSystem(assertConserved))

const refused = (name: string) => (cause: AppError) => cause.errorName === name
const info = () => call(contract.getCollector, { id })
const auth = async () => (await call(contract.listAllowing, { id, ...page })).list
const runs = async () => (await call(contract.listRuns, { wallet_id: deposits.walletId, ...page })).list
const draft = () => ({
  ...{ wallet_id: deposits.walletId, name: 'Sweep', chain: CHAIN, way: 'delegation' as const, target_sub_wallet_id: treasury.subWalletId },
  ...{ payer_sub_wallet_id: purse.subWalletId, fee_max: '0.02' },
})
const token = () => ({
  ...{ contract_address: dollar, threshold: '100', most: '1000', allowance: 'exact' as const, max_fee_pct: null, schedule: '', enabled: true },
})

const openOrders = () =>
  inOrganisation((tx) =>
    tx
      .selectFrom('transfer_order')
      .select(['id', 'kind', 'state'])
      .where('org_id', '=', tx.orgId)
      .where('is_final', '=', false)
      .orderBy('created_at')
      .execute(),
  )

const lookOnly = async () => lookAtCollector(world.context, world.orgId as never, await inOrganisation((tx) => readConfig(tx, id)))

/** One look at the collector; what it opens signed, and sent where it is a transaction, and final. Answers the kinds that it opened. */
async function look(): Promise<string[]> {
  const before = new Set((await openOrders()).map((each) => each.id))
  await lookOnly()
  const opened = (await openOrders()).filter((each) => !before.has(each.id))
  for (const { id: order } of opened) {
    assert.equal(await signOrder(world.context, world.orgId, order), 'signed')
    assert.equal(await broadcastOrder(world.context, world.orgId, order), true)
  }
  await settle()
  for (const { id: order, kind } of opened) if (kind !== 'authorize') assert.equal((await orderOf(world, order)).state, 'completed')
  return opened.map(({ kind }) => kind)
}
const codeAt = (address: string) => anvil.network.getCode({ address: address as Address })
const delegating = () => `0x${toHex(codeDelegatingTo(treasury.address))}`
const reasonOf = async (address: string) =>
  (
    await inOrganisation((tx) =>
      tx.selectFrom('standing_reason').select('reason').where('address', '=', address).where('contract', '=', dollar).where('reason', 'is not', null).execute(),
    )
  ).map(({ reason }) => reason)
const authorizations = () =>
  inOrganisation((tx) =>
    tx.selectFrom('transfer_order').selectAll().where('org_id', '=', tx.orgId).where('kind', '=', 'authorize').orderBy('created_at').execute(),
  )

describe('collection by delegation', () => {
  it('is offered where accounts can delegate, and asks for two approvals: its calls, and what addresses sign', async () => {
    const { list: chains } = await call(contract.listCollectorChains, { wallet_id: deposits.walletId })
    assert.deepEqual(
      chains.map(({ chain, delegates }) => [chain, delegates]),
      [[CHAIN, true]],
    )
    const { node } = world.network
    world.network.node = { ...node, contracts: { ...node.contracts!, delegateOf: undefined } as never }
    await assert.rejects(call(contract.saveCollector, draft()), refused('collector_no_delegation'))
    world.network.node = node
    ;({ id } = await call(contract.saveCollector, draft()))
    const view = await info()
    assert.deepEqual([view.way, view.contract_address], ['delegation', sweeper.addressOf(treasury.address)])
    await call(contract.saveCollectorTokens, { id, symbols: [token()] })
    assert.deepEqual((await info()).unapproved, ['take', 'authorize'])
    const { pending } = await call(contract.publishCollector, { id })
    assert.deepEqual(
      pending.map(({ kind }) => kind),
      ['take', 'authorize'],
    )
    await approveAll(pending)
    assert.deepEqual((await info()).unapproved, [])
    await assert.rejects(call(contract.saveCollector, { ...draft(), id, way: 'allowance' }), refused('collector_fixed'))
  })

  it('deploys the sweeper, has the address sign once, and takes its tokens in the transaction that carries that', async () => {
    assert.deepEqual(await look(), ['web3'], 'the sweeper is deployed')
    assert.equal(await codeAt(sweeper.addressOf(treasury.address)), `0x${toHex(sweeper.codeOf(treasury.address))}`)
    assert.deepEqual(await look(), ['authorize'], 'the address signs, and nothing is sent')
    assert.deepEqual(await reasonOf(deposits.address), ['not_authorized'])
    assert.equal(await codeAt(deposits.address), undefined)
    const [signed] = await authorizations()
    assert.deepEqual([signed!.state, signed!.sub_status, signed!.fee_cap], ['broadcasting', 'waiting_carrier', 0n])
    assert.deepEqual((await auth())[0]?.auth_status, 'pending')
    assert.deepEqual(await look(), ['collect'])
    assert.equal(await codeAt(deposits.address), delegating())
    assert.equal(await dollarsOf(treasury.address), 250_000_000n)
    assert.equal(await anvil.network.getBalance({ address: deposits.address as Address }), 0n, 'no coin was ever there')
    const [done] = await authorizations()
    assert.deepEqual([done!.state, done!.fee_paid], ['completed', 0n])
  })

  it('shows signers that what it carries is of own addresses, and what the sweep brought stands in the books with its real fee', async () => {
    const [last] = await runs()
    assert.deepEqual([last?.amount, last?.from_count], ['250', 1])
    assert.ok(world.signers.requests.some((request) => request.kind === 'sign' && request.own.some(({ address }) => address === deposits.address)))
    const { outputs } = await call(contract.getRun, { id: last!.id })
    assert.deepEqual(
      outputs.map(({ address, amount, state }) => [address, amount, state]),
      [[deposits.address, '250', 'taken']],
    )
    const receipt = await anvil.network.getTransactionReceipt({ hash: last!.txid as Hex })
    const order = await orderOf(world, last!.id)
    assert.equal(BigInt(order.row.fee_paid!), receipt.gasUsed * receipt.effectiveGasPrice)
    assert.deepEqual(await auditAll(world.context), [])
    assert.deepEqual(await inOrganisation(listAlarms), [], 'nobody is told that somebody takes tokens')
    for (const each of [last!.id, (await authorizations())[0]!.id])
      assert.match(verifyEvidence(await evidenceOf(world, each), { codecFor }).standingOrder?.name ?? '', /^Sweep: (collect|authorize)$/)
  })

  it('takes what arrives later without another authorization', async () => {
    await mint(deposits.address, 120n)
    assert.deepEqual(await look(), ['collect'])
    assert.equal(await dollarsOf(treasury.address), 370_000_000n)
    assert.equal((await authorizations()).length, 1)
    assert.equal((await auth())[0]?.auth_status, 'delegated')
  })

  it('leaves an address in whose name other code runs, and one of which nobody says whose does, and says so', async () => {
    await mint(deposits.address, 130n)
    const before = (await authorizations()).length
    const { node } = world.network
    const says = (delegateOf: (account: string) => Promise<string | null>) => {
      world.network.node = { ...node, contracts: { ...node.contracts!, delegateOf } }
      // What was read a while ago is asked again.
      world.clock.aheadMs += 16 * 60_000
    }
    says(async () => purse.address)
    assert.deepEqual(await look(), [])
    assert.deepEqual(await reasonOf(deposits.address), ['delegated_elsewhere'])
    assert.equal((await auth())[0]?.auth_status, 'elsewhere')
    says(() => Promise.reject(new ChainError('no answer')))
    assert.deepEqual(await look(), [])
    assert.deepEqual(await reasonOf(deposits.address), ['delegation_unread'])
    world.network.node = node
    assert.deepEqual(await look(), ['collect'])
    assert.equal((await authorizations()).length, before, 'nothing was signed')
    assert.equal(await dollarsOf(treasury.address), 500_000_000n)
  })

  it('ends it where it is paused so: the address signs that, one transaction carries it, and only then it can be taken out', async () => {
    await assert.rejects(call(contract.deleteCollector, { id }), refused('collector_delegated'))
    await call(contract.setCollectorStatus, { id, status: 'pause', revoke: true })
    assert.deepEqual(await look(), ['authorize'])
    await assert.rejects(call(contract.deleteCollector, { id }), refused('collector_delegated'))
    assert.deepEqual(await look(), ['web3'], 'a call that takes nothing carries it')
    assert.equal(await codeAt(deposits.address), undefined)
    assert.deepEqual(await look(), [])
    assert.deepEqual(await openOrders(), [])
    assert.deepEqual(await auditAll(world.context), [])
  })

  it('carries the same bytes again where the transaction that was to carry them was taken back, and sends that one again after a kill', async () => {
    await call(contract.setCollectorStatus, { id, status: 'run' })
    await mint(deposits.address, 140n)
    assert.deepEqual(await look(), ['authorize'])
    const { id: signed, sub_status: waits } = (await authorizations()).at(-1)!
    assert.equal(waits, 'waiting_carrier')
    const bytes = (await orderOf(world, signed)).transactions[0]!.raw_tx!
    assert.equal(await lookOnly(), 1)
    await call(contract.cancelRun, { id: (await runs())[0]!.id, remark: 'not now' })
    assert.equal(await lookOnly(), 1)
    assert.equal(await lookOnly(), 0, 'what one transaction carries, no other does')
    const { id: carrier } = (await runs())[0]!
    const nonce = () => anvil.network.getTransactionCount({ address: purse.address as Address })
    const before = await nonce()
    assert.equal(await signOrder(world.context, world.orgId, carrier as never), 'signed')
    const { transactions } = await orderOf(world, carrier)
    const raw = transactions[0]!.raw_tx!
    assert.ok(toHex(raw).includes(toHex(bytes).slice(-128)), 'it carries the signature that was there')
    // The server dies after the bytes have left and before it has written so: what is stored is sent again.
    await anvil.network.sendRawTransaction({ serializedTransaction: `0x${toHex(raw)}` })
    assert.equal(await lookOnly(), 0)
    await broadcastOrder(world.context, world.orgId, carrier as never)
    await settle()
    assert.equal((await orderOf(world, carrier)).transactions.length, 1)
    assert.deepEqual([(await orderOf(world, carrier)).state, (await orderOf(world, signed)).state], ['completed', 'completed'])
    assert.equal(await nonce(), before + 1)
    assert.equal(await dollarsOf(treasury.address), 640_000_000n)
    assert.ok((await authorizations()).every(({ is_final: isFinal }) => isFinal))
  })

  it('signs another one where the nonce of the first was used by somebody else, and says why the first ended', async () => {
    await call(contract.setCollectorStatus, { id, status: 'pause', revoke: true })
    assert.deepEqual([await look(), await look()], [['authorize'], ['web3']])
    await call(contract.setCollectorStatus, { id, status: 'run' })
    await mint(deposits.address, 150n)
    assert.deepEqual(await look(), ['authorize'])
    const lost = (await authorizations()).at(-1)!
    await carriedByOthers(lost.slot!)
    const ended = await orderOf(world, lost.id)
    assert.deepEqual([ended.state, ended.row.sub_status], ['dropped', 'nonce_taken'])
    assert.deepEqual([await look(), await look()], [['authorize'], ['collect']])
    assert.equal(await dollarsOf(treasury.address), 790_000_000n)
  })

  it('carries what is signed also while it is paused, since later payments of the address wait for its nonce', async () => {
    await call(contract.setCollectorStatus, { id, status: 'pause', revoke: true })
    assert.deepEqual([await look(), await look()], [['authorize'], ['web3']])
    await call(contract.setCollectorStatus, { id, status: 'run' })
    await mint(deposits.address, 160n)
    assert.deepEqual(await look(), ['authorize'])
    await call(contract.setCollectorStatus, { id, status: 'pause' })
    assert.deepEqual(await look(), ['web3'])
    assert.deepEqual([await look(), await reasonOf(deposits.address)], [[], ['paused']])
    assert.equal(await codeAt(deposits.address), delegating())
    assert.equal(await dollarsOf(treasury.address), 790_000_000n)
    await call(contract.setCollectorStatus, { id, status: 'pause', revoke: true })
    assert.deepEqual([await look(), await look(), await look()], [['authorize'], ['web3'], []])
    await call(contract.deleteCollector, { id })
    assert.deepEqual(await auditAll(world.context), [])
  })
})

/** Whoever has a recovered key signs with a nonce of the address that was signed with already, and somebody carries that. */
async function carriedByOthers(nonce: bigint): Promise<void> {
  const request = world.signers.requests.findLast((each) => each.kind === 'sign' && decode(intentShape, each.intent).kind === 'authorization')
  assert.ok(request?.kind === 'sign')
  const intent = decode(intentShape, request.intent)
  assert.ok(intent.kind === 'authorization')
  const key = world.signers.keys.get(toHex(request.keyId))!
  const unsigned = encodeAuthorization({ chain: CHAIN, delegate: null, nonce })
  const secret = childSecret(key.protocol, key.secret, key.chainCode, intent.path.map(Number))
  const { signature, recovery } = signAlone(key.protocol, secret, authorizationDigest(unsigned))
  const signed = signAuthorization(unsigned, { r: signature.slice(0, 32), s: signature.slice(32), recovery })
  assert.equal(authorityOf(signed), deposits.address)
  const { r, s, yParity } = signed.signature
  const along = { chainId: Number(CHAIN.split(':')[1]), address: zeroAddress, nonce: Number(nonce), r: toHash(r), s: toHash(s), yParity: Number(yParity) }
  await anvil.walletOf(0).sendTransaction({ to: anvil.walletOf(0).account.address, authorizationList: [along] })
  await settle()
}
const toHash = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`
