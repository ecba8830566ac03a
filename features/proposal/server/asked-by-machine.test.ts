import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { codecFor } from '@holdfast/chain-evm/codec'
import { encode, toHex } from '@holdfast/encoding'
import { signEd25519 } from '@holdfast/encoding/ed25519'
import { requestKeyOf } from '@holdfast/http'
import { intentHash, machineMessage, machineSignatureShape } from '@holdfast/intent'
import { assertConserved } from '@holdfast/ledger'
import { type Machine, partyOfMachine, policyHash } from '@holdfast/policy'
import { verifyEvidence } from '@holdfast/protocol'
import { bytesToUuid, uuidToBytes } from '@holdfast/units'
import { ed25519 } from '@noble/curves/ed25519.js'
import { dayLimit, namedRule, NOWHERE, personOf } from '../../../packages/policy/src/testing/named-rules.ts'
import { evidenceOf } from '../../testing/evidence-of.ts'
import { CHAIN } from '../../testing/scripted-chain.ts'
import {
  approvalOf,
  approveAs,
  ETH,
  fund,
  makeWallet,
  type Member,
  openWorld,
  orderOf,
  pageCalls,
  resetScript,
  type Wallet,
  type World,
} from '../../testing/test-world.ts'
import { listLabels } from '../../accounting/server/label-transactions.ts'
import { describeTransactions, openView, orderView, quorumsOf } from '../../transaction/server/index.ts'
import { signOrder } from '../../transfer/server/signing/sign-order.ts'
import { createWithdrawal } from '../../withdrawal/server/create-withdrawal.ts'
import { listProposals } from './index.ts'
import { proposals } from '../../../apps/server/src/features.ts'

const secret = new Uint8Array(32).fill(61)
const key: Machine = { id: 'payouts', name: 'Payouts', kind: 'api', publicKey: ed25519.getPublicKey(secret), purpose: '', expiresAtMs: 4_000_000_000_000n }
const partyId = bytesToUuid(partyOfMachine(key))
const SUPPLIER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

let world: World
let wallet: Wallet

before(async () => {
  const people = (members: readonly Member[]) => ({ need: 1n, who: members.slice(0, 2).map(({ id }) => personOf({ id: uuidToBytes(id) })) })
  const asks = { kind: 'askers' as const, who: [{ kind: 'machine' as const, id: 'payouts' }] }
  const to = { kind: 'destinations' as const, ...NOWHERE, addresses: [{ name: 'Supplier', chain: CHAIN, address: SUPPLIER, memo: null }] }
  const passes = { kind: 'pass' as const, fees: [{ chain: CHAIN, max: ETH }], mayStop: [], expiresAfterMs: 0n }
  world = await openWorld({
    machines: [key],
    namedRules: (members) => [
      namedRule('alone', {
        conditions: [asks, to],
        limits: [dayLimit({ amounts: [{ chain: CHAIN, asset: '', max: 2n * ETH }], maxCount: 100n })],
        action: passes,
      }),
      namedRule('with people', { conditions: [asks], limits: [dayLimit({ amounts: [{ chain: CHAIN, asset: '', max: 5n * ETH }] })], steps: [people(members)] }),
    ],
  })
})
beforeEach(async () => {
  resetScript(world)
  wallet = await makeWallet(world)
  await fund(world, wallet, 20n * ETH)
})
afterEach(() => world.db.asSystem(assertConserved))
after(() => world.close())

let asked = 0
async function ask(amount: string, to = SUPPLIER, by = partyId) {
  const input = {
    request_id: `payouts-${asked++}`,
    sub_wallet_id: wallet.subWalletId,
    chain: CHAIN,
    symbol: 'ETH',
    address_to: to,
    amount,
    max_fee: '0.000000000001',
    fee_tier: 'normal',
    gross: '0',
    memo: '',
    remark: '',
    expire_hours: 24,
    ack: 'first_seen,lookalike,contract',
  } as const
  const request = requestKeyOf({ path: '/test' }, by, input)
  return (await createWithdrawal(world.context, { orgId: world.orgId, partyId: by, machineId: key.id, subWallets: null, language: 'en_US', request }, input))
    .order.row.id
}

async function signs(orderId: string) {
  const { intent } = await orderOf(world, orderId)
  const said = {
    genesis: intent.genesis,
    intentHash: intentHash(intent),
    policyHash: policyHash(world.policy),
    machine: key.id,
    decision: 'ask',
    signedAtMs: BigInt(world.context.ports.clock.nowMs()),
  }
  const approval = toHex(encode(machineSignatureShape, { ...said, signature: signEd25519(machineMessage(said), secret) }))
  return pageCalls(world)['order.approve']!({ approval })
}

const shown = (orderId: string) =>
  world.db.asOrganisation(world.orgId, async (tx) => {
    const view = await openView({ tx, networks: world.context.networks, language: 'en_US', nowMs: world.context.ports.clock.nowMs(), fiat: 'USD' })
    const { row } = await orderOf(world, orderId)
    const [order] = await describeTransactions(view, [orderView(view, row, (await quorumsOf(view, [row])).get(orderId)!)])
    return { initiator: order!.initiator, approvals: order!.approvals, who: order!.next_action.who.map(({ name }) => name), labels: await listLabels(view) }
  })

describe('an order that an API key asks for', () => {
  it('waits for the signature of the key and names it, and then goes as its rule says', async () => {
    const id = await ask('1')
    const before = await shown(id)
    assert.deepEqual([before.initiator?.name, before.approvals, before.who], ['Payouts (API)', { done: 0, need: 1 }, ['Payouts (API)']])
    assert.deepEqual(before.labels.initiators, [{ person_id: partyId, name: 'Payouts (API)' }])
    assert.deepEqual(await signs(id), { state: 'approved', missing: 0 })
    assert.equal(await signOrder(world.context, world.orgId, id), 'signed')
    assert.deepEqual((await shown(id)).approvals, { done: 1, need: 1 })
    assert.equal(verifyEvidence(await evidenceOf(world, id), { codecFor }).initiator, 'Payouts (API)')
  })

  it('needs the key beside the people of its rule, in any order, and stands in their list under the name of the key', async () => {
    const [first, second] = [
      await ask('1', wallet.address.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')).toLowerCase()),
      await ask('1', `0x${'12'.repeat(20)}`),
    ]
    assert.deepEqual((await shown(first)).approvals, { done: 0, need: 2 })
    const ben = world.members[1]
    const { ports } = world.context
    const viewer = { context: world.context, language: 'en_US' as const, personId: ben.id, nowMs: ports.clock.nowMs(), fiat: 'USD' as const }
    const { list } = await world.db.asOrganisation(world.orgId, (tx) =>
      listProposals({ ...viewer, tx }, proposals, { state: 'wait', page_no: 1, page_size: 20, keyword: 'Payouts' }),
    )
    assert.deepEqual(
      list.map(({ item_id, initiator, mine }) => [item_id, initiator.name, mine]),
      [first, second].map((each) => [each, 'Payouts (API)', 'decide']),
    )
    assert.deepEqual(await approveAs(world, await approvalOf(world, first, ben)), { state: 'approving', missing: 1 })
    assert.deepEqual((await shown(first)).who, ['Payouts (API)'])
    assert.deepEqual(await signs(first), { state: 'approved', missing: 0 })
    assert.deepEqual(await signs(second), { state: 'approving', missing: 1 })
    assert.deepEqual(await approveAs(world, await approvalOf(world, second, ben)), { state: 'approved', missing: 0 })
  })

  it('is not opened by a machine that no rule names', async () => {
    await assert.rejects(ask('1', SUPPLIER, bytesToUuid(partyOfMachine({ id: 'ghost' }))), { errorName: 'strategy_blocked' })
  })
})
