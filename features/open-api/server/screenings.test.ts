import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { codecFor } from '@holdfast/chain-evm/codec'
import { toHex } from '@holdfast/encoding'
import { signEd25519 } from '@holdfast/encoding/ed25519'
import type { MachineRequester } from '@holdfast/http'
import { type ScreeningLevel, screeningMessage } from '@holdfast/intent'
import { assertConserved } from '@holdfast/ledger'
import { type Machine, partyOfMachine } from '@holdfast/policy'
import { verifyEvidence } from '@holdfast/protocol'
import { bytesToUuid, uuidToBytes } from '@holdfast/units'
import { ed25519 } from '@noble/curves/ed25519.js'
import { proposals } from '../../../apps/server/src/features.ts'
import { namedRule, personOf } from '../../../packages/policy/src/testing/named-rules.ts'
import { evidenceOf } from '../../testing/evidence-of.ts'
import {
  approve,
  ETH,
  fund,
  makeWallet,
  type Member,
  openWorld,
  orderOf,
  pageCalls,
  requestWithdrawal,
  resetScript,
  type Wallet,
  type World,
} from '../../testing/test-world.ts'
import { openView, orderDetail } from '../../transaction/server/index.ts'
import { moveOrder, readOrder } from '../../transfer/server/index.ts'
import { signOrder } from '../../transfer/server/signing/sign-order.ts'
import { takeScreening } from '../../proposal/server/index.ts'
import { listScreenings, takeWord } from './screenings.ts'

const MINUTE_MS = 60_000
const SECRET = new Uint8Array(32).fill(71)
const machineOf = (id: string, kind: string, secret: Uint8Array): Machine => {
  return { id, name: `${id} desk`, kind, publicKey: ed25519.getPublicKey(secret), purpose: '', expiresAtMs: 4_000_000_000_000n }
}
const LISTS = machineOf('lists', 'screener', SECRET)
const IDLE = machineOf('idle', 'screener', new Uint8Array(32).fill(72))
const API = machineOf('payouts', 'api', new Uint8Array(32).fill(73))
const callerOf = ({ id }: Machine, subWallets: readonly string[] | null = null): MachineRequester => {
  return {
    machineId: id,
    partyId: bytesToUuid(partyOfMachine({ id })) as MachineRequester['partyId'],
    subWallets: subWallets as MachineRequester['subWallets'],
  }
}

let world: World
let wallet: Wallet
const nowMs = () => world.context.ports.clock.nowMs()

before(async () => {
  const people = (members: readonly Member[], need: bigint) => [{ need, who: members.map(({ id }) => personOf({ id: uuidToBytes(id) })) }]
  const says = (...levels: ScreeningLevel[]) => [{ kind: 'screening' as const, machines: ['lists'], levels, withinMs: BigInt(10 * MINUTE_MS) }]
  world = await openWorld({
    machines: [LISTS, IDLE, API],
    namedRules: (members) => [
      namedRule('calm', { conditions: says('low'), steps: people(members, 1n) }),
      namedRule('watched', { conditions: says('medium', 'high'), steps: people(members, 2n) }),
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

const waiting = async (caller = callerOf(LISTS)) => (await listScreenings(world.context, world.orgId, caller)).list.map(({ order_id: id }) => id)

type Given = { level?: ScreeningLevel; minutesAgo?: number; secret?: Uint8Array; by?: Machine; hash?: Uint8Array; atMs?: number }

/** Hands in what the list desk says of an order. */
async function says(orderId: string, { level = 'low', minutesAgo = 0, secret = SECRET, by = LISTS, hash, atMs = nowMs() }: Given = {}) {
  const { row, intent } = await orderOf(world, orderId)
  const intentHash = hash ?? row.intent_hash
  const found = { provider: 'deny list', level, screenedAtMs: BigInt(atMs - minutesAgo * MINUTE_MS), reportHash: new Uint8Array(32) }
  const signature = signEd25519(screeningMessage({ genesis: intent.genesis, intentHash, machine: by.id, ...found }), secret)
  return takeWord(
    world.context,
    proposals,
    { orgId: world.orgId as Parameters<typeof takeWord>[2]['orgId'], machine: callerOf(by) },
    {
      order_hash: toHex(intentHash),
      provider: found.provider,
      level,
      screened_at: Number(found.screenedAtMs),
      report_hash: toHex(found.reportHash),
      signature: toHex(signature),
    },
  )
}
const ask = async () => (await requestWithdrawal(world, wallet)).order.row.id
const detail = (orderId: string) =>
  world.db.asOrganisation(world.orgId, async (tx) => {
    const view = await openView({ tx, networks: world.context.networks, language: 'en_US', nowMs: nowMs(), fiat: 'USD' })
    return orderDetail(world.context as unknown as Parameters<typeof orderDetail>[0], view, (await readOrder(tx, orderId))!.row)
  })
const refused = (field: string, reason: RegExp) => (cause: { details?: { field?: string; reason?: string } }) => {
  assert.deepEqual([cause.details?.field, reason.test(cause.details?.reason ?? '')], [field, true], JSON.stringify(cause.details))
  return true
}

describe('an order whose rule demands a screening word', () => {
  it('waits for the screener, tells it what is paid, and is signed with its word, which is in the evidence', async () => {
    const id = await ask()
    const { organisation, list } = await listScreenings(world.context, world.orgId, callerOf(LISTS))
    const { row, intent } = await orderOf(world, id)
    assert.equal(organisation, toHex(intent.genesis))
    const found = list.find((each) => each.order_id === id)!
    assert.deepEqual([found.order_hash, found.intent, found.last], [toHex(row.intent_hash), toHex(row.intent), null])
    assert.deepEqual(found.pays, [{ to: row.address_to, amount: found.amount, memo: null }])
    await approve(world, id, world.members[1])
    assert.equal(await signOrder(world.context, world.orgId, id), 'wait')
    assert.equal((await orderOf(world, id)).row.sub_status, 'waiting_screening')
    assert.equal((await orderOf(world, id)).row.slot, null, 'no other order of its address waits for the screener')
    const [before] = (await detail(id)).screenings!
    assert.deepEqual([before!.screener, before!.state, before!.last], ['lists desk', 'missing', null])
    assert.equal((await says(id)).order_id, id)
    assert.ok(!(await waiting()).includes(id))
    const [said] = (await detail(id)).screenings!
    assert.deepEqual([said!.state, said!.last!.level, said!.refuses], ['said', 'low', false])
    assert.equal(await signOrder(world.context, world.orgId, id), 'signed')
    const { screenings } = verifyEvidence(await evidenceOf(world, id), { codecFor })
    assert.deepEqual(
      screenings.map(({ screener, level }) => [screener, level]),
      [['lists desk', 'low']],
    )
  })

  it('waits again where the word is too old by the time it is signed, and then for a new one', async () => {
    const id = await ask()
    await says(id, { minutesAgo: 11 })
    assert.ok(!(await waiting()).includes(id), 'nobody is asked again while people still decide')
    await approve(world, id, world.members[1])
    assert.equal(await signOrder(world.context, world.orgId, id), 'wait')
    assert.ok((await waiting()).includes(id))
    assert.equal((await detail(id)).screenings![0]!.state, 'stale')
    await says(id)
    assert.equal(await signOrder(world.context, world.orgId, id), 'signed')
    const request = world.signers.requests.findLast(({ kind }) => kind === 'sign')!
    assert.ok(request.kind === 'sign' && request.approvals.length === 2, 'signers are shown the newest word and no older one')
  })

  it('goes by the rule for what the screener found, with the people of that rule', async () => {
    const id = await ask()
    assert.equal((await orderOf(world, id)).row.rule_id, 'calm')
    await says(id, { level: 'high' })
    assert.equal((await orderOf(world, id)).row.rule_id, 'watched')
    await approve(world, id, world.members[1])
    assert.equal((await orderOf(world, id)).state, 'approving')
    await approve(world, id, world.members[2])
    assert.equal((await orderOf(world, id)).state, 'approved')
    assert.equal(await signOrder(world.context, world.orgId, id), 'signed')
  })

  it('goes to signers, who refuse it, where the word allows it by no rule', async () => {
    const id = await ask()
    await approve(world, id, world.members[1])
    await says(id, { level: 'severe' })
    await signOrder(world.context, world.orgId, id)
    assert.notEqual((await orderOf(world, id)).row.sub_status, 'waiting_screening')
  })

  it('shows people at the approval page what was said', async () => {
    const id = await ask()
    await says(id)
    const { row } = await orderOf(world, id)
    const { approvals } = (await pageCalls(world)['order.get']!({ hash: toHex(row.intent_hash) })) as { approvals: string[] }
    assert.equal(approvals.length, 1)
  })
})

describe('a screener at the door', () => {
  it('hears only of orders that wait for it, of the sub-wallets that its key may name', async () => {
    const id = await ask()
    assert.ok((await waiting()).includes(id))
    assert.ok((await waiting(callerOf(LISTS, [wallet.subWalletId]))).includes(id))
    assert.ok(!(await waiting(callerOf(LISTS, ['00000000-0000-7000-8000-000000000000']))).includes(id))
    assert.deepEqual(await waiting(callerOf(IDLE)), [])
  })

  it('says the same once more without effect, and nothing that is older or forged', async () => {
    const id = await ask()
    const atMs = nowMs()
    const [first, again] = [await says(id, { minutesAgo: 1, atMs }), await says(id, { minutesAgo: 1, atMs })]
    assert.deepEqual(first, again)
    const kept = () => world.db.asOrganisation(world.orgId, (tx) => tx.selectFrom('screening_word').select('level').where('org_id', '=', world.orgId).execute())
    const before = (await kept()).length
    await assert.rejects(says(id, { minutesAgo: 2 }), refused('screened_at', /at that time or later/))
    await assert.rejects(says(id, { level: 'severe', minutesAgo: 1, atMs }), refused('screened_at', /at that time or later/))
    await assert.rejects(says(id, { minutesAgo: -6 }), refused('screened_at', /still to come/))
    await assert.rejects(says(id, { secret: new Uint8Array(32).fill(9) }), refused('signature', /not signed by the key/))
    await assert.rejects(says(id, { by: IDLE, secret: new Uint8Array(32).fill(72) }), refused('signature', /no rule demands/))
    await assert.rejects(says(id, { by: API, secret: new Uint8Array(32).fill(73) }), { errorName: 'key_no_screener' })
    assert.equal((await kept()).length, before)
  })

  it('says nothing of an order that is unknown, of another organisation, or ended', async () => {
    const id = await ask()
    await assert.rejects(says(id, { hash: new Uint8Array(32).fill(3) }), { errorName: 'order_not_found' })
    const { row, intent } = await orderOf(world, id)
    const said = { genesis: intent.genesis, intentHash: row.intent_hash, machine: 'lists', provider: 'deny list', level: 'low' }
    const word = { ...said, screenedAtMs: BigInt(nowMs()), reportHash: new Uint8Array(32), signature: new Uint8Array(64) }
    const elsewhere = '00000000-0000-7000-8000-000000000000'
    await assert.rejects(takeScreening(world.context, proposals, { word, orgId: elsewhere }), { errorName: 'order_not_found' })
    await world.db.asOrganisation(world.orgId, async (tx) => {
      const order = (await readOrder(tx, id, true))!
      await moveOrder(tx, world.context, order, { event: 'cancel', actor: world.members[0].id })
    })
    await assert.rejects(says(id), { errorName: 'screening_too_late' })
    assert.ok(!(await waiting()).includes(id))
  })
})
