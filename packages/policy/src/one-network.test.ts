import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { lastingNetworks, networksApart } from './one-network.ts'

const chain = fc.constantFrom('eip155:1', 'eip155:137', 'tron:0x2b6653dc', 'tron:0xcd8690dc', 'bip122:000000000019d6689c085ae165831e93', 'tronix:1')

test('two networks whose transactions are valid on each other are found, whatever stands beside them', () => {
  fc.assert(
    fc.property(fc.array(chain), (chains) => {
      const tron = new Set(chains.filter((each) => each.startsWith('tron:')))
      assert.equal(networksApart(chains) !== undefined, tron.size > 1)
      assert.deepEqual(new Set(lastingNetworks(chains)), tron)
    }),
  )
})
