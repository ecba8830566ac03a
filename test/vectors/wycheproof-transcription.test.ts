import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { fromHex, toHex } from '@holdfast/encoding'
import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { type Curve, integer, joined, sha256 } from './judge-signature.ts'
import { type SignatureCase, signatureCases } from './wycheproof.ts'

// Whether the cases stand here as they were published. A valid signature with a wrong digit would not verify, so that those are told by the test of signatures;
// an invalid one with a wrong digit is as invalid as before, so what it was made from, and how, is computed here from its comment.

type Form = 'der' | 'compact'
/** The files of ECDSA: their curve and form, how many cases they have, and the case from which the invalid encodings were made. */
const ECDSA: readonly { name: string; curve: Curve; form: Form; count: number; base: number }[] = [
  { name: 'ecdsa-p256-der', curve: p256, form: 'der', count: 361, base: 7 },
  { name: 'ecdsa-p256-compact', curve: p256, form: 'compact', count: 61, base: 1 },
  { name: 'ecdsa-secp256k1-der', curve: secp256k1, form: 'der', count: 330, base: 2 },
  { name: 'ecdsa-secp256k1-compact', curve: secp256k1, form: 'compact', count: 52, base: 1 },
]
/** Flags that a published file has once or twice. The compact files call one signature valid that is nothing else, and have one changed integer. */
const RARE = ['MissingZero', 'EdgeCaseShamirMultiplication', 'SignatureMalleabilityBitcoin', 'InvalidKtv', 'ValidSignature', 'ModifiedInteger']

test('every file has its cases once, in order, under keys that are points, and three of every flag that has three', () => {
  const files = [{ name: 'ed25519', curve: ed25519, count: 151 }, ...ECDSA]
  for (const { name, curve, count } of files) {
    const cases = signatureCases(name)
    assert.equal(cases.length, count)
    for (const [i, { tcId }] of cases.entries()) assert.ok(i === 0 || tcId > cases[i - 1]!.tcId, `${name} ${tcId}`)
    for (const { publicKey } of cases) curve.Point.fromBytes(publicKey).assertValidity()
    const perFlag = Map.groupBy(
      cases.flatMap(({ flags }) => flags),
      (flag) => flag,
    )
    for (const [flag, each] of perFlag) assert.ok(each.length >= 3 || RARE.includes(flag), `${name} ${flag}`)
  }
  assert.deepEqual(
    signatureCases('ed25519').map(({ tcId }) => tcId),
    Array.from({ length: 151 }, (_, i) => i + 1),
    'this one is whole',
  )
})

const little = (value: Uint8Array) => integer(Uint8Array.from(value).reverse())

test('Ed25519: what is wrong with a signature is what its comment says, and nothing else', () => {
  const { Point } = ed25519
  const cases = signatureCases('ed25519')
  const bySignedText = new Map(cases.filter((each) => each.isValid).map((each) => [toHex(joined(each.publicKey, each.message)), each]))
  for (const { tcId, comment, flags, isValid, publicKey, message, signature } of cases) {
    if (isValid) continue
    const base = bySignedText.get(toHex(joined(publicKey, message)))
    const [r, s] = [signature.slice(0, 32), signature.slice(32, 64)]
    /** S B - k A, which is R where a signature is right. */
    const found = () => {
      const k = little(createHash('sha512').update(r).update(publicKey).update(message).digest())
      const key = Point.fromBytes(publicKey).multiplyUnsafe(Point.Fn.create(k))
      return Point.BASE.multiplyUnsafe(Point.Fn.create(little(s))).subtract(key)
    }
    const bit = /bit (\d+) in R/.exec(comment)?.[1]
    const name = `${tcId}: ${comment}`
    if (bit !== undefined) assert.equal(little(r) ^ (1n << BigInt(bit)), little(base!.signature.slice(0, 32)), name)
    if (flags.includes('InvalidEncoding')) assert.equal(toHex(found().toBytes()), base ? toHex(base.signature.slice(0, 32)) : toHex(Point.ZERO.toBytes()), name)
    else if (/ \+ \d?L\.|above the bound/.test(comment)) assert.ok(little(s) >= Point.Fn.ORDER && toHex(found().toBytes()) === toHex(r), name)
    else if (flags.includes('SignatureMalleability')) {
      const more = comment.includes('2^255 - 19') ? ed25519.Point.Fp.ORDER : 1n << BigInt(/2\^(\d+)/.exec(comment)![1]!)
      assert.equal(little(s), little(base!.signature.slice(32)) + more, name)
    } else if (flags.includes('TruncatedSignature')) assert.ok(toHex(base!.signature).startsWith(toHex(signature)), name)
    else if (flags.includes('SignatureWithGarbage')) {
      const right = toHex(base!.signature)
      const more = [`${right}2020`, right + toHex(publicKey), `00${right}`, `${right.slice(0, 64)}00${right.slice(64)}`, `${right}00`]
      assert.ok(more.includes(toHex(signature)), name)
    } else if (flags.includes('CompressedSignature')) {
      // A zero is missing somewhere, or one of the two equal bytes at the end of R and the beginning of s.
      const at = (place: number, byte: number) => Uint8Array.from([...signature.slice(0, place), byte, ...signature.slice(place)])
      const whole = comment.startsWith('dropping') ? [at(32, signature[31]!)] : Array.from({ length: 64 }, (_, place) => at(place, 0))
      assert.ok(signature.length === 63 && whole.some((each) => ed25519.verify(each, message, publicKey)), name)
    } else {
      const values = [0n, 1n, Point.Fn.ORDER - 1n, Point.Fn.ORDER, ed25519.Point.Fp.ORDER]
      assert.ok(values.includes(little(r)) && values.includes(little(s)) && comment === 'special values for r and s', name)
    }
  }
})

/** The content of DER's integer. */
function derInteger(value: bigint): Uint8Array {
  let length = 1
  while (BigInt.asIntN(length * 8, value) !== value) length++
  return fromHex(
    BigInt.asUintN(length * 8, value)
      .toString(16)
      .padStart(length * 2, '0'),
  )
}
const tagged = (tag: number, content: Uint8Array) => joined(Uint8Array.of(tag, content.length), content)

/** What some comments call values that are no integers, as DER has them. */
const OTHER_TYPES: Readonly<Record<string, string>> = {
  '0.25': '090380fe01',
  nan: '090142',
  True: '010101',
  False: '010100',
  Null: '0500',
  'empyt UTF-8 string': '0c00',
  '"0"': '0c0130',
  'empty list': '3000',
  'list containing 0': '3003020100',
}

/** The signature that a comment describes in full, made from the right one, or undefined where it does not. */
function described(comment: string, { Fn, Fp }: Curve['Point'], form: Form, r: bigint, s: bigint): string | undefined {
  const n = Fn.ORDER
  const values: Readonly<Record<string, bigint>> = { 0: 0n, 1: 1n, '-1': -1n, n, 'n - 1': n - 1n, 'n + 1': n + 1n, p: Fp.ORDER, 'p + 1': Fp.ORDER + 1n }
  const item = (name: string) => (Object.hasOwn(OTHER_TYPES, name) ? fromHex(OTHER_TYPES[name]!) : tagged(2, derInteger(values[name]!)))
  const write = (a: bigint, b: bigint) => {
    if (form === 'der') return toHex(tagged(0x30, joined(tagged(2, derInteger(a)), tagged(2, derInteger(b)))))
    const width = Math.max(64, 2 * Math.ceil(a.toString(16).length / 2))
    return [a, b].map((value) => value.toString(16).padStart(width, '0')).join('')
  }
  const pair = /^Signature (?:with special case values|encoding contains incorrect types:) r=(.+?),? (?:and )?s=(.+)$/.exec(comment)
  if (pair && form === 'der') return toHex(tagged(0x30, joined(item(pair[1]!), item(pair[2]!))))
  if (pair) return write(values[pair[1]!]!, values[pair[2]!]!)
  const replaced = /^replaced ([rs]) by ([^i].*)$/.exec(comment)
  if (!replaced || comment.includes('indefinite')) return undefined
  const x = replaced[1] === 'r' ? r : s
  const sums = { 'x + n': x + n, 'x - n': x - n, 'x + 256 * n': x + 256n * n, '-x': -x, 'n - x': n - x, '-n - x': -n - x }
  const powers = { 'x + 2**256': x + (1n << 256n), 'x - 2**256': x - (1n << 256n), 'x + 2**320': x + (1n << 320n) }
  // Where the comment says s, the changed s stands in the place of r: so the published files have it.
  return write({ ...sums, ...powers }[replaced[2]!.replace(/\b[rs]$|\b[rs]\b/, 'x') as keyof typeof sums], s)
}

test('ECDSA: invalid encodings are the right signature with what their comment says, and nothing else', () => {
  for (const { name, curve, form, base } of ECDSA) {
    const cases = signatureCases(name)
    const right = cases.find(({ tcId }) => tcId === base)!
    const [r, s] = rightPair(curve, form, right, cases)
    const sameText = ({ publicKey, message }: SignatureCase) => toHex(publicKey) === toHex(right.publicKey) && toHex(message) === toHex(right.message)
    let inFull = 0
    for (const { tcId, comment, signature } of cases.filter((each) => sameText(each) && !each.isValid)) {
      const text = toHex(signature)
      const whole = described(comment, curve.Point, form, r, s)
      if (whole !== undefined) {
        assert.equal(text, whole, `${name} ${tcId}: ${comment}`)
        inFull++
        continue
      }
      const flipped = /flipped bit (\d+) in ([rs])/.exec(comment)
      if (flipped) assert.ok(text.includes(((flipped[2] === 'r' ? r : s) ^ (1n << BigInt(flipped[1]!))).toString(16)), `${name} ${tcId}: ${comment}`)
      const parts = [r, s].map((value) => value.toString(16)).filter((part) => text.includes(part))
      const rest = parts.reduce((left, part) => left.replaceAll(part, ''), text).length / 2
      // What stands around r and s is short; where one of the two is changed itself, it is not found, and is part of the rest.
      assert.ok(parts.length === 2 ? rest <= 18 : parts.length === 1 ? rest <= 43 : rest <= 2, `${name} ${tcId}: ${comment} has ${rest} bytes of its own`)
    }
    assert.ok(inFull >= (form === 'der' ? 140 : 38), `${name} ${inFull}`)
  }
})

/** r and s of the signature from which others were made. Of the compact files the one that is listed has the other s. */
function rightPair(curve: Curve, form: Form, { signature }: SignatureCase, cases: readonly SignatureCase[]): [bigint, bigint] {
  const { r, s } = curve.Signature.fromBytes(signature, form)
  if (form === 'der') return [r, s]
  assert.equal(cases[0]!.comment, 'signature malleability')
  return [r, curve.Point.Fn.ORDER - s]
}

/** The two numbers of a signature in either form, or undefined where they are not positive. */
function numbersOf(signature: Uint8Array, form: Form): [bigint, bigint] | undefined {
  if (form === 'compact') return [integer(signature.subarray(0, 32)), integer(signature.subarray(32))]
  const at = 4 + signature[3]!
  const numbers = [signature.subarray(4, at), signature.subarray(at + 2)]
  return numbers.some((content) => content[0]! & 0x80) ? undefined : [integer(numbers[0]!), integer(numbers[1]!)]
}

test('ECDSA: signatures that fail at an edge of the arithmetic come out at that edge', () => {
  // The signatures 444 and 447 are those of 446 and 445 under the opposite key; 376 has no s, and s of secp256k1's 358 is negative: nothing comes out.
  const apart: Readonly<Record<string, readonly number[]>> = { 'ecdsa-p256-der': [376, 444, 447], 'ecdsa-secp256k1-der': [358] }
  for (const { name, curve, form } of ECDSA) {
    const { Fn, Fp, BASE } = curve.Point
    for (const { tcId, comment, flags, isValid, publicKey, message, signature } of signatureCases(name)) {
      const isEdge = flags.includes('ArithmeticError') || flags.includes('PointDuplication')
      if (isValid || !isEdge || flags.includes('SignatureSize') || apart[name]?.includes(tcId)) continue
      const [r, s] = numbersOf(signature, form)!
      const inverse = Fn.inv(Fn.create(s))
      const [u1, u2] = [Fn.mul(Fn.create(integer(sha256(message))), inverse), Fn.mul(Fn.create(r), inverse)]
      const nonce = BASE.multiplyUnsafe(u1).add(curve.Point.fromBytes(publicKey).multiplyUnsafe(u2))
      const x = nonce.is0() ? undefined : nonce.x
      assert.ok(x === undefined || x === 0n || Fn.create(x) === Fn.create(r) || x === Fp.create(r + Fn.ORDER), `${name} ${tcId}: ${comment}`)
    }
  }
})
