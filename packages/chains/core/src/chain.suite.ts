import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ChainCodec, ChainError, type Effects, type Signature } from './index.ts'

export type CodecSample = { name: string; unsigned: Uint8Array; effects: Effects }

export type CodecSuite = {
  name: string
  codec: ChainCodec
  /** Transactions of every template that the codec understands, with what they do. */
  samples: CodecSample[]
  /** The codec of another network of the same kind; null if neither bytes nor addresses of the family say their network. */
  foreign: ChainCodec | null
  signer: { publicKey: Uint8Array; sign(digest: Uint8Array): Signature }
  addresses: { canonical: string[]; alsoAccepted: { text: string; canonical: string }[]; refused: string[] }
  /** The same answers from a library that shares no code with the codec. */
  independent: {
    decode(unsigned: Uint8Array): Effects | Promise<Effects>
    detach(raw: Uint8Array): Promise<{ txid: string; from: string }>
  }
}

/** Registers the tests that the codec of every chain must pass. */
export function chainCodecSuite(suite: CodecSuite): void {
  describe(`${suite.name}: what every chain's codec promises`, () => {
    for (const sample of suite.samples) describe(sample.name, () => registerSampleTests(suite, sample))
    registerAddressTests(suite)
  })
}

function registerSampleTests(suite: CodecSuite, sample: CodecSample): void {
  const { unsigned, effects } = sample
  const { codec, foreign, independent } = suite
  const signedBy = () =>
    codec.attach(
      unsigned,
      codec.sighashes(unsigned).map((digest) => suite.signer.sign(digest)),
    )

  it('decodes to what it does', () => assert.deepEqual(codec.decode(unsigned), effects))

  it('is read the same by an independent library', async () => assert.deepEqual(await independent.decode(unsigned), effects))

  it('is refused or read as something else when any one byte is changed', () => {
    for (const changed of everyChangedByte(unsigned, DIFFERENCES)) assertNotSilentlySame(() => codec.decode(changed), effects)
  })

  it('is refused when it is cut short or followed by more', () => {
    for (let length = 0; length < unsigned.length; length++) assert.throws(() => codec.decode(unsigned.slice(0, length)), ChainError)
    for (const tail of [0x00, 0x01, 0x80, 0xc0, 0xff]) assert.throws(() => codec.decode(Uint8Array.of(...unsigned, tail)), ChainError)
  })

  it('names the network of its codec, and no other', () => {
    const { chain, transfers } = codec.decode(unsigned)
    for (const { asset } of transfers) assert.equal(asset.chain, chain)
  })

  it('is refused by the codec of a foreign network at every entrance', (t) => {
    if (!foreign) return t.skip('neither bytes nor addresses of this family say their network')
    const { raw } = signedBy()
    assert.throws(() => foreign.decode(unsigned), ChainError)
    assert.throws(() => foreign.sighashes(unsigned), ChainError)
    assert.throws(
      () =>
        foreign.attach(
          unsigned,
          codec.sighashes(unsigned).map((digest) => suite.signer.sign(digest)),
        ),
      ChainError,
    )
    assert.throws(() => foreign.detach(raw), ChainError)
  })

  it('comes back from its signed form, with the signer and the id that an independent library finds', async () => {
    const { raw, txid } = signedBy()
    const from = codec.addressFromKey(suite.signer.publicKey)
    assert.deepEqual(codec.detach(raw), { unsigned, txid, from })
    assert.deepEqual(await independent.detach(raw), { txid, from })
  })

  it('takes neither too few nor too many signatures', () => {
    const signatures = codec.sighashes(unsigned).map((digest) => suite.signer.sign(digest))
    assert.throws(() => codec.attach(unsigned, []), ChainError)
    assert.throws(() => codec.attach(unsigned, signatures.slice(1)), ChainError)
    assert.throws(() => codec.attach(unsigned, [...signatures, signatures[0]!]), ChainError)
  })

  // What is signed was tried above; what is added to it is the same for every sample, and finding a signer takes a millisecond.
  if (suite.samples.indexOf(sample) > 1) return

  it('is refused or read as something else when any one byte of its signed form is changed', () => {
    const { raw } = signedBy()
    const { unsigned: before, from } = codec.detach(raw)
    const read = (bytes: Uint8Array) => {
      const { unsigned: inside, from: signer } = codec.detach(bytes)
      return { unsigned: inside, from: signer }
    }
    for (const changed of everyChangedByte(raw, SOME_DIFFERENCES)) assertNotSilentlySame(() => read(changed), { unsigned: before, from })
  })
}

function registerAddressTests({ codec, addresses, signer }: CodecSuite): void {
  it('keeps a canonical address as it is', () => {
    for (const address of [...addresses.canonical, codec.addressFromKey(signer.publicKey)]) assert.equal(codec.canonicalAddress(address), address)
  })

  it('brings every other accepted text of an address to the canonical one', () => {
    for (const { text, canonical } of addresses.alsoAccepted) assert.equal(codec.canonicalAddress(text), canonical)
  })

  it('refuses what is no address of the chain', () => {
    const near = addresses.canonical.flatMap((address) => [address.slice(0, -1), `${address}0`, ` ${address}`, `${address} `, `${address}\n`])
    for (const text of ['', '0x', ...near, ...addresses.refused]) assert.equal(codec.canonicalAddress(text), undefined, JSON.stringify(text))
  })

  it('refuses a public key that is none', () => {
    const wrong = [new Uint8Array(), new Uint8Array(33), signer.publicKey.slice(2), Uint8Array.of(...signer.publicKey, 0)]
    for (const key of wrong) assert.throws(() => codec.addressFromKey(key), ChainError)
  })
}

// Each bit alone, and all of them. Every difference there is takes a minute for a long transaction: HOLDFAST_FLIPS=all.
const DIFFERENCES = process.env.HOLDFAST_FLIPS === 'all' ? Array.from({ length: 255 }, (_, i) => i + 1) : [1, 2, 4, 8, 16, 32, 64, 128, 255]
// Reading a signed form recovers a key, which takes a millisecond: the lowest and the highest bit stand for the rest.
const SOME_DIFFERENCES = [0x01, 0x80]

function* everyChangedByte(bytes: Uint8Array, differences: number[]): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at++) {
    for (const difference of differences) {
      const changed = bytes.slice()
      changed[at] = changed[at]! ^ difference
      yield changed
    }
  }
}

function assertNotSilentlySame<T>(read: () => T, before: T): void {
  let after: T
  try {
    after = read()
  } catch (error) {
    assert.ok(error instanceof ChainError, `a refusal is a ChainError, not ${error}`)
    return
  }
  assert.notDeepEqual(after, before)
}
