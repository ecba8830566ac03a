import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decode, encode, toHex } from '@holdfast/encoding'
import { nftAsset } from '@holdfast/chain-core'
import fc from 'fast-check'
import {
  groupAddress,
  intentHash,
  intentShape,
  type KeyOrderIntent,
  LOCALES,
  renderHash,
  renderIntent,
  type TransferIntent,
  ABSENCE_MAX_MS,
  absenceFault,
  type AbsenceIntent,
  addressBookFault,
  type AddressBookIntent,
  type BookChange,
  freezeHash,
  liftFreezeFault,
  type LiftFreezeIntent,
} from './index.ts'

const asset = { chain: 'eip155:1', contract: null, symbol: 'ETH', decimals: 18n }
const intent: TransferIntent = {
  kind: 'transfer',
  genesis: new Uint8Array(32),
  orderId: new Uint8Array(16),
  keyId: new Uint8Array(32),
  path: [0n, 3n],
  from: '0x9fB29AAc15b9A4B7F17c3385939b007540f4d791',
  to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  memo: null,
  asset,
  amount: 1_000_000_000_000_000_001n,
  feeAsset: asset,
  feeCap: 21_000n,
  slotRule: 'account-nonce',
  notBeforeMs: 0n,
  expiresAtMs: 1_764_292_800_000n,
  policyVersion: 1n,
  policyHash: new Uint8Array(32),
  initiator: new Uint8Array(16).fill(1),
  screening: null,
  remark: '',
  nonce: new Uint8Array(32),
}
const context = {
  asset: () => undefined,
  isUnlimited: () => false,
  tellsFinds: false,
  personName: () => 'Alice',
  policyLines: () => ['line'],
  recipientFingerprint: (text: string) => `<${text}>`,
}

test('an intent survives its encoding, and any change of it changes its hash', () => {
  assert.deepEqual(decode(intentShape, encode(intentShape, intent)), intent)
  const changes: Partial<TransferIntent>[] = [
    { amount: intent.amount + 1n },
    { to: intent.from },
    { feeCap: 1n },
    { remark: 'x' },
    { path: [0n] },
    { memo: '' },
    { asset: { ...asset, contract: '0x' } },
    { policyVersion: 2n },
  ]
  const hashes = [intent, ...changes.map((each) => ({ ...intent, ...each }))].map((each) => Buffer.from(intentHash(each)).toString('hex'))
  assert.equal(new Set(hashes).size, hashes.length)
})

test('the words show every digit and the whole address, in both languages', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.constantFrom('en-US' as const, 'zh-CN' as const), (amount, locale) => {
      const rendering = renderIntent({ ...intent, amount }, context, locale)
      const words = JSON.stringify(rendering)
      const whole = amount / 10n ** 18n
      const fraction = String(amount % 10n ** 18n)
        .padStart(18, '0')
        .replace(/0+$/, '')
      assert.ok(words.includes(`"${whole}${fraction === '' ? '' : `.${fraction}`} ETH"`))
      assert.equal(groupAddress(intent.to).replaceAll(' ', ''), intent.to)
      assert.ok(words.includes(groupAddress(intent.to)) && words.includes('Alice'))
    }),
    { numRuns: 500 },
  )
})

test('a token of a collection is shown by its whole id, its collection and its number of pieces, in both languages', () => {
  const collection = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
  const tokenId = 2n ** 256n - 1n
  for (const [standard, name] of [['erc721', 'ERC-721'] as const, ['erc1155', 'ERC-1155'] as const]) {
    const token = { ...intent, amount: 3n, asset: { ...asset, symbol: 'ART', decimals: 0n, contract: nftAsset({ standard, collection, tokenId }) } }
    for (const locale of LOCALES) {
      const { title, rows } = renderIntent(token, context, locale)
      assert.ok(title.includes(`3 × ART #${tokenId} `) && title.includes(groupAddress(intent.to)))
      const values = rows.map((row) => row.value)
      assert.ok(values.includes(String(tokenId)) && values.includes(groupAddress(collection)) && values.some((value) => value.includes(name)))
    }
  }
})

test('who approves on a rollup reads that the network may take a fee that no signature bounds, and on other networks does not', () => {
  const feeOn = (chain: string, locale: 'en-US' | 'zh-CN') => {
    const coin = { ...asset, chain }
    return renderIntent({ ...intent, asset: coin, feeAsset: coin }, context, locale).rows.find(({ value }) => value.startsWith('0.000000000000021 ETH'))!.value
  }
  for (const locale of ['en-US', 'zh-CN'] as const) assert.equal(feeOn('eip155:1', locale), '0.000000000000021 ETH')
  assert.match(feeOn('eip155:8453', 'en-US'), /bounded by no signature/)
  assert.match(feeOn('eip155:10', 'zh-CN'), /签名无法约束/)
})

test('the rendering hash follows the words and the language', () => {
  const english = renderIntent(intent, context, 'en-US')
  assert.deepEqual(renderHash(english), renderHash(renderIntent(intent, context, 'en-US')))
  assert.notDeepEqual(renderHash(english), renderHash(renderIntent(intent, context, 'zh-CN')))
  assert.notDeepEqual(renderHash(english), renderHash(renderIntent({ ...intent, amount: 1n }, context, 'en-US')))
})

test('an order about a key says in both languages what happens, to whom each share is sealed, and until when it can be rejected', () => {
  const order: KeyOrderIntent = {
    kind: 'keyOrder',
    genesis: new Uint8Array(32),
    orderId: new Uint8Array(16),
    action: 'export',
    keyId: new Uint8Array(32).fill(7),
    wallet: 'Treasury',
    epoch: 2n,
    recipients: [1n, 3n].map((party) => ({ party, recipients: [`age1own${party}`, `age1spare${party}`] })),
    remark: 'moving house',
    notBeforeMs: 0n,
    usableFromMs: 1_764_292_800_000n,
    expiresAtMs: 1_764_292_900_000n,
    policyVersion: 1n,
    policyHash: new Uint8Array(32),
    initiator: new Uint8Array(16).fill(1),
    nonce: new Uint8Array(32),
  }
  for (const locale of LOCALES) {
    const words = JSON.stringify(renderIntent(order, context, locale))
    for (const said of ['Treasury', '<age1own1>', '<age1spare1>', '<age1own3>', '2025-11-28 01:20:00 UTC', 'moving house', 'Alice', '0707']) {
      assert.ok(words.includes(said), `${locale}: ${said}`)
    }
    assert.equal(renderIntent(order, context, locale).warnings.length, 2)
    assert.equal(renderIntent({ ...order, action: 'retire', recipients: [] }, context, locale).warnings.length, 1)
    assert.ok(renderIntent({ ...order, action: 'publish' }, context, locale).title.includes('publish'))
  }
  assert.deepEqual(decode(intentShape, encode(intentShape, order)), order)
  assert.notDeepEqual(intentHash(order), intentHash({ ...order, usableFromMs: order.usableFromMs - 1n }))
})

const askedOfSigners = {
  genesis: new Uint8Array(32),
  orderId: new Uint8Array(16),
  remark: 'the machine room is flooded',
  notBeforeMs: 0n,
  expiresAtMs: 1_764_292_900_000n,
  policyVersion: 1n,
  policyHash: new Uint8Array(32),
  initiator: new Uint8Array(16).fill(1),
  nonce: new Uint8Array(32),
}

test('an order that a signer is away says in both languages which one, until when, and what nobody knows meanwhile', () => {
  const order: AbsenceIntent = { kind: 'absence', ...askedOfSigners, party: 3n, untilMs: ABSENCE_MAX_MS }
  for (const locale of LOCALES) {
    const rendering = renderIntent(order, context, locale)
    for (const said of ['3', '1970-01-31 00:00:00 UTC', 'the machine room is flooded', 'Alice']) assert.ok(JSON.stringify(rendering).includes(said), said)
    assert.equal(rendering.warnings.length, 2)
  }
  assert.deepEqual(decode(intentShape, encode(intentShape, order)), order)
  assert.equal(absenceFault(order), undefined)
  for (const change of [{ party: 0n }, { party: 4n }, { untilMs: 0n }, { untilMs: ABSENCE_MAX_MS + 1n }, { expiresAtMs: 0n }]) {
    assert.ok(absenceFault({ ...order, ...change }))
    assert.notDeepEqual(intentHash({ ...order, ...change }), intentHash(order))
  }
})

test('an order to lift freezes says in both languages who froze, when and why', () => {
  const freeze = { genesis: new Uint8Array(32), person: new Uint8Array(16), atMs: 1_764_292_800_000n, nonce: new Uint8Array(32), reason: 'keys were stolen' }
  const order: LiftFreezeIntent = { kind: 'liftFreeze', ...askedOfSigners, freezes: [freeze] }
  for (const locale of LOCALES) {
    const words = JSON.stringify(renderIntent(order, context, locale))
    for (const said of ['keys were stolen', '2025-11-28 01:20:00 UTC', 'Alice', toHex(freezeHash(freeze))]) assert.ok(words.includes(said), said)
  }
  assert.deepEqual(decode(intentShape, encode(intentShape, order)), order)
  assert.equal(liftFreezeFault(order), undefined)
  assert.ok(liftFreezeFault({ ...order, freezes: [] }))
  assert.ok(liftFreezeFault({ ...order, freezes: [{ ...freeze, genesis: new Uint8Array(32).fill(1) }] }))
  assert.notDeepEqual(freezeHash({ ...freeze, reason: '' }), freezeHash(freeze))
})

const listed = (number: number, address: string, changes: object = {}): BookChange => ({
  kind: 'add',
  id: new Uint8Array(16).fill(number),
  name: `Payee ${number}`,
  address,
  chains: ['eip155:1', 'eip155:10'],
  memo: null,
  lists: [],
  ...changes,
})
const bookOrder = (...changes: BookChange[]): AddressBookIntent => ({
  kind: 'addressBook',
  ...askedOfSigners,
  version: 2n,
  previous: new Uint8Array(32).fill(4),
  changes,
})

test('an order to change the whitelist says every entry whole in both languages, and which addresses are taken for one another', () => {
  const alike = `${intent.to.slice(0, 8)}${'0'.repeat(28)}${intent.to.slice(-6)}`
  const order = bookOrder(listed(1, intent.to, { memo: 'M-42', lists: ['Exchanges', '工资'] }), listed(2, alike), {
    kind: 'remove',
    id: new Uint8Array(16).fill(3),
    name: 'Old payee',
    address: intent.from,
  })
  assert.deepEqual(decode(intentShape, encode(intentShape, order)), order)
  assert.equal(addressBookFault(order), undefined)
  for (const locale of LOCALES) {
    const rendering = renderIntent(order, context, locale)
    const lines = rendering.rows.map(({ label, value }) => `${label}|${value}`).join('\n')
    const whole = [intent.to, alike, intent.from].map(groupAddress)
    for (const said of [...whole, 'M-42', 'Exchanges', '工资', 'eip155:1', 'eip155:10', 'Payee 1', 'Old payee', 'Alice', 'the machine room is flooded'])
      assert.ok(lines.includes(said), said)
    assert.equal(rendering.isGrave, true)
    assert.ok(rendering.warnings.some((warning) => whole.slice(0, 2).every((address) => warning.includes(address))))
    const plain = renderIntent(bookOrder(listed(1, intent.to)), context, locale)
    assert.deepEqual([plain.warnings.length, plain.isGrave], [1, undefined])
    assert.notEqual(toHex(renderHash(rendering)), toHex(renderHash(plain)))
  }
})

test('an order to change the whitelist that contradicts itself is at fault', () => {
  const bad: Partial<AddressBookIntent>[] = [
    { changes: [] },
    { version: 0n },
    { version: 1n },
    { version: 2n, previous: new Uint8Array(32) },
    { expiresAtMs: 0n },
    { changes: [listed(1, intent.to), listed(1, intent.from)] },
    { changes: [listed(1, intent.to), listed(2, intent.to, { chains: ['eip155:10'] })] },
    { changes: [listed(1, intent.to, { chains: [] })] },
    { changes: [listed(1, intent.to, { chains: ['eip155:1', 'eip155:1'] })] },
    { changes: [listed(1, intent.to, { lists: ['a', 'a'] })] },
    { changes: [listed(1, intent.to, { lists: [''] })] },
    { changes: [listed(1, intent.to, { memo: '' })] },
    { changes: [listed(1, intent.to, { name: ' ' })] },
    { changes: [{ kind: 'remove', id: new Uint8Array(16), name: 'x', address: '' }] },
  ]
  for (const change of bad) assert.ok(addressBookFault({ ...bookOrder(listed(1, intent.to)), ...change }), Object.keys(change).join())
  assert.equal(addressBookFault(bookOrder(listed(1, intent.to), listed(2, intent.to, { memo: '7' }))), undefined, 'another memo is another place')
  assert.equal(addressBookFault({ ...bookOrder(listed(1, intent.to)), version: 1n, previous: new Uint8Array(32) }), undefined)
})
