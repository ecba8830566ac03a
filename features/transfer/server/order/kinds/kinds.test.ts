import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { brc20Asset } from '@holdfast/chain-core'
import { faultOf, intentHash, type TransactionIntent } from '@holdfast/intent'
import {
  inscribedTransfers,
  notedPayoutOf,
  orderKind,
  CALL_KINDS,
  orderKindsAbout,
  orderKindsWhere,
  type Ordered,
  type OrderFields,
  payoutOf,
  purposeOf,
  type Subject,
  subjectKind,
} from './index.ts'

const CHAIN = 'bip122:000000000019d6689c085ae165831e93'
const COIN = { chain: CHAIN, contract: null, symbol: 'BTC', decimals: 8 }
const TOKEN = { chain: CHAIN, contract: brc20Asset('ordi'), symbol: 'ordi', decimals: 18 }
const [FROM, TO, OTHER] = ['from', 'to', 'other']
const inscription = (digit: string) => `${digit.repeat(64)}i0`

/** One order for each subject, and the part of its intent that is its own. */
const ORDERS: { subject: Subject; own: object; asked: object; postage?: bigint }[] = [
  { subject: { kind: 'transfer', to: TO, paid: { asset: COIN, amount: 7n }, memo: null }, own: { memo: null, screening: null }, asked: {} },
  {
    subject: { kind: 'transfer', to: TO, paid: { asset: COIN, amount: 7n }, memo: 'invoice 8' },
    own: { memo: 'invoice 8', screening: null },
    asked: { memo: 'invoice 8' },
  },
  {
    subject: payoutOf(COIN, [
      { to: TO, amount: 3n },
      { to: OTHER, amount: 4n },
    ]),
    own: {
      memo: null,
      screening: null,
      outputs: [
        { to: TO, amount: 3n },
        { to: OTHER, amount: 4n },
      ],
    },
    asked: {
      payments: [
        { to: TO, amount: 3n },
        { to: OTHER, amount: 4n },
      ],
    },
  },
  {
    subject: notedPayoutOf(COIN, [
      { to: TO, memo: '10042', amount: 3n },
      { to: OTHER, memo: null, amount: 4n },
    ]),
    own: {
      memo: null,
      screening: null,
      outputs: [
        { to: TO, memo: '10042', amount: 3n },
        { to: OTHER, memo: null, amount: 4n },
      ],
    },
    asked: {
      payments: [
        { to: TO, amount: 3n, memo: '10042' },
        { to: OTHER, amount: 4n },
      ],
    },
  },
  {
    subject: inscribedTransfers(TOKEN, TO, [{ inscription: inscription('a'), amount: 7n, postage: 546n }]),
    own: { memo: null, screening: null, inscription: inscription('a'), postage: 546n },
    asked: { postages: [546n] },
    postage: 546n,
  },
  {
    subject: inscribedTransfers(TOKEN, TO, [
      { inscription: inscription('a'), amount: 3n, postage: 546n },
      { inscription: inscription('b'), amount: 4n, postage: 330n },
    ]),
    own: {
      memo: null,
      screening: null,
      inscriptions: [
        { inscription: inscription('a'), amount: 3n, postage: 546n },
        { inscription: inscription('b'), amount: 4n, postage: 330n },
      ],
    },
    asked: { postages: [546n, 330n] },
    postage: 876n,
  },
  {
    subject: { kind: 'brc20Inscribe', to: TO, paid: { asset: TOKEN, amount: 7n }, postage: 546n },
    own: { memo: null, screening: null, postage: 546n },
    asked: { inscribes: 546n },
    postage: 546n,
  },
  {
    subject: { kind: 'contractCall', to: TO, paid: { asset: COIN, amount: 7n }, data: Uint8Array.of(1, 2, 3, 4), signature: 'poke()' },
    own: { data: Uint8Array.of(1, 2, 3, 4), signature: 'poke()' },
    asked: { data: Uint8Array.of(1, 2, 3, 4) },
  },
  {
    subject: { kind: 'stake', to: FROM, paid: { asset: COIN, amount: 7n }, action: 'stake', resource: 'energy', lockBlocks: 0n },
    own: { action: 'stake', resource: 'energy', lockBlocks: 0n },
    asked: { stake: { action: 'stake', resource: 'energy', amount: 7n, receiver: null, lockBlocks: 0n } },
  },
  {
    subject: { kind: 'depositChild', to: FROM, paid: { asset: COIN, amount: 7n }, deposit: `${'c'.repeat(64)}:1` },
    own: { deposit: `${'c'.repeat(64)}:1` },
    asked: { cpfpFor: `${'c'.repeat(64)}:1` },
  },
]

const fieldsOf = ({ to, paid: { asset, amount } }: Subject): OrderFields => ({
  genesis: new Uint8Array(32),
  orderId: new Uint8Array(16),
  keyId: new Uint8Array(32),
  path: [0n],
  from: FROM,
  to,
  asset: { ...asset, decimals: BigInt(asset.decimals) },
  amount,
  feeAsset: { ...COIN, decimals: 8n },
  feeCap: 5n,
  slotRule: 'utxo',
  notBeforeMs: 0n,
  expiresAtMs: 1n,
  policyVersion: 1n,
  policyHash: new Uint8Array(32),
  initiator: new Uint8Array(16),
  remark: '',
  nonce: new Uint8Array(32),
})
const intentOf = (subject: Subject): TransactionIntent => subjectKind(subject).intent(subject, fieldsOf(subject))

describe('what an order is about', () => {
  it('is in its intent whole, with nothing beside it, and fits together', () => {
    for (const { subject, own } of ORDERS) {
      const intent = intentOf(subject)
      assert.deepEqual(intent, { kind: subject.kind, ...fieldsOf(subject), ...own })
      assert.equal(faultOf(intent), undefined, subject.kind)
    }
    const hashes = ORDERS.map(({ subject }) => Buffer.from(intentHash(intentOf(subject))).toString('hex'))
    assert.equal(new Set(hashes).size, ORDERS.length)
  })

  it('is what the chain is asked for and what accompanies it, and nothing of another kind', () => {
    for (const { subject, asked, postage } of ORDERS) {
      const [kind, intent] = [subjectKind(subject), intentOf(subject)]
      assert.deepEqual([kind.asked(intent), kind.postage?.(intent)], [asked, postage], subject.kind)
    }
  })

  it('a token that was inscribed on the way is proven only by the inscription that the bytes made', () => {
    const intent = intentOf({ kind: 'brc20Inscribe', to: TO, paid: { asset: TOKEN, amount: 7n }, postage: 546n })
    const { inscriptions } = subjectKind(intent)
    assert.deepEqual(inscriptions?.(intent, inscription('d')), [{ inscription: inscription('d'), amount: 7n, postage: 546n }])
    assert.throws(() => inscriptions?.(intent, undefined), { name: 'ImpossibleAbsence' })
  })
})

describe('the kinds of orders', () => {
  it('hold what each can cost from when it is opened, except amounts already staked, orders that pay nobody, fees that a deposit pays, and authorizations, which cost nothing', () => {
    assert.deepEqual(
      orderKindsWhere(({ holds }) => holds === 'fee'),
      ['stake_change', 'cancel'],
    )
    assert.deepEqual(
      orderKindsWhere(({ holds }) => holds === 'fee once its deposit is credited'),
      ['deposit_child'],
    )
    assert.deepEqual(
      orderKindsWhere(({ holds }) => holds === 'nothing'),
      ['authorize'],
    )
    assert.deepEqual(
      orderKindsWhere(({ goes }) => goes === 'nowhere'),
      ['consolidate', 'authorize', 'stake_change', 'deposit_child', 'cancel'],
    )
    assert.deepEqual(
      orderKindsWhere(({ goes }) => goes === 'staked'),
      ['stake'],
    )
  })

  it('are found by what they can be about', () => {
    assert.deepEqual(orderKindsAbout('stake'), ['stake', 'stake_change'])
    assert.deepEqual(orderKindsAbout('contractCall'), ['collect', 'web3'])
    assert.deepEqual(CALL_KINDS, ['web3'])
    assert.deepEqual(orderKindsAbout('brc20Inscribe'), ['withdraw'])
    assert.deepEqual([purposeOf({ kind: 'web3' }), purposeOf({ kind: 'speed_up' }), purposeOf({ kind: 'cancel' })], ['pay', 'speed_up', 'cancel'])
  })

  it('are requested only for what each can be about', () => {
    const call: Extract<Subject, { kind: 'contractCall' }> = {
      kind: 'contractCall',
      to: TO,
      paid: { asset: COIN, amount: 0n },
      data: new Uint8Array(4),
      signature: null,
    }
    const asked: Ordered = { kind: 'web3', subject: call }
    // @ts-expect-error A call of a contract is no payment.
    const mixed: Ordered = { kind: 'withdraw', subject: call }
    assert.deepEqual(
      [asked, mixed].map(({ kind, subject }) => orderKind({ kind }).subjects.includes(subject.kind)),
      [true, false],
    )
  })

  it('are not guessed: an order of a kind that nobody knows is left alone', () => {
    for (const kind of ['swap', 'toString', '']) assert.throws(() => orderKind({ kind: kind as never }), { name: 'ImpossibleAbsence' })
  })
})
