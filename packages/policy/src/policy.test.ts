import { collectionAsset, nftAsset } from '@holdfast/chain-core'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decode, encode, equalBytes, list, struct, text, uint } from '@holdfast/encoding'
import { type Approval, policyChangeIntentShape } from '@holdfast/intent'
import { ed25519 } from '@noble/curves/ed25519.js'
import fc from 'fast-check'
import {
  ApprovalRefused,
  checkApproval,
  checkGenesis,
  checkPolicy,
  checkPolicyChange,
  countApprovals,
  describeChange,
  describePolicy,
  describesPinnedAssets,
  recipientFingerprint,
  evaluatePayment,
  eligibleIn,
  oneStep,
  neededIn,
  isAboveFirstTier,
  genesisHash,
  GenesisRefused,
  type Policy,
  policyHash,
  PolicyRefused,
  policyShape,
} from './index.ts'
import { CHAIN, deviceAssertion, member, ORIGIN, sampleApproval, sampleGenesis, samplePolicy, sampleTransfer } from './testing/sample-organisation.ts'

const people = [0, 1, 2, 3, 4].map(member)
const order = { chain: CHAIN, contract: null, amount: 1n }
const signKeys = [1, 2, 3].map((n) => ed25519.getPublicKey(new Uint8Array(32).fill(n)))

test('nobody approves their own order: every set of approvers, every initiator, every threshold, up to five people', () => {
  let counted = 0
  for (let size = 2; size <= 5; size++) {
    const members = people.slice(0, size)
    for (let threshold = 1; threshold <= size; threshold++) {
      const policy = samplePolicy(members, threshold)
      for (const initiator of members) {
        const outcome = evaluatePayment(policy, { ...order, initiator: initiator.id })
        if (threshold > size - 1) {
          assert.equal(outcome.kind, 'deny')
          continue
        }
        assert.ok(outcome.kind === 'needs' && !eligibleIn(outcome.steps).some((id) => equalBytes(id, initiator.id)))
        const intent = sampleTransfer(policy, initiator.id)
        const approvals = members.map((each) => sampleApproval(each, intent, policy))
        for (let set = 0; set < 1 << size; set++) {
          const given = approvals.filter((_, i) => (set >> i) & 1)
          const others = given.filter((each) => !equalBytes(each.person, initiator.id)).length
          // The initiator is put among the eligible on purpose: counting must leave them out by itself.
          const tally = countApprovals({
            policy,
            intent,
            approvals: given,
            steps: oneStep(
              members.map((each) => each.id),
              threshold,
            ),
          })
          assert.equal(tally.met, others >= threshold)
          assert.equal(tally.approvedBy.length, others)
          counted++
        }
      }
    }
  }
  assert.equal(counted, 8 + 48 + 192 + 640)
})

test('one person with two keys counts once', () => {
  const [a, b, c] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0]]
  const second = { ...b!, secretKey: people[4]!.secretKey, credential: people[4]!.credential }
  const policy = samplePolicy([a!, b!, c!], 2)
  policy.people[1]!.credentials.push(second.credential)
  const intent = sampleTransfer(policy, a!.id)
  const approvals = [sampleApproval(b!, intent, policy), sampleApproval(second, intent, policy)]
  const tally = countApprovals({ policy, intent, approvals, steps: oneStep([b!.id, c!.id], 2) })
  assert.equal(tally.met, false)
  assert.equal(tally.missing, 1)
})

test('a rejection by somebody eligible stops the order', () => {
  const policy = samplePolicy(people.slice(0, 4), 2)
  const intent = sampleTransfer(policy, people[0]!.id)
  const approvals = [
    sampleApproval(people[1]!, intent, policy),
    sampleApproval(people[2]!, intent, policy),
    sampleApproval(people[3]!, intent, policy, 'reject'),
  ]
  assert.equal(
    countApprovals({
      policy,
      intent,
      approvals,
      steps: oneStep(
        people.slice(1, 4).map((each) => each.id),
        2,
      ),
    }).met,
    false,
  )
})

test('an approval with any one thing changed does not count', () => {
  const policy = samplePolicy(people.slice(0, 3), 1)
  const intent = sampleTransfer(policy, people[0]!.id)
  const good = sampleApproval(people[1]!, intent, policy)
  assert.equal(checkApproval(good, intent, policy).name, 'Person 2')
  const other = (length: number) => new Uint8Array(length).fill(0x33)
  const changed: Partial<Approval>[] = [
    { genesis: other(32) },
    { intentHash: other(32) },
    { policyHash: other(32) },
    { person: other(16) },
    { person: people[2]!.id },
    { decision: 'reject' },
    { decision: 'maybe' },
    { locale: 'zh-CN' },
    { locale: 'fr-FR' },
    { renderHash: other(32) },
    { signedAtMs: 20_001n },
    { signedAtMs: 1n },
    { signedAtMs: 2n ** 63n },
    { assertion: deviceAssertion(people[1]!, other(32)) },
    { assertion: { ...(good.assertion as ReturnType<typeof deviceAssertion>), origin: 'http://localhost:7000' } },
    { assertion: { ...(good.assertion as ReturnType<typeof deviceAssertion>), credentialId: other(16) } },
  ]
  for (const change of changed) assert.throws(() => checkApproval({ ...good, ...change }, intent, policy), ApprovalRefused, Object.keys(change).join())
  const own = { ...intent, asset: { ...intent.asset, decimals: 6n } }
  assert.throws(() => checkApproval(sampleApproval(people[1]!, own, policy), own, policy), /describes an asset as the policy does not/)
  const elsewhere = sampleApproval(people[1]!, intent, policy, 'approve')
  assert.throws(() => checkApproval(elsewhere, { ...intent, amount: intent.amount + 1n }, policy), ApprovalRefused)
  assert.throws(() => checkApproval(elsewhere, intent, { ...policy, origins: [{ origin: `${ORIGIN}1`, rpId: 'x' }] }), ApprovalRefused)
})

test('a collection is pinned once and each of its tokens follows its rules; a token no policy pins is denied', () => {
  const [initiator] = people.map((each) => each.id)
  const collection = { standard: 'erc721', collection: `0x${'ab'.repeat(20)}` } as const
  const [token, other] = [nftAsset({ ...collection, tokenId: 1n }), nftAsset({ ...collection, tokenId: 2n })]
  const foreign = nftAsset({ ...collection, collection: `0x${'cd'.repeat(20)}`, tokenId: 1n })
  const pinned = { chain: CHAIN, contract: collectionAsset(collection), symbol: 'ART', decimals: 0n }
  const base = samplePolicy(people.slice(0, 4), 2)
  const rule = base.rules.find((each) => each.kind === 'transfer')
  const policy = (...assets: string[]) => ({
    ...base,
    assets: [...base.assets, pinned],
    rules: assets.map((asset, i) => ({ ...rule!, id: `r${i}`, chain: null, asset, maxAmount: null })),
  })
  const outcome = (given: Policy, contract: string) => evaluatePayment(given, { ...order, contract, initiator: initiator! })
  const forAll = policy(pinned.contract)
  checkPolicy(forAll)
  for (const each of [token, other]) assert.equal(outcome(forAll, each).kind, 'needs')
  assert.ok(outcome(policy(token), other).kind === 'deny' && outcome(policy(token), token).kind === 'needs')
  assert.deepEqual(outcome(forAll, foreign), { kind: 'deny', reason: 'asset-not-pinned', rule: null })
  assert.equal(outcome(policy(''), token).kind, 'deny')
  assert.throws(() => checkPolicy({ ...forAll, assets: [{ ...pinned, contract: token }] }), /pin the collection/)
  assert.throws(() => checkPolicy({ ...forAll, assets: [{ ...pinned, decimals: 1n }] }), /0 decimals/)
  const named = { asset: { ...pinned, contract: token }, feeAsset: base.assets.find((each) => each.contract === null)! }
  assert.equal(describesPinnedAssets(named, forAll), true)
  assert.equal(describesPinnedAssets({ ...named, asset: { ...named.asset, symbol: 'RARE' } }, forAll), false)
  assert.equal(describesPinnedAssets({ ...named, asset: { ...named.asset, contract: foreign } }, forAll), false)
})

test('what no rule covers is denied, and no rule can do without approvers', () => {
  const policy = samplePolicy(people.slice(0, 3), 2)
  const initiator = people[0]!.id
  assert.equal(evaluatePayment(policy, { ...order, chain: 'eip155:1', initiator }).kind, 'deny')
  assert.equal(evaluatePayment(policy, { ...order, contract: '0xabc', initiator }).kind, 'deny')
  assert.equal(evaluatePayment({ ...policy, rules: [] }, { ...order, initiator }).kind, 'deny')
  assert.equal(evaluatePayment(policy, { ...order, initiator: people[4]!.id }).kind, 'deny')
  const rule = policy.rules[0]!
  const limited = { ...policy, rules: [{ ...rule, maxAmount: 10n }] }
  assert.equal(evaluatePayment(limited, { ...order, amount: 10n, initiator }).kind, 'needs')
  assert.equal(evaluatePayment(limited, { ...order, amount: 11n, initiator }).kind, 'deny')
  for (const broken of [
    { ...rule, threshold: 0n },
    { ...rule, approvers: [] },
    { ...rule, threshold: 4n },
    { ...rule, initiators: [] },
    { ...rule, approvers: [people[4]!.id] },
  ]) {
    assert.throws(() => checkPolicy({ ...policy, rules: [broken] }), PolicyRefused)
  }
  assert.equal(evaluatePayment({ ...policy, rules: [{ ...rule, threshold: 0n }] }, { ...order, initiator }).kind, 'deny')
})

test('whatever the policy, an outcome names at least one approver who did not ask', () => {
  const ids = people.map((each) => each.id)
  const rule = fc.record({
    initiators: fc.subarray(ids),
    approvers: fc.subarray(ids),
    threshold: fc.bigInt({ min: 0n, max: 6n }),
    maxAmount: fc.option(fc.bigInt({ min: 0n, max: 100n })),
  })
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 4 }), fc.constantFrom(...ids), fc.bigInt({ min: 0n, max: 120n }), (rules, initiator, amount) => {
      const policy: Policy = {
        ...samplePolicy(people, 1),
        rules: rules.map((each, i) => ({ kind: 'transfer' as const, id: String(i), chain: null, asset: null, window: null, ...each })),
      }
      const outcome = evaluatePayment(policy, { ...order, amount, initiator })
      if (outcome.kind === 'deny') return
      assert.ok(neededIn(outcome.steps) >= 1 && eligibleIn(outcome.steps).length >= neededIn(outcome.steps))
      assert.ok(!eligibleIn(outcome.steps).some((id) => equalBytes(id, initiator)))
    }),
    { numRuns: 2000 },
  )
})

test('a genesis document is accepted by all its members, or not at all', () => {
  const members = people.slice(0, 3)
  const record = sampleGenesis(members, 2, signKeys)
  assert.deepEqual(checkGenesis(record), genesisHash(record.genesis))
  assert.throws(() => checkGenesis({ ...record, acceptances: record.acceptances.slice(1) }), /not yet accepted by Person 1/)
  assert.throws(() => checkGenesis({ ...record, genesis: { ...record.genesis, name: 'Another' } }), GenesisRefused)
  assert.throws(() => checkGenesis({ ...record, genesis: { ...record.genesis, threshold: 1n } }), GenesisRefused)
  assert.throws(() => checkGenesis({ ...record, genesis: { ...record.genesis, signers: record.genesis.signers.slice(0, 2) } }), GenesisRefused)
  const twin = record.genesis.signers.map((each, i) => (i === 2 ? { ...each, signKey: record.genesis.signers[0]!.signKey } : each))
  assert.throws(() => checkGenesis({ ...record, genesis: { ...record.genesis, signers: twin } }), GenesisRefused)
})

/** The founding that sample transfers and changes name, whatever its hash would be. */
const foundingOf = (fingerprint: Uint8Array) => ({ genesis: sampleGenesis(people.slice(0, 3), 2, signKeys).genesis, fingerprint })

function change(current: Policy, next: Policy, approvers: typeof people, newApprovers: typeof people = []) {
  const intent = {
    genesis: next.genesis,
    orderId: new Uint8Array(16),
    newPolicy: encode(policyShape, next),
    notBeforeMs: 0n,
    expiresAtMs: 10n ** 12n,
    policyVersion: current.version,
    policyHash: policyHash(current),
    initiator: people[0]!.id,
    nonce: new Uint8Array(32),
  }
  assert.deepEqual(decode(policyChangeIntentShape, encode(policyChangeIntentShape, intent)), intent)
  const full = { kind: 'policyChange' as const, ...intent }
  return {
    intent,
    approvals: approvers.map((each) => sampleApproval(each, full, current)),
    newApprovals: newApprovers.map((each) => sampleApproval(each, full, current)),
  }
}

test('a policy follows only from the one before, signed by its quorum', () => {
  const founding = foundingOf(new Uint8Array(32).fill(5))
  const { fingerprint: genesis } = founding
  const [a, b, c, d] = people as typeof people & { 3: (typeof people)[0] }
  const current = samplePolicy([a!, b!, c!], 2)
  const next = { ...current, genesis, version: 2n, previous: policyHash(current), expiresAtMs: current.expiresAtMs + 1n }
  assert.deepEqual(checkPolicyChange(change(current, next, [b!, c!]), current, founding), next)
  assert.throws(() => checkPolicyChange(change(current, next, [b!]), current, founding), PolicyRefused)
  assert.throws(() => checkPolicyChange(change(current, next, [a!, b!]), current, founding), PolicyRefused, 'the person who asks does not count')
  for (const wrong of [{ version: 3n }, { version: 1n }, { previous: new Uint8Array(32) }, { genesis: new Uint8Array(32) }]) {
    assert.throws(() => checkPolicyChange(change(current, { ...next, ...wrong }, [b!, c!]), current, founding), PolicyRefused, Object.keys(wrong).join())
  }
  assert.throws(() => checkPolicyChange(change(current, next, [b!, c!]), next, founding), PolicyRefused, 'replayed on the version it made')
  const grown = { ...next, people: samplePolicy([a!, b!, c!, d!], 2).people, governance: { approvers: [b!.id, d!.id], threshold: 2n } }
  assert.throws(() => checkPolicyChange(change(current, grown, [b!, c!]), current, founding), /people who are to govern/)
  assert.deepEqual(checkPolicyChange(change(current, grown, [b!, c!], [b!, d!]), current, founding), grown)
})

test('a key never serves two networks whose transactions are valid on each other, in no version and by no detour', () => {
  const founding = foundingOf(new Uint8Array(32).fill(5))
  const { fingerprint: genesis } = founding
  const [a, b, c] = people
  const assetOf = (chain: string) => ({ chain, contract: null, symbol: 'COIN', decimals: 6n })
  const first = samplePolicy([a!, b!, c!], 2)
  for (const [mainChain, testChain] of [
    ['tron:0x2b6653dc', 'tron:0xcd8690dc'],
    ['bip122:000000000019d6689c085ae165831e93', 'bip122:000000000933ea01ad0ee984209779ba'],
  ]) {
    const [main, test] = [assetOf(mainChain!), assetOf(testChain!)]
    assert.throws(() => checkPolicy({ ...first, assets: [...first.assets, test, main] }), /a key serves one of them/)
    const current = { ...first, assets: [...first.assets, test] }
    const follows = (assets: Policy['assets']) => {
      const next = { ...current, genesis, version: 2n, previous: policyHash(current), assets }
      return checkPolicyChange(change(current, next, [b!, c!]), current, founding)
    }
    const gone = new RegExp(`no longer pins an asset of ${testChain}`)
    assert.throws(() => follows([...first.assets, main]), gone)
    assert.throws(() => follows(first.assets), gone, 'a version without it would forget which one it was')
    assert.equal(follows([test]).version, 2n)
  }
})

test('a policy is described in both languages, with every person and rule', () => {
  const policy = samplePolicy(people.slice(0, 3), 2)
  for (const locale of ['en-US', 'zh-CN'] as const) {
    const lines = describePolicy(policy, locale).join('\n')
    for (const person of policy.people) assert.ok(lines.includes(person.name))
    assert.ok(lines.includes('payments') && lines.includes(ORIGIN))
  }
})

test('the words of a policy tell one recovery recipient from any other, by what its holder saw when it was made', () => {
  const policy = { ...samplePolicy(people.slice(0, 3), 2), recovery: [{ kind: 'single' as const, party: 1n, recipients: ['age1own'] }] }
  const swapped = { ...policy, recovery: [{ kind: 'single' as const, party: 1n, recipients: ['age1thief'] }] }
  for (const locale of ['en-US', 'zh-CN'] as const) {
    assert.ok(describePolicy(policy, locale).join('\n').includes(recipientFingerprint('age1own')))
    assert.ok(!describePolicy(swapped, locale).join('\n').includes(recipientFingerprint('age1own')))
  }
  assert.match(recipientFingerprint('age1own'), /^([0-9a-f]{4} ){7}[0-9a-f]{4}$/)
})

test('officers who open a share together are enough of them, each one once and of one signer only, and the words say how many', () => {
  const policy = samplePolicy(people.slice(0, 3), 2)
  const group = (party: bigint, recipients: string[], threshold = 2n) => ({ kind: 'quorum' as const, party, threshold, recipients })
  const recovery = [group(1n, ['age1a', 'age1b', 'age1c']), group(2n, ['age1d', 'age1e']), { kind: 'single' as const, party: 3n, recipients: ['age1f'] }]
  checkPolicy({ ...policy, recovery })
  assert.deepEqual(decode(policyShape, encode(policyShape, { ...policy, recovery })).recovery, recovery)
  const wrong: [Policy['recovery'], RegExp][] = [
    [[group(1n, ['age1a', 'age1b'], 3n)], /3 of 2 officers, which nobody can meet/],
    [[group(1n, ['age1a', 'age1b'], 1n)], /where one is enough/],
    [[group(1n, ['age1a', 'age1b'], 0n)], /where one is enough/],
    [[group(1n, ['age1a', 'age1a'])], /names an officer twice/],
    [[group(1n, ['age1a', 'age1b']), group(2n, ['age1b', 'age1c'])], /officers of its own/],
    [[group(1n, ['age1a', 'age1b']), { kind: 'single', party: 2n, recipients: ['age1a'] }], /officers of its own/],
  ]
  for (const [refused, reason] of wrong) assert.throws(() => checkPolicy({ ...policy, recovery: refused }), reason)
  for (const [locale, words] of [
    ['en-US', /Signer 1 seals .* so that 2 together/],
    ['zh-CN', /签名方 1 .* 2 人共同打开/],
  ] as const) {
    assert.match(describePolicy({ ...policy, recovery }, locale).join('\n'), words)
    const tightened = { ...policy, recovery: [group(1n, ['age1a', 'age1b', 'age1c'], 3n), ...recovery.slice(1)] }
    assert.equal(describeChange({ ...policy, recovery }, tightened, locale, []).length, 1, 'that more officers are needed has its line')
  }
})

test('a policy from before officers could be needed together has the same bytes as ever', () => {
  const old = struct('holdfast/recovery-recipients/v1', { party: uint(8), recipients: list(text(4096), 16) })
  const shape = struct('holdfast/policy/v1', { ...policyShape.variants.foundingSigners.fields, recovery: list(old, 16) })
  const policy = samplePolicy(people.slice(0, 3), 2)
  const { kind: _, ...rest } = policy
  const before = encode(shape, { ...rest, recovery: policy.recovery.map(({ party, recipients }) => ({ party, recipients })) })
  assert.deepEqual(encode(policyShape, policy), before)
  assert.deepEqual(decode(policyShape, before), policy)
})

test('a policy without rules for calls has the hash that it had before there were any', () => {
  const hash = Buffer.from(policyHash(samplePolicy(people.slice(0, 3), 2))).toString('hex')
  assert.equal(hash, '4ba299cdc9e7a85978e3c20f0ca9b777395885d11a973f71274df158ff964839')
})

test('an order is large above the smallest limit a rule for its asset sets, and without a limit none is', () => {
  const everybody = people.slice(0, 3).map(({ id }) => id)
  const rule = { kind: 'transfer' as const, chain: null, asset: '', window: null, initiators: everybody, approvers: everybody, threshold: 2n }
  const coin = { chain: CHAIN, contract: null }
  const policyOf = (...limits: (bigint | null)[]) =>
    samplePolicy(people.slice(0, 3), 2, { rules: limits.map((maxAmount, i) => ({ ...rule, id: `rule ${i}`, maxAmount })) })
  fc.assert(
    fc.property(fc.array(fc.option(fc.bigInt(1n, 100n)), { maxLength: 4 }), fc.bigInt(0n, 120n), (limits, amount) => {
      const set = limits.filter((limit) => limit !== null)
      const expected = set.length > 0 && amount > set.reduce((least, limit) => (limit < least ? limit : least))
      assert.equal(isAboveFirstTier(policyOf(...limits), { ...coin, amount }), expected)
    }),
  )
  assert.equal(isAboveFirstTier(policyOf(5n, null), { chain: CHAIN, contract: '0xabc', amount: 6n }), false, 'a limit of another asset')
  assert.equal(isAboveFirstTier(policyOf(), { ...coin, amount: 10n ** 30n }), false)
})
