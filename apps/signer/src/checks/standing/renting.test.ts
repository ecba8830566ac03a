import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { codecFor } from '@holdfast/chain-registry/codec'
import { buildTransfer } from '@holdfast/chain-tron/codec'
import { fromHex } from '@holdfast/encoding'
import { type Asset, intentHash, standingOrderFault, type StandingOrderIntent, type TransferIntent } from '@holdfast/intent'
import { derivePublicKey } from '@holdfast/mpc'
import { followStandingOrder } from '@holdfast/policy'
import fc from 'fast-check'
import { draftOf, requestOf } from '../../testing/order-of.ts'
import { DAY_MS, NOW_MS } from '../../testing/organisation-of.ts'
import { STANDING_ID, standingOrderOf } from '../../testing/standing-order-of.ts'
import { ann, ben, checkOf, key, organisationWith, registerOf } from '../../testing/world-of.ts'
import type { Register } from '../../state/register.ts'
import { checkStillGood, verifySignRequest } from '../verify.ts'

/* Payments for rented energy that a standing order lets pass, as a real signer judges them by their bytes. */

const CHAIN = 'tron:0x2b6653dc'
const COIN: Asset = { chain: CHAIN, contract: null, symbol: 'TRX', decimals: 6n }
const PROVIDER = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const STRANGER = 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf'
const FEE_MOST = 2_000_000n
const MOST = 9_000_000n
const DAY_MOST = 20_000_000n
const PAYER = [0n, 7n]

const codec = codecFor(CHAIN)!
const addressAt = (path: readonly bigint[]) => codec.addressFromKey(derivePublicKey(key.protocol, key.publicKey, key.chainCode, path.map(Number)))
const organisation = organisationWith({ assets: [COIN] })
const frame = {
  refBlock: { bytes: fromHex('8f3a'), hash: fromHex('b2f1c0d94e5a6177') },
  timestampMs: BigInt(NOW_MS),
  expirationMs: BigInt(NOW_MS + 60_000),
}
const count = { each: 'rule', lengthMs: BigInt(DAY_MS), amounts: [], maxTokens: null, maxCount: 100n, maxCents: null }
const day = { ...count, amounts: [{ chain: CHAIN, asset: '', max: DAY_MOST }] }

const renting = (changes: Partial<StandingOrderIntent> = {}): StandingOrderIntent =>
  standingOrderOf({
    genesis: organisation.fingerprint,
    name: 'Rent energy',
    does: { kind: 'rent', to: [{ chain: CHAIN, address: PROVIDER }] },
    sources: [{ name: 'Fees', keyId: key.keyId, path: [0n] }],
    assets: [{ asset: COIN, atLeast: 1_000_000n, atMost: MOST }],
    fees: [{ asset: COIN, max: FEE_MOST, maxShare: 10_000n }],
    limits: [day],
    ...changes,
  })

const list = (register: Register, usableAtMs = NOW_MS, address = PROVIDER): void => {
  const id = new Uint8Array(16).fill(7)
  register.book.entries.set('07', { id, name: 'Provider', chains: [CHAIN], address, memo: null, lists: [], sinceMs: NOW_MS - 1, usableAtMs })
  register.book.places.set(JSON.stringify([CHAIN, address, null]), '07')
}

type Tried = {
  path?: bigint[]
  to?: string
  order?: Partial<TransferIntent>
  paid?: { to?: string; amount?: bigint }
  standing?: StandingOrderIntent
  register?: (own: Register) => void
}

function attempt({ path = PAYER, to = PROVIDER, order = {}, paid = {}, standing = renting(), register = list }: Tried = {}) {
  const { policy, fingerprint } = organisation
  const from = addressAt(path)
  const changes = { from, to, feeAsset: COIN, feeCap: FEE_MOST, slotRule: 'expiry', initiator: STANDING_ID, ...order }
  const { intent, transaction } = draftOf({ fingerprint, policy, key, initiator: ann, asset: COIN, amount: 5_000_000n, path, changes })
  const pays = { from, to: intent.to, asset: { chain: CHAIN, contract: null }, amount: intent.amount, feeLimit: 0n, ...paid }
  const made = requestOf({ key, draft: { intent, transaction }, approvals: [], unsigned: buildTransfer({ ...frame, ...pays }) })
  const request = { ...made.request, standingOrder: intentHash(standing) }
  const known = registerOf(organisation, made.log)
  followStandingOrder(known.standingOrders, standing, { hash: intentHash(standing), sinceMs: NOW_MS })
  register(known)
  return { request, view: { party: 1, register: known, nowMs: NOW_MS, codecFor } }
}

const verdict = (tried: Tried = {}): string => {
  const { request, view } = attempt(tried)
  return checkOf(() => verifySignRequest(request, view))
}

describe('a payment for rented energy that a standing order covers', () => {
  it('is signed without people, to the one address that is on the whitelist', () => {
    assert.equal(standingOrderFault(renting()), undefined)
    assert.equal(verdict(), 'signed')
  })

  it('is refused at every edge of what people approved', () => {
    const hostile: [string, string, Tried][] = [
      ['to a stranger', 'c5', { to: STRANGER }],
      ['to a stranger who is listed too', 'c5', { to: STRANGER, register: (own) => list(own, NOW_MS, STRANGER) }],
      ['to an own address', 'c5', { to: addressAt([3n, 1n]) }],
      ['to the provider once it is on no list', 'c5', { register: () => {} }],
      ['to the provider in its waiting period', 'c5', { register: (own) => list(own, NOW_MS + 1) }],
      ['with a memo', 'c5', { order: { memo: 'order 5' } }],
      ['from another wallet', 'c5', { path: [1n, 7n] }],
      ['of too much', 'c5', { order: { amount: MOST + 1n } }],
      ['of too little', 'c5', { order: { amount: 999_999n } }],
      ['that could cost more', 'c5', { order: { feeCap: FEE_MOST + 1n } }],
      ['asked for by a person', 'c5', { order: { initiator: ann.person.id } }],
      ['open beyond the end of the standing order', 'c5', { order: { expiresAtMs: renting().untilMs + 1n } }],
      ['after the standing order has ended', 'c5', { standing: renting({ untilMs: BigInt(NOW_MS) }) }],
      ['whose bytes pay another', 'c7', { paid: { to: STRANGER } }],
      ['whose bytes pay more', 'c7', { paid: { amount: 5_000_001n } }],
    ]
    for (const [name, check, tried] of hostile) assert.equal(verdict(tried), check, name)
    assert.equal(verdict(), 'signed')
  })

  it('counts towards what may be paid in a day, which a new version does not begin anew', () => {
    const spent = (amount: bigint) => (own: Register) => {
      list(own)
      own.spends.set('1', { ruleId: `standing/${'51'.repeat(16)}`, asset: `${CHAIN}|`, amount, atMs: NOW_MS - 1 })
    }
    assert.equal(verdict({ register: spent(DAY_MOST - 5_000_000n) }), 'signed')
    assert.equal(verdict({ register: spent(DAY_MOST - 4_999_999n) }), 'c9')
    assert.equal(verdict({ register: spent(DAY_MOST - 4_999_999n), standing: renting({ version: 7n }) }), 'c9')
  })

  it('ends at once when one person stops the standing order, also between the request and the signature', () => {
    const stop = (own: Register) => void (own.standingOrders.values().next().value!.stoppedBy = ben.person.id)
    const stopped = (own: Register) => {
      list(own)
      stop(own)
    }
    assert.equal(verdict({ register: stopped }), 'c6')
    const { request, view } = attempt()
    const taken = verifySignRequest(request, view)
    stop(view.register)
    assert.equal(
      checkOf(() => checkStillGood(taken, 2, view)),
      'c6',
    )
  })

  it('is what people approved, whatever is asked: what is signed fits the standing order, and what fits is signed', () => {
    fc.assert(
      fc.property(
        fc.record({
          to: fc.constantFrom(PROVIDER, STRANGER, addressAt([3n, 1n])),
          isListed: fc.boolean(),
          from: fc.constantFrom(PAYER, [0n, 8n], [1n, 7n]),
          amount: fc.bigInt(1n, 12n),
          most: fc.bigInt(1n, 12n),
          dayMost: fc.bigInt(1n, 12n),
        }),
        ({ to, isListed, from, amount: coins, most, dayMost }) => {
          const amount = coins * 1_000_000n
          const standing = renting({
            assets: [{ asset: COIN, atLeast: 1_000_000n, atMost: most * 1_000_000n }],
            limits: [{ ...day, amounts: [{ chain: CHAIN, asset: '', max: dayMost * 1_000_000n }] }],
          })
          const isCovered = to === PROVIDER && isListed && from[0] === 0n && coins <= most && coins <= dayMost
          const seen = verdict({ to, path: from, order: { amount }, standing, register: (own) => isListed && list(own) })
          assert.equal(seen === 'signed', isCovered, seen)
        },
      ),
      { numRuns: 150 },
    )
  })
})

describe('a standing order that pays for rented energy', () => {
  it('names one address on each network, bounds what it pays in a time, and pays in TRX alone', () => {
    const faults: [Partial<StandingOrderIntent>, RegExp][] = [
      [{ limits: [count] }, /how much it pays in a time/],
      [{ limits: [count, { ...day, each: 'source' }] }, /how much it pays in a time/],
      [{ limits: [{ ...day, maxCount: null }] }, /how many transfers/],
      [{ fees: [{ asset: COIN, max: FEE_MOST, maxShare: 9_999n }] }, /no share of its price/],
      [{ does: { kind: 'rent', to: [] } }, /one address/],
      [{ does: { kind: 'rent', to: [{ chain: CHAIN, address: '' }] } }, /does not name/],
      [{ does: { kind: 'rent', to: [{ chain: 'tron:0xcd8690dc', address: PROVIDER }] } }, /one address/],
      [
        {
          assets: [{ asset: { ...COIN, contract: STRANGER }, atLeast: 0n, atMost: 1n }],
          limits: [{ ...day, amounts: [{ chain: CHAIN, asset: STRANGER, max: 1n }] }],
        },
        /TRON's own coin/,
      ],
    ]
    for (const [changes, fault] of faults) assert.match(standingOrderFault(renting(changes)) ?? '', fault)
  })
})
