import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ChainCodec, Effects } from '@holdfast/chain-core'
import fc from 'fast-check'
import { differenceOf } from '../intent.ts'
import { KINDS } from './index.ts'
import type { Does } from './intent-kind.ts'
import { kindOfTransaction, TRANSACTIONS, type TransactionIntent } from './transactions.ts'

const chain = 'eip155:1'
const asset = { chain, contract: null, symbol: 'ETH', decimals: 18n }
const [from, to] = ['0x9fB29AAc15b9A4B7F17c3385939b007540f4d791', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8']
const common = {
  genesis: new Uint8Array(32),
  orderId: new Uint8Array(16),
  keyId: new Uint8Array(32),
  path: [0n],
  from,
  to,
  asset,
  amount: 5n,
  feeAsset: asset,
  feeCap: 1n,
  slotRule: 'account-nonce',
  notBeforeMs: 0n,
  expiresAtMs: 1n,
  policyVersion: 1n,
  policyHash: new Uint8Array(32),
  initiator: new Uint8Array(16),
  remark: '',
  nonce: new Uint8Array(32),
}
const paid = { ...common, memo: null, screening: null }
const deposit = `${'a'.repeat(64)}:0`
const [inscription, coin] = [`${'b'.repeat(64)}i0`, `${'b'.repeat(64)}:0`]
const moved = (...amounts: bigint[]) => amounts.map((amount) => ({ asset, to, amount }))
const token = { ...asset, contract: 'brc20:ordi' }
/** A token of BRC-20 and the coin that carries it. */
const carried = [
  { asset: token, to, amount: 5n },
  { asset, to, amount: 3n },
]
const spent = (outpoint: string, amount = 7n) => ({ inputs: [{ outpoint, address: from, amount }] })

/** An order of every kind that a transaction carries out, with what bytes do that are it and nothing more. */
const samples: { [K in TransactionIntent['kind']]: [Extract<TransactionIntent, { kind: K }>, Partial<Effects>] } = {
  transfer: [{ kind: 'transfer', ...paid }, { transfers: moved(5n) }],
  payout: [
    {
      kind: 'payout',
      ...paid,
      outputs: [
        { to, amount: 2n },
        { to, amount: 3n },
      ],
    },
    { transfers: moved(2n, 3n) },
  ],
  notedPayout: [
    {
      kind: 'notedPayout',
      ...paid,
      outputs: [
        { to, memo: '7', amount: 2n },
        { to, memo: null, amount: 3n },
      ],
    },
    {
      transfers: [
        { asset, to, amount: 2n, memo: '7' },
        { asset, to, amount: 3n },
      ],
    },
  ],
  brc20Transfer: [
    { kind: 'brc20Transfer', ...paid, asset: token, inscription, postage: 3n },
    { transfers: carried, ...spent(coin) },
  ],
  brc20Batch: [
    { kind: 'brc20Batch', ...paid, asset: token, inscriptions: [{ inscription, amount: 5n, postage: 3n }] },
    { transfers: carried, ...spent(coin) },
  ],
  brc20Inscribe: [
    { kind: 'brc20Inscribe', ...paid, asset: token, postage: 3n },
    { transfers: carried, inscribes: inscription },
  ],
  contractCall: [
    { kind: 'contractCall', ...common, data: Uint8Array.of(1, 2, 3, 4), signature: null },
    { call: { contract: to, value: 5n, data: Uint8Array.of(1, 2, 3, 4) } },
  ],
  stake: [
    { kind: 'stake', ...common, to: from, action: 'stake', resource: 'energy', lockBlocks: 0n },
    { stake: { action: 'stake', resource: 'energy', amount: 5n, receiver: null, lockBlocks: 0n } },
  ],
  depositChild: [
    { kind: 'depositChild', ...common, from: to, deposit },
    { transfers: moved(4n), ...spent(deposit, 5n) },
  ],
  authorization: [
    { kind: 'authorization', ...common, amount: 0n, feeCap: 0n },
    { authorizes: { delegate: to }, feeMax: 0n },
  ],
}

const extras: { [D in Does]: Partial<Effects> } = {
  transfers: { transfers: moved(1n) },
  call: { call: { contract: to, value: 0n, data: new Uint8Array(4) } },
  stake: { stake: { action: 'withdraw', resource: null, amount: 0n, receiver: null, lockBlocks: 0n } },
  inscribes: { inscribes: inscription },
  authorizes: { authorizes: { delegate: to } },
}
const codec = { canonicalAddress: (text: string) => text } as Pick<ChainCodec, 'canonicalAddress'> as ChainCodec
const effectsOf = (done: Partial<Effects>): Effects => ({ chain, transfers: [], feeMax: 1n, slot: 0n, ...done })
const kinds = fc.constantFrom(...Object.values(samples))

describe('the kinds of orders', () => {
  it('are told apart by the tag that their bytes begin with, of which no two have one', () => {
    const tags = Object.values(KINDS).map(({ shape }) => shape.tag)
    assert.equal(new Set(tags).size, tags.length)
  })

  it('that a transaction carries out cover bytes that do what is ordered, as many times and as the rules look at it', () => {
    for (const [intent, done] of Object.values(samples)) {
      const effects = effectsOf(done)
      const kind = kindOfTransaction(intent)
      assert.equal(differenceOf(intent, effects, codec), undefined, intent.kind)
      const does = effects.transfers.length + (effects.call ? 1 : 0) + (effects.stake ? 1 : 0) + (effects.authorizes ? 1 : 0)
      assert.equal(kind.moves(intent).count, does, intent.kind)
      // Of an authorization no rule sees anything that people could let through.
      assert.deepEqual(kind.done(intent, effects), intent.kind === 'authorization' ? undefined : kind.act(intent), intent.kind)
    }
    assert.deepEqual(Object.keys(samples).sort(), Object.keys(TRANSACTIONS).sort())
  })

  it('never cover bytes that do what no order of the kind is for, whatever else they do', () => {
    fc.assert(
      fc.property(kinds, fc.constantFrom(...(Object.keys(extras) as Does[])), ([intent, done], extra) => {
        fc.pre(!kindOfTransaction(intent).does.includes(extra))
        assert.ok(differenceOf(intent, effectsOf({ ...done, ...extras[extra] }), codec), `${intent.kind} ${extra}`)
      }),
    )
  })
})
