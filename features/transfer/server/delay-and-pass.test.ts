import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { codecFor } from '@holdfast/chain-evm/codec'
import { assertConserved } from '@holdfast/ledger'
import type { NamedRule } from '@holdfast/policy'
import { verifyEvidence } from '@holdfast/protocol'
import { uuidToBytes } from '@holdfast/units'
import { approveBy, dayLimit, namedRule, NOWHERE, personOf } from '../../../packages/policy/src/testing/named-rules.ts'
import {
  approvalOf,
  approveAs,
  ETH,
  fund,
  makeWallet,
  type Member,
  openWorld,
  orderOf,
  requestWithdrawal,
  resetScript,
  type Wallet,
  type World,
} from '../../testing/test-world.ts'
import { evidenceOf } from '../../testing/evidence-of.ts'
import { CHAIN } from '../../testing/scripted-chain.ts'
import { CoSignerError } from '../../signer-link/server/index.ts'
import { usedOf } from './opening/outcome-by-limits.ts'
import { signOrder } from './signing/sign-order.ts'

const HOUR_MS = 3_600_000
const idOf = ({ id }: Member) => personOf({ id: uuidToBytes(id) })

/** Two ether a day to own addresses by the asker alone; three to addresses that were paid before by one person; all else waits an hour after the approval. */
const rulesOf = ([, ben, cleo]: readonly Member[]): NamedRule[] => [
  namedRule('own', {
    conditions: [{ kind: 'destinations', ...NOWHERE, own: true, addresses: [] }],
    limits: [dayLimit({ amounts: [{ chain: CHAIN, asset: '', max: 2n * ETH }], maxCount: 100n })],
    action: { kind: 'pass', fees: [{ chain: CHAIN, max: ETH }], mayStop: [], expiresAfterMs: 0n },
  }),
  namedRule('known', {
    conditions: [{ kind: 'destinations', ...NOWHERE, paidBefore: true, addresses: [] }],
    steps: [{ need: 1n, who: [idOf(ben!)] }],
  }),
  namedRule('slow', { action: approveBy([{ need: 1n, who: [idOf(ben!)] }], { delayMs: BigInt(HOUR_MS), mayStop: [idOf(cleo!)] }) }),
]

let world: World
let wallet: Wallet

before(async () => {
  world = await openWorld({ namedRules: rulesOf })
})
beforeEach(async () => {
  resetScript(world)
  wallet = await makeWallet(world)
  await fund(world, wallet, 20n * ETH)
})
afterEach(() => world.db.asSystem(assertConserved))
after(() => world.close())

const ask = async (to: string, amount = '1') => (await requestWithdrawal(world, wallet, { amount, to })).order.row
const says = async (orderId: string, by: number, decision: 'approve' | 'reject' = 'approve') =>
  approveAs(world, await approvalOf(world, orderId, world.members[by]!, decision))
const sign = (orderId: string) => signOrder(world.context, world.orgId, orderId)
const lastRequest = () => {
  const request = world.signers.requests.findLast((each) => each.kind === 'sign')
  assert.ok(request?.kind === 'sign')
  return request
}

describe('a payment to an own address under a rule that passes it', () => {
  it('needs the signature of the person who asks, and nobody else', async () => {
    const other = await makeWallet(world)
    const order = await ask(other.address)
    assert.equal(order.rule_id, 'own')
    assert.equal((await orderOf(world, order.id)).state, 'approving')
    assert.deepEqual(await says(order.id, 1), { state: 'approving', missing: 1 }, 'a word of others adds nothing')
    assert.deepEqual(await says(order.id, 0), { state: 'approved', missing: 0 })
    assert.equal(await sign(order.id), 'signed')
    const { own } = lastRequest()
    assert.deepEqual(
      own.map(({ address }) => address),
      [other.address],
    )
    const report = verifyEvidence(await evidenceOf(world, order.id), { codecFor })
    assert.deepEqual([report.ruleId, report.approvedBy], ['own', [world.members[0].name]])
  })

  it('waits like any other above the limit', async () => {
    const other = await makeWallet(world)
    assert.equal((await ask(other.address, '2')).rule_id, 'slow')
  })
})

describe('a payment under a rule with a delay', () => {
  const STRANGER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
  /** What signers say that were told now. */
  const seenNow = () => {
    const signableAtMs = world.context.ports.clock.nowMs() + HOUR_MS
    world.signers.seesQuorum = () => ({ signableAtMs: BigInt(signableAtMs), isSignable: world.context.ports.clock.nowMs() >= signableAtMs })
  }

  it('is not signed before the signers say so, and makes no bytes until then', async () => {
    const order = await ask(STRANGER)
    assert.equal(order.rule_id, 'slow')
    assert.equal((await says(order.id, 1)).state, 'approved')
    seenNow()
    assert.equal(await sign(order.id), 'wait')
    const waiting = await orderOf(world, order.id)
    assert.deepEqual([waiting.state, waiting.row.sub_status, waiting.transactions.length], ['approved', 'cooling', 0])
    assert.ok(waiting.row.signable_at! > BigInt(world.context.ports.clock.nowMs()))
    world.clock.aheadMs += HOUR_MS / 2
    assert.equal(await sign(order.id), 'wait')
    world.clock.aheadMs += HOUR_MS / 2
    assert.equal(await sign(order.id), 'signed')
    assert.equal((await ask(STRANGER)).rule_id, 'known', 'now it was paid before')
  })

  it('is stopped meanwhile by the no of a person whom the rule names, and its money is free again', async () => {
    const order = await ask('0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65')
    await says(order.id, 1)
    seenNow()
    await sign(order.id)
    assert.equal((await says(order.id, 2, 'reject')).state, 'rejected')
    assert.equal(await sign(order.id), 'ended')
    assert.equal((await orderOf(world, order.id)).state, 'rejected')
  })

  it('gives its place on the chain back where it is stopped while its bytes are made', async () => {
    const order = await ask('0x976EA74026E726554dB657fA54763abd0C3a0aa9')
    await says(order.id, 1)
    seenNow()
    await sign(order.id)
    world.clock.aheadMs += HOUR_MS
    const { node } = world.network
    const { prepare } = node
    node.prepare = async (wanted) => {
      node.prepare = prepare
      assert.equal((await says(order.id, 2, 'reject')).state, 'rejected')
      return prepare.call(node, wanted)
    }
    await sign(order.id)
    const leases = await world.db.asOrganisation(world.orgId, (tx) => tx.selectFrom('slot_lease').select('state').where('order_id', '=', order.id).execute())
    assert.deepEqual(leases, [{ state: 'released' }])
  })

  it('waits for two signers that have waited, without bytes, and ends where two refuse it', async () => {
    const told = new Map<number, number>()
    const now = () => world.context.ports.clock.nowMs()
    world.signers.seesQuorum = (party) => {
      const at = told.get(party) ?? now() + HOUR_MS
      told.set(party, at)
      return { signableAtMs: BigInt(at), isSignable: now() >= at }
    }
    const order = await ask('0x14dC79964da2C08b23698B3D3cc7Ca32193d9955')
    await says(order.id, 1)
    world.signers.setOnline(1, 2)
    assert.equal(await sign(order.id), 'wait')
    world.clock.aheadMs += HOUR_MS
    world.signers.setOnline(1, 3)
    assert.equal(await sign(order.id), 'wait')
    assert.equal((await orderOf(world, order.id)).state, 'approved')
    world.signers.setOnline(1, 2, 3)
    world.clock.aheadMs += HOUR_MS
    world.signers.seesQuorum = (party) => {
      throw new CoSignerError({ kind: 'refused', party, check: 'c6', message: "rejected at a signer's approval page" })
    }
    const counted = () => {
      const within = { rule: 'slow', each: 'rule', of: '', asset: order, sinceMs: order.created_at } as const
      return world.db.asOrganisation(world.orgId, async (tx) => (await usedOf(tx, within)).order)
    }
    assert.equal(await counted(), 1n)
    assert.equal(await sign(order.id), 'ended')
    assert.deepEqual([(await orderOf(world, order.id)).state, await counted()], ['refused', 0n], 'no signer was asked to sign it, so none counts it')
  })

  it('shows signers the earlier payment where a rule asks for one', async () => {
    const payee = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc'
    const first = await ask(payee)
    await says(first.id, 1)
    assert.equal(await sign(first.id), 'signed')
    const second = await ask(payee)
    await says(second.id, 1)
    assert.equal(await sign(second.id), 'signed')
    const { paid } = lastRequest()
    assert.equal(codecFor(CHAIN)!.detach(paid[0]!.raw).from, wallet.address)
  })
})
