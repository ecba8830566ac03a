import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { codecFor } from '@holdfast/chain-registry/codec'
import { buildTransfer, jettonWalletAddress, pinnedForm, requireAddress, requireNetwork, type TransferDraft, WALLET_FEE_MAX } from '@holdfast/chain-ton/codec'
import { toHex } from '@holdfast/encoding'
import { type Asset, intentHash, type TransferIntent } from '@holdfast/intent'
import { derivePublicKey, FROST_ED25519 } from '@holdfast/mpc'
import fc from 'fast-check'
import { namedRule, personOf } from '../../../../../packages/policy/src/testing/named-rules.ts'
import { ed25519 } from '@noble/curves/ed25519.js'
import { applyEvent } from '../../state/register.ts'
import { approvalsOf, draftOf, type PublicKey, requestOf } from '../../testing/order-of.ts'
import { NOW_MS } from '../../testing/organisation-of.ts'
import { ann, ben, checkOf, cleo, key as ecdsaKey, organisationWith, registerOf } from '../../testing/world-of.ts'
import { verifySignRequest } from '../verify.ts'

const CHAIN = 'ton:-239'
const TEST_CHAIN = 'ton:-3'
const codec = codecFor(CHAIN)!
const TO = codec.canonicalAddress('EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N')!
const MASTER = codec.canonicalAddress('EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs')!
const COIN: Asset = { chain: CHAIN, contract: null, symbol: 'TON', decimals: 9n }
const TOKEN: Asset = { chain: CHAIN, contract: MASTER, symbol: 'USDT', decimals: 6n }
const PATH = [3n, 0n]
const VALID_MS = 30 * 60_000
const FEE_CAP = WALLET_FEE_MAX + 100_000_000n

const root = ed25519.getPublicKey(new Uint8Array(32).fill(5))
const key: PublicKey = { ...ecdsaKey, keyId: ecdsaKey.keyId.map((byte) => byte ^ 2), protocol: FROST_ED25519, publicKey: root }
const publicKey = derivePublicKey(key.protocol, key.publicKey, key.chainCode, PATH.map(Number))
const from = codec.addressFromKey(publicKey)
const wallets = { codeHash: new Uint8Array(32).fill(9), codeDepth: 3n, hasStatus: false, hasCode: true }
const WALLETS: Asset = { ...TOKEN, contract: pinnedForm(MASTER, wallets) }
const acme = organisationWith({ assets: [COIN, TOKEN, WALLETS, { ...COIN, chain: TEST_CHAIN }] })
// As it was founded before policies pinned wallets.
const before = organisationWith({ assets: [COIN, TOKEN] })

type Change = {
  asset?: Asset
  order?: Partial<TransferIntent>
  transaction?: Partial<TransferDraft>
  chain?: string
  salt?: number
  by?: PublicKey
  of?: typeof acme
}

type Payment = { to: string; amount: bigint; memo?: string }
const person = (number: number) => codec.canonicalAddress(`0:${(number + 1).toString(16).padStart(64, '77')}`)!
const SEVERAL: Payment[] = [1_000n, 2_000n, 3_000n].map((amount, i) => ({ to: person(i), amount }))
const NOTED: Payment[] = SEVERAL.map((each, i) => (i === 2 ? each : { ...each, memo: ['10042', 'für Zoë'][i]! }))
const sumOf = (payments: readonly Payment[]) => payments.reduce((sum, { amount }) => sum + amount, 0n)
type Payout = { asset?: Asset; outputs?: readonly Payment[]; bytes?: readonly Payment[]; change?: Pick<Change, 'order' | 'transaction' | 'of'> }

/** A request to pay several on TON, honest but for the bytes and the change. */
function payoutOf({ asset = COIN, outputs = SEVERAL, bytes = outputs, change = {} }: Payout) {
  const [first, paid] = [outputs[0]!.to, bytes[0]!.to]
  const isNoted = outputs.some(({ memo }) => memo !== undefined)
  const lines = outputs.map(({ to, amount, memo = null }) => ({ to, amount, ...(isNoted && { memo }) }))
  const order = { kind: isNoted ? 'notedPayout' : 'payout', to: first, memo: null, amount: sumOf(outputs), outputs: lines, feeCap: 10n ** 9n }
  const transaction = { to: paid, amount: sumOf(bytes), memo: undefined, payments: bytes, ...change.transaction }
  return attemptOf({ asset, order: { ...order, ...change.order } as never, transaction, ...(change.of && { of: change.of }) })
}

/** A request to pay on TON, honest but for the change. */
function attemptOf({ asset = COIN, order = {}, transaction = {}, chain = CHAIN, salt = 0, by = key, of = acme }: Change = {}) {
  const { policy, fingerprint } = of
  const changes = { from, to: TO, memo: '10042', feeAsset: COIN, feeCap: FEE_CAP, slotRule: 'wallet-seqno', ...order }
  const draft = draftOf({ fingerprint, policy, key: by, initiator: ann, asset, amount: 5_000_000n, path: PATH, salt, changes })
  const { contract } = asset
  const paid: TransferDraft = {
    publicKey,
    to: TO,
    asset: { chain, contract },
    amount: 5_000_000n,
    memo: '10042',
    seqno: 4n,
    validUntil: BigInt(NOW_MS + VALID_MS) / 1_000n,
    ...(contract === null ? {} : { jetton: { wallets, attached: 80_000_000n } }),
    ...transaction,
  }
  const approvals = approvalsOf(draft, policy, [ben, cleo])
  const { request, log } = requestOf({ key: by, draft, approvals, unsigned: buildTransfer(paid, requireNetwork(chain)) })
  const register = registerOf(of, log)
  applyEvent(register, { kind: 'keyOfKindMade', ...key, curve: 'ed25519' }, NOW_MS, 1)
  return { intent: draft.intent, view: { party: 1, register, nowMs: NOW_MS, codecFor }, request }
}
type Attempt = ReturnType<typeof attemptOf>

const verdictOf = ({ request, view }: Attempt) => checkOf(() => verifySignRequest(request, view))

/** Writes that a message of the protocol left for an attempt: from then on its signature may exist. */
function begin(attempt: Attempt, on: Attempt, name: number): void {
  const { reservation } = verifySignRequest(attempt.request, attempt.view)
  const requestHash = new Uint8Array(32).fill(name)
  const { register } = on.view
  const parties = [1n, 2n]
  applyEvent(register, { kind: 'sessionOpened', requestHash, session: 'sign', keyId: key.keyId, epoch: 0n, parties, reservation }, NOW_MS, 1)
  applyEvent(register, { kind: 'sessionStarted', requestHash, seen: [] }, NOW_MS, 1)
}

describe('a signer asked to sign on TON', () => {
  it('takes part in an honest payment of TON and of a jetton with a comment, by its own reading of the bytes', () => {
    for (const asset of [COIN, TOKEN]) {
      const { request, view } = attemptOf({ asset })
      const { effects, toSign } = verifySignRequest(request, view)
      assert.deepEqual([effects.from, effects.transfers[0]!.to, effects.transfers[0]!.memo, effects.slot], [from, TO, '10042', 4n])
      assert.deepEqual(
        toSign.map(({ message }) => message),
        codec.sighashes(request.unsigned),
      )
    }
  })

  it('refuses a jetton whose wallets are of another code than the policy pins, to which the coin that goes along would be paid', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        // Deeper code leaves no room for the wallet around it.
        fc.bigInt(0n, 1_000n),
        fc.boolean(),
        fc.boolean(),
        (codeHash, codeDepth, hasStatus, hasCode) => {
          const form = { codeHash, codeDepth, hasStatus, hasCode }
          const attempt = attemptOf({ asset: TOKEN, transaction: { jetton: { wallets: form, attached: 80_000_000n } } })
          assert.equal(verdictOf(attempt), pinnedForm(MASTER, form) === WALLETS.contract ? 'signed' : 'c7')
        },
      ),
      { numRuns: 50 },
    )
    const near = [{ codeDepth: 4n }, { hasStatus: true }, { hasCode: false }]
    for (const change of near)
      assert.equal(verdictOf(attemptOf({ asset: TOKEN, transaction: { jetton: { wallets: { ...wallets, ...change }, attached: 1n } } })), 'c7')
  })

  it('refuses a jetton of a policy that pins no wallets, and says that the next version has to; TON itself goes on', () => {
    const { request, view } = attemptOf({ asset: TOKEN, of: before })
    assert.throws(() => verifySignRequest(request, view), { check: 'c7', message: /does not pin the wallets of the token .*: propose its next version/ })
    assert.equal(verdictOf(attemptOf({ of: before })), 'signed')
  })

  it('takes what pins the wallets of a jetton for no asset that can be paid', () => {
    assert.notEqual(verdictOf(attemptOf({ asset: WALLETS, transaction: { asset: { chain: CHAIN, contract: MASTER } } })), 'signed')
  })

  it('refuses bytes that do something else than the order', () => {
    const ownJettonWallet = codec.canonicalAddress(toRaw(jettonWalletAddress(wallets, requireAddress(MASTER, false), requireAddress(from, false))))!
    const wrong: [string, Change, string][] = [
      ['pay somebody else', { transaction: { to: MASTER } }, 'c7'],
      ['pay more', { transaction: { amount: 5_000_001n } }, 'c7'],
      ['carry another comment', { transaction: { memo: '10043' } }, 'c7'],
      ['carry no comment', { order: { memo: '1' }, transaction: { memo: undefined } }, 'c7'],
      ['carry a comment that nobody ordered', { order: { memo: null } }, 'c7'],
      ['are an order of the wallet of another key', { transaction: { publicKey: root } }, 'c7'],
      ['send coin to the own jetton wallet in place of a jetton', { asset: TOKEN, transaction: { asset: COIN, jetton: undefined, to: ownJettonWallet } }, 'c7'],
      ['move a jetton of another master', { asset: TOKEN, transaction: { asset: { chain: CHAIN, contract: TO } } }, 'c5'],
      ['may cost more than the cap', { asset: TOKEN, transaction: { jetton: { wallets, attached: 200_000_000n } } }, 'c8'],
      ['are meant for another rule of slots', { order: { slotRule: 'account-nonce' } }, 'c8'],
      ['are for the test network', { chain: TEST_CHAIN, transaction: { to: toRaw(requireAddress(TO, false)) } }, 'c7'],
      ['are asked of a key that makes other signatures', { by: ecdsaKey }, 'c7'],
    ]
    assert.deepEqual(
      wrong.map(([name, change]) => [name, verdictOf(attemptOf(change))]),
      wrong.map(([name, , check]) => [name, check]),
    )
  })

  it('takes part in an order to several, in TON and in a jetton, where the bytes pay exactly these', () => {
    for (const asset of [COIN, TOKEN]) {
      const { request, view } = payoutOf({ asset })
      const { effects, reservation } = verifySignRequest(request, view)
      assert.deepEqual(
        effects.transfers.map(({ to, amount }) => ({ to, amount })),
        SEVERAL,
      )
      assert.ok(reservation.kind === 'told' && reservation.amount === 6_000n)
    }
  })

  it('refuses bytes for several that pay somebody else, another amount, in another sequence, one more, one less, or carry a memo that nobody ordered', () => {
    const [a, b, c] = SEVERAL as [Payment, Payment, Payment]
    const wrong: [string, Payment[]][] = [
      ['another recipient', [a, b, { ...c, to: MASTER }]],
      ['a recipient more', [...SEVERAL, { to: MASTER, amount: 1n }]],
      ['a recipient less', [a, b]],
      ['one for all', [{ to: a.to, amount: 6_000n }]],
      ['amounts moved from one to another', [{ ...a, amount: 1_001n }, { ...b, amount: 1_999n }, c]],
      ['another sequence', [b, a, c]],
      ['a unit more', [a, b, { ...c, amount: 3_001n }]],
      ['a memo with one of them', [a, { ...b, memo: '10042' }, c]],
    ]
    for (const asset of [COIN, TOKEN])
      assert.deepEqual(
        wrong.map(([name, bytes]) => [name, verdictOf(payoutOf({ asset, bytes }))]),
        wrong.map(([name]) => [name, 'c7']),
      )
    assert.equal(verdictOf(payoutOf({ change: { order: { memo: '7' } } })), 'c4')
    assert.equal(verdictOf(payoutOf({ change: { order: { feeCap: WALLET_FEE_MAX + 3_999_999n } } })), 'c8')
    assert.equal(verdictOf(payoutOf({ change: { order: { feeCap: WALLET_FEE_MAX + 4_000_000n } } })), 'signed')
  })

  it('takes part in an order to several with comments, by its own reading of the cell of each', () => {
    for (const asset of [COIN, TOKEN]) {
      const { request, view } = payoutOf({ asset, outputs: NOTED })
      assert.deepEqual(
        verifySignRequest(request, view).effects.transfers.map(({ to, amount, memo }) => ({ to, amount, ...(memo !== undefined && { memo }) })),
        NOTED,
      )
    }
  })

  it('refuses bytes that swap, drop, add or change a comment, and an order that says the same in another form', () => {
    const [a, b, c] = NOTED as [Payment, Payment, Payment]
    const bare = ({ to, amount }: Payment): Payment => ({ to, amount })
    const wrong: [string, Payment[]][] = [
      ['swapped', [{ ...a, memo: b.memo! }, { ...b, memo: a.memo! }, c]],
      ['moved to another', [bare(a), b, { ...c, memo: a.memo! }]],
      ['dropped', [a, bare(b), c]],
      ['all dropped', NOTED.map(bare)],
      ['added', [a, b, { ...c, memo: '7' }]],
      ['changed by one letter', [{ ...a, memo: `${a.memo} ` }, b, c]],
      ['the one of the first for all', [a, { ...b, memo: a.memo! }, { ...c, memo: a.memo! }]],
    ]
    for (const asset of [COIN, TOKEN])
      assert.deepEqual(
        wrong.map(([name, bytes]) => [name, verdictOf(payoutOf({ asset, outputs: NOTED, bytes }))]),
        wrong.map(([name]) => [name, 'c7']),
      )
    const order = (outputs: { to: string; memo: string | null; amount: bigint }[]) =>
      verdictOf(payoutOf({ outputs: NOTED, change: { order: { outputs } as never } }))
    const lines = NOTED.map(({ memo = null, ...each }) => ({ ...each, memo }))
    assert.equal(order(lines.map((each) => ({ ...each, memo: null }))), 'c4', 'without a memo it is a payout')
    assert.equal(order(lines.map((each) => ({ ...each, memo: each.memo ?? '' }))), 'c4', 'an empty memo is none')
    assert.equal(verdictOf(payoutOf({ outputs: NOTED, change: { order: { memo: '7' } } })), 'c4', 'a memo for all of them')
  })

  it('goes by the memo of each recipient, where rules name places or ask for memos', () => {
    const step = { need: 1n, who: [personOf(ben.person)] }
    const [a, b, c] = NOTED as [Payment, Payment, Payment]
    const addresses = NOTED.map(({ to, memo = null }, i) => ({ name: `Place ${i}`, chain: CHAIN, address: to, memo }))
    const places = { kind: 'destinations' as const, own: false, listed: false, lists: [], paidBefore: false, addresses }
    const named = organisationWith({ assets: [COIN], rules: [namedRule('places', { conditions: [places], steps: [step] })] })
    const asking = (isPresent: boolean) =>
      organisationWith({ assets: [COIN], rules: [namedRule('memo', { conditions: [{ kind: 'memo', isPresent }], steps: [step] })] })
    const verdict = (outputs: Payment[], of: typeof acme) => verdictOf(payoutOf({ outputs, change: { of } }))
    assert.equal(verdict(NOTED, named), 'signed')
    assert.equal(verdict([{ ...a, memo: b.memo! }, { ...b, memo: a.memo! }, c], named), 'c5', 'each place is named with its own memo')
    assert.equal(verdict([a, b, { ...c, memo: '7' }], named), 'c5', 'a place that is named without a memo')
    const all = [a, b, { ...c, memo: '7' }]
    assert.deepEqual(
      [asking(true), asking(false)].map((of) => verdict(all, of)),
      ['signed', 'c5'],
    )
    assert.deepEqual(
      [asking(true), asking(false)].map((of) => verdict(NOTED, of)),
      ['c5', 'c5'],
      'one of them has none',
    )
  })

  it('signs for any recipients and amounts what was ordered, and nothing once a bit of the bytes is another', () => {
    const memo = fc.option(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).map((text) => text.normalize('NFC')),
      { nil: undefined },
    )
    const amounts = fc.array(fc.tuple(fc.bigInt({ min: 1n, max: 10n ** 12n }), memo), { minLength: 2, maxLength: 8 })
    fc.assert(
      fc.property(amounts, fc.constantFrom(COIN, TOKEN), fc.nat(), fc.nat(7), (drawn, asset, place, bit) => {
        const outputs = drawn.map(([amount, memo], i) => ({ to: person(i), amount, ...(memo !== undefined && { memo }) }))
        const attempt = payoutOf({ asset, outputs, change: { order: { feeCap: 10n ** 12n } } })
        assert.equal(verdictOf(attempt), 'signed')
        const { unsigned } = attempt.request
        const at = place % unsigned.length
        const flipped = { ...attempt.request, unsigned: unsigned.map((byte, i) => (i === at ? byte ^ (1 << bit) : byte)) }
        const verdict = verdictOf({ ...attempt, request: flipped })
        if (verdict === 'signed') assert.deepEqual(codec.decode(flipped.unsigned).transfers, codec.decode(unsigned).transfers)
      }),
      { numRuns: 40 },
    )
  })

  it('goes by the memo that the bytes carry, where a rule asks for one or for none', () => {
    const step = { need: 1n, who: [personOf(ben.person)] }
    const asking = (isPresent: boolean) =>
      organisationWith({ assets: [COIN], rules: [namedRule('memo', { conditions: [{ kind: 'memo', isPresent }], steps: [step] })] })
    const bare: Change = { order: { memo: null }, transaction: { memo: undefined } }
    assert.deepEqual(
      [true, false].map((isPresent) => verdictOf(attemptOf({ of: asking(isPresent) }))),
      ['signed', 'c5'],
    )
    assert.deepEqual(
      [true, false].map((isPresent) => verdictOf(attemptOf({ ...bare, of: asking(isPresent) }))),
      ['c5', 'signed'],
    )
    assert.equal(verdictOf(attemptOf({ transaction: { memo: undefined }, of: asking(true) })), 'c7', 'people approved a memo that the bytes leave out')
    assert.equal(verdictOf(attemptOf({ order: { memo: null }, of: asking(false) })), 'c7', 'the bytes carry a memo that nobody ordered')
  })

  it('keeps a seqno for the order that has it until the time of its bytes has passed; then another order may have it', () => {
    const first = attemptOf()
    const second = attemptOf({ salt: 1 })
    begin(first, second, 1)
    assert.equal(verdictOf(second), 'c10', 'the bytes of the first can still be carried out')
    second.view.nowMs = NOW_MS + VALID_MS + 1_000
    assert.equal(verdictOf(second), 'signed')
    const later = attemptOf({ salt: 1, transaction: { validUntil: BigInt(NOW_MS + 3 * VALID_MS) / 1_000n } })
    begin(later, second, 2)
    const third = attemptOf({ salt: 2 })
    begin(first, third, 1)
    begin(later, third, 2)
    third.view.nowMs = second.view.nowMs
    assert.equal(verdictOf(third), 'c10', 'it is the second that has the seqno now')
  })

  it('signs an order again with later bytes under the same seqno, and under no other one', () => {
    const again = attemptOf({ transaction: { validUntil: BigInt(NOW_MS + 2 * VALID_MS) / 1_000n } })
    begin(attemptOf(), again, 1)
    assert.equal(verdictOf(again), 'signed')
    const elsewhere = attemptOf({ transaction: { seqno: 5n } })
    begin(attemptOf(), elsewhere, 1)
    elsewhere.view.nowMs = NOW_MS + 10 * VALID_MS
    assert.equal(verdictOf(elsewhere), 'c10')
    assert.ok(elsewhere.view.register.bindings.has(toHex(intentHash(elsewhere.intent))))
  })
})

const toRaw = ({ workchain, hash }: { workchain: number; hash: Uint8Array }) => `${workchain}:${toHex(hash)}`
