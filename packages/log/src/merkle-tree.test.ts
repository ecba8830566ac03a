import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { EMPTY_ROOT, leafHash, MerkleTree, verifyConsistency, verifyInclusion } from './index.ts'

const leaves = Array.from({ length: 70 }, (_, i) => leafHash(Uint8Array.of(i)))
const treeOf = (size: number) => {
  const tree = new MerkleTree()
  for (const leaf of leaves.slice(0, size)) tree.append(leaf)
  return tree
}
// RFC 6962, 2.1, word by word and with another library.
const sha256 = (...parts: Uint8Array[]) => new Uint8Array(createHash('sha256').update(Buffer.concat(parts)).digest())
function plainRoot(hashes: Uint8Array[]): Uint8Array {
  if (hashes.length === 0) return sha256()
  if (hashes.length === 1) return hashes[0]!
  let split = 1
  while (split * 2 < hashes.length) split *= 2
  return sha256(Uint8Array.of(1), plainRoot(hashes.slice(0, split)), plainRoot(hashes.slice(split)))
}

test('roots are those of RFC 6962', () => {
  assert.deepEqual(EMPTY_ROOT, sha256())
  assert.deepEqual(leafHash(Uint8Array.of(7)), sha256(Uint8Array.of(0), Uint8Array.of(7)))
  const tree = treeOf(70)
  for (let size = 0; size <= 70; size++) assert.deepEqual(tree.root(size), plainRoot(leaves.slice(0, size)), `size ${size}`)
})

test('every leaf of every tree is proven included, and no other leaf or place is', () => {
  const tree = treeOf(70)
  for (let size = 1; size <= 70; size++) {
    const root = tree.root(size)
    for (let index = 0; index < size; index++) {
      const proof = tree.inclusionProof(index, size)
      assert.ok(verifyInclusion({ leaf: leaves[index]!, index, size, root, proof }))
      assert.ok(!verifyInclusion({ leaf: leaves[(index + 1) % 70]!, index, size, root, proof }))
      if (size > 1) assert.ok(!verifyInclusion({ leaf: leaves[index]!, index: (index + 1) % size, size, root, proof }))
      assert.ok(!verifyInclusion({ leaf: leaves[index]!, index, size, root, proof: [...proof, leaves[0]!] }))
    }
  }
})

test('every tree is proven a prefix of every later one, and a changed history never is', () => {
  const tree = treeOf(70)
  const forged = new MerkleTree()
  leaves.forEach((leaf, i) => forged.append(i === 3 ? leaves[4]! : leaf))
  for (let newer = 0; newer <= 70; newer++) {
    for (let older = 0; older <= newer; older++) {
      const proof = tree.consistencyProof(older, newer)
      const at = (from: MerkleTree, size: number) => ({ size, root: from.root(size) })
      assert.ok(verifyConsistency(at(tree, older), at(tree, newer), proof), `${older} to ${newer}`)
      if (older > 4) {
        assert.ok(!verifyConsistency(at(tree, older), at(forged, newer), forged.consistencyProof(older, newer)))
        assert.ok(!verifyConsistency(at(forged, older), at(tree, newer), proof))
      }
    }
  }
})

test('a proof with any bit changed is refused', () => {
  const tree = treeOf(70)
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 70 }), fc.nat(), fc.nat(), fc.integer({ min: 1, max: 255 }), (size, place, byte, flip) => {
      const index = place % size
      const changed = tree.inclusionProof(index, size).map((node) => node.slice())
      changed[byte % changed.length]![byte % 32]! ^= flip
      assert.ok(!verifyInclusion({ leaf: leaves[index]!, index, size, root: tree.root(size), proof: changed }))
    }),
    { numRuns: 1000 },
  )
})
