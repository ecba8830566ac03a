import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { encode } from '@holdfast/encoding'
import { cosign, entryShape, formatCheckpoint, leafHash, MerkleTree, parseCheckpoint } from '@holdfast/log'
import { EvidenceRefused, kitInstructions } from '@holdfast/protocol'
import { kitsIn, withOpenKit } from './open-kit.ts'
import { makeKit, newOfficer, sealShare } from '../testing/make-kit.ts'
import { makeRefusal } from '../testing/make-evidence.ts'
import { replaceSigner } from '../testing/replace-signer.ts'
import { dealShares, foundOrganisation, seed } from '../testing/test-organisation.ts'
import { LogRefused, verifyLogFile } from '@holdfast/protocol/verify-log-file'
import { verifyRefusal } from '../verify/verify-refusal.ts'

const acme = foundOrganisation()
const { organisation: later, change } = replaceSigner(acme)

describe('after a signer was replaced', () => {
  it('a log is witnessed by the signers of its time, before and after', async () => {
    const CHANGE_AT = 5
    const bodies = Array.from({ length: 10 }, (_, i) =>
      i === 0
        ? { type: 'genesis', body: acme.genesisRecord }
        : i === CHANGE_AT
          ? { type: 'policy', body: change }
          : { type: 'intent', body: seed(`body ${i}`) },
    )
    const entriesOf = (all: typeof bodies) =>
      all.map(({ type, body }, i) => encode(entryShape, { genesis: acme.fingerprint, sequence: BigInt(i), atMs: 1_000n, type, body }))
    const noteOf = (entries: Uint8Array[], size: number, signers: [number, Uint8Array][]) => {
      const tree = new MerkleTree()
      for (const entry of entries) tree.append(leafHash(entry))
      const checkpoint = { genesis: acme.fingerprint, size, root: tree.root(size) }
      return formatCheckpoint(
        checkpoint,
        signers.map(([party, secret]) => cosign(checkpoint, `signer-${party}`, secret)),
      )
    }
    const [first, second, old] = [1, 2, 3].map((party): [number, Uint8Array] => [party, acme.signerSecrets[party - 1]!])
    const newcomer: [number, Uint8Array] = [3, later.signerSecrets[2]!]
    const verify = (entries: Uint8Array[], ...notes: string[]) => {
      const file = Buffer.concat(entries.flatMap((entry) => [new Uint8Array(new Uint32Array([entry.length]).buffer).reverse(), entry]))
      return verifyLogFile(
        (async function* () {
          yield file
        })(),
        notes.map(parseCheckpoint),
        undefined,
      )
    }
    const entries = entriesOf(bodies)
    const early = noteOf(entries, CHANGE_AT, [second!, newcomer])
    const report = await verify(
      entries,
      noteOf(entries, 3, [first!, old!]),
      early,
      noteOf(entries, CHANGE_AT + 1, [first!, newcomer]),
      noteOf(entries, 10, [first!, second!, newcomer]),
    )
    assert.deepEqual(
      report.checkpoints.map(({ witnesses }) => witnesses),
      [
        ['North', 'West'],
        ['East', 'South'],
        ['North', 'South'],
        ['North', 'East', 'South'],
      ],
    )
    await assert.rejects(verify(entries, noteOf(entries, CHANGE_AT + 1, [first!, old!])), /1 signer's signature/)
    await assert.rejects(verify(entries, noteOf(entries, 10, [old!, newcomer])), /1 signer's signature/)
    const twice = entriesOf(bodies.with(CHANGE_AT + 1, { type: 'policy', body: change }))
    await assert.rejects(
      verify(twice, noteOf(twice, 10, [first!, second!])),
      (cause) => cause instanceof LogRefused && /entry 6 is not the next version/.test(cause.message),
    )
    const inOne = entriesOf(bodies.with(0, { type: 'genesis', body: later.genesisRecord }))
    await assert.rejects(verify(inOne, noteOf(inOne, 10, [first!, second!])), /entries of their own/)
  })

  it('a refusal of the newcomer is one of the organisation’s, with the changes that name it and not without', () => {
    const refusal = makeRefusal(later, undefined, { party: 3n })
    assert.deepEqual(verifyRefusal(refusal, {}).signer, { party: 3, name: 'South', operator: 'South Ltd' })
    assert.deepEqual(verifyRefusal(makeRefusal(acme, undefined, { party: 3n }), {}).signer.name, 'West')
    const refusedAt = (cause: unknown) => cause instanceof EvidenceRefused && cause.step === 'statement'
    assert.throws(() => verifyRefusal(makeRefusal({ ...later, genesisRecord: acme.genesisRecord }, undefined, { party: 3n }), {}), refusedAt)
    assert.throws(() => verifyRefusal(makeRefusal({ ...later, signerSecrets: acme.signerSecrets }, undefined, { party: 3n }), {}), refusedAt)
  })

  it('a kit opens with the share the newcomer sealed, names it, and takes no share of the old machine', async () => {
    const { shares } = dealShares(acme, 1n)
    const officer = await newOfficer('officer')
    const sealedBy = (organisation: typeof acme) => Promise.all(shares.map((share) => sealShare(organisation, share, [officer.recipient])))
    const statesOf = (kit: Uint8Array) =>
      withOpenKit({ kit: kitsIn(kit)[0]!, identities: [officer] }, (open) => open.shares.map((each) => (each.state === 'faulty' ? each.fault : each.state)))
    const kit = makeKit(later, shares[0]!, await sealedBy(later))
    assert.deepEqual(await statesOf(kit), ['good', 'good', 'good'])
    assert.match(kitInstructions(kit, 'kit'), /South/)
    assert.deepEqual(await statesOf(makeKit(later, shares[0]!, await sealedBy(acme))), ['good', 'good', 'unsigned'])
    assert.deepEqual(await statesOf(makeKit(acme, shares[0]!, await sealedBy(acme))), ['good', 'good', 'good'], 'a kit from before is what it was')
  })
})
