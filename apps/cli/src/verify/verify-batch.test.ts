import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { encode } from '@holdfast/encoding'
import { intentShape } from '@holdfast/intent'
import { EvidenceRefused } from '@holdfast/protocol'
import fc from 'fast-check'
import { type BatchOptions, makeBatch, makeBatchEvidence } from '../testing/make-evidence.ts'
import { runCli } from '../testing/run-cli.ts'
import { foundOrganisation } from '../testing/test-organisation.ts'
import { examine } from './verify-evidence.ts'

const acme = foundOrganisation()
const bundle = makeBatchEvidence(acme)
// HOLDFAST_THOROUGH=1 tries 600.
const BYTES_CHANGED = process.env.HOLDFAST_THOROUGH ? 600 : 150

const reportOf = (bytes: Uint8Array) => {
  const found = examine(bytes, undefined)
  return found.kind === 'signature' ? found.report : assert.fail()
}
const withoutBatch: BatchOptions['change'] = (made) => {
  const { batch: _, ...rest } = made
  return { ...rest, kind: 'witnessed' }
}
const refusedAt = (step: string) => (error: unknown) => error instanceof EvidenceRefused && error.step === step

describe('evidence of a line of a batch', () => {
  it('says which line of which batch was paid, and who approved the batch', () => {
    const { batch, threshold, approvedBy, initiator, signers } = reportOf(bundle)
    assert.deepEqual(
      { lines: batch?.lines, threshold, approvedBy, initiator, signers },
      { lines: [2, 2], threshold: 2, approvedBy: ['Bo', 'Cem'], initiator: 'Anna', signers: ['North', 'West'] },
    )
    assert.match(batch!.rendering('en-US').title, /batch of 3 lines/)
    assert.match(batch!.rendering('zh-CN').title, /批量付款/)
  })

  it('is told by the tool in both languages', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-batch-'))
    try {
      const file = join(folder, 'line.evidence')
      await writeFile(file, bundle)
      assert.match((await runCli('verify-evidence', file)).out, /The batch of which it pays line 2/)
      assert.match((await runCli('verify-evidence', file, '--lang', 'zh-CN')).out, /本笔支付第 2 行/)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('is refused where the order is no line of the batch, or the approvals or places in the log are not its own', () => {
    const other = encode(intentShape, makeBatch(acme, { remark: 'another' }))
    const forged: [string, BatchOptions][] = [
      ['batch', { part: { amount: 2_000_001n } }],
      ['batch', { part: { orderId: new Uint8Array(16) } }],
      ['batch', { part: { feeCap: 1n } }],
      ['batch', { change: (made) => ({ ...made, batch: { ...made.batch, intent: other } }) }],
      ['batch', { change: (made) => ({ ...made, batch: { ...made.batch, intent: made.intent } }) }],
      ['batch', { batch: { orderId: makeBatch(acme).lines[0]!.key } }],
      ['approvals', { approvers: [1] }],
      ['approvals', { approvers: [0, 1] }],
      ['approvals', { approvers: [1, 1] }],
      ['log', { change: (made) => ({ ...made, batch: { ...made.batch, logged: made.logged[0]! } }) }],
      ['approvals', { change: withoutBatch }],
    ]
    for (const [step, options] of forged) assert.throws(() => reportOf(makeBatchEvidence(acme, options)), refusedAt(step), JSON.stringify(Object.keys(options)))
  })

  it('is refused whichever of its bytes is another', () => {
    fc.assert(
      fc.property(fc.nat(bundle.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const changed = Uint8Array.from(bundle)
        changed[at]! ^= by
        assert.throws(() => examine(changed, undefined), EvidenceRefused)
      }),
      { numRuns: BYTES_CHANGED },
    )
  })
})
