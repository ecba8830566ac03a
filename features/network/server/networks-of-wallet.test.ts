import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { codecFor } from '@holdfast/chain-registry/codec'
import { FROST_ED25519, FROST_TAPROOT, PROTOCOL, PROTOCOLS, signatureKindOf } from '@holdfast/mpc'
import fc from 'fast-check'
import { protocolFor, protocolsFor } from './networks-of-wallet.ts'
import type { Networks } from './types.ts'

const CHAINS = ['eip155:1', 'tron:0x2b6653dc', 'bip122:000000000019d6689c085ae165831e93', 'ton:-239']
const networksOf = (chains: readonly string[]) => ({ list: () => chains.map((chain) => ({ chain })) }) as unknown as Pick<Networks, 'list'>

describe('the key of a wallet that signs on a network', () => {
  const protocols = fc.subarray([...PROTOCOLS])

  it('is one of its own, of a kind that the network takes, and the same in whatever order they are told; where none will do, there is none', () => {
    fc.assert(
      fc.property(fc.constantFrom(...CHAINS), protocols, (chain, given) => {
        const found = protocolFor(chain, given)
        const fit = given.filter((each) => codecFor(chain)!.signatureKinds.includes(signatureKindOf(each)))
        assert.equal(found, protocolFor(chain, given.toReversed()))
        assert.ok(found === undefined ? fit.length === 0 : fit.includes(found))
      }),
    )
  })

  it('is of Bitcoin the ECDSA key where there is one, and the taproot key of a wallet that has that alone', () => {
    const bitcoin = CHAINS[2]!
    assert.equal(protocolFor(bitcoin, PROTOCOLS), PROTOCOL)
    assert.equal(protocolFor(bitcoin, [FROST_ED25519, FROST_TAPROOT]), FROST_TAPROOT)
  })

  it('is none on a network that nobody knows', () => assert.equal(protocolFor('cosmos:hub', PROTOCOLS), undefined))

  it('is there on every network of the installation, with as few keys as will do', () => {
    fc.assert(
      fc.property(fc.subarray(CHAINS), (chains) => {
        const needed = protocolsFor(networksOf(chains))
        const served = (by: readonly string[]) => chains.every((chain) => protocolFor(chain, by) !== undefined)
        assert.ok(served(needed))
        for (const each of needed) assert.ok(!served(needed.filter((other) => other !== each)), `${each} is not needed`)
      }),
    )
    assert.deepEqual(protocolsFor(networksOf(CHAINS)), [PROTOCOL, FROST_ED25519])
  })
})
