import assert from 'node:assert/strict'
import { it } from 'node:test'
import { codecFor } from './index.ts'

it('a chain has the codec of its family, and an unknown one has none', () => {
  const rules = ['eip155:1', 'tron:0x2b6653dc', 'ton:-239'].map((chain) => codecFor(chain)?.slotRule)
  assert.deepEqual(rules, ['account-nonce', 'expiry', 'wallet-seqno'])
  for (const chain of ['', 'tron:1', 'ton:main', 'eip155:0', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'EIP155:1'])
    assert.equal(codecFor(chain), undefined, chain)
})
