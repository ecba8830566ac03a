import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ADDRESSES_MAX, addressesMaxOf, faultOfOwnPath, isChangePathOf, pathText, SUB_WALLETS_MAX } from './own-paths.ts'

const index = fc.oneof(fc.nat(25), fc.nat(2 ** 31 - 1), fc.constantFrom(SUB_WALLETS_MAX - 1, SUB_WALLETS_MAX, ADDRESSES_MAX - 1, ADDRESSES_MAX))

describe('the paths at which a key has addresses', () => {
  it('are every one that the product gives out, and the first addresses of each sub-wallet', () => {
    fc.assert(
      fc.property(fc.nat(SUB_WALLETS_MAX - 1), fc.nat(ADDRESSES_MAX - 1), (subWallet, place) => {
        const address = place % addressesMaxOf(subWallet)
        assert.equal(faultOfOwnPath([subWallet, 0]), undefined)
        assert.equal(faultOfOwnPath([BigInt(subWallet), BigInt(address)]), undefined)
      }),
    )
  })

  it('are no others, of whatever length, so that whoever has the key alone tries them all', () => {
    fc.assert(
      fc.property(fc.array(index, { maxLength: 9 }), (path) => {
        const isOurs = path.length === 2 && path[0]! < SUB_WALLETS_MAX && path[1]! < addressesMaxOf(path[0]!)
        assert.equal(faultOfOwnPath(path) === undefined, isOurs, pathText(path))
      }),
    )
    for (const odd of [
      [-1, 0],
      [0, -1],
      [0.5, 0],
      [0, Number.NaN],
    ])
      assert.ok(faultOfOwnPath(odd))
  })

  it('are few enough to be tried, and each sub-wallet has some', () => {
    const all = Array.from({ length: SUB_WALLETS_MAX }, (_, subWallet) => addressesMaxOf(subWallet))
    assert.ok(all.reduce((sum, each) => sum + each, 0) < 160_000_000)
    assert.deepEqual([all[0], all[15], all[16], all[167], all[1676], all.at(-1)], [ADDRESSES_MAX, ADDRESSES_MAX, 986_895, 99_864, 10_004, 256])
    assert.deepEqual([-1, 0.5, Number.NaN, SUB_WALLETS_MAX].map(addressesMaxOf), [0, 0, 0, 0])
  })

  it('take change back to the sub-wallet that pays alone', () => {
    fc.assert(
      fc.property(fc.nat(SUB_WALLETS_MAX - 1), fc.nat(SUB_WALLETS_MAX - 1), fc.nat(ADDRESSES_MAX + 5), (paying, other, address) => {
        assert.equal(isChangePathOf([paying, 0], [other, address]), paying === other && address < addressesMaxOf(paying))
        assert.equal(isChangePathOf([paying, 0], [paying, address, 0]), false)
      }),
    )
    assert.equal(isChangePathOf([], []), false)
  })
})
