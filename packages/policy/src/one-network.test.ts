import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { lastingNetworks, networksApart } from './one-network.ts'

const BITCOIN = ['bip122:000000000019d6689c085ae165831e93', 'bip122:000000000933ea01ad0ee984209779ba']
const chain = fc.constantFrom('eip155:1', 'eip155:137', 'tron:0x2b6653dc', 'tron:0xcd8690dc', 'tronix:1', ...BITCOIN)

test('two networks whose transactions are valid on each other are found, whatever stands beside them', () => {
  fc.assert(
    fc.property(fc.array(chain), (chains) => {
      const [tron, bitcoin] = ['tron:', 'bip122:'].map((family) => new Set(chains.filter((each) => each.startsWith(family)))) as [Set<string>, Set<string>]
      assert.equal(networksApart(chains) !== undefined, tron.size > 1 || bitcoin.size > 1)
      assert.deepEqual(new Set(lastingNetworks(chains)), new Set([...tron, ...bitcoin]))
    }),
  )
})
