import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { StakeOrder } from '@holdfast/chain-core'
import { codecFor } from '@holdfast/chain-registry/codec'
import { buildStake, buildTransfer } from '@holdfast/chain-tron/codec'
import { fromHex } from '@holdfast/encoding'
import { type Asset, intentHash, type StakeIntent, standingOrderFault, type StandingOrderIntent } from '@holdfast/intent'
import { derivePublicKey } from '@holdfast/mpc'
import { faultUnderStanding, followStandingOrder } from '@holdfast/policy'
import type { SignRequest } from '@holdfast/protocol'
import fc from 'fast-check'
import { draftOf, requestOf } from '../../testing/order-of.ts'
import { DAY_MS, NOW_MS } from '../../testing/organisation-of.ts'
import { STANDING_ID, standingOrderOf } from '../../testing/standing-order-of.ts'
import { ann, ben, checkOf, key, organisationWith, registerOf } from '../../testing/world-of.ts'
import type { Register } from '../../state/register.ts'
import { checkStillGood, verifySignRequest } from '../verify.ts'

/* Delegations that a standing order lets pass, as a real signer judges them by their bytes. */

const CHAIN = 'tron:0x2b6653dc'
const COIN: Asset = { chain: CHAIN, contract: null, symbol: 'TRX', decimals: 6n }
const STRANGER = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const FEE_MOST = 1_000_000n
const MOST = 9_000_000n
const COUNT_MOST = 4n
const STAKED = [0n, 7n]
const SHOP = [3n, 1n]

const codec = codecFor(CHAIN)!
const addressAt = (path: readonly bigint[]) => codec.addressFromKey(derivePublicKey(key.protocol, key.publicKey, key.chainCode, path.map(Number)))
const organisation = organisationWith({ assets: [COIN] })
const frame = {
  refBlock: { bytes: fromHex('8f3a'), hash: fromHex('b2f1c0d94e5a6177') },
  timestampMs: BigInt(NOW_MS),
  expirationMs: BigInt(NOW_MS + 60_000),
}

const count = (each: 'rule' | 'source', maxCount: bigint) => ({ each, lengthMs: BigInt(DAY_MS), amounts: [], maxTokens: null, maxCount, maxCents: null })

function lending(changes: Partial<StandingOrderIntent> = {}): StandingOrderIntent {
  return standingOrderOf({
    genesis: organisation.fingerprint,
    name: 'Lend energy',
    does: { kind: 'delegate', to: [{ name: 'Shops', keyId: key.keyId, path: [3n] }], resources: ['energy'] },
    sources: [{ name: 'Stake', keyId: key.keyId, path: [0n] }],
    assets: [{ asset: COIN, atLeast: 1_000_000n, atMost: MOST }],
    fees: [{ asset: COIN, max: FEE_MOST, maxShare: 10_000n }],
    limits: [count('rule', COUNT_MOST)],
    ...changes,
  })
}

type Tried = {
  path?: bigint[]
  to?: bigint[] | string
  order?: Partial<StakeIntent>
  stake?: Partial<StakeOrder>
  unsigned?: Uint8Array
  own?: SignRequest['own']
  standing?: StandingOrderIntent
  register?: (own: Register) => void
}

function attempt({ path = STAKED, to = SHOP, order = {}, stake = {}, unsigned, own, standing = lending(), register }: Tried = {}) {
  const { policy, fingerprint } = organisation
  const from = addressAt(path)
  const receiver = typeof to === 'string' ? to : addressAt(to)
  const changes = { from, to: receiver, feeAsset: COIN, feeCap: FEE_MOST, slotRule: 'expiry', initiator: STANDING_ID }
  const draft = draftOf({ fingerprint, policy, key, initiator: ann, asset: COIN, amount: 5_000_000n, path, changes })
  const { memo: _, screening: __, ...rest } = draft.intent
  const intent: StakeIntent = { ...rest, kind: 'stake', action: 'delegate', resource: 'energy', lockBlocks: 0n, ...order }
  const asked = { action: intent.action, resource: intent.resource, amount: intent.amount, lockBlocks: intent.lockBlocks } as StakeOrder
  const bytes = unsigned ?? buildStake({ ...frame, owner: from, ...asked, receiver: intent.to === from ? null : intent.to, ...stake })
  const made = requestOf({ key, draft: { intent, transaction: draft.transaction }, approvals: [], unsigned: bytes })
  const place = typeof to === 'string' ? [] : [{ address: receiver, keyId: key.keyId, path: to }]
  const request = { ...made.request, standingOrder: intentHash(standing), own: own ?? place }
  const known = registerOf(organisation, made.log)
  followStandingOrder(known.standingOrders, standing, { hash: intentHash(standing), sinceMs: NOW_MS })
  register?.(known)
  return { request, intent, view: { party: 1, register: known, nowMs: NOW_MS, codecFor } }
}

const verdict = (tried: Tried = {}): string => {
  const { request, view } = attempt(tried)
  return checkOf(() => verifySignRequest(request, view))
}

describe('a delegation that a standing order covers', () => {
  it('is signed without people, and so is its end', () => {
    assert.equal(standingOrderFault(lending()), undefined)
    assert.equal(verdict(), 'signed')
    assert.equal(verdict({ order: { action: 'undelegate' } }), 'signed')
  })

  it('is refused at every edge of what people approved', () => {
    const bandwidth = lending({ does: { kind: 'delegate', to: [{ name: 'Shops', keyId: key.keyId, path: [3n] }], resources: ['bandwidth'] } })
    const shared = { chain: CHAIN, contract: null }
    const pays = buildTransfer({ ...frame, from: addressAt(STAKED), to: addressAt(SHOP), asset: shared, amount: 5_000_000n, feeLimit: 0n })
    const hostile: [string, string, Tried][] = [
      ['to a stranger', 'c5', { to: STRANGER }],
      ['to a stranger, with a place that leads elsewhere', 'c5', { to: STRANGER, own: [{ address: STRANGER, keyId: key.keyId, path: SHOP }] }],
      ['to an own address that nobody shows', 'c5', { own: [] }],
      ['to an own address of another wallet', 'c5', { to: [4n, 1n] }],
      ['from another wallet', 'c5', { path: [1n, 7n] }],
      ['of another resource', 'c5', { order: { resource: 'bandwidth' } }],
      ['of a resource that another order names', 'c5', { standing: bandwidth }],
      ['of too much stake', 'c5', { order: { amount: MOST + 1n } }],
      ['of too little', 'c5', { order: { amount: 999_999n } }],
      ['that is locked', 'c5', { order: { lockBlocks: 1n } }],
      ['that could cost more', 'c5', { order: { feeCap: FEE_MOST + 1n } }],
      ['that ends a stake', 'c5', { to: STAKED, order: { action: 'unstake', to: addressAt(STAKED) } }],
      ['that stakes', 'c5', { to: STAKED, order: { action: 'stake', to: addressAt(STAKED) } }],
      ['that takes coin back', 'c5', { to: STAKED, order: { action: 'withdraw', resource: null, amount: 0n, to: addressAt(STAKED) } }],
      ['asked for by a person', 'c5', { order: { initiator: ann.person.id } }],
      ['open beyond the end of the standing order', 'c5', { order: { expiresAtMs: lending().untilMs + 1n } }],
      ['after the standing order has ended', 'c5', { standing: lending({ untilMs: BigInt(NOW_MS) }) }],
      ['to an address that is never touched', 'c5', { standing: lending({ never: [addressAt(SHOP)] }) }],
      [
        'under a standing order that moves coins',
        'c5',
        { standing: lending({ does: { kind: 'fuel', to: [{ name: 'Shops', keyId: key.keyId, path: [3n] }] } }) },
      ],
      ['whose bytes delegate to another', 'c7', { stake: { receiver: STRANGER } }],
      ['whose bytes delegate more', 'c7', { stake: { amount: 5_000_001n } }],
      ['whose bytes lock', 'c7', { stake: { lockBlocks: 1n } }],
      ['whose bytes give another resource', 'c7', { stake: { resource: 'bandwidth' } }],
      ['whose bytes pay', 'c7', { unsigned: pays }],
    ]
    for (const [name, check, tried] of hostile) assert.equal(verdict(tried), check, name)
    assert.equal(verdict(), 'signed')
  })

  it('is nothing else, whatever address is named with it: the standing order itself says so, before any bytes are read', () => {
    const { intent } = attempt()
    const facts = {
      paidPlace: { keyId: key.keyId, path: SHOP },
      addressAt: ({ path }: { path: readonly bigint[] }) => addressAt(path),
      listing: undefined,
      carried: [],
    }
    const faultOf = (action: StakeIntent['action']) => faultUnderStanding(lending(), { ...intent, action }, facts, NOW_MS)
    for (const action of ['delegate', 'undelegate'] as const) assert.equal(faultOf(action), undefined)
    for (const action of ['stake', 'unstake', 'withdraw'] as const) assert.equal(faultOf(action), `the standing order lets nobody ${action}`)
  })

  it('is never signed under another permission of the account, nor is a vote or a change of permissions', async () => {
    const { TronWeb } = await import('tronweb')
    const { transactionBuilder: builder } = new TronWeb({ fullHost: 'http://nobody.test' })
    const [timestamp, expiration] = [Number(frame.timestampMs), Number(frame.expirationMs)]
    const options = { blockHeader: { ref_block_bytes: '8f3a', ref_block_hash: 'b2f1c0d94e5a6177', timestamp, expiration } }
    const from = addressAt(STAKED)
    const shared = await builder.delegateResource(5_000_000, addressAt(SHOP), 'ENERGY', from, false, undefined, { ...options, permissionId: 2 })
    const voted = await builder.vote({ [STRANGER]: 5 }, from, options)
    for (const each of [shared, voted]) assert.equal(verdict({ unsigned: fromHex(each.raw_data_hex) }), 'c7')
  })

  it('counts towards its window, and so does its end: pairs are no way around it', () => {
    const used = (times: bigint) => (own: Register) => {
      for (let n = 0n; n < times; n++)
        own.spends.set(String(n), { ruleId: `standing/${'51'.repeat(16)}`, asset: `${CHAIN}|`, amount: 5_000_000n, atMs: NOW_MS - Number(n) })
    }
    for (const action of ['delegate', 'undelegate']) {
      assert.equal(verdict({ order: { action }, register: used(COUNT_MOST - 1n) }), 'signed')
      assert.equal(verdict({ order: { action }, register: used(COUNT_MOST) }), 'c9')
      assert.equal(verdict({ order: { action }, register: used(COUNT_MOST), standing: lending({ version: 7n }) }), 'c9')
    }
    const amounts = lending({
      limits: [count('rule', 100n), { ...count('rule', 100n), maxCount: null, amounts: [{ chain: CHAIN, asset: '', max: 14_999_999n }] }],
    })
    assert.equal(verdict({ standing: amounts, register: used(1n) }), 'signed')
    assert.equal(verdict({ standing: amounts, register: used(2n) }), 'c9')
  })

  it('ends at once when one person stops the standing order, also between the request and the signature', () => {
    const stopped = (own: Register) => void (own.standingOrders.values().next().value!.stoppedBy = ben.person.id)
    assert.equal(verdict({ register: stopped }), 'c6')
    const { request, view } = attempt()
    const taken = verifySignRequest(request, view)
    stopped(view.register)
    assert.equal(
      checkOf(() => checkStillGood(taken, 2, view)),
      'c6',
    )
  })

  it('is what people approved, whatever is asked: what is signed fits the standing order, and what fits is signed', () => {
    const paths = [STAKED, [0n, 8n], SHOP, [3n, 2n], [4n, 1n]]
    fc.assert(
      fc.property(
        fc.record({
          from: fc.nat(4),
          to: fc.nat(5),
          amount: fc.bigInt(0n, 12n),
          most: fc.bigInt(1n, 12n),
          action: fc.constantFrom('delegate', 'undelegate', 'stake', 'unstake'),
          resource: fc.constantFrom('energy', 'bandwidth'),
          resources: fc.subarray(['energy', 'bandwidth'], { minLength: 1 }),
          locked: fc.boolean(),
          barred: fc.option(fc.nat(4)),
        }),
        ({ from, to, amount: some, most, action, resource, resources, locked, barred }) => {
          const amount = some * 1_000_000n
          const [payer, target] = [paths[from]!, paths[to]]
          const never = barred === null ? [] : [addressAt(paths[barred]!)]
          const standing = lending({
            does: { kind: 'delegate', to: [{ name: 'Shops', keyId: key.keyId, path: [3n] }], resources },
            assets: [{ asset: COIN, atLeast: 1_000_000n, atMost: most * 1_000_000n }],
            never,
          })
          const receiver = target ? addressAt(target) : STRANGER
          const lockBlocks = locked ? 5n : 0n
          const isCovered =
            (action === 'delegate' || action === 'undelegate') &&
            payer[0] === 0n &&
            target?.[0] === 3n &&
            amount > 0n &&
            some <= most &&
            resources.includes(resource) &&
            !locked &&
            !never.includes(receiver) &&
            !never.includes(addressAt(payer))
          const unsigned = buildStake({
            ...frame,
            owner: addressAt(payer),
            action: 'delegate',
            resource: 'energy',
            amount: 1n,
            receiver: STRANGER,
            lockBlocks: 0n,
          })
          // What no codec writes has the bytes of something else, which no order of that kind may have.
          const isWritten = receiver !== addressAt(payer) && amount > 0n && (action === 'delegate' || (action === 'undelegate' && !locked))
          const seen = verdict({
            path: payer,
            to: target ?? STRANGER,
            order: { action, resource, amount, lockBlocks },
            standing,
            ...(!isWritten && { unsigned }),
          })
          assert.equal(seen === 'signed', isCovered, seen)
        },
      ),
      { numRuns: 200 },
    )
  })
})

describe('a standing order that delegates', () => {
  it('says what it lends to whom, counts what it does, and bounds no address that is paid', () => {
    const faults: [Partial<StandingOrderIntent>, RegExp][] = [
      [{ does: { kind: 'delegate', to: [], resources: ['energy'] } }, /no wallet that gets resources/],
      [{ does: { kind: 'delegate', to: [{ name: 'A', keyId: key.keyId, path: [3n] }], resources: [] } }, /no resource/],
      [{ does: { kind: 'delegate', to: [{ name: 'A', keyId: key.keyId, path: [3n] }], resources: ['votes'] } }, /no resource/],
      [{ limits: [count('rule', 5n), { ...count('rule', 5n), each: 'destination' }] }, /limit for each destination/],
      [{ limits: [count('source', 5n)] }, /does not bound how many/],
      [{ fees: [{ asset: COIN, max: FEE_MOST, maxShare: 9_999n }] }, /nothing that its fee/],
      [{ assets: [{ asset: { ...COIN, contract: STRANGER }, atLeast: 0n, atMost: 1n }] }, /own coin is staked/],
    ]
    for (const [changes, fault] of faults) assert.match(standingOrderFault(lending(changes)) ?? '', fault)
  })
})
