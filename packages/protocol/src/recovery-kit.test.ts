import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { encode, EncodingFault, equalBytes } from '@holdfast/encoding'
import fc from 'fast-check'
import { drillRecordShape, encodeDrills, encodeKits, kitFileHash, kitHash, readDrills, readKits, type RecoveryKit, recoveryKitShape } from './recovery-kit.ts'

const bytesOf = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const PLAIN = { noNullPrototype: true }
const kit: fc.Arbitrary<RecoveryKit> = fc.record(
  {
    genesisRecord: fc.uint8Array({ maxLength: 20 }),
    keyId: bytesOf(32),
    epoch: fc.bigInt({ min: 0n, max: 9n }),
    protocol: fc.constantFrom<string>('dkls23/v1', 'frost-ed25519/v1'),
    publicKey: bytesOf(33),
    chainCode: bytesOf(32),
    shares: fc.constant<RecoveryKit['shares']>([]),
    addresses: fc.constant<RecoveryKit['addresses']>([{ path: [0n, 0n], chain: 'eip155:1', address: '0x1' }]),
    createdAtMs: fc.bigInt({ min: 0n, max: 1n << 40n }),
  },
  PLAIN,
)
const record = fc.record(
  {
    drill: fc.record(
      { genesis: bytesOf(32), keyId: bytesOf(32), epoch: fc.constant(0n), kitHash: bytesOf(32), addressesChecked: fc.constant(1n), atMs: fc.constant(5n) },
      PLAIN,
    ),
    signature: bytesOf(64),
  },
  PLAIN,
)

describe('the file of recovery kits', () => {
  it('gives back every kit as it was put in, in order, and so does that of drill records', () => {
    fc.assert(fc.property(fc.array(kit, { minLength: 1, maxLength: 3 }), (kits) => assert.deepEqual(readKits(encodeKits(kits)), kits)))
    fc.assert(fc.property(fc.array(record, { minLength: 1, maxLength: 3 }), (records) => assert.deepEqual(readDrills(encodeDrills(records)), records)))
  })

  it('is of a single key what it was before there were several, byte for byte', () => {
    fc.assert(
      fc.property(kit, record, (one: RecoveryKit, drill) => {
        assert.deepEqual(encodeKits([one]), encode(recoveryKitShape, one))
        assert.deepEqual(encodeDrills([drill]), encode(drillRecordShape, drill))
        assert.deepEqual(kitFileHash([one]), kitHash(one))
      }),
    )
  })

  it('is known by another hash for any other kits in it, and for another order of them', () => {
    fc.assert(
      fc.property(kit, kit, (a, b) => {
        fc.pre(!equalBytes(kitHash(a), kitHash(b)))
        const hashes = [[a], [b], [a, b], [b, a]].map((kits) => kitFileHash(kits).toString())
        assert.equal(new Set(hashes).size, hashes.length)
      }),
    )
  })

  it('is no file of kits where it has none, is a drill, or is anything else', () => {
    assert.throws(() => readKits(encodeKits([])), EncodingFault)
    assert.throws(() => readDrills(encodeDrills([])), EncodingFault)
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => assert.throws(() => readKits(bytes), EncodingFault)))
    fc.assert(fc.property(record, (drill) => assert.throws(() => readKits(encodeDrills([drill])), EncodingFault)))
  })
})
