import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { tempFolder } from './testing/temp-folder.ts'
import { useQuickSignatures } from './testing/use-quick-signatures.ts'

useQuickSignatures()
const { createCalls } = await import('./calls/calls.ts')
const { openSigner, TestTime } = await import('./testing/cluster.ts')
const { recordOfMany } = await import('./testing/many-versions.ts')
const { DAY_MS } = await import('./testing/organisation-of.ts')
const { organisationWith } = await import('./testing/world-of.ts')

const VERSIONS = 280

describe('a newcomer in an organisation with hundreds of versions of its policy', () => {
  it('pins it whole, though their orders have expired, and knows every version when it starts again', async (t) => {
    const [root, time] = [await tempFolder(t), new TestTime()]
    const open = () => openSigner(root, 3, time)
    const newcomer = await open()
    const organisation = organisationWith()
    const { record } = recordOfMany(organisation, VERSIONS, newcomer.options.identity.publicKey)
    assert.ok(record.length > 1 << 22)
    time.nowMs += 100 * DAY_MS
    assert.ok(await createCalls(newcomer).pinGenesis({ record }))
    await newcomer.close()
    const again = await open()
    t.after(() => again.close())
    const { pinned, policyVersion } = await createCalls(again).status({ genesis: organisation.fingerprint })
    assert.deepEqual([pinned, policyVersion], [true, BigInt(VERSIONS + 1)])
  })
})
