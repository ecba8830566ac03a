import assert from 'node:assert/strict'
import { it } from 'node:test'
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
