import { codecFor } from '@holdfast/chain-registry/codec'
import { fromHex } from '@holdfast/encoding'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { Address } from '@scure/btc-signer'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { base58Of, bytesOfBase58, deadAddress } from './index.ts'

const BITCOIN = 'bip122:000000000019d6689c085ae165831e93'
const TESTNET = 'bip122:000000000933ea01ad0ee984209779ba'
const TRON = 'tron:0x2b6653dc'
const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
const evm = (digits: string) => codecFor('eip155:1')!.canonicalAddress(`0x${digits}`)!
const base58 = (version: number, payload: Uint8Array) => {
  const body = Uint8Array.of(version, ...payload)
  return base58Of(Uint8Array.of(...body, ...sha256(sha256(body)).subarray(0, 4)))
}

describe('an address that nobody can spend from', () => {
  it('is known on every chain', () => {
    const precompiled = Array.from({ length: 18 }, (_, i) => evm(i.toString(16).padStart(40, '0')))
    const dead: [string, string[]][] = [
      ['eip155:1', [...precompiled, evm('dEaD'.padStart(40, '0').toLowerCase()), evm('dead'.repeat(10)), evm('ee'.repeat(20)), evm('ff'.repeat(20))]],
      // Arbitrum, BNB Chain, zkSync and Polygon put their own contracts at small numbers.
      ['eip155:42161', ['64', '1000', '8001', '1010'].map((digits) => evm(digits.padStart(40, '0')))],
      [TRON, ['T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', 'TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy', base58(0x41, fromHex(`${'0'.repeat(39)}1`))]],
      ['ton:-239', [`0:${'0'.repeat(64)}`, `-1:${'0'.repeat(64)}`, `-1:${'3'.repeat(64)}`].map((raw) => codecFor('ton:-239')!.canonicalAddress(raw)!)],
      [
        BITCOIN,
        [
          '1BitcoinEaterAddressDontSendf59kuE',
          '1CounterpartyXXXXXXXXXXXXXXXUWLpVr',
          '1111111111111111111114oLvT2',
          'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq9e75rs',
        ],
      ],
    ]
    for (const [chain, addresses] of dead)
      for (const address of addresses) {
        assert.equal(codecFor(chain)!.canonicalAddress(address), address, address)
        assert.equal(deadAddress(chain, address), 'nobody', address)
      }
  })

  it('is one that pays to a script nobody or everybody can spend', () => {
    for (const script of [[], [0x00], [0x51], [0x6a]].map((bytes) => Uint8Array.from(bytes))) {
      assert.equal(deadAddress(BITCOIN, base58(0x05, ripemd160(sha256(script)))), 'nobody')
      assert.equal(deadAddress(TESTNET, base58(0xc4, ripemd160(sha256(script)))), 'nobody')
    }
    assert.equal(deadAddress(BITCOIN, Address().encode({ type: 'wsh', hash: sha256(Uint8Array.of(0x6a)) })), 'nobody')
    const unknown = fromHex('50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0')
    assert.equal(deadAddress(BITCOIN, Address().encode({ type: 'tr', pubkey: unknown })), 'nobody')
  })

  it('is told from contracts of the network, and from those that give back what they get', () => {
    assert.equal(deadAddress('eip155:10', evm('4200000000000000000000000000000000000016')), undefined)
    assert.equal(deadAddress('eip155:10', evm('4200000000000000000000000000000000000006')), undefined)
    assert.equal(deadAddress('eip155:10', evm('4200000000000000000000000000000000000007')), 'network')
    assert.equal(deadAddress('eip155:1', evm('000f3df6d732807ef1319fb7b8bb8522d0beac02')), 'network')
  })

  it('is none that belongs to a key', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (payload) => {
        fc.pre(payload.subarray(0, 16).some((byte) => byte !== 0))
        assert.equal(deadAddress('eip155:1', evm(hex(payload))), undefined)
        assert.equal(deadAddress(TRON, base58(0x41, payload)), undefined)
        assert.equal(deadAddress(BITCOIN, base58(0x00, payload)), undefined)
      }),
    )
    assert.equal(deadAddress('unheard:1', 'anything'), undefined)
  })

  it('is read from base58 as it is written in it', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => assert.deepEqual(bytesOfBase58(base58Of(bytes)), bytes)))
    assert.equal(bytesOfBase58('0OIl'), undefined)
  })
})
