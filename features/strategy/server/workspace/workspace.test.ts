import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { AppError, type CallInput, type Endpoint, formEncode, type OutputOf, parseForm, readInput } from '@holdfast/contract'
import { workspaceParts } from '@holdfast/features/policy/contract'
import type { MemberContext } from '@holdfast/http'
import { policyChanges } from '../../../policy/server/change/policy-change.ts'
import { changeView } from '../../../policy/server/change/change-view.ts'
import {
  ann,
  apply,
  approveAs,
  ben,
  cleo,
  draftOf,
  inOrganisation,
  lower,
  openPolicyWorld,
  propose,
  stateOf,
  world,
} from '../../../policy/server/testing/policy-world.ts'
import { PARTS } from '@holdfast/policy'
import { auditWorkspace, getWorkspacePart, listWorkspace, saveWorkspace } from '../../workspace-contract.ts'
import { feature } from '../index.ts'

let requests = 0
const fresh = () => `workspace-${requests++}`
async function call<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<OutputOf<E>> {
  const session = { demandSecondFactorWhereSet: async () => {} } as never
  const handled = feature.endpoints!(world.context, { session } as never).find((each) => each.endpoint === endpoint)!
  const context = { orgId: world.orgId, personId: ann.id, language: 'en_US' } as MemberContext
  return endpoint.output.parse(await handled.handler(context, readInput(endpoint, parseForm(formEncode(input))) as never)) as OutputOf<E>
}
const changeOf = async (id: string) => (await inOrganisation((tx) => policyChanges.read(tx, id)))!
const viewOf = async (id: string) =>
  inOrganisation(async (tx) => changeView({ tx, context: world.context, language: 'en_US', personId: ann.id }, (await policyChanges.read(tx, id))!))

describe('who approves changes of parts of the workspace', () => {
  before(() => openPolicyWorld())
  after(() => world.close())

  it('are those who govern, until the policy names others, whom those who govern approve', async () => {
    assert.deepEqual([...workspaceParts], [...PARTS])
    const first = await call(listWorkspace, {})
    assert.ok(first.parts.every(({ is_own, approvers }) => !is_own && approvers.length === 3))
    const draft = { base_version: first.base_version, delay_h: 1, parts: [{ key: 'assets' as const, need: 1, who: [{ kind: 'person' as const, id: ben.id }] }] }
    const saved = await call(saveWorkspace, { request_id: fresh(), draft })
    await assert.rejects(
      call(auditWorkspace, { id: saved.id, result: true, remark: '' }),
      (cause) => cause instanceof AppError && /decide there with your approval key/.test(cause.sentence('en_US')),
    )
    const change = await changeOf(saved.id)
    for (const member of [ben, cleo]) await approveAs(change, member)
    assert.equal(await apply(change), 'applied')
    const { parts, delay_h, base_version } = await call(listWorkspace, {})
    assert.equal(delay_h, 1)
    const assets = parts.find(({ key }) => key === 'assets')!
    assert.deepEqual([assets.is_own, assets.need, assets.approvers.map(({ name }) => name)], [true, 1, [ben.name]])
    assert.equal(assets.since_version, base_version)
    assert.equal((await call(getWorkspacePart, { key: 'assets' })).log.length, 0)
    await assert.rejects(call(saveWorkspace, { request_id: fresh(), draft: { ...draft, base_version, parts: [{ ...draft.parts[0]!, need: 2 }] } }), AppError)
  })

  it('and what loosens the policy waits at the signers, is shown as waiting, and is followed when its time has come', async () => {
    const change = await propose(await draftOf(lower))
    for (const member of [ben, cleo]) await approveAs(change, member)
    world.signers.policyWaitsUntil = BigInt(world.context.ports.clock.nowMs() + 3_600_000)
    assert.equal(await apply(change), 'wait')
    const view = await viewOf(change.row.id)
    assert.deepEqual([view.state, view.waits_until! > world.context.ports.clock.nowMs()], ['approved', true])
    assert.match(view.reason!, /loosens the policy/)
    assert.equal(await stateOf(change), 'approved')
    world.clock.aheadMs += 3_600_000
    assert.equal(await apply(change), 'applied')
    assert.ok((await call(getWorkspacePart, { key: 'strategies' })).log.length === 1)
  })
})
