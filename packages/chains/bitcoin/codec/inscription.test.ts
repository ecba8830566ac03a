import { schnorr } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { p2tr_ord_reveal, parseInscriptions, parseWitness } from 'micro-ordinals'
import { p2tr, Script } from '@scure/btc-signer'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chain, codec, secretKey, taprootFrom, taprootKey } from '../testing/samples.ts'
import {
  commitAmount,
  commitInscription,
  followInscriptions,
  type Inscribed,
  lockInscribed,
  readBrc20,
  readInscriptions,
  revealInscription,
  spendableCoins,
  writeBrc20Transfer,
} from './index.ts'

const text = (words: string) => new TextEncoder().encode(words)
const body = fc.uint8Array({ maxLength: 2_000 })
const witnessOf = (leaf: Uint8Array) => [new Uint8Array(64), leaf, Uint8Array.of(0xc0, ...taprootKey)]

describe('an inscription', () => {
  it('that the library wrote is read, whatever its content', () => {
    fc.assert(
      fc.property(
        body,
        fc.constantFrom('text/plain', 'image/png', 'text/html;charset=utf-8'),
        fc.option(fc.bigInt({ min: 1n, max: 1n << 40n })),
        (content, contentType, pointer) => {
          const tags = { contentType, ...(pointer !== null && { pointer }) }
          const { script } = p2tr_ord_reveal(taprootKey, [{ tags, body: content }]) as { script: Uint8Array }
          assert.deepEqual(readInscriptions(witnessOf(script)), [{ contentType, body: content, pointer: pointer ?? undefined, isCursed: pointer !== null }])
        },
      ),
      { numRuns: 100 },
    )
  })

  it('that we write is read by the library, and its output and control block are the library’s', () => {
    fc.assert(
      fc.property(body, (content) => {
        const { script, leaf, controlBlock } = commitInscription(taprootKey, 'text/plain', content)
        const [found] = parseWitness([new Uint8Array(64), leaf, controlBlock])!
        assert.deepEqual([found!.tags.contentType, Uint8Array.from(found!.body as Uint8Array)], ['text/plain', content])
        assert.equal(parseInscriptions(Script.decode(leaf), true)?.length, 1)
        const payment = p2tr(taprootKey, { script: leaf }, undefined, true)
        assert.deepEqual(Uint8Array.from(payment.script), script)
        assert.deepEqual(readInscriptions([new Uint8Array(64), leaf, controlBlock]), [
          { contentType: 'text/plain', body: content, pointer: undefined, isCursed: false },
        ])
      }),
      { numRuns: 100 },
    )
  })

  it('is found among several, behind an annex, and not where there is none; no witness of a stranger throws', () => {
    const { leaf } = commitInscription(taprootKey, 'text/plain', text('a'))
    const twice = Uint8Array.of(...leaf, ...leaf.slice(34))
    assert.equal(readInscriptions(witnessOf(twice)).length, 2)
    assert.equal(readInscriptions([...witnessOf(leaf), Uint8Array.of(0x50, 1)]).length, 1)
    for (const none of [
      [],
      [leaf],
      [new Uint8Array(72), new Uint8Array(33)],
      witnessOf(leaf.slice(0, -1)),
      witnessOf(leaf.map((byte, i) => (i === 37 ? byte ^ 1 : byte))),
    ]) {
      assert.deepEqual(readInscriptions(none), [])
    }
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 })), fc.nat(60), fc.nat(255), (items, at, byte) => {
        readInscriptions(items)
        readInscriptions(witnessOf(leaf.map((each, i) => (i === at ? byte : each))))
      }),
    )
  })

  it('is revealed with what was set aside for it, and only by its own key', () => {
    const commit = commitInscription(taprootKey, 'text/plain', text('hello'))
    const amount = commitAmount({ chain, commit, to: taprootFrom }, 5_000n, 546n)
    const reveal = revealInscription({ chain, commit, coin: { txid: '22'.repeat(32), index: 1, amount }, to: taprootFrom }, 546n)
    assert.equal(reveal.fee, reveal.size * 5n)
    assert.throws(() => reveal.finish(schnorr.sign(reveal.digest, Uint8Array.of(...secretKey.slice(1), 9))), /not one of the inscription's key/)
    assert.ok(reveal.finish(schnorr.sign(reveal.digest, secretKey)).length > 150)
    assert.throws(() => commitAmount({ chain, commit, to: taprootFrom }, 5_000n, 329n), /dust/)
    assert.throws(() => revealInscription({ chain, commit, coin: { txid: '22'.repeat(32), index: 1, amount: 546n }, to: taprootFrom }, 546n), /does not hold/)
  })
})

describe('an inscribed satoshi', () => {
  const { leaf } = commitInscription(taprootKey, 'text/plain', text('a'))
  const outpoint = (n: number, index = 0) => `${n.toString(16).padStart(64, '0')}:${index}`
  const input = (n: number, amount: bigint, witness: Uint8Array[] = []) => ({ outpoint: outpoint(n), spent: { amount }, witness })
  const txid = (n: number) => n.toString(16).padStart(64, '0')

  it('is followed from output to output in the order of satoshis, and its coin is locked', () => {
    const revealed = followInscriptions([], {
      txid: txid(1),
      isCoinbase: false,
      inputs: [input(9, 700n), input(8, 1_000n, witnessOf(leaf))],
      outputs: [{ amount: 600n }, { amount: 900n }],
    })
    assert.deepEqual(
      revealed.inscribed.map(({ id, outpoint: at, offset }) => ({ id, at, offset })),
      [{ id: `${txid(1)}i0`, at: outpoint(1, 1), offset: 100n }],
    )
    const moved = followInscriptions(revealed.inscribed, {
      txid: txid(2),
      isCoinbase: false,
      inputs: [{ ...input(1, 900n), outpoint: outpoint(1, 1) }],
      outputs: [{ amount: 100n }, { amount: 500n }],
    })
    assert.deepEqual([moved.inscribed[0]!.outpoint, moved.inscribed[0]!.offset], [outpoint(2, 1), 0n])
    const locks = lockInscribed({}, moved.inscribed)
    const coin = { txid: txid(2), index: 1, amount: 500n, script: new Uint8Array(), height: 1n }
    assert.deepEqual(
      spendableCoins([coin, { ...coin, index: 0 }], locks).map(({ index }) => index),
      [0],
    )
    const burnt = followInscriptions(moved.inscribed, {
      txid: txid(3),
      isCoinbase: false,
      inputs: [{ ...input(2, 500n), outpoint: outpoint(2, 1) }],
      outputs: [],
    })
    assert.deepEqual([burnt.inscribed.length, burnt.lost.length], [0, 1])
  })

  it('is found and followed among as many as a transaction can reveal, all on one satoshi', () => {
    const many = 40_000
    // OP_FALSE OP_IF "ord" OP_ENDIF: the shortest there is.
    const leaf = new Uint8Array(7 * many).map((_, i) => [0, 0x63, 3, 0x6f, 0x72, 0x64, 0x68][i % 7]!)
    const witness = [new Uint8Array(64), leaf, new Uint8Array(33)]
    const inputs = [{ outpoint: `${'1'.repeat(64)}:0`, spent: { amount: 1_000n }, witness }]
    const outputs = Array.from({ length: 3 }, () => ({ amount: 300n }))
    const { inscribed, lost } = followInscriptions([], { txid: '2'.repeat(64), isCoinbase: false, inputs, outputs })
    assert.deepEqual([inscribed.length, lost.length], [many, 0])
    assert.deepEqual(new Set(inscribed.map(({ outpoint, offset }) => `${outpoint} ${offset}`)), new Set([`${'2'.repeat(64)}:0 0`]))
    assert.deepEqual(
      inscribed.flatMap(({ id, inscription }) => (inscription.isCursed ? [] : [id])),
      [`${'2'.repeat(64)}i0`],
    )
  })

  it('is always in exactly one place: an output or a fee', () => {
    const amounts = fc.array(fc.bigInt({ min: 1n, max: 1_000n }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(amounts, amounts, fc.nat(4), fc.nat(999), (spent, paid, which, offset) => {
        const inputs = spent.map((amount, i) => input(100 + i, amount))
        const at = which % spent.length
        const known: Inscribed = {
          id: 'i',
          outpoint: outpoint(100 + at),
          offset: BigInt(offset) % spent[at]!,
          inscription: { contentType: undefined, body: text(''), pointer: undefined, isCursed: false },
        }
        const { inscribed, lost } = followInscriptions([known], { txid: txid(5), isCoinbase: false, inputs, outputs: paid.map((amount) => ({ amount })) })
        const place = spent.slice(0, at).reduce((sum, each) => sum + each, 0n) + known.offset
        assert.equal(inscribed.length + lost.length, 1)
        const after = inscribed[0]
        if (!after) assert.ok(place >= paid.reduce((sum, each) => sum + each, 0n))
        else assert.equal(paid.slice(0, Number(after.outpoint.split(':')[1])).reduce((sum, each) => sum + each, 0n) + after.offset, place)
      }),
    )
  })
})

describe('BRC-20', () => {
  const read = (json: unknown, contentType = 'text/plain;charset=utf-8') =>
    readBrc20({ contentType, body: text(typeof json === 'string' ? json : JSON.stringify(json)) })

  it('a transfer that we write is read back to the last decimal', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: ((1n << 64n) - 1n) * 10n ** 18n }), fc.constantFrom('ordi', 'sats', '龍a'), (amount, ticker) => {
        const { contentType, body: bytes } = writeBrc20Transfer(ticker, amount)
        const read = readBrc20({ contentType, body: bytes })
        assert.deepEqual(read?.op === 'transfer' && [read.ticker, read.amount], [ticker, amount])
        assert.ok(read?.op === 'transfer' && amount % 10n ** BigInt(18 - read.digits) === 0n)
      }),
    )
    assert.equal(new TextDecoder().decode(writeBrc20Transfer('ordi', 15n * 10n ** 17n).body), '{"p":"brc-20","op":"transfer","tick":"ordi","amt":"1.5"}')
    for (const [ticker, amount] of [
      ['ordi', 0n],
      ['toolong', 1n],
      ['ORDI', -1n],
    ] as const)
      assert.throws(() => writeBrc20Transfer(ticker, amount))
  })

  it('reads deployments and mints, and nothing that is not exactly to the standard', () => {
    assert.deepEqual(read({ p: 'brc-20', op: 'deploy', tick: 'ORDI', max: '21000000', lim: '1000' }), {
      op: 'deploy',
      ticker: 'ordi',
      max: 21_000_000n * 10n ** 18n,
      limit: 1_000n * 10n ** 18n,
      decimals: 18,
    })
    assert.deepEqual(read({ p: 'brc-20', op: 'mint', tick: 'ordi', amt: '5.00' }), { op: 'mint', ticker: 'ordi', amount: 5n * 10n ** 18n, digits: 2 })
    assert.equal(read(`${JSON.stringify({ p: 'brc-20', op: 'mint', tick: 'ordi', amt: '5' })}${' '.repeat(5_000)}`)?.op, 'mint')
    const good = { p: 'brc-20', op: 'transfer', tick: 'ordi', amt: '5' }
    for (const change of [
      { p: 'brc20' },
      { tick: 'ord' },
      { tick: 7 },
      { amt: 5 },
      { amt: '-5' },
      { amt: '0' },
      { amt: '1e3' },
      { amt: '5.' },
      { amt: ' 5' },
      { amt: `1.${'1'.repeat(19)}` },
      { amt: '18446744073709551616' },
      { op: 'burn' },
    ]) {
      assert.equal(read({ ...good, ...change }), undefined, JSON.stringify(change))
    }
    for (const [bad, type] of [
      ['[]', undefined],
      ['{', undefined],
      ['null', undefined],
      [good, 'image/png'],
      [{ p: 'brc-20', op: 'deploy', tick: 'ordi', max: '10.55', dec: '1' }, undefined],
      [{ p: 'brc-20', op: 'deploy', tick: 'ordi', max: '10', lim: '1.05', dec: '1' }, undefined],
    ] as const) {
      assert.equal(read(bad, type), undefined)
    }
    assert.deepEqual(codec.signatureKinds, ['ecdsa', 'taproot'])
  })
})
