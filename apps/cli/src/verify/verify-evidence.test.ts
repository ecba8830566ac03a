import { toHex } from '@holdfast/encoding'
import { EvidenceRefused } from '@holdfast/protocol'
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { makeEvidence, makeRefusal, makeSignRequest } from '../testing/make-evidence.ts'
import { runCli } from '../testing/run-cli.ts'
import { foundOrganisation, seed } from '../testing/test-organisation.ts'
import { examine } from './verify-evidence.ts'

const acme = foundOrganisation()
const other = foundOrganisation('Other House')
const bundle = makeEvidence(acme)
const refusal = makeRefusal(acme)
// HOLDFAST_THOROUGH=1 tries 600.
const BYTES_CHANGED = process.env.HOLDFAST_THOROUGH ? 600 : 150
const FINGERPRINT = toHex(acme.fingerprint)

const signature = (bytes: Uint8Array) => {
  const found = examine(bytes, undefined)
  assert.equal(found.kind, 'signature')
  return found.kind === 'signature' ? found.report : assert.fail()
}
const refusedAt = (step: string) => (error: unknown) => error instanceof EvidenceRefused && error.step === step

describe('evidence of a payment', () => {
  it('says who asked, who approved, who signed, and which transaction it was', () => {
    const report = signature(bundle)
    const { organisation, fingerprint, initiator, approvedBy, signers, witnesses, ruleId, threshold, logSize } = report
    assert.deepEqual(
      { organisation, fingerprint, initiator, approvedBy, signers, witnesses, ruleId, threshold, logSize },
      {
        organisation: 'Acme Treasury',
        fingerprint: FINGERPRINT,
        initiator: 'Anna',
        approvedBy: ['Bo', 'Cem'],
        signers: ['North', 'West'],
        witnesses: ['North', 'East'],
        ruleId: 'payments',
        threshold: 2,
        logSize: 4,
      },
    )
    assert.match(report.txid, /^0x[0-9a-f]{64}$/)
  })

  it('is refused of another organisation than the one trusted', () => {
    assert.throws(() => examine(bundle, toHex(other.fingerprint)), refusedAt('genesis'))
  })

  it('with any byte changed is refused, or proves exactly what it proved before', () => {
    const before = JSON.stringify(contentOf(bundle))
    let accepted = 0
    fc.assert(
      fc.property(fc.nat(bundle.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const damaged = Uint8Array.from(bundle)
        damaged[at]! ^= change
        let content: string
        try {
          content = JSON.stringify(contentOf(damaged))
        } catch (error) {
          assert.ok(error instanceof EvidenceRefused, String(error))
          return
        }
        accepted++
        assert.equal(content, before)
      }),
      { numRuns: BYTES_CHANGED },
    )
    assert.equal(accepted, 0, 'no byte of this bundle is without a meaning')
  })

  it('cut short or lengthened is refused', () => {
    fc.assert(
      fc.property(fc.nat(bundle.length - 1), (length) => assert.throws(() => examine(bundle.slice(0, length), undefined), EvidenceRefused)),
      { numRuns: 200 },
    )
    assert.throws(() => examine(Uint8Array.of(...bundle, 0), undefined), refusedAt('bundle'))
  })

  it('names the step at which it fails', () => {
    const spoilt: [string, Parameters<typeof makeEvidence>[1]][] = [
      ['genesis', (evidence) => ({ ...evidence, genesisRecord: Uint8Array.of(1) })],
      ['intent', (evidence) => ({ ...evidence, genesisRecord: other.genesisRecord })],
      ['policy', (evidence) => ({ ...evidence, policyChanges: [Uint8Array.of(1)] })],
      ['approvals', (evidence) => ({ ...evidence, approvals: evidence.approvals.slice(0, 1), logged: evidence.logged.slice(0, 2) })],
      ['approvals', (evidence) => ({ ...evidence, approvals: [evidence.approvals[0]!, evidence.approvals[0]!] })],
      ['transaction', (evidence) => ({ ...evidence, raw: evidence.raw.slice(0, -1) })],
      ['transaction', (evidence) => ({ ...evidence, keyStatements: evidence.keyStatements.slice(0, 2) })],
      ['log', (evidence) => ({ ...evidence, checkpoint: evidence.checkpoint.split('\n').slice(0, 5).join('\n') + '\n' })],
      ['log', (evidence) => ({ ...evidence, logged: [...evidence.logged.slice(1), evidence.logged[0]!] })],
      ['signers', (evidence) => ({ ...evidence, signatureStatements: evidence.signatureStatements.slice(0, 1) })],
      ['signers', (evidence) => ({ ...evidence, signatureStatements: [evidence.signatureStatements[0]!, evidence.signatureStatements[0]!] })],
    ]
    for (const [step, change] of spoilt) assert.throws(() => examine(makeEvidence(acme, change), undefined), refusedAt(step), step)
  })

  it('holds for every address that the product gives out, and never for one that only its maker could find', () => {
    const paidFrom = (path: number[]) => examine(makeEvidence(acme, undefined, path), undefined)
    for (const path of [
      [0, 0],
      [65_535, 0],
      [7, 19],
      [0, 1_048_575],
    ])
      assert.ok(paidFrom(path))
    for (const path of [[], [0], [65_536, 0], [0, 1_048_576], [65_535, 256], [0, 0, 0], [541_384_986, 1_013_003_342]])
      assert.throws(() => paidFrom(path), refusedAt('transaction'), String(path))
  })

  function contentOf(bytes: Uint8Array) {
    const { policy, intent: _, rendering, ...rest } = signature(bytes)
    return { ...rest, version: String(policy.version), words: rendering('en-US') }
  }
})

describe('evidence of a refusal', () => {
  it('says which signer refused what, at which check, and why', () => {
    const found = examine(refusal, FINGERPRINT)
    assert.ok(found.kind === 'refusal')
    assert.deepEqual(found.report.signer, { party: 2, name: 'East', operator: 'East Ltd' })
    assert.equal(found.report.check, 'c5')
    assert.match(found.report.demand!, /quorum of distinct people/)
    assert.equal(found.report.request, 'sign')
    assert.match(found.report.rendering!('en-US').title, /^Pay 1250000.000001 USDC/)
  })

  it('is refused when another signed it, or when it speaks of another request', () => {
    assert.throws(() => examine(makeRefusal(acme, undefined, { secret: acme.signerSecrets[0]! }), undefined), refusedAt('statement'))
    assert.throws(() => examine(makeRefusal(acme, undefined, { party: 4n, secret: seed('x') }), undefined), refusedAt('statement'))
    assert.throws(() => examine(makeRefusal(acme, undefined, { hash: seed('other') }), undefined), refusedAt('request'))
    assert.throws(() => examine(refusal, toHex(other.fingerprint)), refusedAt('genesis'))
  })

  it("of another organisation's signer is refused", () => {
    assert.throws(() => examine(makeRefusal({ ...other, genesisRecord: acme.genesisRecord }), undefined), refusedAt('statement'))
  })

  it('is shown also where the order in it cannot be read', () => {
    const request = makeSignRequest(acme)
    assert.ok(request.kind === 'sign')
    const found = examine(makeRefusal(acme, { ...request, intent: Uint8Array.of(1) }), undefined)
    assert.ok(found.kind === 'refusal')
    assert.equal(found.report.rendering, undefined)
  })

  it('with any byte changed is refused', () => {
    fc.assert(
      fc.property(fc.nat(refusal.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const damaged = Uint8Array.from(refusal)
        damaged[at]! ^= change
        assert.throws(() => examine(damaged, undefined), EvidenceRefused)
      }),
      { numRuns: BYTES_CHANGED },
    )
  })
})

describe('verify-evidence', () => {
  let folder = ''
  let file = ''
  const put = async (name: string, content: Uint8Array | string) => {
    await writeFile(join(folder, name), content)
    return join(folder, name)
  }
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'evidence-'))
    file = await put('bundle', bundle)
  })
  after(() => rm(folder, { recursive: true }))

  it('tells the story of a payment in words, in both languages, and exits with 0', async () => {
    const english = await runCli('verify-evidence', file, '--fingerprint', FINGERPRINT.replace(/(.{4})/g, '$1 '))
    assert.equal(english.code, 0)
    for (const part of [
      'VERIFIED',
      'Acme Treasury',
      'It is the fingerprint you gave',
      'Pay 1250000.000001 USDC to 0x 5290 8400',
      'payments: needs 2 approval(s)',
      'Bo, Cem',
      'North, West',
      '0x',
    ]) {
      assert.ok(english.out.includes(part), part)
    }
    const chinese = await runCli('verify-evidence', file, '--lang', 'zh-CN')
    for (const part of ['验证通过', '付款 1250000.000001 USDC', '审批人', '未比对']) assert.ok(chinese.out.includes(part), part)
    assert.equal(english.err + chinese.err, '')
  })

  it('reads the base64 text that the console hands out', async () => {
    assert.equal(
      (
        await runCli(
          'verify-evidence',
          await put(
            'bundle.txt',
            `${Buffer.from(bundle)
              .toString('base64')
              .replace(/(.{76})/g, '$1\n')}\n`,
          ),
        )
      ).code,
      0,
    )
  })

  it('gives a program the same as JSON', async () => {
    const { code, out } = await runCli('verify-evidence', file, '--json')
    const answer = JSON.parse(out)
    assert.equal(code, 0)
    assert.deepEqual([answer.verified, answer.kind, answer.approvedBy, answer.fingerprintCompared], [true, 'signature', ['Bo', 'Cem'], false])
    const bad = await runCli('verify-evidence', await put('bad', bundle.slice(1)), '--json')
    assert.equal(bad.code, 1)
    assert.deepEqual(JSON.parse(bad.out).step, 'bundle')
  })

  it('names the failed step and exits with 1', async () => {
    const { code, out, err } = await runCli('verify-evidence', file, '--fingerprint', 'ab'.repeat(32))
    assert.equal(code, 1)
    assert.equal(out, '')
    assert.match(err, /^REFUSED at step "genesis": the bundle is of organisation/)
  })

  it('tells of a refusal', async () => {
    const { code, out } = await runCli('verify-evidence', await put('refusal', refusal))
    assert.equal(code, 0)
    for (const part of [
      'refused to sign',
      'East (signer 2), operated by East Ltd',
      'c5: quorum of distinct people',
      '1 approval(s) missing',
      'Pay 1250000.000001 USDC',
    ]) {
      assert.ok(out.includes(part), part)
    }
  })

  it('lets no name in a bundle write over the verdict', async () => {
    const hostile = foundOrganisation('Acme \u202Eyrusaert')
    const { out } = await runCli('verify-evidence', await put('hostile', makeEvidence(hostile)))
    assert.ok(out.includes('Acme ⟨U+202E⟩yrusaert'))
  })

  it('explains itself and exits with 2 where it is not understood', async () => {
    const calls = [
      ['verify-evidence'],
      ['verify-evidence', file, file],
      ['verify-evidence', file, '--fingerprint', 'abc'],
      ['verify-evidence', file, '--lang', 'fr'],
      ['verify-evidence', file, '--nonsense'],
      ['verify-evidence', join(folder, 'absent')],
      ['verify-evidence', folder],
      ['nothing'],
      [],
    ]
    for (const call of calls) {
      const { code, out, err } = await runCli(...call)
      assert.equal(code, 2, call.join(' '))
      assert.match(err + out, /usage:/)
    }
  })
})
