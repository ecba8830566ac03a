import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Effects } from '@holdfast/chain-core'
import type { TransactionIntent } from '@holdfast/intent'
import { useQuickSignatures } from '../../testing/use-quick-signatures.ts'
import type { HostileWalk as Walk } from '../../testing/standing/hostile-walk.ts'
import type { Schedule } from '../../testing/standing/other-orders.ts'

useQuickSignatures()
const { readAllowance, readCollect, collector } = await import('@holdfast/chain-evm/collect')
const { POSTAGE_MAX } = await import('@holdfast/chain-core')
const { codecFor } = await import('@holdfast/chain-registry/codec')
const { decode, equalBytes, toHex } = await import('@holdfast/encoding')
const { dueMs, intentHash, intentShape, lastMs, partOf } = await import('@holdfast/intent')
const { BATCH_NAME, FUEL_MOST, FUELS_MAX, HostileWalk, OWN_PATHS, standingOrderHashes } = await import('../../testing/standing/hostile-walk.ts')
const others = await import('../../testing/standing/other-orders.ts')
const { addressOf, RECIPIENT_ADDRESS } = await import('../../testing/order-of.ts')
const coins = await import('../../testing/standing/coin-orders.ts')
const { BTC, CHAIN, DAY_MS, TOKEN, TON, TRX } = await import('../../testing/organisation-of.ts')
const { FEE_MOST, SCHEDULED, scheduleOf, SWEEPS_MAX, TODAY } = await import('../../testing/standing-order-of.ts')
const { key, ORDER_MAX } = await import('../../testing/world-of.ts')

// HOLDFAST_THOROUGH=1 takes 100,000 steps, HOLDFAST_HOSTILE_STEPS as many as it says.
const STEPS = Number(process.env.HOLDFAST_HOSTILE_STEPS ?? (process.env.HOLDFAST_THOROUGH ? 100_000 : 4_000))
/** A walk begins anew after so many steps, with other signers and other luck. */
const STEPS_OF_WALK = 250

type Signed = { effects: Effects; intent: TransactionIntent; request: Walk['made'][number]['request']; atMs: number }
/** What people approved under one name: what the bytes may do, how often in a day, and the most that a transaction costs. */
type Approved = { what: string; judge: (signed: Signed) => void; most: bigint; fee?: bigint; chain?: string }

const transferOf = ({ effects }: Signed) => {
  const [transfer, ...more] = effects.transfers
  assert.ok(transfer && more.length === 0 && !effects.call && !effects.stake)
  return transfer
}
const moves = (to: string, most: bigint) => (signed: Signed) => {
  const transfer = transferOf(signed)
  assert.equal(transfer.to, to, 'nothing leaves the organisation')
  assert.ok(transfer.amount <= most && transfer.amount > 0n, `${transfer.amount} of at most ${most}`)
}
const callOf = ({ effects: { call, transfers, stake } }: Signed) => {
  assert.ok(call && transfers.length === 0 && !stake && call.value === 0n)
  return call
}
const schedule = scheduleOf().does as Schedule

const APPROVED: Record<string, Approved> = {
  ['51'.repeat(16)]: { what: 'sweep', judge: moves(addressOf(key, OWN_PATHS.treasury), ORDER_MAX), most: SWEEPS_MAX },
  ['52'.repeat(16)]: { what: 'sweep to the whitelist', judge: moves(RECIPIENT_ADDRESS, ORDER_MAX), most: SWEEPS_MAX },
  ['53'.repeat(16)]: { what: 'coins for fees', judge: moves(addressOf(key, OWN_PATHS.fuel), FUEL_MOST), most: FUELS_MAX },
  ['54'.repeat(16)]: {
    what: 'scheduled payment',
    judge: (signed) => {
      const { to, amount, asset } = transferOf(signed)
      assert.deepEqual([to, amount, asset.contract], [RECIPIENT_ADDRESS, SCHEDULED.amount, TOKEN.contract])
      const day = schedule.days.find((each) => dueMs(schedule, each) === signed.intent.notBeforeMs)
      assert.ok(day !== undefined && signed.atMs >= dueMs(schedule, day) && signed.atMs <= lastMs(schedule, day), 'paid on a date that people named')
    },
    most: BigInt(schedule.days.filter((day) => day <= TODAY).length),
  },
  ['55'.repeat(16)]: {
    what: 'allowance',
    judge: (signed) => {
      const { token, amount } = readAllowance(callOf(signed), others.TREASURY)
      assert.ok(token === TOKEN.contract && amount <= others.COLLECTED_MOST, `an allowance of ${amount} ${token}`)
    },
    most: SWEEPS_MAX,
  },
  ['56'.repeat(16)]: {
    what: 'collection by the contract',
    judge: (signed) => {
      const call = callOf(signed)
      const deployment = collector.deploymentOf(others.TREASURY)
      if (call.contract === deployment.contract && equalBytes(call.data, deployment.data)) return
      const { by, token, pulls } = readCollect(call, others.TREASURY)
      assert.deepEqual([by, token], ['collector', TOKEN.contract])
      assert.ok(pulls.every(({ amount }) => amount <= others.COLLECTED_MOST))
    },
    most: SWEEPS_MAX,
  },
  ['57'.repeat(16)]: {
    ...{ what: 'loan of energy', most: others.LOANS_MAX, fee: others.TRON_FEE_MOST, chain: TRX.chain },
    judge: ({ effects: { stake, transfers, call } }) => {
      assert.ok(stake && transfers.length === 0 && !call)
      const { action, resource, amount, receiver, lockBlocks } = stake as typeof stake & { receiver?: string | null }
      assert.ok((action === 'delegate' || action === 'undelegate') && resource === 'energy' && amount <= others.LENT_MOST && lockBlocks === 0n)
      assert.equal(receiver, others.SHOP_ADDRESS, 'energy is lent to own addresses that people named')
    },
  },
  ['58'.repeat(16)]: {
    ...{ what: 'rent of energy', most: others.RENT_DAY_MOST / 1_000_000n, fee: others.TRON_FEE_MOST, chain: TRX.chain },
    judge: moves(others.PROVIDER, others.RENT_MOST),
  },
  ['59'.repeat(16)]: {
    ...{ what: 'sweep of coins', most: coins.COIN_SWEEPS_MAX, fee: coins.COINS_FEE_MOST, chain: BTC.chain },
    judge: (signed) => {
      moves(coins.ownPlace(BTC, OWN_PATHS.treasury), coins.COINS_MOST)(signed)
      assert.ok(signed.effects.transfers[0]!.amount >= coins.COINS_LEAST)
      assert.ok(
        signed.effects.inputs?.every(({ amount }) => amount > POSTAGE_MAX),
        'no coin that may carry an inscription is spent',
      )
    },
  },
  ['5a'.repeat(16)]: {
    ...{ what: 'sweep of TON', most: coins.COIN_SWEEPS_MAX, fee: coins.TON_FEE_MOST, chain: TON.chain },
    judge: (signed) => {
      moves(coins.ownPlace(TON, OWN_PATHS.treasury), coins.TON_MOST)(signed)
      assert.ok(signed.effects.transfers[0]!.amount >= coins.TON_LEAST && signed.effects.transfers[0]!.memo === undefined)
    },
  },
}

const addressAt = ({ asset, path }: TransactionIntent): string => {
  if (asset.chain === CHAIN) return addressOf(key, path)
  return asset.chain === TRX.chain ? others.onTron(path) : coins.ownPlace(asset, path)
}

/** Nothing is spent but what is at the paying address, and what is left over goes back to an address of the same sub-wallet. */
function judgeCoins({ effects, intent }: Signed): void {
  const { inputs = [], change = [] } = effects
  assert.ok(inputs.every(({ address }) => address === intent.from))
  for (const { address, path } of change) {
    const back = path ? path.map(BigInt) : intent.path
    assert.deepEqual([address, back[0]], [coins.ownPlace(intent.asset, back), intent.path[0]])
  }
  if (intent.asset.chain === TON.chain) assert.equal(effects.from, intent.from)
}

/** A line of a batch is what people approved to the last byte; each has one order, since its key is the order's id. */
function judgeLine({ effects, intent, request }: Signed, upTo: bigint): void {
  const batch = Array.from({ length: Number(upTo) }, (_, i) => others.batchIn(BigInt(i + 1))).find((each) =>
    each.lines.some((line) => equalBytes(line.key, intent.orderId)),
  )
  assert.ok(batch && request.approvals.length >= 2, 'a line of a batch that two people approved')
  const first = batch.lines.findIndex((line) => equalBytes(line.key, intent.orderId))
  const together = Number(batch.together)
  assert.deepEqual(intentHash(partOf(batch, first / together, intentHash(batch))), intentHash(intent))
  assert.deepEqual(
    effects.transfers.map(({ to, amount, memo }) => [to, amount, memo]),
    batch.lines.slice(first, first + together).map(({ to, amount, memo }) => [to, amount, memo ?? undefined]),
  )
  assert.ok(effects.feeMax <= batch.feeCap)
}

type Order = { name: string; slot: string; untilMs: number; chain: string; atMs: number; feeMax: bigint; paid: bigint; dueAtMs: bigint }

/** Judges, from the bytes of what was signed alone, whether anything happened that people did not approve. Answers what was signed, by its kind. */
function judge({ made, ended, batches }: Walk): string[] {
  const orders = new Map<string, Order>()
  for (const { request, atMs, openedAt } of made) {
    const intent = decode(intentShape, request.intent) as TransactionIntent
    const codec = codecFor(intent.asset.chain)
    assert.ok(codec)
    const effects = codec.decode(request.unsigned)
    const name = request.batch ? BATCH_NAME : toHex(intent.initiator)
    const approved = APPROVED[name]
    const signed = { effects, intent, request, atMs }
    if (request.batch) judgeLine(signed, batches)
    else {
      assert.ok(approved, 'only what people approved is followed')
      approved.judge(signed)
    }
    if (approved) assert.equal(intent.asset.chain, approved.chain ?? CHAIN)
    assert.equal(intent.from, addressAt(intent))
    judgeCoins(signed)
    assert.equal(intent.path[0], 0n, 'paid from an address that people named')
    assert.ok(effects.feeMax <= (approved?.fee ?? FEE_MOST), 'no fee is above its cap')
    // One that began after the end was told to any signer is heard of by all three.
    const version = request.batch ? intentHash(decode(intentShape, request.batch.intent)) : request.standingOrder
    assert.ok(version)
    const late = ended.find((each) => each.id === name && each.atStep < openedAt && isOf(version, name, each.upTo))
    assert.equal(late, undefined, 'what was stopped or replaced is over')
    const hash = toHex(request.intent)
    const slot = `${intent.from} ${effects.slot}`
    const before = orders.get(hash)
    assert.ok(!before || before.slot === slot, 'one order has one slot')
    // A wallet contract's seqno is free again once the time of the bytes that had it is over.
    const isTaken = (each: Order) => each.slot === slot && (intent.asset.chain !== TON.chain || each.untilMs > atMs)
    assert.ok(![...orders].some(([other, each]) => other !== hash && isTaken(each)), 'one slot has one order')
    const untilMs = Math.max(before?.untilMs ?? 0, Number(effects.validUntilMs ?? 0n))
    const paid = effects.transfers.reduce((sum, { amount }) => sum + amount, 0n)
    const { chain } = intent.asset
    orders.set(hash, { name, slot, untilMs, chain, atMs: before?.atMs ?? atMs, feeMax: effects.feeMax, paid, dueAtMs: intent.notBeforeMs })
  }
  for (const [name, { most }] of Object.entries(APPROVED))
    judgeLimits(
      [...orders.values()].filter((each) => each.name === name),
      most,
    )
  const of = (byte: string) => [...orders.values()].filter(({ name }) => name === byte.repeat(16))
  assert.equal(new Set(of('54').map(({ dueAtMs }) => dueAtMs)).size, of('54').length, 'each date is paid once')
  const rented = of('58').reduce((sum, { paid }) => sum + paid, 0n)
  assert.ok(rented <= others.RENT_DAY_MOST, `${rented} of rent in a day`)
  return [...orders.values()].map(({ name, chain }) => APPROVED[name]?.what ?? batchOn(chain))
}

const batchOn = (chain: string) => `${BATCH_NAME} on ${chain.split(':')[0]}`

function judgeLimits(own: readonly Order[], most: bigint): void {
  for (const { atMs: from } of own) {
    const count = own.filter(({ atMs }) => atMs >= from && atMs < from + DAY_MS).length
    assert.ok(count <= Number(most), `${count} in a day under a limit of ${most}`)
  }
  assert.ok(own.reduce((sum, { feeMax }) => sum + feeMax, 0n) <= BigInt(own.length) * FEE_MOST)
}

/** Whether the hash is that of a version of the standing order up to this one. */
const isOf = (hash: Uint8Array, standing: string, upTo: bigint): boolean => standingOrderHashes(standing, upTo).includes(toHex(hash))

describe('a server that does what it likes while standing orders of every kind are in force, and a batch', () => {
  it(`gets nothing out of the organisation and nothing above a cap, in ${STEPS} steps`, async () => {
    const signed: string[] = []
    let ends = 0
    for (let seed = 0; seed < STEPS / STEPS_OF_WALK; seed++) {
      const walk = new HostileWalk(seed)
      for (let i = 0; i < STEPS_OF_WALK; i++) await walk.move()
      signed.push(...judge(walk))
      ends += walk.ended.length
    }
    // Walks in which little is signed and nothing ends would find little, and so would those that leave a kind out.
    assert.ok(signed.length > STEPS / 200 && ends > STEPS / 200, `${signed.length} orders, ${ends} ends`)
    for (const what of [...Object.values(APPROVED).map((each) => each.what), ...[CHAIN, BTC.chain, TON.chain].map(batchOn)])
      assert.ok(signed.includes(what), `no ${what} was ever signed`)
    // Nor does a walk find much that refuses whatever Bitcoin and TON are asked for.
    for (const [asset, sweep] of [
      [BTC, APPROVED['59'.repeat(16)]],
      [TON, APPROVED['5a'.repeat(16)]],
    ] as const) {
      const count = signed.filter((what) => what === sweep?.what || what === batchOn(asset.chain)).length
      assert.ok(count >= STEPS / 1_000, `${count} orders on ${asset.chain}`)
    }
    console.log(`${STEPS} steps: ${[...Map.groupBy(signed, (what) => what)].map(([what, { length }]) => `${what} ${length}x`).join(', ')}; ${ends} ends`)
  })
})
