import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { buildTransfer, encodeAuthorization, readSignedAuthorization } from '@holdfast/chain-evm/codec'
import { encodeCollect, sweeper } from '@holdfast/chain-evm/collect'
import { decode, encode } from '@holdfast/encoding'
import { ENDS_DELEGATION, EVERYTHING, intentHash, intentShape } from '@holdfast/intent'
import { EvidenceRefused, requestHash, signatureStatementShape, signMessage, wordShape } from '@holdfast/protocol'
import fc from 'fast-check'
import {
  keyStatementsOf,
  makeApproval,
  makeRefusal,
  makeEvidence,
  makeSignRequest,
  makeStandingEvidence,
  makeStandingOrder,
  ownAddress,
  signAt,
  type StandingOptions,
  TREASURY,
} from '../testing/make-evidence.ts'
import { runCli } from '../testing/run-cli.ts'
import { CHAIN, ETH, foundOrganisation, USDC } from '../testing/test-organisation.ts'
import { examine } from './verify-evidence.ts'

const acme = foundOrganisation()
const bundle = makeStandingEvidence(acme)
const order = makeStandingOrder(acme)
// HOLDFAST_THOROUGH=1 tries 600.
const BYTES_CHANGED = process.env.HOLDFAST_THOROUGH ? 600 : 150

const reportOf = (bytes: Uint8Array) => {
  const found = examine(bytes, undefined)
  return found.kind === 'signature' ? found.report : assert.fail()
}
const refusedAt =
  (step: string, words = /./) =>
  (error: unknown) =>
    error instanceof EvidenceRefused && error.step === step && words.test(error.message)

describe('evidence of a transfer that a standing order covers', () => {
  it('says which standing order covers it, in which version, and who approved that', () => {
    const { ruleId, threshold, approvedBy, initiator, standingOrder, signers } = reportOf(bundle)
    assert.deepEqual(
      { threshold, approvedBy, initiator, signers, version: standingOrder?.version },
      { threshold: 2, approvedBy: ['Bo', 'Cem'], initiator: 'Collect deposits', signers: ['North', 'West'], version: 1n },
    )
    assert.match(ruleId, /^standing\/[0-9a-f]{32}$/)
    assert.match(standingOrder!.rendering('en-US').title, /Collect deposits/)
    assert.match(standingOrder!.rendering('zh-CN').title, /长期授权/)
  })

  it('is refused where the transfer is not what people approved, at every edge', () => {
    const path = (steps: bigint[]) => [{ name: 'Deposits', keyId: acme.keyId, path: steps }]
    const never = [ownAddress(acme, [0, 7])]
    const strange: [RegExp, StandingOptions][] = [
      [/another address/, { transfer: { to: ownAddress(acme, [1, 4]) } }],
      [/another address/, { order: { does: { kind: 'sweep', to: [{ kind: 'listed', chain: CHAIN, address: ownAddress(acme, [1, 4]), memo: null }] } } }],
      [/no wallet/, { order: { sources: path([2n]) } }],
      [/in one transfer/, { transfer: { amount: 2_000_000_000_001n } }],
      [/in one transfer/, { order: { assets: [{ asset: USDC, atLeast: 1n, atMost: 2n }] } }],
      [/does not move/, { order: { assets: [{ asset: ETH, atLeast: 1n, atMost: 2n }] } }],
      [/the fee can reach/, { order: { fees: [{ asset: ETH, max: 1n, maxShare: 1n }] } }],
      [/never touches/, { order: { never } }],
      [/after the standing order has ended/, { order: { untilMs: 7_999_999n } }],
      [/not asked for/, { transfer: { initiator: acme.people[0]!.id } }],
    ]
    for (const [words, options] of strange)
      assert.throws(() => reportOf(makeStandingEvidence(acme, options)), refusedAt('standing order', words), String(words))
  })

  it('of a scheduled payment proves that people approved its date, its amount and its address', () => {
    const landlord = ownAddress(acme, [1, 4])
    const does = { kind: 'schedule' as const, to: { kind: 'written' as const, chain: CHAIN, address: landlord, memo: null }, minute: 1n, lateDays: 1n }
    const sources = [{ name: 'Operations', keyId: acme.keyId, path: [0n, 7n] }]
    const scheduled = (days: bigint[], transfer: StandingOptions['transfer'] = {}): StandingOptions => ({
      order: {
        ...{ does: { ...does, days }, sources, limits: [], assets: [{ asset: USDC, atLeast: 5n, atMost: 5n }] },
        ...{ fees: [{ asset: ETH, max: 10n ** 16n, maxShare: 10_000n }], untilMs: (days.at(-1)! + 1n) * 86_400_000n + 60_000n },
      },
      path: [0, 7],
      transfer: { to: landlord, amount: 5n, notBeforeMs: 60_000n, ...transfer },
    })
    const { ruleId, approvedBy, standingOrder } = reportOf(makeStandingEvidence(acme, scheduled([0n, 1n])))
    assert.match(ruleId, /^standing\/[0-9a-f]{32}\/0$/)
    assert.deepEqual(approvedBy, ['Bo', 'Cem'])
    assert.ok(standingOrder!.rendering('en-US').rows.some(({ label, value }) => label === 'Days in 1970-01' && value === '1, 2'))
    const strange: [RegExp, StandingOptions][] = [
      [/no date/, scheduled([1n, 2n])],
      [/no date/, scheduled([0n, 1n], { notBeforeMs: 60_001n })],
      [/another address/, scheduled([0n, 1n], { to: ownAddress(acme, [1, 5]) })],
      [/in one transfer/, scheduled([0n, 1n], { amount: 4n })],
      [/pays late/, scheduled([0n, 1n], { expiresAtMs: 86_460_001n })],
    ]
    for (const [words, options] of strange)
      assert.throws(() => reportOf(makeStandingEvidence(acme, options)), refusedAt('standing order', words), String(words))
  })

  it('is refused without the quorum of the standing order, or with one that makes no sense, or names another policy', () => {
    const refused: [RegExp, StandingOptions][] = [
      [/1 approval\(s\) missing/, { approvers: [1] }],
      [/1 approval\(s\) missing/, { approvers: [0, 1] }],
      [/1 approval\(s\) missing/, { approvers: [1, 1] }],
      [/how many transfers/, { order: { limits: [] } }],
      [/another policy/, { order: { policyVersion: 2n } }],
      [/another policy/, { order: { policyHash: new Uint8Array(32) } }],
      [/of this organisation/, { order: { genesis: new Uint8Array(32) } }],
    ]
    for (const [words, options] of refused)
      assert.throws(() => reportOf(makeStandingEvidence(acme, options)), refusedAt('standing order', words), String(words))
  })

  it('is refused with a forged piece: another order, other approvals, places in the log, or a word that knew better', () => {
    const other = { ...order, version: 2n }
    const forged: [string, NonNullable<StandingOptions['change']>][] = [
      ['log', (bundle) => ({ ...bundle, standing: { ...bundle.standing, logged: bundle.standing.logged.slice(1) } })],
      ['log', (bundle) => ({ ...bundle, standing: { ...bundle.standing, logged: [...bundle.standing.logged].reverse() } })],
      ['log', (bundle) => ({ ...bundle, logged: bundle.standing.logged.slice(0, 1) })],
      ['standing order', (bundle) => ({ ...bundle, standing: { ...bundle.standing, intent: encode(intentShape, other) } })],
      ['standing order', (bundle) => ({ ...bundle, standing: { ...bundle.standing, intent: bundle.intent } })],
      ['standing order', (bundle) => ({ ...bundle, approvals: bundle.standing.approvals })],
      [
        'log',
        (bundle) => {
          const approvals = [0, 1].map((i) => makeApproval(acme, { ...other, initiator: acme.people[2]!.id }, i))
          return { ...bundle, standing: { ...bundle.standing, intent: encode(intentShape, { ...other, initiator: acme.people[2]!.id }), approvals } }
        },
      ],
      ['standing order', (bundle) => ({ ...bundle, standing: { ...bundle.standing, place: { keyId: acme.keyId, path: [9n, 9n] } } })],
      ['standing order', (bundle) => ({ ...bundle, standing: { ...bundle.standing, keyStatements: bundle.keyStatements.slice(1) } })],
      [
        'approvals',
        (bundle) => {
          const { standing: _, ...rest } = bundle
          return { ...rest, kind: 'witnessed' }
        },
      ],
    ]
    for (const [step, change] of forged) assert.throws(() => reportOf(makeStandingEvidence(acme, { change })), refusedAt(step), step)
  })

  it('is refused with the word of a signer that knew of a stop, or of another order in its place', () => {
    const session = new Uint8Array(32).fill(1)
    const word = (version: bigint, hash: Uint8Array, stoppedBy: Uint8Array | null) => {
      const base = { genesis: acme.fingerprint, party: 2n, session, policyVersion: 1n, policyHash: order.policyHash }
      const state = { logSize: 1n, journal: 1n, seen: [], frozen: [], vetoes: [], binding: null, voted: [], counted: [], atMs: 1n }
      const book = { version: 0n, hash: new Uint8Array(32) }
      return signMessage(
        wordShape,
        { kind: 'word', ...base, ...state, book, standingOrder: { version, hash, stoppedBy }, ended: [] },
        2n,
        acme.signerSecrets[1]!,
      )
    }
    const withWord = (version: bigint, hash: Uint8Array, stoppedBy: Uint8Array | null, atMs = 4_000n) =>
      makeStandingEvidence(acme, {
        change: (bundle) => ({
          ...bundle,
          words: [word(version, hash, stoppedBy)],
          signatureStatements: bundle.signatureStatements.map(({ message, party }) => {
            const stood = { kind: 'witnessed' as const, session, witness: 2n, absence: null, atMs }
            return signMessage(
              signatureStatementShape,
              { ...decode(signatureStatementShape, message), ...stood },
              party,
              acme.signerSecrets[Number(party) - 1]!,
            )
          }),
        }),
      })
    const hash = intentHash(order)
    assert.deepEqual(reportOf(withWord(1n, hash, null)).standing, { kind: 'word', signer: 'East', isShown: true })
    assert.throws(() => reportOf(withWord(1n, hash, null, 1_999n)), refusedAt('standing order', /before the standing order was in force/))
    assert.ok(reportOf(withWord(0n, new Uint8Array(32), null)), 'it had an older version')
    const knew = /stopped or replaced/
    assert.throws(() => reportOf(withWord(1n, hash, acme.people[1]!.id)), refusedAt('words', knew))
    assert.throws(() => reportOf(withWord(1n, new Uint8Array(32), null)), refusedAt('words', knew))
    assert.throws(() => reportOf(withWord(2n, hash, null)), refusedAt('words', knew))
  })

  it('of coins for fees shows where the paid address is, and is refused without it', () => {
    const fuel: StandingOptions = {
      order: {
        does: { kind: 'fuel', to: [{ name: 'Gas', keyId: acme.keyId, path: [1n] }] },
        assets: [{ asset: ETH, atLeast: 1n, atMost: 10n ** 19n }],
        fees: [{ asset: ETH, max: 10n ** 16n, maxShare: 10_000n }],
      },
      transfer: { asset: ETH, amount: 10n ** 18n },
    }
    const place = { keyId: acme.keyId, path: TREASURY.map(BigInt) }
    const shown = (changes: { place: typeof place | null; isOfOtherKey?: boolean }) =>
      makeStandingEvidence(acme, {
        ...fuel,
        change: (bundle) => ({
          ...bundle,
          standing: { ...bundle.standing, place: changes.place, keyStatements: changes.isOfOtherKey ? keyStatementsOf(acme) : [] },
        }),
      })
    assert.equal(reportOf(shown({ place })).standingOrder?.name, 'Collect deposits')
    assert.ok(reportOf(shown({ place, isOfOtherKey: true })))
    assert.throws(() => reportOf(shown({ place: null })), refusedAt('standing order', /nothing shows/))
    assert.throws(() => reportOf(shown({ place: { ...place, path: [1n, 4n] } })), refusedAt('standing order', /not that of the paid address/))
  })

  describe('about the sweeper', () => {
    const treasury = ownAddress(acme, TREASURY)
    const [deposit, purse] = [ownAddress(acme, [0, 7]), [2, 0]]
    const contract = sweeper.addressOf(treasury)
    const to = [{ chain: CHAIN, name: 'Treasury', keyId: acme.keyId, path: TREASURY.map(BigInt) }]
    const authorize = { does: { kind: 'authorize' as const, to }, assets: [{ asset: ETH, atLeast: 0n, atMost: EVERYTHING }], fees: [] }
    const take = {
      ...{ does: { kind: 'take' as const, to }, sources: [{ name: 'Purse', keyId: acme.keyId, path: [2n] }] },
      fees: [{ asset: ETH, max: 10n ** 16n, maxShare: 10_000n }],
    }
    const bytesOf = (delegate: string | null) => encodeAuthorization({ chain: CHAIN, delegate, nonce: 4n })
    const authorized = (delegate: string | null, order: StandingOptions['order'] = {}): StandingOptions => ({
      order: { ...authorize, ...order },
      made: { intent: { kind: 'authorization', to: delegate ?? ENDS_DELEGATION, asset: ETH, amount: 0n, feeCap: 0n }, unsigned: bytesOf(delegate) },
    })
    const taken = (delegate: string | null, order: StandingOptions['order'] = {}): StandingOptions => {
      const data = encodeCollect({ token: USDC.contract, pulls: [{ source: deposit, amount: 7n }], isWhole: true })
      const authorizations = [readSignedAuthorization(signAt(acme, bytesOf(delegate), [0, 7])).signed]
      const fees = { gasLimit: 200_000n, maxFeePerGas: 10n ** 9n, maxPriorityFeePerGas: 10n ** 8n }
      const unsigned = buildTransfer({ asset: ETH, to: contract, amount: 0n, data, nonce: 4n, ...fees, authorizations })
      const signature = 'collectWhole(address,address[],uint256[])'
      return {
        ...{ order: { ...take, ...order }, path: purse },
        made: { intent: { kind: 'contractCall', to: contract, asset: ETH, amount: 0n, data, signature }, unsigned },
      }
    }

    it('proves that people approved the one contract that runs in the name of an address, or that none does any more', () => {
      for (const delegate of [contract, null]) assert.equal(reportOf(makeStandingEvidence(acme, authorized(delegate))).standingOrder?.name, 'Collect deposits')
      assert.equal(reportOf(makeStandingEvidence(acme, taken(contract))).standingOrder?.name, 'Collect deposits')
    })

    it('is refused for another contract, another target, another token, and where people approved no authorizations', () => {
      const other = sweeper.addressOf(ownAddress(acme, [1, 4]))
      const refused: [RegExp, StandingOptions][] = [
        [/not the sweeper/, authorized(other)],
        [/not the sweeper/, taken(other)],
        [/not the sweeper/, authorized(contract, { does: { kind: 'authorize', to: [{ ...to[0]!, path: [1n, 4n] }] } })],
        [/never touches/, authorized(contract, { never: [deposit] })],
        [/never touches/, taken(contract, { never: [deposit] })],
        [/carries no authorizations/, taken(contract, { does: { kind: 'collect', to } })],
        [/in one call/, taken(contract, { assets: [{ asset: USDC, atLeast: 8n, atMost: 9n }] })],
      ]
      for (const [words, options] of refused)
        assert.throws(() => reportOf(makeStandingEvidence(acme, options)), refusedAt('standing order', words), String(words))
    })
  })

  it('with any byte changed is refused, and bundles of before are read as they were', () => {
    fc.assert(
      fc.property(fc.nat(bundle.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const damaged = Uint8Array.from(bundle)
        damaged[at]! ^= change
        assert.throws(() => examine(damaged, undefined), EvidenceRefused)
      }),
      { numRuns: BYTES_CHANGED },
    )
    assert.equal(reportOf(makeEvidence(acme)).standingOrder, undefined)
    const witnessed = makeEvidence(acme, (evidence) => ({ ...evidence, kind: 'witnessed', words: [], absence: null }))
    assert.equal(reportOf(witnessed).standingOrder, undefined)
  })

  it('is told in words of both languages', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'standing-'))
    try {
      const file = join(folder, 'bundle')
      await writeFile(file, bundle)
      const english = await runCli('verify-evidence', file)
      for (const part of ['VERIFIED', 'Collect deposits', 'needed 2 approval(s) once', 'Bo, Cem', 'as people approved it'])
        assert.ok(english.out.includes(part), part)
      const chinese = await runCli('verify-evidence', file, '--lang', 'zh-CN')
      for (const part of ['验证通过', '长期授权', '逐笔无需审批']) assert.ok(chinese.out.includes(part), part)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe('evidence of a refusal under a standing order', () => {
  it('names the standing order that the request speaks of', () => {
    const request = makeSignRequest(acme)
    assert.ok(request.kind === 'sign')
    const under = { ...request, approvals: [], standingOrder: intentHash(order) }
    const found = examine(makeRefusal(acme, under), undefined)
    assert.ok(found.kind === 'refusal')
    assert.deepEqual(found.report.standingOrder, intentHash(order))
    const plain = examine(makeRefusal(acme, request), undefined)
    assert.ok(plain.kind === 'refusal' && plain.report.standingOrder === undefined)
    assert.throws(() => examine(makeRefusal(acme, under, { hash: requestHash(request) }), undefined), refusedAt('request'))
  })
})
