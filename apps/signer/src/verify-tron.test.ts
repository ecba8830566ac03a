import { codecFor } from '@holdfast/chain-registry/codec'
import { buildStake, buildTransfer, type TransferTransaction } from '@holdfast/chain-tron/codec'
import { fromHex, toHex } from '@holdfast/encoding'
import { type Asset, intentHash, type TransferIntent } from '@holdfast/intent'
import { derivePublicKey } from '@holdfast/mpc'
import { ed25519 } from '@noble/curves/ed25519.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Refused } from './refused.ts'
import { slotKeyOf } from './register.ts'
import { approvalsOf, draftOf, requestOf } from './testing/order-of.ts'
import { DAY_MS, NOW_MS, organisationOf } from './testing/organisation-of.ts'
import { ann, ben, cleo, key, registerOf, signSecrets } from './testing/world-of.ts'
import { verifySignRequest } from './verify.ts'

const CHAIN = 'tron:0x2b6653dc'
const TEST_CHAIN = 'tron:0xcd8690dc'
const TO = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const OTHER = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const COIN: Asset = { chain: CHAIN, contract: null, symbol: 'TRX', decimals: 6n }
const TOKEN: Asset = { chain: CHAIN, contract: OTHER, symbol: 'USDT', decimals: 6n }
const PATH = [0n, 7n]

const codec = codecFor(CHAIN)!
const from = codec.addressFromKey(derivePublicKey(key.protocol, key.publicKey, key.chainCode, PATH.map(Number)))
const acme = organisationOf({
  members: [ann, ben, cleo],
  signKeys: signSecrets.map((secret) => ed25519.getPublicKey(secret)),
  policy: { assets: [COIN, TOKEN] },
})

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

function verdictOf({ request, view }: ReturnType<typeof attemptOf>): string {
  try {
    verifySignRequest(request, view)
    return 'signed'
  } catch (cause) {
    if (cause instanceof Refused) return cause.check
    throw cause
  }
}

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
      ['stake in place of paying', { unsigned: buildStake({ ...frame, owner: from, resource: 'energy', amount: 5_000_000n }) }, 'c7'],
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
