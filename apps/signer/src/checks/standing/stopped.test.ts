import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { codecFor } from '@holdfast/chain-registry/codec'
import { toHex } from '@holdfast/encoding'
import { intentHash, type StandingOrderIntent } from '@holdfast/intent'
import { followStandingOrder, stopStandingOrders } from '@holdfast/policy'
import type { SignRequest } from '@holdfast/protocol'
import { Log } from '../../testing/log-of.ts'
import { addressOf, draftOf, RECIPIENT_ADDRESS, requestOf } from '../../testing/order-of.ts'
import { CHAIN, COIN, DAY_MS, NOW_MS, TOKEN, TRX } from '../../testing/organisation-of.ts'
import { tonKey } from '../../testing/standing/coin-orders.ts'
import { batchIn, type Inventing, inventLine, inventOther, otherOrders, PROVIDER } from '../../testing/standing/other-orders.ts'
import { FEE_MOST, standingOrderOf, TREASURY_PATH } from '../../testing/standing-order-of.ts'
import { acme, ann, ben, checkOf, key, ORDER_MAX, registerOf } from '../../testing/world-of.ts'
import { applyEvent, type Register } from '../../state/register.ts'
import { checkStillGood, verifySignRequest } from '../verify.ts'

/* Whatever chose what is asked for: once one person stopped it, nothing more of it is signed, not even what was taken up already. */

type Request = { kind: 'sign' } & SignRequest
type Case = { what: string; request: Request; log: Log; prepare: (register: Register) => void; stop: (register: Register) => void }

const FUEL_PATH = [4n, 2n]
const FUEL_MOST = 20n * FEE_MOST
const honest = (log: Log): Inventing => ({ pick: ([first]) => first!, odd: (usual) => usual, step: 7, nowMs: NOW_MS, log })

function listed(register: Register): void {
  const entry = { id: new Uint8Array(16).fill(7), name: 'Listed', memo: null, lists: [], sinceMs: NOW_MS - 1, usableAtMs: NOW_MS }
  for (const [chain, address] of [
    [CHAIN, RECIPIENT_ADDRESS],
    [TRX.chain, PROVIDER],
  ] as const) {
    register.book.entries.set(chain, { ...entry, chains: [chain], address })
    register.book.places.set(JSON.stringify([chain, address, null]), chain)
  }
}

function under(standing: StandingOrderIntent, log: Log, { request, own }: { request: Request; own: SignRequest['own'] }): Case {
  return {
    ...{ what: `${standing.does.kind} ${toHex(standing.id).slice(0, 2)}`, log },
    request: { ...request, own, standingOrder: intentHash(standing) },
    prepare: (register) => {
      listed(register)
      followStandingOrder(register.standingOrders, standing, { hash: intentHash(standing), sinceMs: NOW_MS })
    },
    stop: (register) => stopStandingOrders(register.standingOrders, { person: ben.person.id, orders: [{ id: standing.id, version: standing.version }] }),
  }
}

/** A transfer that a sweep or coins for fees ask for. */
function moving(standing: StandingOrderIntent, to: string, path: bigint[]): Case {
  const log = new Log(acme.fingerprint)
  const [asset, amount] = standing.does.kind === 'fuel' ? [COIN, FUEL_MOST] : [TOKEN, ORDER_MAX]
  const changes = { to, initiator: standing.id }
  const { fingerprint, policy } = acme
  const draft = draftOf({ fingerprint, policy, key, initiator: ann, asset, amount, path: [0n, 7n], changes })
  return under(standing, log, { request: requestOf({ key, draft, approvals: [], log }).request, own: [{ address: to, keyId: key.keyId, path }] })
}

function inBatch(version: bigint): Case {
  const log = new Log(acme.fingerprint)
  const batch = batchIn(version)
  const stop = (register: Register) => applyEvent(register, { kind: 'vetoed', intentHash: intentHash(batch), person: ben.person.id }, NOW_MS, 1)
  return { what: `line of a batch on ${batch.asset.symbol}`, request: inventLine(batch, honest(log)).request, log, prepare: () => {}, stop }
}

const id = (number: number) => new Uint8Array(16).fill(number)
const fuelling = standingOrderOf({
  id: id(0x53),
  does: { kind: 'fuel', to: [{ name: 'Gas', keyId: key.keyId, path: [4n] }] },
  assets: [{ asset: COIN, atLeast: 1n, atMost: FUEL_MOST }],
  fees: [{ asset: COIN, max: FEE_MOST, maxShare: 10_000n }],
  limits: [{ each: 'rule', lengthMs: BigInt(DAY_MS), amounts: [], maxTokens: null, maxCount: 5n, maxCents: null }],
})
const toList = { kind: 'sweep' as const, to: [{ kind: 'listed' as const, chain: CHAIN, address: RECIPIENT_ADDRESS, memo: null }] }
const cases: Case[] = [
  moving(standingOrderOf(), addressOf(key, TREASURY_PATH), TREASURY_PATH),
  moving(standingOrderOf({ id: id(0x52), does: toList }), RECIPIENT_ADDRESS, TREASURY_PATH),
  moving(fuelling, addressOf(key, FUEL_PATH), FUEL_PATH),
  ...otherOrders(1n).map((standing) => {
    const log = new Log(acme.fingerprint)
    return under(standing, log, inventOther(standing, honest(log)))
  }),
  ...[1n, 2n, 3n].map(inBatch),
]

describe('what one person stopped', () => {
  for (const { what, request, log, prepare, stop } of cases)
    it(`is signed no more from the next signature on, asked for before or after: ${what}`, () => {
      const register = registerOf(acme, log)
      applyEvent(register, { kind: 'keyOfKindMade', ...tonKey, curve: 'ed25519' }, NOW_MS, 1)
      prepare(register)
      const view = { party: 1, register, nowMs: NOW_MS, codecFor }
      const taken = verifySignRequest(request, view)
      checkStillGood(taken, 2, view)
      stop(register)
      const refusedBy = [() => checkStillGood(taken, 2, view), () => verifySignRequest(request, view)].map(checkOf)
      assert.deepEqual(refusedBy, ['c6', 'c6'])
    })
})
