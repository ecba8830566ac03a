import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { HDKey } from '@scure/bip32'
import fc from 'fast-check'
import { bytesToInteger, ORDER, scalarBytes } from '../group/group.ts'
import { childSecret, DerivationError, derivePublicKey, deriveSiblings, FROST_ED25519, FROST_TAPROOT, PROTOCOL } from '../index.ts'
import { recentChild, schemeOf } from './scheme.ts'
import { hash32 } from '../testing/run-parties.ts'

const index = fc.oneof(fc.integer({ min: 0, max: 0x7fffffff }), fc.constantFrom(0, 1, 0x7fffffff))
const paths = fc.array(index, { maxLength: 8 })
const asText = (path: number[]): string => ['m', ...path].join('/')

test('public and secret children equal those of BIP32 for every non-hardened path', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, ORDER - 1n), fc.uint8Array({ minLength: 32, maxLength: 32 }), paths, (secret, chainCode, path) => {
      const root = new HDKey({ privateKey: scalarBytes(secret) as Uint8Array<ArrayBuffer>, chainCode: chainCode as Uint8Array<ArrayBuffer> })
      const expected = path.length === 0 ? root : root.derive(asText(path))
      assert.deepEqual(Buffer.from(derivePublicKey(PROTOCOL, root.publicKey!, chainCode, path)), Buffer.from(expected.publicKey!))
      assert.equal(childSecret(PROTOCOL, secret, chainCode, path), bytesToInteger(expected.privateKey!))
    }),
    { numRuns: 60 },
  )
})

test('the BIP32 test vector 2 child m/0 comes out', () => {
  // BIP32, test vector 2: the extended public key of the master and of its child m/0.
  const master = HDKey.fromExtendedKey('xpub661MyMwAqRbcFW31YEwpkMuc5THy2PSt5bDMsktWQcFF8syAmRUapSCGu8ED9W6oDMSgv6Zz8idoc4a6mr8BDzTJY47LJhkJ8UB7WEGuduB')
  const child = HDKey.fromExtendedKey('xpub69H7F5d8KSRgmmdJg2KhpAK8SR3DjMwAdkxj3ZuxV27CprR9LgpeyGmXUbC6wb7ERfvrnKZjXoUmmDznezpbZb7ap6r1D3tgFxHmwMkQTPH')
  assert.deepEqual(Buffer.from(derivePublicKey(PROTOCOL, master.publicKey!, master.chainCode!, [0])), Buffer.from(child.publicKey!))
})

test('the output key of the first address of BIP86 comes out', () => {
  // BIP86, test vectors: account 0, first receiving address.
  const account = HDKey.fromExtendedKey('xpub6BgBgsespWvERF3LHQu6CnqdvfEvtMcQjYrcRzx53QJjSxarj2afYWcLteoGVky7D3UKDP9QyrLprQ3VCECoY49yfdDEHGCtMMj92pReUsQ')
  const output = derivePublicKey(FROST_TAPROOT, account.publicKey!, account.chainCode!, [0, 0])
  assert.equal(Buffer.from(output).toString('hex'), 'a60869f0dbcf1dc659c9cecbaf8050135ea9e8cdc487053f1dc6880949dc684c')
})

test('siblings are the same children that their whole paths lead to, of every protocol', () => {
  const secp = secp256k1.Point.BASE.multiply(77n).toBytes(true)
  const ed = ed25519.Point.BASE.multiply(77n).toBytes()
  for (const [protocol, publicKey] of [
    [PROTOCOL, secp],
    [FROST_TAPROOT, secp],
    [FROST_ED25519, ed],
  ] as const)
    fc.assert(
      fc.property(fc.nat(65_535), fc.nat(1 << 20), fc.integer({ min: 1, max: 4 }), (parent, first, count) => {
        const found = deriveSiblings({ protocol, publicKey, chainCode: hash32('c') }, { parent: [parent], first, count })
        assert.deepEqual(
          found,
          Array.from({ length: count }, (_, i) => derivePublicKey(protocol, publicKey, hash32('c'), [parent, first + i])),
        )
      }),
      { numRuns: 15 },
    )
})

test('hardened, negative, fractional and too many indexes are refused', () => {
  const publicKey = secp256k1.Point.BASE.toBytes(true)
  for (const path of [[0x80000000], [-1], [1.5], [Number.NaN], [2 ** 40], Array<number>(9).fill(0)]) {
    assert.throws(() => derivePublicKey(PROTOCOL, publicKey, hash32('c'), path), DerivationError)
  }
  assert.throws(() => derivePublicKey(PROTOCOL, publicKey, new Uint8Array(31), [0]), DerivationError)
  assert.throws(() => childSecret(PROTOCOL, 0n, hash32('c'), [0]), RangeError)
  assert.throws(() => childSecret(PROTOCOL, ORDER, hash32('c'), [0]), RangeError)
})

test('a child that is asked for again is the same one, whatever the asker did to the bytes it got before', () => {
  const protocol = fc.constantFrom(PROTOCOL, FROST_TAPROOT, FROST_ED25519)
  fc.assert(
    fc.property(protocol, fc.bigInt(1n, ORDER - 1n), fc.uint8Array({ minLength: 32, maxLength: 32 }), paths, (kind, secret, chainCode, path) => {
      const { group, deriveChild } = schemeOf(kind)
      const parent = group.multiplyBase((secret % (group.order - 1n)) + 1n)
      const wanted = deriveChild(parent, chainCode, path)
      const first = recentChild(kind, parent, chainCode, path)
      assert.deepEqual(first, wanted)
      for (const bytes of [first.point, first.publicKey, first.chainCode]) bytes.fill(0)
      assert.deepEqual(recentChild(kind, parent, chainCode, path), wanted)
      assert.deepEqual(derivePublicKey(kind, parent, chainCode, path), wanted.publicKey)
      const longer = path.length < 8 ? [...path, 1] : path.slice(1)
      assert.deepEqual(recentChild(kind, parent, chainCode, longer), deriveChild(parent, chainCode, longer))
    }),
    { numRuns: 40 },
  )
})
