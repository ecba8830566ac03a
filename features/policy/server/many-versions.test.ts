import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { decode, encode, toHex } from '@holdfast/encoding'
import { GENESIS_RECORD_BYTES_MAX, genesisRecordShape, inThirdForm, type Policy, POLICY_CHANGES_MAX, policyHash, policyShape } from '@holdfast/policy'
import { known } from '@holdfast/units'
import { ed25519 } from '@noble/curves/ed25519.js'
import fc from 'fast-check'
import { putIntoForce, replaceThird } from '../../testing/replace-signer.ts'
import { openWorld } from '../../testing/test-world.ts'
import type { PolicyDraft } from '../contract.ts'
import { bringSignersUp } from './change/bring-signers-up.ts'
import { faultOfSize } from './change/fault-of-size.ts'
import { currentPolicy, type PolicyInForce } from './current-policy.ts'
import { policyWords } from './policy-words.ts'
import { draftOf, inOrganisation, lower, openPolicyWorld, propose, refusedAs, world } from './testing/policy-world.ts'

const words = policyWords.en_US

const DAY_MS = 86_400_000

/** Adds versions that say what the one in force says, for the time for which the server proposes them, whose changes have so many bytes. */
async function addVersions(count: number, changeBytes: number): Promise<void> {
  const { policy } = await inOrganisation(currentPolicy)
  const nowMs = world.context.ports.clock.nowMs()
  const time = { issuedAtMs: BigInt(nowMs), expiresAtMs: BigInt(nowMs + 90 * DAY_MS) }
  const change = new Uint8Array(changeBytes)
  await inOrganisation(async (tx) => {
    let last: Policy = policy
    for (let i = 0; i < count; i++) {
      last = { ...last, ...time, version: last.version + 1n, previous: policyHash(last) }
      const row = { org_id: tx.orgId, version: last.version, bytes: encode(policyShape, last), hash: policyHash(last), change, created_at: 0 }
      await tx.insertInto('policy_version').values(row).execute()
    }
  })
}

const replacing = (draft: PolicyDraft) => ({
  ...draft,
  replace_signer: { party: 3, name: 'North', operator: 'North Ltd', sign_key: toHex(ed25519.getPublicKey(ed25519.utils.randomSecretKey())) },
})

describe('an organisation with very many versions of its policy', () => {
  before(() => openPolicyWorld())
  after(() => world.close())

  it('is told before its record is full, while a signer can still be replaced; and then proposes nothing that could not be handed on', async () => {
    await addVersions(47, GENESIS_RECORD_BYTES_MAX / 50)
    await assert.rejects(propose(await draftOf(lower)), refusedAs('policy_refused', /there are 48 versions.*nearly full.*found a new organisation/))
    const change = await propose(await draftOf(replacing))
    assert.equal(change.next.version, 49n)
    await inOrganisation((tx) => tx.updateTable('policy_change').set({ is_final: true, state: 'withdrawn' }).where('id', '=', change.row.id).execute())
    await addVersions(3, GENESIS_RECORD_BYTES_MAX / 50)
    await assert.rejects(propose(await draftOf(replacing)), refusedAs('policy_refused', /there are 51 versions.*is full/))
  })

  it('gives them all to a machine in the place of a signer as soon as it is there, whatever form the policy has', async (t) => {
    const other = await openWorld()
    t.after(() => other.close())
    const inForce = () => other.db.asOrganisation(other.orgId, currentPolicy)
    await putIntoForce(other, inThirdForm(other.policy))
    await replaceThird(other)
    other.signers.unpinned.add(3)
    assert.deepEqual(await bringSignersUp(other.context, await inForce()), [1, 2, 3])
    const record = decode(genesisRecordShape, known(other.signers.pinned.get(3), 'what signer 3 has pinned'))
    assert.equal(record.kind === 'followed' && record.policyChanges.length, 2)
  })

  it('is refused one version that is longer than an entry of the log', async () => {
    const inForce = await inOrganisation(currentPolicy)
    assert.equal(faultOfSize(inForce.policy, new Uint8Array(1_000_000), inForce, words), words.tooLong)
  })

  it('keeps the last tenth for what loosens nothing, by number and by size, and never goes beyond what a record holds', async () => {
    const { policy, ...inForce } = await inOrganisation(currentPolicy)
    const tighter = { ...policy, version: policy.version + 1n }
    const looser = { ...tighter, governance: { ...policy.governance, threshold: 1n } }
    const size = fc.record({ count: fc.integer({ min: 0, max: POLICY_CHANGES_MAX + 10 }), bytes: fc.integer({ min: 0, max: 16_000 }) })
    fc.assert(
      fc.property(size, fc.nat(500_000), ({ count, bytes }, newBytes) => {
        const change = new Uint8Array(bytes)
        const filled: PolicyInForce = { ...inForce, policy, policyChanges: Array.from({ length: count }, () => change) }
        const newPolicy = new Uint8Array(newBytes)
        const [free, kept] = [faultOfSize(looser, newPolicy, filled, words), faultOfSize(tighter, newPolicy, filled, words)]
        const record = inForce.genesisRecord.length + count * bytes + newBytes
        if (count >= POLICY_CHANGES_MAX || record > GENESIS_RECORD_BYTES_MAX) assert.ok(kept !== undefined)
        if (kept !== undefined) assert.equal(free, kept)
        const isNearEnd = count + 1 > POLICY_CHANGES_MAX * 0.9 || record > GENESIS_RECORD_BYTES_MAX * 0.9
        if (isNearEnd) assert.ok(free !== undefined)
        if (count < POLICY_CHANGES_MAX / 2 && record < GENESIS_RECORD_BYTES_MAX / 2) assert.equal(free, undefined)
      }),
      { numRuns: 60 },
    )
  })
})
