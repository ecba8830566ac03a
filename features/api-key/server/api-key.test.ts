import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { AppError, type CallInput, type Endpoint, formEncode, type OutputOf, parseForm, readInput } from '@holdfast/contract'
import type { MemberContext } from '@holdfast/http'
import { evaluatePayment, partyOfMachine } from '@holdfast/policy'
import { policyChanges } from '../../policy/server/change/policy-change.ts'
import { currentPolicy } from '../../policy/server/current-policy.ts'
import { ann, apply, approveAs, ben, cleo, inOrganisation, openPolicyWorld, world } from '../../policy/server/testing/policy-world.ts'
import { listMachines, removeMachine, saveMachine } from '../contract.ts'
import { feature } from './index.ts'

const policyNow = async () => (await inOrganisation((tx) => currentPolicy(tx))).policy
let requests = 0
const fresh = () => `machines-${requests++}`

async function call<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<OutputOf<E>> {
  const session = { demandSecondFactorWhereSet: async () => {} } as never
  const handled = feature.endpoints!(world.context, { session } as never).find((each) => each.endpoint === endpoint)!
  const context = { orgId: world.orgId, personId: ann.id, language: 'en_US' } as MemberContext
  return endpoint.output.parse(await handled.handler(context, readInput(endpoint, parseForm(formEncode(input))) as never)) as OutputOf<E>
}

async function decided(id: string): Promise<void> {
  const change = (await inOrganisation((tx) => policyChanges.read(tx, id)))!
  for (const member of [ben, cleo]) await approveAs(change, member)
  assert.equal(await apply(change), 'applied')
}

const END = 4_000_000_000_000
const guard = { app_id: 'guard', kind: 'coSigner' as const, name: 'Guard', public_key: 'ab'.repeat(32), purpose: 'Looks', expire_at: END, rule: null }

async function keyDraft(by: 'people' | 'people_and_co_signer' | 'co_signer' | 'nobody', to: 'own' | 'any' = 'any') {
  const policy = await policyNow()
  const coin = policy.assets.find((each) => each.contract === null)!
  const rule = {
    a_day: [{ chain: coin.chain, asset: '', max: '2' }],
    orders_a_day: 10,
    to,
    by,
    need: 1,
    who: [{ kind: 'person' as const, id: ben.id }],
    co_signer: by === 'people' || by === 'nobody' ? null : 'guard',
    fees: [{ chain: coin.chain, max: '0.01' }],
  }
  const key = { app_id: 'payouts', kind: 'api' as const, name: 'Payouts', public_key: 'cd'.repeat(32), purpose: 'Pays suppliers', expire_at: END }
  return { draft: { base_version: Number(policy.version), ...key, rule }, coin }
}

describe('machines of the policy', () => {
  before(() => openPolicyWorld())
  after(() => world.close())

  it('come in by a change that people approve, and a key asks under its own rule and no other', async () => {
    const first = await call(listMachines, {})
    assert.deepEqual(first.list, [])
    await decided((await call(saveMachine, { request_id: fresh(), draft: { base_version: first.base_version, ...guard } })).id)
    const { draft, coin } = await keyDraft('people_and_co_signer')
    await decided((await call(saveMachine, { request_id: fresh(), draft })).id)
    const { list } = await call(listMachines, {})
    assert.deepEqual(
      list.map(({ app_id, status, rules }) => [app_id, status, rules.map(({ id }) => id)]),
      [
        ['guard', 'on', ['api:payouts']],
        ['payouts', 'on', ['api:payouts']],
      ],
    )
    const policy = await policyNow()
    const asked = { chain: coin.chain, contract: null, amount: 1n, initiator: partyOfMachine({ id: 'payouts' }) }
    const outcome = evaluatePayment(policy, asked)
    assert.equal(outcome.kind === 'needs' && outcome.steps.length, 2)
    assert.equal(evaluatePayment(policy, { ...asked, initiator: partyOfMachine({ id: 'guard' }) }).kind, 'deny')
  })

  it('are not drafted on a version that is over, and what is not there is not taken out', async () => {
    const { draft } = await keyDraft('people')
    await assert.rejects(
      call(saveMachine, { request_id: fresh(), draft: { ...draft, base_version: 1 } }),
      (error) => error instanceof AppError && /changed since/.test(String(error.details['reason'])),
    )
    await assert.rejects(
      call(removeMachine, { request_id: fresh(), app_id: 'ghost' }),
      (error) => error instanceof AppError && error.code === new AppError('resource_not_found').code,
    )
  })

  it('pass without anybody only to addresses that people know of', async () => {
    const anywhere = await keyDraft('nobody')
    await assert.rejects(
      call(saveMachine, { request_id: fresh(), draft: anywhere.draft }),
      (error) => error instanceof AppError && /own, listed or named/.test(String(error.details['reason'])),
    )
    const own = await keyDraft('nobody', 'own')
    assert.ok((await call(saveMachine, { request_id: fresh(), draft: own.draft })).trade_no)
  })
})
