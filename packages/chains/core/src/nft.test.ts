import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { collectionAsset, nftAsset, pinnedContract, readCollection, readNft } from './nft.ts'

const standard = fc.constantFrom('erc721' as const, 'erc1155' as const)
const address = fc.stringMatching(/^0x[0-9a-fA-F]{40}$/)
const tokenId = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })

describe('a token of a collection as an asset', () => {
  it('comes back from its text, which is never longer than a contract may be', () => {
    fc.assert(
      fc.property(standard, address, tokenId, (kind, collection, id) => {
        const nft = { standard: kind, collection, tokenId: id }
        const text = nftAsset(nft)
        assert.ok(text.length <= 128)
        assert.deepEqual(readNft(text), nft)
        assert.equal(pinnedContract(text), collectionAsset(nft))
        assert.deepEqual(readCollection(pinnedContract(text)), { standard: kind, collection })
      }),
    )
  })

  it('has one spelling: no other text names it', () => {
    const text = nftAsset({ standard: 'erc721', collection: `0x${'ab'.repeat(20)}`, tokenId: 42n })
    for (const other of [text.replace('/0x', '/0x0'), text.replace('/0x2a', '/0x2A'), text.replace('/0x2a', '/42'), `${text} `, `${text}\n`, `${text}/0x1`]) {
      assert.equal(readNft(other), undefined, other)
    }
  })

  it('is told from coins and from the collection itself', () => {
    for (const coin of [null, '', `0x${'ab'.repeat(20)}`, 'TXYZ', `erc20:0x${'ab'.repeat(20)}`]) {
      assert.equal(readNft(coin), undefined)
      assert.equal(readCollection(coin), undefined)
      assert.equal(pinnedContract(coin), coin)
    }
    assert.equal(readNft(`erc721:0x${'ab'.repeat(20)}`), undefined)
    assert.ok(readCollection(`erc721:0x${'ab'.repeat(20)}`))
  })

  it('reads any text at all without failing', () => {
    fc.assert(fc.property(fc.string(), (text) => (readNft(text), pinnedContract(text), true)))
  })
})
