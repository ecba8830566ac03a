import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decode, digest, encode, list, struct } from '@holdfast/encoding'
import { acceptanceShape } from '@holdfast/intent'
import { ed25519 } from '@noble/curves/ed25519.js'
import fc from 'fast-check'
import {
  checkNextPolicy,
  checkPolicyChange,
  checkRecord,
  describeChange,
  describePolicy,
  genesisHash,
  type GenesisRecord,
  genesisRecordShape,
  genesisShape,
  type Policy,
  type PolicyChangeRecord,
  policyHash,
  PolicyRefused,
  policyShape,
  replacedSigners,
  type SignerIdentity,
  signersOf,
  withSigners,
} from './index.ts'
import { member, sampleApproval, sampleGenesis } from './testing/sample-organisation.ts'

type FirstForm = Extract<Policy, { kind: 'foundingSigners' }>

const people = [0, 1, 2].map(member)
const [ann, ben, cleo] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0]]
const keyOf = (number: number) => ed25519.getPublicKey(new Uint8Array(32).fill(number))
const record = sampleGenesis(people, 2, [1, 2, 3].map(keyOf))
const { genesis, acceptances } = record
const founding = { genesis, fingerprint: genesisHash(genesis) }

const replace = (signers: readonly SignerIdentity[], party: bigint, number: number): SignerIdentity[] =>
  signers.map((each) => (each.party === party ? { party, name: `newcomer-${number}`, operator: `Operator ${number}`, signKey: keyOf(number) } : each))

/** The version after `current` that names these signers, or none. */
function nextOf(current: Policy, signers: SignerIdentity[] | null): Policy {
  const next = { genesis: founding.fingerprint, version: current.version + 1n, previous: policyHash(current) }
  return signers ? { ...withSigners(current, signers), ...next } : { ...genesis.policy, ...next }
}

function changeTo(current: Policy, next: Policy, approvers = [ben, cleo]): PolicyChangeRecord {
  const intent = {
    genesis: founding.fingerprint,
    orderId: new Uint8Array(16),
    newPolicy: encode(policyShape, next),
    notBeforeMs: 0n,
    expiresAtMs: 10n ** 12n,
    policyVersion: current.version,
    policyHash: policyHash(current),
    initiator: ann.id,
    nonce: new Uint8Array(32),
  }
  const full = { kind: 'policyChange' as const, ...intent }
  return { intent, approvals: approvers.map((each) => sampleApproval(each, full, current)), newApprovals: [] }
}

const second = nextOf(genesis.policy, replace(genesis.signers, 3n, 4))

test('what was signed before signers could be replaced has the bytes and hashes it had', () => {
  const shape = struct('holdfast/policy/v1', policyShape.variants.foundingSigners.fields)
  const genesisBefore = struct('holdfast/genesis/v1', { ...genesisShape.fields, policy: shape })
  const recordBefore = struct('holdfast/genesis-record/v1', { genesis: genesisBefore, acceptances: list(acceptanceShape, 256) })
  fc.assert(
    fc.property(fc.bigInt(1n, 1n << 40n), fc.array(fc.string({ maxLength: 9, unit: 'grapheme-ascii' }), { maxLength: 3 }), (expiresAtMs, recipients) => {
      const policy = { ...(genesis.policy as FirstForm), expiresAtMs, recovery: [{ kind: 'single' as const, party: 1n, recipients }] }
      const { kind: _, ...fields } = policy
      assert.deepEqual(policyHash(policy), digest(shape, fields))
      const document = { ...genesis, policy }
      assert.deepEqual(genesisHash(document), digest(genesisBefore, { ...document, policy: fields }))
      const bytes = encode(recordBefore, { genesis: { ...document, policy: fields }, acceptances })
      assert.deepEqual(decode(genesisRecordShape, bytes), { kind: 'founding', genesis: document, acceptances })
    }),
    { numRuns: 30 },
  )
})

test('one signer is replaced by the quorum, and is the signer from that version on', () => {
  assert.deepEqual(checkPolicyChange(changeTo(genesis.policy, second), genesis.policy, founding), second)
  assert.deepEqual(signersOf(genesis, genesis.policy), genesis.signers)
  assert.deepEqual(
    signersOf(genesis, second).map(({ name }) => name),
    ['signer-1', 'signer-2', 'newcomer-4'],
  )
  const third = nextOf(second, replace(signersOf(genesis, second), 1n, 5))
  assert.deepEqual(checkPolicyChange(changeTo(second, third), second, founding), third)
  assert.throws(() => checkPolicyChange(changeTo(genesis.policy, second, [ben]), genesis.policy, founding), /lacks 1 approval/)
  assert.throws(() => checkPolicyChange(changeTo(genesis.policy, second, [ann, ben]), genesis.policy, founding), /lacks 1 approval/)
})

test('a version replaces one signer at most, by a new key, and says nothing else of signers', () => {
  const named = signersOf(genesis, second)
  const renamed = named.map((each) => (each.party === 1n ? { ...each, operator: 'Somebody else' } : each))
  const wrong: [Policy, SignerIdentity[] | null, RegExp][] = [
    [genesis.policy, replace(replace(genesis.signers, 3n, 4), 2n, 5), /more than one signer/],
    [genesis.policy, genesis.signers, /none of which is replaced/],
    [genesis.policy, replace(genesis.signers, 3n, 2), /two signers share a key/],
    [genesis.policy, replace(genesis.signers, 3n, 4).slice(0, 2), /needs three signers/],
    [genesis.policy, replace(genesis.signers, 3n, 4).toReversed(), /numbered 1, 2, 3/],
    [second, null, /no longer names the signers/],
    [second, renamed, /renames a signer/],
    [second, replace(replace(named, 1n, 3), 3n, 1), /more than one signer/],
  ]
  for (const [current, signers, reason] of wrong) {
    assert.throws(() => checkNextPolicy(nextOf(current, signers), current, founding), reason)
    assert.throws(() => checkPolicyChange(changeTo(current, nextOf(current, signers)), current, founding), PolicyRefused)
  }
  const four = [...named, { party: 4n, name: 'one more', operator: 'Somebody', signKey: keyOf(9) }]
  assert.throws(() => checkNextPolicy(nextOf(second, four), second, founding), /needs three signers/)
  const shuffled = named.map((each, i) => ({ ...each, signKey: named[(i + 1) % 3]!.signKey }))
  assert.throws(() => checkNextPolicy(nextOf(second, shuffled), second, founding), PolicyRefused)
})

test('whatever is replaced one after the other, two signers stay at each step, and the record proves who they are', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.bigInt(1n, 3n)), { minLength: 1, maxLength: 4 }), (steps) => {
      const policies: Policy[] = [genesis.policy]
      const policyChanges: PolicyChangeRecord[] = []
      steps.forEach((party, i) => {
        const current = policies.at(-1)!
        const signers = party ? replace(signersOf(genesis, current), party, 10 + i) : current.kind === 'namedSigners' ? current.signers : null
        policies.push(nextOf(current, signers))
        policyChanges.push(changeTo(current, policies.at(-1)!))
      })
      const followed: GenesisRecord = { kind: 'followed', genesis, acceptances, policyChanges }
      const proven = checkRecord(decode(genesisRecordShape, encode(genesisRecordShape, followed)))
      assert.deepEqual(proven.policies, policies)
      policies.slice(1).forEach((policy, i) => {
        assert.equal(replacedSigners(signersOf(genesis, policies[i]!), signersOf(genesis, policy)).length, steps[i] ? 1 : 0)
      })
      assert.deepEqual(proven.signers, signersOf(genesis, policies.at(-1)!))
      for (let cut = 0; cut < policyChanges.length - 1; cut++) {
        assert.throws(() => checkRecord({ ...followed, policyChanges: policyChanges.toSpliced(cut, 1) }), PolicyRefused, 'a version was left out')
      }
    }),
    { numRuns: 12 },
  )
})

test('people read who comes in the place of whom, with both keys, in both languages', () => {
  const hex = (number: number) => Buffer.from(keyOf(number)).toString('hex')
  for (const locale of ['en-US', 'zh-CN'] as const) {
    const lines = describeChange(genesis.policy, second, locale, genesis.signers)
    assert.equal(lines.length, 2)
    assert.ok(lines[0]!.includes(hex(3)) && lines[0]!.includes('signer-3') && lines[1]!.includes(hex(4)) && lines[1]!.includes('Operator 4'))
    assert.ok(describePolicy(second, locale).join('\n').includes(hex(4)))
    assert.ok(!describePolicy(genesis.policy, locale).join('\n').includes(hex(3)), 'a policy that names no signers says what it always said')
  }
})
