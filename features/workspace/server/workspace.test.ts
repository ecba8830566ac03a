import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { AppError, type CallInput, type Endpoint, formEncode, type OutputOf, parseForm, readInput, sentenceOf } from '@holdfast/contract'
import type { MemberContext } from '@holdfast/http'
import { feature as addressBook } from '@holdfast/features/address-book/server'
import { signerOrders } from '@holdfast/features/policy/server'
import { getBookEntry, getWhitelistConfig, saveBookEntry } from '../../address-book/book-contract.ts'
import { keyOf } from '../../testing/request-key.ts'
import { CHAIN } from '../../testing/scripted-chain.ts'
import { followSignerOrder } from '../../policy/server/signer-order/follow-signer-order.ts'
import { policyChanges } from '../../policy/server/change/policy-change.ts'
import { currentPolicy } from '../../policy/server/current-policy.ts'
import { changeView } from '../../policy/server/change/change-view.ts'
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
  refusedAs,
  stateOf,
  withRule,
  world,
} from '../../policy/server/testing/policy-world.ts'
import { listOperateLog } from '@holdfast/features/strategy/contract'
import { feature as strategy } from '@holdfast/features/strategy/server'
import { auditWorkspace, checkWorkspace, getWorkspacePart, listWorkspace, restoreWorkspace, saveWorkspace } from '../contract.ts'
import { feature } from './index.ts'

const HOUR_MS = 3_600_000
const policyNow = async () => (await inOrganisation((tx) => currentPolicy(tx))).policy

let requests = 0
const fresh = () => `workspace-${requests++}`
async function call<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<OutputOf<E>> {
  const session = { demandSecondFactorWhereSet: async () => {} } as never
  const handled = [feature, strategy, addressBook]
    .flatMap((each) => each.endpoints!(world.context, { session } as never))
    .find((each) => each.endpoint === endpoint)!
  const fields = readInput(endpoint, parseForm(formEncode(input))) as Record<string, unknown>
  const request = typeof fields['request_id'] === 'string' ? keyOf(fields['request_id'], fields) : undefined
  const context = { orgId: world.orgId, personId: ann.id, language: 'en_US', request } as unknown as MemberContext
  return endpoint.output.parse(await handled.handler(context, fields as never)) as OutputOf<E>
}
const changeOf = async (id: string) => (await inOrganisation((tx) => policyChanges.read(tx, id)))!
const viewOf = async (id: string) =>
  inOrganisation(async (tx) => changeView({ tx, context: world.context, language: 'en_US', personId: ann.id }, (await policyChanges.read(tx, id))!))

describe('who approves changes of parts of the workspace', () => {
  before(() => openPolicyWorld())
  after(() => world.close())

  it('are those who govern, until the policy names others, whom those who govern approve', async () => {
    const first = await call(listWorkspace, {})
    assert.ok(first.parts.every(({ is_own, approvers }) => !is_own && approvers.length === 3))
    const draft = { base_version: first.base_version, delay_h: 1, parts: [{ key: 'assets' as const, need: 1, who: [{ kind: 'person' as const, id: ben.id }] }] }
    const saved = await call(saveWorkspace, { request_id: fresh(), draft })
    await assert.rejects(
      call(auditWorkspace, { id: saved.id, result: true, remark: '' }),
      (cause) => cause instanceof AppError && /decide there with your approval key/.test(sentenceOf(cause, 'en_US')),
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

  it('are told before they are proposed what would change, who approves it and how long it waits; and what is wrong', async () => {
    const { base_version, delay_h } = await call(listWorkspace, {})
    const draft = { base_version, delay_h, parts: [{ key: 'members' as const, need: 1, who: [{ kind: 'person' as const, id: cleo.id }] }] }
    const found = await call(checkWorkspace, { draft })
    assert.deepEqual(found.faults, [])
    assert.match(found.lines.join('\n'), /Changes of members and their keys need 1 of Cleo/)
    assert.deepEqual([found.quorums.map(({ name }) => name), found.waits_h], [['current'], 1])
    const nobody = await call(checkWorkspace, { draft: { ...draft, parts: [{ ...draft.parts[0]!, need: 2 }] } })
    assert.match(nobody.faults.map(({ text }) => text).join(), /asks for 2 of 1 approvers/)
    const everybody = [ann, ben, cleo].map(({ id }) => ({ kind: 'person' as const, id }))
    const all = await call(checkWorkspace, { draft: { ...draft, parts: [{ ...draft.parts[0]!, need: 3, who: everybody }] } })
    assert.match(
      all.faults.map(({ text }) => text).join(),
      /^changes of members and their keys need 3 approvals apart from the requester's, and only Ann, Ben, Cleo/,
    )
    assert.equal((await call(checkWorkspace, { draft: { ...draft, base_version: base_version - 1 } })).faults.length, 1)
    assert.equal(
      (await call(checkWorkspace, { draft: { ...draft, delay_h: delay_h + 1, parts: [{ key: 'assets', need: 1, who: [{ kind: 'person', id: ben.id }] }] } }))
        .waits_h,
      0,
    )
  })

  it('are told that nobody could approve a part while somebody is away', async () => {
    const { base_version, delay_h } = await call(listWorkspace, {})
    const draft = { base_version, delay_h, parts: [{ key: 'members' as const, need: 1, who: [{ kind: 'person' as const, id: cleo.id }] }] }
    assert.deepEqual((await call(checkWorkspace, { draft })).warnings, [])
    const away = { person_id: cleo.id, from_at: 1, to_at: world.context.ports.clock.nowMs() + HOUR_MS, deputy: null, note: '', ended_at: null, updated_at: 1 }
    await inOrganisation((tx) =>
      tx
        .insertInto('absence')
        .values({ org_id: tx.orgId, ...away })
        .execute(),
    )
    const { warnings } = await call(checkWorkspace, { draft })
    assert.match(
      warnings.map(({ text }) => text).join(),
      /^with Cleo out of office until .* UTC, changes of members and their keys need 1 approval .* nobody could/,
    )
    await inOrganisation((tx) => tx.updateTable('absence').set({ ended_at: 1 }).where('org_id', '=', tx.orgId).execute())
  })

  it('say how long an address of the whitelist waits as well, which a draft without a word of it leaves as it is', async () => {
    const { base_version, delay_h, cooling_h } = await call(listWorkspace, {})
    assert.equal(cooling_h, 24)
    const draft = { base_version, delay_h, parts: [] }
    const found = async (hours?: number) => call(checkWorkspace, { draft: { ...draft, ...(hours !== undefined && { cooling_h: hours }) } })
    const said = /counts at each signer/
    const [longer, shorter, same] = [await found(72), await found(0), await found()]
    assert.deepEqual([said.test(longer.lines.join()), longer.quorums.map(({ name }) => name)], [true, ['current']])
    assert.match(shorter.lines.join('\n'), /counts at each signer at once from now on; before, after 24 hours\./)
    assert.ok(shorter.waits_h > 0)
    assert.doesNotMatch(same.lines.join(), said)
    await assert.rejects(found(73))
  })

  it('have a log of their own, from which an earlier version is put onto the one in force', async () => {
    const log = await call(listOperateLog, { scope: 'workspace', page_no: 1, page_size: 20 })
    assert.deepEqual(
      log.list.map(({ version, can_restore }) => [version, can_restore]),
      [[2, true]],
    )
    assert.equal((await call(listOperateLog, { scope: 'higher', page_no: 1, page_size: 20 })).list.length, 0)
    const { draft, left_out } = await call(restoreWorkspace, { version: 2 })
    assert.deepEqual([draft.base_version, draft.delay_h, draft.parts.map(({ key }) => key), left_out], [2, 1, ['assets'], []])
    assert.deepEqual((await call(restoreWorkspace, { version: 1 })).draft.parts, [])
    await assert.rejects(call(restoreWorkspace, { version: 3 }), AppError)
  })

  it('and what loosens the policy waits at the signers, is shown as waiting, and is followed when its time has come', async () => {
    const change = await propose(await draftOf(lower))
    const stoppers = async () => (await viewOf(change.row.id)).may_stop.map(({ name }) => name).toSorted()
    assert.deepEqual(await stoppers(), [ben.name, cleo.name])
    await approveAs(change, ben)
    assert.deepEqual(await stoppers(), [cleo.name])
    await approveAs(change, cleo)
    assert.deepEqual(await stoppers(), [])
    world.signers.policyWaitsUntil = BigInt(world.context.ports.clock.nowMs() + HOUR_MS)
    assert.equal(await apply(change), 'wait')
    const { touched, open_change_id } = await call(listWorkspace, {})
    assert.deepEqual([touched, open_change_id], [['strategies'], change.row.id])
    const view = await viewOf(change.row.id)
    assert.deepEqual([view.state, view.waits_until! > world.context.ports.clock.nowMs()], ['approved', true])
    assert.match(view.reason!, /loosens the policy/)
    assert.equal(await stateOf(change), 'approved')
    world.clock.aheadMs += HOUR_MS
    assert.equal(await apply(change), 'applied')
    assert.ok((await call(getWorkspacePart, { key: 'strategies' })).log.length === 1)
  })

  it('and what loosens the policy is stopped by a no while it waits: nothing else is asked for meanwhile, and it is never in force', async () => {
    const governedByOne = await draftOf((draft) => ({
      ...withRule(() => ({ threshold: 2 }))(draft),
      governance: { ...draft.governance, threshold: 1 },
    }))
    const first = await propose(governedByOne)
    for (const member of [ben, cleo]) await approveAs(first, member)
    assert.equal(await apply(first), 'applied')
    const { version } = await policyNow()
    const change = await propose(await draftOf(lower))
    assert.equal((await approveAs(change, ben)).state, 'approved')
    world.signers.policyWaitsUntil = BigInt(world.context.ports.clock.nowMs() + HOUR_MS)
    assert.equal(await apply(change), 'wait')
    await assert.rejects(propose(await draftOf(lower), ben), refusedAs('policy_change_open'))
    assert.deepEqual(await approveAs(change, cleo, 'reject'), { state: 'rejected', missing: 0 })
    world.clock.aheadMs += 2 * HOUR_MS
    assert.equal(await apply(change), 'ended')
    assert.deepEqual([await stateOf(change), (await policyNow()).version], ['rejected', version])
    assert.ok(
      [1, 2, 3].every((party) => (world.signers.policyVersions.get(party) ?? version) === version),
      'no signer was told to follow it',
    )
  })

  it('and an address that is put on the whitelist waits as long as the policy says by then, as the book shows', async () => {
    const { base_version, delay_h } = await call(listWorkspace, {})
    const saved = await call(saveWorkspace, { request_id: fresh(), draft: { base_version, delay_h: Math.max(delay_h, 1), cooling_h: 72, parts: [] } })
    const change = await changeOf(saved.id)
    // One of those who govern is enough by now.
    await approveAs(change, ben)
    world.signers.policyWaitsUntil = null
    assert.equal(await apply(change), 'applied')
    assert.deepEqual([(await call(listWorkspace, {})).cooling_h, (await call(getWhitelistConfig, {})).cooling_h], [72, 72])
    const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    const entry = await call(saveBookEntry, { request_id: fresh(), name: 'Kraken', address, chains: [CHAIN], whitelist: '1' } as never)
    const order = await inOrganisation((tx) => signerOrders.read(tx, entry.trade_no!))
    await approveAs({ intent: order!.intent } as never, ben)
    await followSignerOrder(world.context, world.orgId, entry.trade_no!)
    const { whitelist_status: status, listed_at: listedAt, usable_at: usableAt } = await call(getBookEntry, { id: entry.id })
    assert.deepEqual([status, usableAt], ['cooling', listedAt! + 72 * HOUR_MS])
  })
})
