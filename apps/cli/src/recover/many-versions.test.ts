import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { tempFolder } from '../../../signer/src/testing/temp-folder.ts'
import { useQuickSignatures } from '../../../signer/src/testing/use-quick-signatures.ts'

useQuickSignatures()
const { ed25519 } = await import('@noble/curves/ed25519.js')
const { nodePorts } = await import('@holdfast/ports/node')
const { encodeKits, kitInstructions, readKits } = await import('@holdfast/protocol')
const { recordOfMany } = await import('../../../signer/src/testing/many-versions.ts')
const { organisationWith, signSecrets } = await import('../../../signer/src/testing/world-of.ts')
const { readDocument } = await import('../read-document.ts')
const { makeKit, newOfficer, sealShare } = await import('../testing/make-kit.ts')
const { dealShares, foundOrganisation, seed } = await import('../testing/test-organisation.ts')
const { kitsIn, withOpenKit } = await import('./open-kit.ts')

const VERSIONS = 280

describe('a kit of an organisation with hundreds of versions of its policy', () => {
  it('opens with the shares of the signers of the last one, also in a file of several and as text, and its instructions name them', async (t) => {
    const secret = seed('newcomer')
    const founded = organisationWith()
    const { record, policy } = recordOfMany(founded, VERSIONS, ed25519.getPublicKey(secret))
    assert.ok(record.length > 1 << 22)
    assert.ok(policy.kind === 'namedSigners')
    const { fingerprint } = founded
    const genesis = { ...founded.genesis, signers: policy.signers }
    const later = { ...foundOrganisation(), genesis, policy, fingerprint, signerSecrets: [...signSecrets.slice(0, 2), secret], genesisRecord: record }
    const officer = await newOfficer('officer')
    const keys = ['first', 'second'].map((name) => dealShares(later, 0n, name).shares)
    const kits = await Promise.all(
      keys.map(async (shares) =>
        readKits(makeKit(later, shares[0]!, await Promise.all(shares.map((share) => sealShare(later, share, [officer.recipient]))), {}, 2)),
      ),
    )
    const file = encodeKits(kits.flat())
    const path = join(await tempFolder(t), 'kit')
    await writeFile(path, Buffer.from(file).toString('base64'))
    const read = await readDocument(nodePorts.disk, path)
    assert.ok(Buffer.from(file).equals(read))
    for (const kit of kitsIn(read)) {
      const states = await withOpenKit({ kit, identities: [officer] }, ({ shares }) => shares.map(({ state }) => state))
      assert.deepEqual(states, ['good', 'good', 'good'])
    }
    assert.match(kitInstructions(read, 'acme.kit'), /new signer 3/)
  })
})
