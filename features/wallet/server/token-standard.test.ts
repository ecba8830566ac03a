import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standardOf } from './list-coin-assets.ts'

test('a token has the standard of its own chain', () => {
  const told = [
    ['eip155:1', null],
    ['eip155:1', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['tron:0x2b6653dc', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
    ['ton:-239', 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'],
    ['bip122:000000000019d6689c085ae165831e93', 'brc20:6f726469'],
    ['bip122:000000000019d6689c085ae165831e93', null],
  ] as const
  assert.deepEqual(
    told.map(([chain, contract]) => standardOf({ chain, contract })),
    ['native', 'ERC20', 'TRC20', 'jetton', 'BRC20', 'native'],
  )
})
