import type { StakeOrder } from '@holdfast/chain-core'
import { codecFor } from '@holdfast/chain-registry/codec'
import { buildStake, buildTransfer, type TransferTransaction } from '@holdfast/chain-tron/codec'
import { fromHex, toHex } from '@holdfast/encoding'
import { type Asset, intentHash, type StakeIntent, type TransferIntent } from '@holdfast/intent'
import { derivePublicKey } from '@holdfast/mpc'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { StakeRule } from '@holdfast/policy'
import { Refused } from '../refused.ts'
import { slotKeyOf } from '../../state/register.ts'
import { approvalsOf, draftOf, requestOf } from '../../testing/order-of.ts'
import { DAY_MS, NOW_MS } from '../../testing/organisation-of.ts'
import { ann, anyTwo, ben, checkOf, cleo, key, organisationWith, registerOf } from '../../testing/world-of.ts'
import { verifySignRequest } from '../verify.ts'

const CHAIN = 'tron:0x2b6653dc'
const TEST_CHAIN = 'tron:0xcd8690dc'
const TO = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const OTHER = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const COIN: Asset = { chain: CHAIN, contract: null, symbol: 'TRX', decimals: 6n }
const TOKEN: Asset = { chain: CHAIN, contract: OTHER, symbol: 'USDT', decimals: 6n }
const PATH = [0n, 7n]

const codec = codecFor(CHAIN)!
const from = codec.addressFromKey(derivePublicKey(key.protocol, key.publicKey, key.chainCode, PATH.map(Number)))
const acme = organisationWith({ assets: [COIN, TOKEN] })

const STAKE: StakeOrder = { action: 'stake', resource: 'energy', amount: 5_000_000n, receiver: null, lockBlocks: 0n }

type Change = { asset?: Asset; order?: Partial<TransferIntent>; transaction?: Partial<TransferTransaction>; unsigned?: Uint8Array; salt?: number }

const frame = {
  refBlock: { bytes: fromHex('8f3a'), hash: fromHex('b2f1c0d94e5a6177') },
  timestampMs: BigInt(NOW_MS),
  expirationMs: BigInt(NOW_MS + 60_000),
}

/** A request to pay on TRON, honest but for the change. */
function attemptOf({ asset = COIN, order = {}, transaction = {}, unsigned, salt = 0 }: Change = {}) {
  const { policy, fingerprint } = acme
  const changes = { from, to: TO, feeAsset: { ...COIN, chain: asset.chain }, feeCap: 20_000_000n, slotRule: 'expiry', ...order }
  const draft = draftOf({ fingerprint, policy, key, initiator: ann, asset, amount: 5_000_000n, path: PATH, salt, changes })
  const { contract } = draft.intent.asset
  const paid = { ...frame, from, to: TO, asset: { chain: asset.chain, contract }, amount: 5_000_000n, feeLimit: contract === null ? 0n : 10_000_000n }
  const approvals = approvalsOf(draft, policy, [ben, cleo])
  const { request, log } = requestOf({ key, draft, approvals, unsigned: unsigned ?? buildTransfer({ ...paid, ...transaction }) })
  const view = { party: 1, register: registerOf(acme, log), nowMs: NOW_MS, codecFor }
  return { intent: draft.intent, view, request }
}

const verdictOf = ({ request, view }: ReturnType<typeof attemptOf>) => checkOf(() => verifySignRequest(request, view))

describe('a signer asked to sign on TRON', () => {
  it('takes part in an honest payment of TRX and of a TRC-20, by its own reading of the bytes', () => {
    for (const asset of [COIN, TOKEN]) {
      const { request, view } = attemptOf({ asset })
      const { effects, toSign } = verifySignRequest(request, view)
      assert.deepEqual([effects.from, effects.transfers[0]!.to, effects.validUntilMs], [from, TO, frame.expirationMs])
      assert.deepEqual(
        toSign.map(({ digest }) => digest),
        codec.sighashes(request.unsigned),
      )
    }
  })

  it('refuses bytes that do something else than the order', () => {
    const dear = { asset: TOKEN, transaction: { feeLimit: 30_000_000n } }
    const onTest = { ...COIN, chain: TEST_CHAIN }
    const wrong: [string, Change, string][] = [
      ['pay somebody else', { transaction: { to: OTHER } }, 'c7'],
      ['pay more', { transaction: { amount: 5_000_001n } }, 'c7'],
      ['move a token in place of the coin', { transaction: { asset: TOKEN, feeLimit: 10_000_000n } }, 'c7'],
      ['are an order of another account', { transaction: { from: OTHER } }, 'c7'],
      ['stake in place of paying', { unsigned: buildStake({ ...frame, owner: from, ...STAKE }) }, 'c7'],
      ['are cut short', { unsigned: attemptOf().request.unsigned.slice(0, -1) }, 'c7'],
      ['may cost more than the cap', dear, 'c8'],
      ['are meant for another rule of slots', { order: { slotRule: 'account-nonce' } }, 'c8'],
      ['are for a network that the policy does not name', { asset: onTest }, 'c4'],
    ]
    assert.deepEqual(
      wrong.map(([name, change]) => [name, verdictOf(attemptOf(change))]),
      wrong.map(([name, , check]) => [name, check]),
    )
  })

  it('binds an order to its very bytes: no others, whether or not their time has passed, and the bytes to this order', () => {
    const first = attemptOf()
    const { reservation } = verifySignRequest(first.request, first.view)
    const bound = (attempt: ReturnType<typeof attemptOf>) => {
      const bytes = { expiresAtMs: BigInt(NOW_MS + DAY_MS), policyVersion: 1n, feeMax: null, unsigned: new Uint8Array(32), validUntilMs: frame.expirationMs }
      const order = toHex(intentHash(first.intent))
      attempt.view.register.bindings.set(order, { slotKey: slotKeyOf(reservation), committed: true, bytes, cancelled: false, before: null })
      attempt.view.register.slots.set(slotKeyOf(reservation), order)
      return attempt
    }
    assert.equal(verdictOf(bound(attemptOf())), 'signed')
    const later = { timestampMs: frame.timestampMs + 1n, expirationMs: frame.expirationMs + 1n }
    const again = bound(attemptOf({ transaction: later }))
    assert.equal(verdictOf(again), 'c10')
    again.view.nowMs = NOW_MS + 120_000
    assert.equal(verdictOf(again), 'c10')
    assert.equal(verdictOf(bound(attemptOf({ salt: 1 }))), 'c10', 'another order with the bytes of this one')
  })
})

describe('a signer asked to sign an order about stake', () => {
  const rule: StakeRule = {
    kind: 'stake',
    id: 'stakes',
    chain: CHAIN,
    payers: null,
    actions: ['stake', 'delegate', 'withdraw'],
    receivers: [TO, OTHER],
    maxAmount: 9_000_000n,
    maxLockBlocks: 10n,
    window: { lengthMs: 86_400_000n, maxAmount: 9_000_000n },
    ...anyTwo,
  }
  const organisation = organisationWith({ assets: [COIN], rules: [rule] })
  type Tried = { order?: Partial<StakeIntent>; stake?: Partial<StakeOrder>; unsigned?: Uint8Array; used?: bigint; rules?: 'none' }

  function tried({ order = {}, stake = {}, unsigned, used = 0n, rules }: Tried): string {
    const { policy, fingerprint } = rules === 'none' ? acme : organisation
    const changes = { from, to: from, feeAsset: COIN, feeCap: 20_000_000n, slotRule: 'expiry' }
    const draft = draftOf({ fingerprint, policy, key, initiator: ann, asset: COIN, amount: 5_000_000n, path: PATH, changes })
    const { memo: _, screening: __, ...rest } = draft.intent
    const intent: StakeIntent = { ...rest, kind: 'stake', action: 'delegate', resource: 'energy', to: TO, lockBlocks: 0n, ...order }
    const ordered: StakeOrder = { action: 'delegate', resource: 'energy', amount: 5_000_000n, receiver: TO, lockBlocks: 0n, ...stake }
    const about = { intent, transaction: draft.transaction }
    const bytes = unsigned ?? buildStake({ ...frame, owner: from, ...ordered })
    const { request, log } = requestOf({ key, draft: about, approvals: approvalsOf(about, policy, [ben, cleo]), unsigned: bytes })
    const register = registerOf(rules === 'none' ? acme : organisation, log)
    if (used > 0n) register.spends.set('another order', { ruleId: 'stakes', asset: null, amount: used, atMs: NOW_MS })
    try {
      const { effects, reservation } = verifySignRequest(request, { party: 1, register, nowMs: NOW_MS, codecFor })
      assert.deepEqual([effects.stake, effects.transfers, reservation.kind === 'told' && reservation.amount], [ordered, [], intent.amount])
      return 'signed'
    } catch (cause) {
      if (cause instanceof Refused) return `${cause.check}: ${cause.message}`
      throw cause
    }
  }

  it('takes part in what the people approved and the rule covers', () => {
    assert.equal(tried({}), 'signed')
    assert.equal(tried({ order: { lockBlocks: 10n }, stake: { lockBlocks: 10n } }), 'signed')
    assert.equal(tried({ order: { action: 'stake', to: from }, stake: { action: 'stake', receiver: null } }), 'signed')
    const all = { action: 'withdraw', resource: null, amount: 0n } as const
    assert.equal(tried({ order: { ...all, to: from }, stake: { ...all, receiver: null } }), 'signed')
  })

  it('refuses bytes that do something else, and what no rule covers', () => {
    const wrong: [string, Tried, RegExp][] = [
      ['without a rule for stake', { rules: 'none' }, /^c5: .*stake-not-allowed/],
      ['delegate to another account that the rule covers too', { stake: { receiver: OTHER } }, /^c7: .*names/],
      ['delegate bandwidth in place of energy', { stake: { resource: 'bandwidth' } }, /^c7: .*bandwidth/],
      ['delegate more', { stake: { amount: 5_000_001n } }, /^c7: .*5000001/],
      ['lock what was not to be locked', { stake: { lockBlocks: 1n } }, /^c7: .*locks for 1/],
      ['lock for longer than the rule lets', { order: { lockBlocks: 11n }, stake: { lockBlocks: 11n } }, /^c5: .*lock-too-long/],
      ['are about more than the rule lets', { order: { amount: 9_000_001n }, stake: { amount: 9_000_001n } }, /^c5: .*stake-too-high/],
      ['take back in place of delegating', { stake: { action: 'undelegate' } }, /^c5: .*stake-not-allowed/],
      ['stake in place of delegating', { stake: { action: 'stake', receiver: null } }, /^c7: .*to stake/],
      ['pay in place of delegating', { unsigned: buildTransfer({ ...frame, from, to: TO, asset: COIN, amount: 5_000_000n, feeLimit: 0n }) }, /^c5|^c7/],
      ['are of an order whose parts do not fit', { order: { resource: 'power' } }, /^c4/],
      ['pass the window of the rule', { used: 4_000_001n }, /^c9/],
    ]
    for (const [name, change, expected] of wrong) assert.match(tried(change), expected, name)
  })

  it('never signs a change of who may sign for the account, nor under another permission, and says so', async () => {
    const { TronWeb } = await import('tronweb')
    const { transactionBuilder: builder } = new TronWeb({ fullHost: 'http://nobody.test' })
    const [timestamp, expiration] = [Number(frame.timestampMs), Number(frame.expirationMs)]
    const options = { blockHeader: { ref_block_bytes: '8f3a', ref_block_hash: 'b2f1c0d94e5a6177', timestamp, expiration } }
    const thief = { permission_name: 'owner', threshold: 1, keys: [{ address: OTHER, weight: 1 }] }
    const active = { type: 2, permission_name: 'active', threshold: 1, operations: `7fff1fc0033e${'00'.repeat(26)}`, keys: thief.keys }
    const stolen = await builder.updateAccountPermissions(from, { type: 0, ...thief } as never, undefined, [active] as never, options)
    assert.match(tried({ unsigned: fromHex(stolen.raw_data_hex) }), /^c7: .*changes who may sign for the account/)
    const shared = await builder.sendTrx(TO, 5_000_000, from, { ...options, permissionId: 2 })
    assert.match(tried({ unsigned: fromHex(shared.raw_data_hex) }), /^c7: .*signed under permission 2/)
    assert.equal(verdictOf(attemptOf({ unsigned: fromHex(shared.raw_data_hex) })), 'c7')
  })
})
