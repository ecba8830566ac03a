import { toHex } from '@holdfast/encoding'
import { ChainError } from '@holdfast/chain-core'
import { beginCell, type Builder, Cell as LibraryCell, convertToMerkleProof, Dictionary, exoticPruned } from '@ton/core'
import fc from 'fast-check'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CellBuilder, CellReader, commentOf, parseBoc, serializeBoc } from './index.ts'
import { commentBody } from './comment.ts'

type Tree = { bits: string; refs: Tree[] }
const bits = fc.tuple(fc.uint8Array({ maxLength: 127 }), fc.nat({ max: 7 })).map(([bytes, more]) => {
  const all = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return all + '1011010'.slice(0, more)
})
const leaf: fc.Arbitrary<Tree> = fc.record({ bits, refs: fc.constant([]) })
const branch = fc.record({ bits, refs: fc.array(leaf, { maxLength: 4 }) })
const tree = fc.record({ bits, refs: fc.array(fc.oneof(leaf, branch), { maxLength: 3 }) })

function libraryCell({ bits: text, refs }: Tree): LibraryCell {
  const builder: Builder = beginCell()
  for (const bit of text) builder.storeBit(bit === '1')
  for (const each of refs) builder.storeRef(libraryCell(each))
  return builder.endCell()
}

const same = (library: LibraryCell) => {
  for (const options of [
    { idx: false, crc32: false },
    { idx: false, crc32: true },
    { idx: true, crc32: true },
  ]) {
    const cell = parseBoc(library.toBoc(options))
    assert.equal(toHex(cell.hash), library.hash().toString('hex'))
    assert.equal(cell.depth, library.depth())
    const again = LibraryCell.fromBoc(Buffer.from(serializeBoc(cell)))
    assert.equal(again.length, 1)
    assert.ok(again[0]!.equals(library))
  }
}

describe('cells', () => {
  it('have the hashes that an independent library finds, and are written so that it reads them', () => {
    fc.assert(
      fc.property(tree, (drawn) => same(libraryCell(drawn))),
      { numRuns: 200 },
    )
  })

  it('of proofs have the hashes of what was cut out', () => {
    const dictionary = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigUint(64))
    for (let i = 0; i < 40; i++) dictionary.set(i * 7, BigInt(i) * 1_000_003n)
    same(dictionary.generateMerkleProof([21, 70]))
    same(dictionary.generateMerkleUpdate(21, 5n))
    const leaf = beginCell().storeUint(1, 8).endCell()
    const cut = beginCell().storeRef(leafCut(leaf)).storeUint(3, 2).endCell()
    same(convertToMerkleProof(cut))
    same(
      beginCell()
        .storeRef(convertToMerkleProof(convertToMerkleProof(cut)))
        .endCell(),
    )
  })

  it('in bytes are never read as others when any byte is changed', () => {
    const root = libraryCell({
      bits: '1011',
      refs: [
        { bits: '1'.repeat(17), refs: [] },
        { bits: '', refs: [{ bits: '01', refs: [] }] },
      ],
    })
    const bytes = serializeBoc(parseBoc(root.toBoc()))
    for (let at = 0; at < bytes.length; at++) {
      for (let difference = 1; difference < 256; difference++) {
        const changed = bytes.slice()
        changed[at]! ^= difference
        try {
          assert.notEqual(toHex(parseBoc(changed).hash), root.hash().toString('hex'))
        } catch (cause) {
          assert.ok(cause instanceof ChainError, String(cause))
        }
      }
    }
  })

  it('are refused for any bytes at all by a ChainError, and quickly', () => {
    const start = [0xb5, 0xee, 0x9c, 0x72]
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (drawn, begins) => {
        try {
          parseBoc(Uint8Array.of(...(begins ? start : []), ...drawn))
        } catch (cause) {
          assert.ok(cause instanceof ChainError, String(cause))
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('carry numbers and amounts as the library reads them', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 120n) - 1n }), fc.integer(), (amount, number) => {
        const cell = new CellBuilder().coins(amount).int(number, 32).bit(true).cell()
        const slice = LibraryCell.fromBoc(Buffer.from(serializeBoc(cell)))[0]!.beginParse()
        assert.deepEqual([slice.loadCoins(), slice.loadInt(32), slice.loadBit()], [amount, number, true])
        const reader = new CellReader(cell)
        assert.deepEqual([reader.coins(), Number(reader.int(32)), reader.bit()], [amount, number, true])
        reader.end()
      }),
    )
  })
})

describe('comments', () => {
  it('are written as the library writes them, and read back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 600 }), (drawn) => {
        fc.pre(drawn.isWellFormed() && new TextEncoder().encode(drawn).length <= 4_096)
        const body = commentBody(drawn)
        assert.equal(toHex(body.hash), beginCell().storeUint(0, 32).storeStringTail(drawn).endCell().hash().toString('hex'))
        assert.equal(commentOf(body), drawn)
      }),
    )
  })

  it('are none where the bytes are no text, are part of a bit off, or say nothing', () => {
    for (const body of [
      new CellBuilder().uint(0, 32).uint(0xff, 8).cell(),
      new CellBuilder().uint(0, 32).uint(1, 3).cell(),
      new CellBuilder().uint(0, 32).cell(),
      new CellBuilder().uint(1, 32).uint(0x61, 8).cell(),
      new CellBuilder().cell(),
    ])
      assert.equal(commentOf(body), undefined)
    assert.throws(() => commentBody(''), ChainError)
    assert.throws(() => commentBody('\ud800'), ChainError)
  })
})

function leafCut(cell: LibraryCell): LibraryCell {
  const data = beginCell().storeUint(1, 8).storeUint(1, 8).storeBuffer(cell.hash()).storeUint(cell.depth(), 16).endCell()
  exoticPruned(data.bits, [])
  return new LibraryCell({ exotic: true, bits: data.bits, refs: [] })
}
