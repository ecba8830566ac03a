import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { codecFor } from '@holdfast/chain-evm/codec'
import { equalBytes } from '@holdfast/encoding'
import { LOCALES } from '@holdfast/intent'
import { ed25519 } from '@noble/curves/ed25519.js'
import fc from 'fast-check'
import { Refused } from './refused.ts'
import { applyEvent } from '../state/register.ts'
import { assetKeyOf } from '../state/spends.ts'
import { type Draw, FORGERIES } from '../testing/forgeries.ts'
import { ART, CHAIN, COIN, DAY_MS, NOW_MS, organisationOf, TOKEN } from '../testing/organisation-of.ts'
import { OTHER_ADDRESS } from '../testing/order-of.ts'
import { type Key, makeMember, type Member } from '../testing/people.ts'
import { ann, ART_DAY_MAX, type Attempt, attemptOf, ben, checkOf, cleo, DAY_MAX, type Hooks, key, ORDER_MAX, signSecrets } from '../testing/world-of.ts'
import { verifySignRequest } from './verify.ts'

const verify = ({ request, view }: Attempt) => verifySignRequest(request, view)

/** The check at which an attempt is refused, or `signed`. */
const verdictOf = (attempt: Attempt) => checkOf(() => verify(attempt))

/** What an honest organisation varies: who asks, in what they are paid, by which keys and words, how much. */
const honestHooks: fc.Arbitrary<Hooks> = fc
  .record({
    initiator: fc.nat(2),
    token: fc.boolean(),
    amount: fc.bigInt(1n, ORDER_MAX),
    keys: fc.array(fc.nat(1), { minLength: 3, maxLength: 3 }),
    locale: fc.constantFrom(...LOCALES),
    salt: fc.nat(),
  })
  .map(({ initiator, token, amount, keys, locale, salt }) => {
    const members = [ann, ben, cleo]
    const keyOf = (member: Member): Key => member.keys[keys[members.indexOf(member)]!]!
    return {
      order: { initiator: members[initiator]!, asset: token ? TOKEN : COIN, amount, salt },
      approvers: members.toSpliced(initiator, 1),
      approval: (member) => ({ key: keyOf(member), locale }),
    }
  })

const draws: fc.Arbitrary<Draw> = fc.array(fc.nat(), { minLength: 8, maxLength: 8 }).map((numbers) => {
  let next = 0
  const below = (count: number) => numbers[next++ % numbers.length]! % count
  return { below, pick: (items) => items[below(items.length)]! }
})

// HOLDFAST_THOROUGH=1 tries 2,000.
const FORGED = process.env.HOLDFAST_THOROUGH ? 2000 : 500

describe('a signer asked to sign', () => {
  it('takes part in 200 honest orders', () => {
    fc.assert(
      fc.property(honestHooks, (hooks) => {
        const attempt = attemptOf(hooks)
        const order = verify(attempt)
        assert.equal(order.effects.transfers[0]!.amount, hooks.order!.amount)
        assert.deepEqual(
          codecFor(CHAIN)!.sighashes(attempt.request.unsigned),
          order.toSign.map(({ digest }) => digest),
        )
      }),
      { numRuns: 200 },
    )
  })

  it('refuses each known forgery, at the check it is meant for', () => {
    const draw: Draw = { below: () => 0, pick: (items) => items[0]! }
    const found = FORGERIES.map(({ name, check, hooks }) => [name, check, verdictOf(attemptOf(hooks(draw)))])
    assert.deepEqual(
      found.filter(([, check, verdict]) => check !== verdict),
      [],
    )
  })

  it(`refuses ${FORGED} forged requests, each at the check it is meant for`, () => {
    fc.assert(
      fc.property(fc.nat(FORGERIES.length - 1), draws, (index, draw) => {
        const { name, check, hooks } = FORGERIES[index]!
        assert.equal(verdictOf(attemptOf(hooks(draw))), check, name)
      }),
      { numRuns: FORGED },
    )
  })

  it('signs nothing but the transfer of the order, whichever bit of the transaction is flipped', () => {
    const honest = verify(attemptOf())
    fc.assert(
      fc.property(fc.nat(), fc.nat(7), (at, bit) => {
        const attempt = attemptOf({
          request: ({ unsigned }) => ({ unsigned: Uint8Array.from(unsigned, (byte, i) => (i === at % unsigned.length ? byte ^ (1 << bit) : byte)) }),
        })
        let order
        try {
          order = verify(attempt)
        } catch (cause) {
          assert.ok(cause instanceof Refused && ['c5', 'c7', 'c8'].includes(cause.check))
          return
        }
        assert.deepEqual(order.effects.transfers, honest.effects.transfers)
        assert.ok(order.effects.feeMax <= honest.intent.feeCap)
        assert.ok(!equalBytes(order.toSign[0]!.digest, honest.toSign[0]!.digest))
      }),
      { numRuns: 150 },
    )
  })

  it('throws nothing but refusals, whatever bytes stand in the place of a field', () => {
    const { request, view } = attemptOf()
    const junk = fc.uint8Array({ maxLength: 80 })
    fc.assert(
      fc.property(fc.constantFrom('intent', 'unsigned', 'genesis', 'keyId', 'approvals', 'logged', 'checkpoint'), junk, (field, bytes) => {
        const logged = [{ entry: bytes, index: 0n, proof: [] }]
        const inPlace: Record<string, unknown> = { approvals: [bytes], logged, checkpoint: String.fromCharCode(...bytes) }
        assert.notEqual(verdictOf({ request: { ...request, [field]: inPlace[field] ?? bytes }, view }), 'signed')
      }),
      { numRuns: 200 },
    )
  })
})

describe('limits', () => {
  const spend = (amount: bigint, agoMs: number, asset: string | null = `${CHAIN}|`): Hooks => ({
    order: { asset: COIN, amount: ORDER_MAX },
    register: (register) => void register.spends.set('earlier', { ruleId: 'coin', asset, amount, atMs: NOW_MS - agoMs }),
  })

  it('let through exactly what the window has left, and not one unit more', () => {
    assert.equal(verdictOf(attemptOf(spend(DAY_MAX - ORDER_MAX, 1))), 'signed')
    assert.equal(verdictOf(attemptOf(spend(DAY_MAX - ORDER_MAX + 1n, 1))), 'c9')
  })

  it('forget what is older than the window, and nothing that is younger or from a clock that ran ahead', () => {
    assert.equal(verdictOf(attemptOf(spend(DAY_MAX, DAY_MS))), 'signed')
    assert.equal(verdictOf(attemptOf(spend(DAY_MAX, DAY_MS - 1))), 'c9')
    assert.equal(verdictOf(attemptOf(spend(DAY_MAX, -DAY_MS))), 'c9')
  })

  it('are counted for each asset by itself, where a rule speaks of several', () => {
    assert.equal(verdictOf(attemptOf(spend(DAY_MAX, 1, `${CHAIN}|0x5FbDB2315678afecb367f032d93F642f64180aa3`))), 'signed')
    assert.equal(verdictOf(attemptOf(spend(DAY_MAX, 1, 'eip155:1|'))), 'signed')
    assert.equal(verdictOf(attemptOf(spend(DAY_MAX, 1, null))), 'c9')
  })

  it('count an order once, however often it is tried', () => {
    const register = (attempt: Attempt, times: number) => {
      for (let i = 0; i < times; i++) {
        const { reservation } = verify(attempt)
        const requestHash = new Uint8Array(32).fill(i)
        applyEvent(
          attempt.view.register,
          { kind: 'sessionOpened', requestHash, session: 'sign', keyId: key.keyId, epoch: 0n, parties: [1n, 2n], reservation },
          NOW_MS,
          1,
        )
        applyEvent(attempt.view.register, { kind: 'sessionStarted', requestHash, seen: [] }, NOW_MS, 1)
        applyEvent(attempt.view.register, { kind: 'sessionEnded', requestHash, outcome: 'timeout', reason: '' }, NOW_MS, 1)
      }
      return [...attempt.view.register.spends.values()].reduce((sum, each) => sum + each.amount, 0n)
    }
    assert.equal(register(attemptOf({ order: { asset: COIN, amount: ORDER_MAX } }), 5), ORDER_MAX)
  })
})

describe('a token of a collection', () => {
  const artwork = (tokenId: number) => ({ ...ART, contract: `${ART.contract}/0x${tokenId.toString(16)}` })
  const hooks: Hooks = { order: { asset: artwork(42), amount: 1n } }
  const moved = (changes: ReturnType<NonNullable<Hooks['transaction']>>) => verdictOf(attemptOf({ ...hooks, transaction: () => changes }))

  it('is signed for where people approved that very token, and for no other token, owner, recipient or kind', () => {
    assert.equal(verdictOf(attemptOf(hooks)), 'signed')
    assert.equal(moved({ asset: { chain: CHAIN, contract: artwork(43).contract } }), 'c7')
    assert.equal(moved({ asset: { chain: CHAIN, contract: artwork(42).contract.replace('erc721', 'erc1155') } }), 'c5')
    assert.equal(moved({ from: OTHER_ADDRESS }), 'c7')
    assert.equal(moved({ to: OTHER_ADDRESS }), 'c7')
    assert.equal(moved({ asset: { chain: CHAIN, contract: TOKEN.contract } }), 'c7')
  })

  it('counts in the window of its collection, whichever token it is', () => {
    const sold = (pieces: bigint): Hooks => ({
      ...hooks,
      register: (register) => void register.spends.set('earlier', { ruleId: 'art', asset: `${CHAIN}|${ART.contract}`, amount: pieces, atMs: NOW_MS - 1 }),
    })
    assert.equal(verdictOf(attemptOf(sold(ART_DAY_MAX - 1n))), 'signed')
    assert.equal(verdictOf(attemptOf(sold(ART_DAY_MAX))), 'c9')
    assert.equal(assetKeyOf(verify(attemptOf(hooks)).reservation), `${CHAIN}|${ART.contract}`)
  })

  it('of a collection that nobody pinned, or under another name, is refused', () => {
    const foreign = 'erc721:0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9/0x2a'
    assert.equal(verdictOf(attemptOf({ order: { asset: { ...ART, contract: foreign }, amount: 1n } })), 'c4')
    assert.equal(verdictOf(attemptOf({ order: { asset: { ...artwork(42), symbol: 'RARE' }, amount: 1n } })), 'c4')
  })
})

describe('nobody approves what they asked for', () => {
  /** Every set of approvers: for each person none, or one of `credentials` of their keys. */
  function* choices(people: number, credentials: number): Generator<number[]> {
    for (let code = 0; code < (credentials + 1) ** people; code++)
      yield Array.from({ length: people }, (_, i) => Math.floor(code / (credentials + 1) ** i) % (credentials + 1))
  }

  for (const [people, credentials] of [
    [2, 2],
    [3, 2],
    [4, 1],
    [5, 1],
  ] as const) {
    it(`in any organisation of ${people} with ${credentials} key(s) each, whoever asks, whoever approves, whatever the threshold`, () => {
      const members = Array.from({ length: people }, (_, i) => makeMember(`member ${i}`))
      for (let threshold = 1; threshold < people; threshold++) {
        const organisation = organisationOf({
          name: `${people} people, ${threshold} sign`,
          members,
          threshold,
          signKeys: signSecrets.map((secret) => ed25519.getPublicKey(secret)),
        })
        for (const initiator of members) {
          for (const choice of choices(people, credentials)) {
            const approvers = members.filter((_, i) => choice[i]! > 0)
            const attempt = attemptOf({
              organisation,
              order: { initiator },
              approvers,
              approval: (member) => ({ key: member.keys[choice[members.indexOf(member)]! - 1]! }),
            })
            const others = approvers.filter((member) => member !== initiator).length
            assert.equal(verdictOf(attempt), others >= threshold ? 'signed' : 'c5', `${others} others of ${threshold}`)
          }
        }
      }
    })
  }
})
