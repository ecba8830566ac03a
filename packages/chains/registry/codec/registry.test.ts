import assert from 'node:assert/strict'
import { it } from 'node:test'
import { FAMILY_NAMES, familyByName } from './families.ts'
import { codecFor, familyOf } from './index.ts'

it('a chain has the codec of its family, and an unknown one has none', () => {
  const rules = ['eip155:1', 'tron:0x2b6653dc', 'bip122:000000000019d6689c085ae165831e93', 'ton:-239'].map((chain) => codecFor(chain)?.slotRule)
  assert.deepEqual(rules, ['account-nonce', 'expiry', 'anchor-input', 'wallet-seqno'])
  assert.deepEqual(
    ['eip155:1', 'tron:0x2b6653dc', 'bip122:000000000019d6689c085ae165831e93', 'ton:-239'].map((chain) => familyOf(chain)?.family),
    ['evm', 'tron', 'bitcoin', 'ton'],
  )
  for (const chain of ['', 'tron:1', 'bip122:1', 'ton:mainnet', 'eip155:0', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'EIP155:1'])
    assert.equal(codecFor(chain), undefined, chain)
})

it('the name of a chain alone says its family, and the whole of what stands before the colon counts', () => {
  const chains = ['eip155:1', 'tron:0x2b6653dc', 'bip122:000000000019d6689c085ae165831e93', 'ton:-239']
  assert.deepEqual(new Set(chains.map(familyByName)), new Set(FAMILY_NAMES))
  for (const chain of chains) assert.equal(familyByName(chain), familyOf(chain)?.family, chain)
  for (const chain of ['', 'ton', 'tronix:1', 'aton:-239', 'TON:-239', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'])
    assert.equal(familyByName(chain), undefined, chain)
})
