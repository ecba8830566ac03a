import { encode } from '@holdfast/encoding'
import { lastMs, type StandingOrderIntent, stopHash, type StopStatement, stopShape } from '@holdfast/intent'
import { policyHash } from '@holdfast/policy'
import { CHAIN, COIN, DAY_MS, NOW_MS, TOKEN } from './organisation-of.ts'
import { RECIPIENT_ADDRESS } from './order-of.ts'
import { assertWith, type Member } from './people.ts'
import { acme, ann, key, ORDER_MAX } from './world-of.ts'

/** The id of the standing order of the tests: what it covers is asked for by nobody else. */
export const STANDING_ID = new Uint8Array(16).fill(0x51)
/** The wallet from which the standing order collects, and the address it collects to. */
export const SWEPT_PATH = [0n]
export const TREASURY_PATH = [1n, 3n]
export const FEE_MOST = 10_000_000_000_000_000n
export const SWEEPS_MAX = 3n

/** A standing order that collects coins and tokens of one wallet to an address of the organisation, but for what `changes` say. */
export function standingOrderOf(changes: Partial<StandingOrderIntent> = {}): StandingOrderIntent {
  const policy = acme.policy
  return {
    kind: 'standingOrder',
    genesis: acme.fingerprint,
    orderId: new Uint8Array(16).fill(3),
    id: STANDING_ID,
    version: 1n,
    name: 'Collect deposits',
    does: { kind: 'sweep', to: [{ kind: 'own', chain: CHAIN, name: 'Treasury', keyId: key.keyId, path: TREASURY_PATH }] },
    sources: [{ name: 'Deposits', keyId: key.keyId, path: SWEPT_PATH }],
    never: [],
    assets: [
      { asset: COIN, atLeast: 1_000n, atMost: ORDER_MAX },
      { asset: TOKEN, atLeast: 10n, atMost: ORDER_MAX },
    ],
    // Fees of the tests are far above what they move: what they may be of it at most has tests of its own.
    fees: [{ asset: COIN, max: FEE_MOST, maxShare: 10_000n }],
    limits: [{ each: 'rule', lengthMs: BigInt(DAY_MS), amounts: [], maxTokens: null, maxCount: SWEEPS_MAX, maxCents: null }],
    untilMs: BigInt(NOW_MS + 90 * DAY_MS),
    remark: 'as agreed',
    notBeforeMs: BigInt(NOW_MS - 1000),
    expiresAtMs: BigInt(NOW_MS + DAY_MS),
    policyVersion: policy.version,
    policyHash: policyHash(policy),
    initiator: ann.person.id,
    nonce: new Uint8Array(32).fill(4),
    ...changes,
  }
}

/** What the scheduled payments of the tests pay, from where, on which days, counted from that of `NOW_MS`, and at which minute of them. */
export const SCHEDULED = { amount: 5_000n, path: [0n, 7n], days: [-1n, 0n, 2n], minute: 60n, lateDays: 2n }
export const TODAY = BigInt(Math.floor(NOW_MS / DAY_MS))

type Schedule = Extract<StandingOrderIntent['does'], { kind: 'schedule' }>

/** A standing order that pays an address which people read in it, but for what `does` and `changes` say. It ends with its last payment. */
export function scheduleOf(does: Partial<Schedule> = {}, changes: Partial<StandingOrderIntent> = {}): StandingOrderIntent {
  const to = { kind: 'written' as const, chain: CHAIN, address: RECIPIENT_ADDRESS, memo: null }
  const days = SCHEDULED.days.map((day) => TODAY + day)
  const schedule: Schedule = { kind: 'schedule', to, days, minute: SCHEDULED.minute, lateDays: SCHEDULED.lateDays, ...does }
  return standingOrderOf({
    name: 'Rent',
    does: schedule,
    sources: [{ name: 'Operations', keyId: key.keyId, path: SCHEDULED.path }],
    assets: [{ asset: TOKEN, atLeast: SCHEDULED.amount, atMost: SCHEDULED.amount }],
    limits: [],
    notBeforeMs: BigInt(NOW_MS - 3 * DAY_MS),
    untilMs: lastMs(schedule, schedule.days.at(-1) ?? 0n),
    ...changes,
  })
}

/** A person's signed word that standing orders are stopped. */
export function stopOf(person: Member, orders: readonly Pick<StandingOrderIntent, 'id' | 'version'>[], changes: Partial<StopStatement> = {}): Uint8Array {
  const statement: StopStatement = {
    genesis: acme.fingerprint,
    person: person.person.id,
    orders: orders.map(({ id, version }) => ({ id, version })),
    atMs: BigInt(NOW_MS),
    nonce: new Uint8Array(32).fill(1),
    reason: 'looks wrong',
    ...changes,
  }
  return encode(stopShape, { statement, assertion: assertWith(person.keys[0], stopHash(statement)) })
}
