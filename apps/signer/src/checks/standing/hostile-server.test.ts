import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TransferIntent } from '@holdfast/intent'
import { useQuickSignatures } from '../../testing/use-quick-signatures.ts'
import type { HostileWalk as Walk } from '../../testing/standing/hostile-walk.ts'

useQuickSignatures()
const { codecFor } = await import('@holdfast/chain-evm/codec')
const { decode, toHex } = await import('@holdfast/encoding')
const { intentShape } = await import('@holdfast/intent')
const { FUEL_MOST, FUELS_MAX, HostileWalk, OWN_PATHS, standingOrderHashes } = await import('../../testing/standing/hostile-walk.ts')
const { addressOf, RECIPIENT_ADDRESS } = await import('../../testing/order-of.ts')
const { CHAIN, DAY_MS } = await import('../../testing/organisation-of.ts')
const { FEE_MOST, SWEEPS_MAX } = await import('../../testing/standing-order-of.ts')
const { key, ORDER_MAX } = await import('../../testing/world-of.ts')

// HOLDFAST_THOROUGH=1 takes 100,000 steps.
const STEPS = process.env.HOLDFAST_THOROUGH ? 100_000 : 4_000
/** A walk begins anew after so many steps, with other signers and other luck. */
const STEPS_OF_WALK = 250

const codec = codecFor(CHAIN)!
const addresses = { treasury: addressOf(key, OWN_PATHS.treasury), fuel: addressOf(key, OWN_PATHS.fuel), cold: RECIPIENT_ADDRESS }
/** What people wrote into the three standing orders: where each moves to, and how much at most. */
const APPROVED: Record<string, { to: string; most: bigint }> = {
  ['51'.repeat(16)]: { to: addresses.treasury, most: ORDER_MAX },
  ['52'.repeat(16)]: { to: addresses.cold, most: ORDER_MAX },
  ['53'.repeat(16)]: { to: addresses.fuel, most: FUEL_MOST },
}

/** Judges, from the bytes of what was signed alone, whether anything happened that people did not approve. */
function judge({ made, ended }: Walk): void {
  const orders = new Map<string, { standing: string; slot: string; atMs: number; feeMax: bigint }>()
  for (const { request, atMs, openedAt } of made) {
    const effects = codec.decode(request.unsigned)
    const intent = decode(intentShape, request.intent) as TransferIntent
    const standing = toHex(intent.initiator)
    const approved = APPROVED[standing]
    assert.ok(approved, 'only what people approved is followed')
    const [transfer, ...others] = effects.transfers
    assert.ok(transfer && others.length === 0 && !effects.call && !effects.stake)
    assert.equal(transfer.to, approved.to, 'nothing leaves the organisation')
    assert.ok(transfer.amount <= approved.most && transfer.amount > 0n, `${transfer.amount} of at most ${approved.most}`)
    assert.equal(intent.from, addressOf(key, intent.path))
    assert.equal(intent.path[0], 0n, 'paid from an address that people named')
    assert.ok(effects.feeMax <= FEE_MOST, 'no fee is above its cap')
    // One that began after the end was told to any signer is heard of by all three.
    const version = request.standingOrder
    assert.ok(version)
    const late = ended.find((each) => each.id === standing && each.atStep < openedAt && isOf(version, standing, each.upTo))
    assert.equal(late, undefined, 'what was stopped or replaced is over')
    const hash = toHex(request.intent)
    const slot = `${intent.from} ${effects.slot}`
    const before = orders.get(hash)
    assert.ok(!before || before.slot === slot, 'one order has one slot')
    assert.ok(![...orders].some(([other, each]) => other !== hash && each.slot === slot), 'one slot has one order')
    orders.set(hash, { standing, slot, atMs: before?.atMs ?? atMs, feeMax: effects.feeMax })
  }
  for (const standing of Object.keys(APPROVED)) {
    const times = [...orders.values()].filter((each) => each.standing === standing).map(({ atMs }) => atMs)
    const most = standing === '53'.repeat(16) ? FUELS_MAX : SWEEPS_MAX
    for (const from of times) {
      const count = times.filter((atMs) => atMs >= from && atMs < from + DAY_MS).length
      assert.ok(count <= Number(most), `${count} transfers in a day under a limit of ${most}`)
    }
    const fees = [...orders.values()].filter((each) => each.standing === standing).reduce((sum, { feeMax }) => sum + feeMax, 0n)
    assert.ok(fees <= BigInt(times.length) * FEE_MOST)
  }
}

/** Whether the hash is that of a version of the standing order up to this one. */
const isOf = (hash: Uint8Array, standing: string, upTo: bigint): boolean => standingOrderHashes(standing, upTo).includes(toHex(hash))

describe('a server that does what it likes while standing orders are in force', () => {
  it(`gets nothing out of the organisation and nothing above a cap, in ${STEPS} steps`, async () => {
    let signed = 0
    let ends = 0
    for (let seed = 0; seed < STEPS / STEPS_OF_WALK; seed++) {
      const walk = new HostileWalk(seed)
      for (let i = 0; i < STEPS_OF_WALK; i++) await walk.move()
      judge(walk)
      signed += walk.made.length
      ends += walk.ended.length
    }
    // Walks in which little is signed and nothing ends would find little.
    assert.ok(signed > STEPS / 200 && ends > STEPS / 200, `${signed} signatures, ${ends} ends`)
  })
})
