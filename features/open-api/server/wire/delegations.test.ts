import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { AppError } from '@holdfast/contract'
import { resourceErrors } from '../../../resource/errors.ts'
import { estimateView } from '../../../tron-tools/server/agent/delegations.ts'
import { agentEndpoints } from '../../../tron-tools/server/agent/routes.ts'
import {
  attend,
  carryOut,
  closeAgentWorld,
  inOrganisation,
  needs,
  openAgentWorld,
  set,
  shop,
  stand,
  toLend,
  treasury,
  tron,
  turn,
  world,
} from '../../../tron-tools/server/testing/agent-world.ts'
import type { Asking } from './asking.ts'
import { createDelegate, delegationsAfter, delegationsByRequest } from './delegations.ts'

before(async () => {
  await openAgentWorld()
  await set({})
  await turn('on')
  await stand(toLend())
})
after(closeAgentWorld)

const PARTY = '00000000-0000-4000-8000-000000000001'

/** What a key of door two says, which may name some sub-wallets. */
const asking = (fields: Record<string, unknown>, subWallets: readonly string[] | null = null): Asking => {
  const { ports } = world.context
  const requester = { machineId: 'shop', partyId: PARTY as never, subWallets }
  const caller = { ports, requestId: 'one', ip: '203.0.113.7', language: 'en_US' as const, orgId: world.orgId as never, requester }
  const handled = agentEndpoints(needs(), { demandSecondFactorWhereSet: () => Promise.reject(new Error('no person calls')) })
  return { context: world.context, handled, caller, fields, mark: 'one' }
}
const codeOf = (act: Promise<unknown>) =>
  act.then(
    () => '0',
    (cause: unknown) => (cause instanceof AppError ? cause.code : String(cause)),
  )
const energy = (changes: Record<string, unknown> = {}) => ({
  ...{ request_id: 'wire-energy-01', resource_type: 0, buy_type: 1, energy_num: 30_000, service_charge_type: '20001', address_from: shop.address },
  ...changes,
})

it('has energy lent to an own address under what people approved, once, and lists it by its number and its request', async () => {
  for (const wrong of [{ service_charge_type: '30001' }, { net_num: 1 }, { buy_type: 2 }])
    assert.equal(await codeOf(createDelegate(asking(energy(wrong)))), '300585', JSON.stringify(wrong))
  assert.equal(await codeOf(createDelegate(asking(energy({ buy_type: 0 })))), '100004', 'a transfer has to be said')
  assert.equal(await codeOf(createDelegate(asking(energy(), [treasury.subWalletId]))), '300583', 'of another sub-wallet')
  const asked = { address_from: shop.address, address_to: treasury.address, contract_address: tron.token.contract }
  const estimate = await estimateView(needs(), world.orgId as never, asked)
  const transfer = energy({ buy_type: 0, energy_num: undefined, ...asked })
  const { trans_id: id } = await createDelegate(asking(transfer))
  assert.deepEqual(await createDelegate(asking(transfer)), { trans_id: id }, 'the same again is the same')
  assert.equal(await codeOf(createDelegate(asking(energy({ request_id: 'wire-energy-02' })))), resourceErrors.tron_duplicate_request.code, 'one at a time')
  assert.ok(id !== undefined && id >= 1)
  await attend()
  const { lend_order_id: lent } = await inOrganisation((tx) =>
    tx.selectFrom('tron_supply').select('lend_order_id').where('org_id', '=', tx.orgId).executeTakeFirstOrThrow(),
  )
  await carryOut(lent!)
  await attend()
  const [row, ...others] = await delegationsByRequest(asking({ ids: 'wire-energy-01,none' }))
  assert.deepEqual(
    [others, row?.id, row?.request_id, row?.address_from, row?.energy_num, row?.status],
    [[], id, 'wire-energy-01', shop.address, Number(estimate.energy), 2000],
  )
  assert.match(row?.energy_txid ?? '', /^[0-9a-f]{64}$/)
  assert.deepEqual(await delegationsAfter(asking({ max_id: id - 1 })), [row])
  assert.deepEqual(await delegationsAfter(asking({ max_id: id })), [])
  assert.deepEqual(await delegationsAfter(asking({}, [shop.subWalletId])), [row])
  assert.deepEqual(await delegationsAfter(asking({}, [treasury.subWalletId])), [])
  assert.deepEqual(await delegationsAfter(asking({}, [])), [])
})
