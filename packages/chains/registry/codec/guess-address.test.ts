import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addressOfScript, networkOf } from '@holdfast/chain-bitcoin/codec'
import { addressText as tonText } from '@holdfast/chain-ton/codec'
import { addressText as tronText } from '@holdfast/chain-tron/codec'
import fc from 'fast-check'
import { guessAddress } from './guess-address.ts'
import { codecFor, type Family } from './index.ts'

const MAIN = 'bip122:000000000019d6689c085ae165831e93'
const CHAINS = { evm: 'eip155:1', tron: 'tron:0x2b6653dc', bitcoin: MAIN, ton: 'ton:-239' } satisfies Record<Family, string>
const REGTEST = 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328'
const NETWORKS = [...Object.values(CHAINS), REGTEST, 'ton:-3']

const bytesOf = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const scripts = fc.oneof(
  bytesOf(20).map((hash) => Uint8Array.of(0, 20, ...hash)),
  bytesOf(32).map((hash) => Uint8Array.of(0, 32, ...hash)),
  bytesOf(20).map((hash) => Uint8Array.of(0x76, 0xa9, 20, ...hash, 0x88, 0xac)),
  bytesOf(20).map((hash) => Uint8Array.of(0xa9, 20, ...hash, 0x87)),
)
const inCapitals = (text: string) => (/^(bc|tb|bcrt)1/.test(text) ? text.toUpperCase() : text)
const valid: Record<string, fc.Arbitrary<string>> = {
  [CHAINS.evm]: bytesOf(20).chain((bytes) =>
    fc.constantFrom(`0x${hex(bytes)}`, `0x${hex(bytes).toUpperCase()}`, codecFor('eip155:1')!.canonicalAddress(`0x${hex(bytes)}`)!),
  ),
  [CHAINS.tron]: bytesOf(20).map((bytes) => tronText(Uint8Array.of(0x41, ...bytes))),
  ...Object.fromEntries(
    [MAIN, REGTEST].map((chain) => [
      chain,
      fc.tuple(scripts, fc.boolean()).map(([script, isLoud]) => {
        const text = addressOfScript(networkOf(chain), script)!
        return isLoud ? inCapitals(text) : text
      }),
    ]),
  ),
  ...Object.fromEntries(
    (
      [
        ['ton:-239', false],
        ['ton:-3', true],
      ] as const
    ).map(([chain, isTest]) => [
      chain,
      fc
        .tuple(fc.constantFrom(0, -1), bytesOf(32), fc.boolean())
        .map(([workchain, hash, isRaw]) => (isRaw ? `${workchain}:${hex(hash)}` : tonText({ workchain, hash }, isTest))),
    ]),
  ),
}

describe('the guess of what stands in the field of an address', () => {
  it('never says that a valid address of the chosen network is anything else', () => {
    for (const chain of NETWORKS)
      fc.assert(
        fc.property(valid[chain]!, (text) => {
          assert.notEqual(codecFor(chain)!.canonicalAddress(text), undefined, text)
          assert.deepEqual(guessAddress(` ${text}\n`, chain), { kind: 'address' }, text)
        }),
      )
  })

  it('names the family of an address that is of another network', () => {
    for (const [family, chain] of Object.entries(CHAINS))
      fc.assert(
        fc.property(valid[chain]!, fc.constantFrom(...Object.values(CHAINS).filter((each) => each !== chain)), (text, wanted) => {
          assert.deepEqual(guessAddress(text, wanted), { kind: 'other', family }, `${text} for ${wanted}`)
        }),
      )
  })

  it('finds the character that cannot be seen or is of another script, wherever it was put, and never takes words for that', () => {
    const odd = fc.constantFrom('\u200b', '\u202e', '\u0430', '\u00a0', '\u{1d7ce}')
    for (const [, chain] of Object.entries(CHAINS))
      fc.assert(
        fc.property(valid[chain]!, odd, fc.nat(60), (text, character, place) => {
          const at = 1 + (place % (text.length - 1))
          const guess = guessAddress(text.slice(0, at) + character + text.slice(at), chain)
          assert.deepEqual([guess.kind, 'at' in guess && guess.at], ['unseen', at + 1])
        }),
      )
    for (const words of ['kra', 'Kraken deposit', '工资专户', 'Müller & Söhne, Hauptstraße 12, München', ''])
      for (const chain of NETWORKS) assert.deepEqual(guessAddress(words, chain), { kind: 'unknown' }, words)
    assert.deepEqual(guessAddress('vitalik.eth', 'eip155:1'), { kind: 'name' })
  })

  it('never throws, and has nothing but a form of the network for its address', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.string({ minLength: 30, maxLength: 60 })),
        fc.constantFrom(...NETWORKS, '', 'x'),
        (text, chain) => {
          const { kind } = guessAddress(text, chain)
          if (codecFor(chain)?.canonicalAddress(text.trim()) !== undefined) assert.equal(kind, 'address')
        },
      ),
    )
  })
})
