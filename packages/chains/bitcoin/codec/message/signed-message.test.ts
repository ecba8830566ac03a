import { concatBytes } from '@holdfast/encoding'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { p2pkh, p2sh, p2tr, p2wpkh, RawWitness, Transaction } from '@scure/btc-signer'
import fc from 'fast-check'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bitcoinChain, bitcoinCodec } from '../index.ts'
import { sha256d } from '../transaction.ts'

const base64 = {
  encode: (bytes: Uint8Array) => Buffer.from(bytes).toString('base64'),
  decode: (text: string) => Uint8Array.from(Buffer.from(text, 'base64')),
}
const main = bitcoinCodec({ chain: bitcoinChain('mainnet') })
const isSignedBy = (address: string, message: string, signature: string) => main.isSignedBy!(address, message, signature)

test('the vectors of BIP322, and one of the older form, hold', () => {
  const segwit = 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l'
  const taproot = 'bc1ppv609nr0vr25u07u95waq5lucwfm6tde4nydujnu8npg4q75mr5sxq8lt3'
  const vectors: [address: string, message: string, signature: string][] = [
    [
      segwit,
      '',
      'AkcwRAIgM2gBAQqvZX15ZiysmKmQpDrG83avLIT492QBzLnQIxYCIBaTpOaD20qRlEylyxFSeEA2ba9YOixpX8z46TSDtS40ASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=',
    ],
    [
      segwit,
      'Hello World',
      'AkcwRAIgZRfIY3p7/DoVTty6YZbWS71bc5Vct9p9Fia83eRmw2QCICK/ENGfwLtptFluMGs2KsqoNSk89pO7F29zJLUx9a/sASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=',
    ],
    [taproot, 'Hello World', 'AUHd69PrJQEv+oKTfZ8l+WROBHuy9HKrbFCJu7U1iK2iiEy1vMU5EfMtjc+VSHM7aU0SDbak5IUZRVno2P5mjSafAQ=='],
    [
      '1F3sAm6ZtwLAUnj7d38pGFxtP3RVEvtsbV',
      'This is an example of a signed message.',
      'H9L5yLFjti0QTHhPyFrZCT1V/MMnBtXKmoiKDZ78NDBjERki6ZTQZdSMCtkgoNmp17By9ItJr8o7ChX0XxY91nk=',
    ],
  ]
  for (const [address, message, signature] of vectors) {
    assert.equal(isSignedBy(address, message, signature), true, message)
    assert.equal(isSignedBy(address, `${message}.`, signature), false)
  }
  assert.equal(isSignedBy(taproot, 'Hello World', vectors[1]![2]), false)
})

/** The older form, by a library that shares no code with ours but the curve. */
function legacy(message: string, secret: Uint8Array, kind: number): string {
  const text = new TextEncoder().encode(message)
  const size = text.length < 253 ? [text.length] : [253, text.length & 255, text.length >> 8]
  const digest = sha256d(concatBytes(new TextEncoder().encode('\u0018Bitcoin Signed Message:\n'), Uint8Array.from(size), text))
  const [recovery = 0, ...rs] = secp256k1.sign(digest, secret, { prehash: false, format: 'recovered' })
  return base64.encode(Uint8Array.from([27 + kind + recovery, ...rs]))
}

/** What a wallet signs by BIP322, written by the library. */
function simple(message: string, secret: Uint8Array, spend: { script: Uint8Array; tapInternalKey?: Uint8Array }): string {
  const hash = schnorr.utils.taggedHash('BIP0322-signed-message', new TextEncoder().encode(message))
  const options = { version: 0, allowUnknownOutputs: true, allowUnknownInputs: true, disableScriptCheck: true }
  const paying = new Transaction(options)
  paying.addOutput({ script: spend.script, amount: 0n })
  paying.addInput({ txid: '00'.repeat(32), index: 0xffff_ffff, sequence: 0, finalScriptSig: concatBytes(Uint8Array.of(0, 32), hash) })
  const spending = new Transaction(options)
  const { script, tapInternalKey } = spend
  spending.addInput({ txid: paying.id, index: 0, sequence: 0, witnessUtxo: { script, amount: 0n }, ...(tapInternalKey && { tapInternalKey }) })
  spending.addOutput({ script: Uint8Array.of(0x6a), amount: 0n })
  spending.sign(secret)
  spending.finalize()
  return base64.encode(RawWitness.encode(spending.getInput(0).finalScriptWitness!))
}

test('a message is signed by the address whose key signed it, in the forms that wallets use, and by no other', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.uint8Array({ minLength: 31, maxLength: 31 }), fc.nat(1000), (message, rest, at) => {
      const secret = concatBytes(Uint8Array.of(1), rest)
      const key = secp256k1.getPublicKey(secret, true)
      const xOnly = key.slice(1)
      const [segwit, taproot] = [p2wpkh(key), p2tr(xOnly)]
      const forms: [address: string, signature: string][] = [
        [segwit.address!, simple(message, secret, segwit)],
        [taproot.address!, simple(message, secret, { script: taproot.script, tapInternalKey: xOnly })],
        [segwit.address!, legacy(message, secret, 12)],
        [p2sh(segwit).address!, legacy(message, secret, 8)],
        [p2pkh(key).address!, legacy(message, secret, 4)],
        [p2pkh(secp256k1.getPublicKey(secret, false)).address!, legacy(message, secret, 0)],
      ]
      const other = p2wpkh(secp256k1.getPublicKey(concatBytes(Uint8Array.of(2), rest), true)).address!
      for (const [address, signature] of forms) {
        assert.equal(isSignedBy(address, message, signature), true, address)
        assert.equal(isSignedBy(address, `${message}.`, signature), false)
        assert.equal(isSignedBy(other, message, signature), false)
        const bytes = base64.decode(signature)
        const place = bytes.length === 65 ? 1 + (at % 64) : at % bytes.length
        bytes[place] = (bytes[place] ?? 0) ^ 4
        assert.equal(isSignedBy(address, message, base64.encode(bytes)), false)
      }
    }),
    { numRuns: 25 },
  )
})

test('what is no signature is nobody’s', () => {
  const address = 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l'
  for (const bad of ['', '!', 'AA==', base64.encode(new Uint8Array(65)), base64.encode(new Uint8Array(65).fill(255)), base64.encode(Uint8Array.of(2, 0, 0))])
    assert.equal(isSignedBy(address, 'x', bad), false, bad)
})
