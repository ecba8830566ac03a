import { readTokenWallets, tokenWalletsAsset } from '@holdfast/chain-core'
import { decode, encode, toHex } from '@holdfast/encoding'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { describeChange } from './describe/describe-change.ts'
import { describePolicy } from './describe/describe-policy.ts'
import { faultOfTokenWallets } from './pinned-wallets.ts'
import { checkPolicy } from './check-policy.ts'
import { type Policy, policyHash, policyShape } from './policy.ts'
import { member, samplePolicy } from './testing/sample-organisation.ts'

const policy = samplePolicy([member(0), member(1), member(2)], 2)
const CHAIN = 'ton:-239'
const MASTER = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'
const form = { token: MASTER, codeHash: 'ab'.repeat(32), codeDepth: 3, hasStatus: false, hasCode: true }
const token = { chain: CHAIN, contract: MASTER, symbol: 'USDT', decimals: 6n }
const pin = { ...token, contract: tokenWalletsAsset(form) }
const withAssets = (...assets: Policy['assets']): Policy => ({ ...policy, assets: [...policy.assets, ...assets] })

describe('the wallets of a token that a policy pins', () => {
  it('go by one text, which is read back and fits where a contract does', () => {
    const forms = fc.record({
      token: fc.constantFrom(MASTER, `E${'Q'.repeat(47)}`),
      codeHash: fc.uint8Array({ minLength: 32, maxLength: 32 }).map(toHex),
      codeDepth: fc.nat(1023),
      hasStatus: fc.boolean(),
      hasCode: fc.boolean(),
    })
    fc.assert(
      fc.property(forms, (each) => {
        const text = tokenWalletsAsset(each)
        assert.deepEqual(readTokenWallets(text), { ...each })
        assert.ok(text.length <= 128)
      }),
    )
    for (const other of [
      null,
      MASTER,
      `${pin.contract}c`,
      `${pin.contract}/`,
      pin.contract.toUpperCase(),
      'erc721:0x12/0x3',
      `${MASTER}/${'ab'.repeat(32)}/03/c`,
    ]) {
      assert.equal(readTokenWallets(other), undefined, String(other))
    }
  })

  it('stand in a policy beside the token, once, under its name, and leave policies without them the bytes they were', () => {
    checkPolicy(withAssets(token, pin))
    for (const wrong of [
      [pin],
      [token, pin, { ...pin, contract: tokenWalletsAsset({ ...form, codeDepth: 4 }) }],
      [token, { ...pin, symbol: 'USDC' }],
      [token, { ...pin, decimals: 9n }],
    ]) {
      assert.throws(() => checkPolicy(withAssets(...wrong)), /wallets of/)
    }
    assert.deepEqual(decode(policyShape, encode(policyShape, withAssets(token))), withAssets(token))
    assert.notDeepEqual(policyHash(withAssets(token)), policyHash(withAssets(token, pin)))
  })

  it('decide where an order to pay it may go', () => {
    const goesTo = (assets: Policy['assets'], change: Partial<typeof form> = {}, chain = CHAIN) =>
      faultOfTokenWallets({ assets }, { chain, tokenWallets: tokenWalletsAsset({ ...form, ...change }) })
    assert.equal(goesTo([token, pin]), undefined)
    assert.equal(goesTo([token, pin], { codeHash: 'cd'.repeat(32) })?.kind, 'other')
    assert.equal(goesTo([token])?.kind, 'unpinned')
    assert.equal(goesTo([token, pin], { token: `E${'Q'.repeat(47)}` })?.kind, 'unpinned')
    assert.equal(goesTo([token, pin], {}, 'ton:-3')?.kind, 'unpinned')
    assert.equal(faultOfTokenWallets({ assets: [] }, { chain: CHAIN }), undefined)
  })

  it('are told to whoever reads the policy or accepts it, with the code, in both languages', () => {
    for (const locale of ['en-US', 'zh-CN'] as const) {
      const line = describePolicy(withAssets(token, pin), locale).find((each) => each.includes('ab'.repeat(32)))!
      assert.ok(line.includes('USDT') && line.includes(MASTER) && line.includes('/3/c'), line)
      const added = describeChange(withAssets(token), withAssets(token, pin), locale, [])
      assert.equal(added.length, 1)
      assert.ok(added[0]!.endsWith(line), added[0])
      assert.equal(describeChange(withAssets(token, pin), withAssets(token), locale, []).length, 1)
    }
  })
})
