import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ADDRESSES_MAX, faultOfOwnPath, isChangePathOf, pathText, SUB_WALLETS_MAX } from './own-paths.ts'

const index = fc.oneof(fc.nat(25), fc.nat(2 ** 31 - 1), fc.constantFrom(SUB_WALLETS_MAX - 1, SUB_WALLETS_MAX, ADDRESSES_MAX - 1, ADDRESSES_MAX))

describe('the paths at which a key has addresses', () => {
  it('are every one that the product gives out, and the first addresses of each sub-wallet', () => {
    fc.assert(
      fc.property(fc.nat(SUB_WALLETS_MAX - 1), fc.nat(ADDRESSES_MAX - 1), (subWallet, address) => {
        assert.equal(faultOfOwnPath([subWallet, 0]), undefined)
        assert.equal(faultOfOwnPath([BigInt(subWallet), BigInt(address)]), undefined)
      }),
    )
  })

  it('are no others, of whatever length, so that whoever has the key alone tries them all', () => {
    fc.assert(
      fc.property(fc.array(index, { maxLength: 9 }), (path) => {
        const isOurs = path.length === 2 && path[0]! < SUB_WALLETS_MAX && path[1]! < ADDRESSES_MAX
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
    assert.ok(SUB_WALLETS_MAX * ADDRESSES_MAX < 2_000_000)
  })

  it('take change back to the sub-wallet that pays alone', () => {
    fc.assert(
      fc.property(fc.nat(SUB_WALLETS_MAX - 1), fc.nat(SUB_WALLETS_MAX - 1), fc.nat(ADDRESSES_MAX + 5), (paying, other, address) => {
        assert.equal(isChangePathOf([paying, 0], [other, address]), paying === other && address < ADDRESSES_MAX)
        assert.equal(isChangePathOf([paying, 0], [paying, address, 0]), false)
      }),
    )
    assert.equal(isChangePathOf([], []), false)
  })
})
