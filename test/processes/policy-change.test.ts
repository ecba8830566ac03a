import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { getPolicy, listPolicyChanges, proposePolicy } from '@holdfast/features/policy/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import { foundOrganisation } from '../../apps/launcher/src/found-organisation.ts'
import type { TerminalMember } from '../../apps/launcher/src/terminal-member.ts'
import { waitUntil } from '../../apps/launcher/src/wait-until.ts'
import { draftOf } from '../../features/policy/console/draft.ts'
import { sayAway } from './testing/say-away.ts'
import { startTestStack, type TestStack } from './testing/start-test-stack.ts'

let stack: TestStack
let alice: TerminalMember
let bruno: TerminalMember
let chiara: TerminalMember

before(async () => {
  stack = await startTestStack()
  const { members } = await foundOrganisation(ports, stack.settings, { name: 'Chain', members: ['Alice', 'Bruno', 'Chiara'], threshold: 2 })
  ;[alice, bruno, chiara] = members as [TerminalMember, TerminalMember, TerminalMember]
})
after(() => stack?.dispose())

const policy = () => alice.client.call(getPolicy, {})
const versions = async () => (await policy()).signers.map((signer) => signer.policy_version)

async function propose(threshold: number): Promise<string> {
  const same = draftOf(await policy())
  const draft = { ...same, rules: same.rules.map((rule) => ({ ...rule, threshold })) }
  return (await alice.client.call(proposePolicy, { request_id: `propose-${draft.base_version}-${threshold}`, draft })).intent_hash
}

const inForce = (version: number) => waitUntil(ports, `version ${version}`, async () => ((await policy()).version === version ? true : undefined))

test('a signer that was away takes over every version it missed, in order, as soon as it is back', async () => {
  assert.deepEqual(await versions(), [1, 1, 1])
  await stack.end('signer-3')
  // A change needs the word of all three that none of them knows a rejection.
  await sayAway({ alice, bruno, chiara }, 3)
  for (const [version, threshold] of [
    [2, 1],
    [3, 2],
  ] as const) {
    const hash = await propose(threshold)
    assert.deepEqual(await bruno.decide(hash, 'approve'), { state: 'approving', missing: 1 })
    assert.deepEqual(await chiara.decide(hash, 'approve'), { state: 'approved', missing: 0 })
    await inForce(version)
  }
  assert.deepEqual(await versions(), [3, 3, null])
  await stack.restart('signer-3')
  await waitUntil(ports, 'signer 3 to catch up', async () => ((await versions())[2] === 3 ? true : undefined))
})

test('one no ends a change, and the signer that served the page would refuse it for good', async () => {
  const hash = await propose(1)
  assert.equal((await bruno.decide(hash, 'reject')).state, 'rejected')
  await assert.rejects(chiara.decide(hash, 'approve'))
  const { list } = await alice.client.call(listPolicyChanges, {})
  assert.deepEqual([list[0]!.state, list[0]!.quorums[0]!.rejected.map((each) => each.name)], ['rejected', ['Bruno']])
  assert.equal((await policy()).version, 3)
})
