import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { scalarBytes } from '../group/group.ts'
import { checkKeyShare, childSecret, derivePublicKey, type KeyShare, PROTOCOL, ProtocolFault, recoverSecret, RecoveryError } from '../index.ts'
import { flipBit } from '../testing/edit-message.ts'
import { generateKey, hash32 } from '../testing/run-parties.ts'

const shares = [...generateKey('recover').values()] as [KeyShare, KeyShare, KeyShare]
const [one, two, three] = shares
const other = [...generateKey('other key').values()] as [KeyShare, KeyShare, KeyShare]

function recoveryErrorOf(given: KeyShare[]): RecoveryError {
  try {
    recoverSecret(given)
  } catch (error) {
    assert.ok(error instanceof RecoveryError, String(error))
    return error
  }
  throw new Error('a wrong share was accepted')
}

test('any two shares, in any order, and all three give the one secret of the public key', () => {
  const secret = recoverSecret([one, two])
  assert.deepEqual(Buffer.from(secp256k1.getPublicKey(scalarBytes(secret))), Buffer.from(one.publicKey))
  for (const given of [
    [two, one],
    [one, three],
    [three, two],
    [one, two, three],
  ])
    assert.equal(recoverSecret(given), secret)
})

test('the rebuilt secret gives the secret of every child address', () => {
  const secret = recoverSecret([one, three])
  for (const path of [[], [0], [0, 5], [44, 60, 0, 0, 9]]) {
    assert.deepEqual(
      Buffer.from(secp256k1.getPublicKey(scalarBytes(childSecret(PROTOCOL, secret, one.chainCode, path)))),
      Buffer.from(derivePublicKey(PROTOCOL, one.publicKey, one.chainCode, path)),
    )
  }
})

test('a share that does not fit is named, whatever field is wrong', () => {
  const changes: Partial<KeyShare>[] = [
    { secretShare: flipBit(two.secretShare, 31, 0) },
    { secretShare: new Uint8Array(32) },
    { secretShare: new Uint8Array(32).fill(0xff) },
    { secretShare: one.secretShare },
    { publicKey: other[1].publicKey },
    { commitments: other[1].commitments },
    { verifyingShares: other[1].verifyingShares },
    { chainCode: hash32('x') },
    { keyId: hash32('x') },
    { genesis: hash32('x') },
    { epoch: 1n },
    { protocol: 'other' },
    { threshold: 3n },
    { parties: [1n, 2n] },
    { parties: [2n, 1n, 3n] },
    { commitments: [two.commitments[0]!] },
    { commitments: [new Uint8Array(33), two.commitments[1]!], publicKey: new Uint8Array(33) },
  ]
  for (const change of changes) {
    const error = recoveryErrorOf([one, { ...two, ...change }])
    assert.equal(error.party, 2, JSON.stringify(Object.keys(change)))
  }
})

test('shares of two keys, one share alone or one share twice rebuild nothing', () => {
  assert.equal(recoveryErrorOf([one, other[1]]).party, 2)
  assert.equal(recoveryErrorOf([one]).party, null)
  assert.equal(recoveryErrorOf([]).party, null)
  assert.equal(recoveryErrorOf([one, one]).party, null)
  // A share under another party's name fits that party's verifying share no longer.
  assert.equal(recoveryErrorOf([one, { ...one, party: 2n }]).party, 2)
})

test('a share from a vault is checked as a whole', () => {
  checkKeyShare(one)
  const changes = [{ party: 2n }, { party: 9n }, { verifyingShares: [...one.verifyingShares].reverse() }, { secretShare: flipBit(one.secretShare, 0, 0) }]
  for (const change of changes) {
    assert.throws(() => checkKeyShare({ ...one, ...change }), ProtocolFault)
  }
})
