import { slotOf } from '@holdfast/chain-core'
import { encode, fromHex, toHex } from '@holdfast/encoding'
import {
  type Approval,
  approvalChallenge,
  approvalShape,
  type Decision,
  deviceMessage,
  type Intent,
  intentHash,
  intentShape,
  type Locale,
  renderHash,
  renderIntent,
} from '@holdfast/intent'
import { approvalContext, type Genesis, genesisHash, genesisShape, type Policy, policyHash, policyShape } from '@holdfast/policy'
import { p256 } from '@noble/curves/nist.js'
import { sha256 } from '@noble/hashes/sha2.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ETH, genesisOf } from '../../testing/make-genesis.ts'
import { alarmSentences } from '../view/attention-section.ts'
import type { KeyRecord } from '../keys/key-store.ts'
import { acceptedAnother, listApprovers } from './list-approvers.ts'
import { founderOf, readFounding } from './read-founding.ts'
import { readOrder, windowOf } from './read-order.ts'
import type { OrderReply, Setup } from './signer-api.ts'
import { WORDS } from '../words/choose-locale.ts'

const ORIGIN = 'http://approve.localhost:7100'
const NAMES = ['Anna', 'Bo', 'Cem']
const secretOf = (i: number) => sha256(Uint8Array.of(50, i))
const credentialOf = (i: number, kind = 'device') => ({
  id: sha256(Uint8Array.of(60, i)),
  kind,
  publicKey: p256.getPublicKey(secretOf(i), true),
  backupEligible: false,
  label: 'test',
})
const members = NAMES.map((name, i) => ({ id: `01890f3e-7b6c-7cc1-98c4-dc0c0c07390${i}`, name, credential: credentialOf(i) }))
const genesis: Genesis = genesisOf({ name: 'Acme', members, threshold: 2n }, ORIGIN)
const { policy } = genesis
const FINGERPRINT = genesisHash(genesis)

const keyOf = (i: number, changes: Partial<KeyRecord> = {}): KeyRecord => {
  const { id, publicKey } = credentialOf(i)
  return {
    id: toHex(id),
    personId: members[i]!.id,
    personName: NAMES[i]!,
    kind: 'device',
    publicKey: toHex(publicKey),
    backupEligible: false,
    privateKey: {} as CryptoKey,
    acceptedGenesis: toHex(FINGERPRINT),
    createdAtMs: 0,
    ...changes,
  }
}

function payment(changes: Partial<Extract<Intent, { kind: 'transfer' }>> = {}): Intent {
  return {
    kind: 'transfer',
    genesis: FINGERPRINT,
    orderId: new Uint8Array(16),
    keyId: new Uint8Array(32),
    path: [0n],
    from: '0x7bD8f8dC9a1F1d8a91FfB6AaA30FD9F2BEd0bC11',
    to: '0x52908400098527886E0F7030069857D2E4169EE7',
    memo: null,
    asset: ETH,
    amount: 5n,
    feeAsset: ETH,
    feeCap: 1n,
    slotRule: 'account-nonce',
    notBeforeMs: 1000n,
    expiresAtMs: 9000n,
    policyVersion: 1n,
    policyHash: policyHash(policy),
    initiator: policy.people[0]!.id,
    screening: null,
    remark: '',
    nonce: new Uint8Array(32),
    ...changes,
  }
}

function approve(intent: Intent, i: number, options: { decision?: Decision; directory?: Policy; locale?: Locale; secret?: number } = {}): string {
  const locale = options.locale ?? 'en-US'
  const statement = {
    genesis: intent.genesis,
    intentHash: intentHash(intent),
    policyHash: intent.policyHash,
    person: (options.directory ?? policy).people[i]!.id,
    decision: options.decision ?? 'approve',
    locale,
    renderHash: renderHash(renderIntent(intent, approvalContext(policy), locale)),
    signedAtMs: 2000n,
  }
  const signature = p256.sign(deviceMessage(approvalChallenge(statement), ORIGIN), secretOf(options.secret ?? i), { lowS: false })
  const approval: Approval = { ...statement, assertion: { kind: 'device', credentialId: credentialOf(options.secret ?? i).id, origin: ORIGIN, signature } }
  return toHex(encode(approvalShape, approval))
}

const replyOf = (intent: Intent, approvals: string[] = []): OrderReply => ({
  intent: toHex(encode(intentShape, intent)),
  approvals,
  delegations: [],
  state: 'approving',
  genesis: toHex(encode(genesisShape, genesis)),
  policy: toHex(encode(policyShape, policy)),
  facts: null,
  closes: null,
  around: null,
  book: null,
  waitsUntil: null,
  quorumSeenMs: null,
  kept: null,
  coin: null,
  rule: null,
})
const read = (intent: Intent, approvals: string[] = []) => readOrder(toHex(intentHash(intent)), replyOf(intent, approvals), ORIGIN)

describe('an order as the page reads it', () => {
  it('needs two people other than the one who asks', () => {
    const [quorum] = read(payment()).quorums
    assert.deepEqual(
      quorum!.eligible.map((person) => person.name),
      ['Bo', 'Cem'],
    )
    assert.equal(quorum!.tally.missing, 2)
  })

  it("is refused when it is another order than the link's", () => {
    const intent = payment()
    assert.throws(() => readOrder(toHex(intentHash(payment({ amount: 6n }))), replyOf(intent), ORIGIN), { code: 'otherOrder' })
  })

  it('is refused whichever byte of it the server changes', () => {
    const intent = payment()
    const good = fromHex(replyOf(intent).intent)
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const bad = Uint8Array.from(good)
        bad[at]! ^= change
        assert.throws(() => readOrder(toHex(intentHash(intent)), { ...replyOf(intent), intent: toHex(bad) }, ORIGIN), { name: 'PageError' })
      }),
      { numRuns: 500 },
    )
  })

  it('is refused under a policy other than the one it names, and at an address the policy does not know', () => {
    const intent = payment()
    const other = { ...policy, expiresAtMs: policy.expiresAtMs + 1n }
    assert.throws(() => readOrder(toHex(intentHash(intent)), { ...replyOf(intent), policy: toHex(encode(policyShape, other)) }, ORIGIN), {
      code: 'otherPolicy',
    })
    assert.throws(() => readOrder(toHex(intentHash(intent)), replyOf(intent), 'http://localhost:7000'), { code: 'otherOrigin' })
  })

  it('names the coin behind the number of a place where the number is that of the coin, and believes no other', () => {
    const [coin, other] = [`${'ab'.repeat(32)}:1`, `${'ab'.repeat(32)}:2`]
    const { keyId: _, ...common } = payment() as Extract<Intent, { kind: 'transfer' }>
    const { genesis, orderId, feeCap, remark, notBeforeMs, expiresAtMs, policyVersion, policyHash, initiator, nonce } = common
    const shared = { genesis, orderId, feeCap, remark, notBeforeMs, expiresAtMs, policyVersion, policyHash, initiator, nonce }
    const original = encode(intentShape, payment({ slotRule: 'anchor-input' }))
    const intent: Intent = { kind: 'replacement', ...shared, action: 'cancel', original, slot: slotOf(coin) }
    const shown = (told: string | null) => readOrder(toHex(intentHash(intent)), { ...replyOf(intent), coin: told }, ORIGIN).coin
    assert.deepEqual([coin, other, '', null].map(shown), [coin, null, null, null])
    assert.equal(readOrder(toHex(intentHash(payment())), { ...replyOf(payment()), coin }, ORIGIN).coin, null, 'a payment has no such place')
  })

  it('counts approvals that verify, in either language, and names why others do not count', () => {
    const intent = payment()
    const order = read(intent, [approve(intent, 1, { locale: 'zh-CN' }), approve(payment({ amount: 6n }), 2), approve(intent, 2, { secret: 1 }), 'zz'])
    assert.deepEqual(
      order.quorums[0]!.tally.approvedBy.map((person) => person.name),
      ['Bo'],
    )
    assert.equal(order.ignored.length, 3)
    assert.deepEqual(
      order.ignored.map(({ code }) => code),
      ['approval-other-order', 'approval-strange-key', 'page-unreadable'],
    )
  })

  it('never counts the person who asks', () => {
    const intent = payment()
    assert.equal(read(intent, [approve(intent, 0), approve(intent, 1)]).quorums[0]!.tally.met, false)
  })

  it('is met by two approvals and undone by one rejection', () => {
    const intent = payment({ initiator: policy.people[2]!.id })
    assert.equal(read(intent, [approve(intent, 0), approve(intent, 1)]).quorums[0]!.tally.met, true)
    assert.equal(read(intent, [approve(intent, 0), approve(intent, 1), approve(intent, 1, { decision: 'reject' })]).quorums[0]!.tally.met, false)
  })

  it('that the policy denies says why and asks nobody', () => {
    const order = read(payment({ asset: { ...ETH, contract: '0xdead' } }))
    assert.equal(order.deniedBecause, 'asset-not-pinned')
    assert.equal(read(payment({ asset: { ...ETH, decimals: 6n } })).deniedBecause, 'asset-not-pinned')
    assert.deepEqual(order.quorums, [])
    assert.deepEqual(listApprovers(order, [keyOf(1)], ORIGIN).approvers, [])
  })

  it('is open from its first millisecond to its last', () => {
    assert.deepEqual(
      [999, 1000, 9000, 9001].map((now) => windowOf(payment(), now)),
      ['not-yet', 'open', 'open', 'expired'],
    )
  })

  it('that changes the policy asks the old governors, and the new ones by the keys the new version gives them', () => {
    const dana = { id: sha256(Uint8Array.of(99)).slice(0, 16), name: 'Dana', credentials: [credentialOf(3)] }
    const people = [...policy.people, dana]
    const next: Policy = {
      ...policy,
      version: 2n,
      previous: policyHash(policy),
      genesis: FINGERPRINT,
      people,
      governance: { approvers: people.map((person) => person.id), threshold: 2n },
    }
    const {
      genesis: g,
      orderId,
      notBeforeMs,
      expiresAtMs,
      policyVersion,
      policyHash: hash,
      initiator,
      nonce,
    } = payment() as Extract<Intent, { kind: 'transfer' }>
    const intent: Intent = {
      kind: 'policyChange',
      genesis: g,
      orderId,
      newPolicy: encode(policyShape, next),
      notBeforeMs,
      expiresAtMs,
      policyVersion,
      policyHash: hash,
      initiator,
      nonce,
    }
    const order = read(intent, [approve(intent, 1), approve(intent, 3, { directory: next })])
    assert.deepEqual(
      order.quorums.map((quorum) => [quorum.name, quorum.tally.approvedBy.map((person) => person.name)]),
      [
        ['order', ['Bo']],
        ['newGovernors', ['Bo', 'Dana']],
      ],
    )
    assert.deepEqual(order.ignored, [])
    assert.deepEqual(listApprovers(order, [keyOf(2), keyOf(1)], ORIGIN), {
      approvers: [
        {
          person: policy.people[2],
          inPlaceOf: null,
          directory: policy,
          method: { kind: 'device', key: keyOf(2) },
          may: ['approve', 'reject'],
          knownHere: true,
        },
        { person: policy.people[1], inPlaceOf: null, directory: policy, method: { kind: 'device', key: keyOf(1) }, may: ['reject'], knownHere: true },
      ],
      silent: [],
    })
  })
})

describe('who can decide in this browser', () => {
  it('is whoever has a key here, is an approver and did not ask; who has approved can only reject, who has rejected is done', () => {
    const intent = payment()
    const keys = [keyOf(0), keyOf(1), keyOf(2)]
    const { approvers, silent } = listApprovers(read(intent, [approve(intent, 1)]), keys, ORIGIN)
    assert.deepEqual(
      approvers.map((approver) => [approver.person.name, approver.may]),
      [
        ['Cem', ['approve', 'reject']],
        ['Bo', ['reject']],
      ],
    )
    assert.deepEqual(
      silent.map((each) => [each.person.name, each.why]),
      [['Anna', 'initiator']],
    )
    const after = listApprovers(read(intent, [approve(intent, 1), approve(intent, 1, { decision: 'reject' })]), keys, ORIGIN)
    assert.deepEqual(
      after.silent.map((each) => [each.person.name, each.why]),
      [
        ['Anna', 'initiator'],
        ['Bo', 'rejected'],
      ],
    )
  })

  it('is nobody by a key that the policy has not, or has otherwise', () => {
    const order = read(payment())
    assert.deepEqual(
      listApprovers(order, [keyOf(3 - 1, { publicKey: toHex(credentialOf(0).publicKey) }), keyOf(1, { id: 'ff' }), keyOf(1, { privateKey: null })], ORIGIN)
        .approvers,
      [],
    )
  })

  it('is nobody by a key that accepted another organisation', () => {
    const order = read(payment())
    const key = keyOf(1, { acceptedGenesis: 'ab'.repeat(32) })
    assert.deepEqual(listApprovers(order, [key], ORIGIN).approvers, [])
    assert.equal(acceptedAnother(order, [key]), true)
    assert.equal(acceptedAnother(order, [keyOf(1)]), false)
  })
})

describe('the founding document', () => {
  const setup = (changes: Partial<Setup> = {}, document: Genesis = genesis): Setup => ({
    name: 'Acme',
    demo: false,
    state: 'accepting',
    members: members.map(({ id, name }, i) => ({ person_id: id, name, enrolled: true, accepted: false, mine: i === 0 })),
    genesis: toHex(encode(genesisShape, document)),
    fingerprint: toHex(genesisHash(document)),
    console_url: '',
    invite: null,
    ...changes,
  })
  const founderIn = (document: Genesis, keys: KeyRecord[]) => founderOf(readFounding(setup({}, document), ORIGIN)!, setup().members[0]!, keys)
  const withPeople = (people: Policy['people']): Genesis => ({ ...genesis, policy: { ...policy, people } })

  it('is accepted with the key that was made here', () => {
    assert.equal(founderIn(genesis, [keyOf(0), keyOf(1)]).person.name, 'Anna')
  })

  it('is refused with a fingerprint that is not its own, or for another approval address', () => {
    assert.throws(() => readFounding(setup({ fingerprint: 'ab'.repeat(32) }), ORIGIN), { code: 'fingerprintDiffers' })
    assert.throws(() => readFounding(setup(), 'https://elsewhere.example'), { code: 'otherOrigin' })
  })

  it('is refused without the key made here, with another key beside it, and without the person', () => {
    const [anna, bo, cem] = policy.people as [Policy['people'][number], Policy['people'][number], Policy['people'][number]]
    assert.throws(() => founderIn(withPeople([{ ...anna, credentials: [credentialOf(7)] }, bo, cem]), [keyOf(0)]), { code: 'ownKeyMissing' })
    assert.throws(() => founderIn(withPeople([{ ...anna, credentials: [credentialOf(0), credentialOf(7)] }, bo, cem]), [keyOf(0)]), { code: 'foreignKey' })
    assert.throws(() => founderIn(withPeople([{ ...anna, credentials: [credentialOf(7), credentialOf(0)] }, bo, cem]), [keyOf(0)]), { code: 'foreignKey' })
    assert.throws(() => founderIn(genesis, []), { code: 'keyElsewhere' })
    const without = { ...genesis, policy: { ...policy, people: [bo, cem], rules: [], governance: { approvers: [bo.id], threshold: 1n } } }
    assert.throws(() => founderIn(without, [keyOf(0)]), { code: 'personMissing' })
  })

  it('is refused where signers or policy are not those of a beginning', () => {
    const bad: Genesis[] = [
      { ...genesis, threshold: 1n },
      { ...genesis, signers: genesis.signers.slice(0, 2) },
      { ...genesis, signers: [genesis.signers[0]!, genesis.signers[0]!, genesis.signers[2]!] },
      { ...genesis, policy: { ...policy, version: 2n } },
      { ...genesis, policy: { ...policy, governance: { ...policy.governance, threshold: 4n } } },
    ]
    for (const document of bad) assert.throws(() => readFounding(setup({}, document), ORIGIN), { code: 'badDocument' })
  })
})

describe('what the page itself knows against a recipient', () => {
  const [dead, token] = ['0x000000000000000000000000000000000000dEaD', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed']
  const knowing = { ...policy, assets: [...policy.assets, { ...ETH, contract: token, symbol: 'USDC', decimals: 6n }] }
  const said = (intent: Intent, locale: 'en-US' | 'zh-CN' = 'en-US') => alarmSentences({ intent, policy: knowing }, WORDS[locale])

  it('is said in red, in both languages, where a payment would be lost or goes to a contract of the policy', () => {
    assert.deepEqual(said(payment()), [])
    for (const locale of ['en-US', 'zh-CN'] as const) {
      const { lost, policyContract } = WORDS[locale].order
      assert.deepEqual(said(payment({ to: dead }), locale), [lost['dead-destination']])
      assert.deepEqual(said(payment({ to: token }), locale), [policyContract])
      assert.deepEqual(said(payment({ to: token, asset: { ...ETH, contract: token } }), locale), [lost['own-contract'], policyContract])
    }
  })

  it('is no part of the words that are signed, so that those of older orders stay as they were', () => {
    const words = (to: string) => renderIntent(payment({ to }), approvalContext(knowing), 'en-US').warnings
    assert.deepEqual(words(dead), words('0x52908400098527886E0F7030069857D2E4169EE7'))
  })
})
