import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type CallInput, type Endpoint, formEncode, type OutputOf, parseForm, readInput } from '@holdfast/contract'
import { decode } from '@holdfast/encoding'
import type { MemberContext } from '@holdfast/http'
import { intentShape } from '@holdfast/intent'
import { deleteBookEntries, saveBookEntry } from '../../address-book/book-contract.ts'
import { feature as addressBook } from '../../address-book/server/index.ts'
import { followSignerOrder } from '../../policy/server/signer-order/follow-signer-order.ts'
import { keyOf } from '../../testing/request-key.ts'
import { CHAIN } from '../../testing/scripted-chain.ts'
import { approvalOn, approveAs, openWorld, STRANGER, type World } from '../../testing/test-world.ts'
import { listOperateLog } from '../contract.ts'
import { feature } from './index.ts'

let world: World
before(async () => {
  world = await openWorld()
})
after(() => world.close())

async function call<E extends Endpoint>(endpoint: E, input: CallInput<E>, language = 'en_US'): Promise<OutputOf<E>> {
  const session = { demandSecondFactorWhereSet: async () => {} }
  const all = [feature, addressBook].flatMap(({ endpoints }) => endpoints?.(world.context, { session } as never) ?? [])
  const fields = readInput(endpoint, parseForm(formEncode(input))) as Record<string, unknown>
  const request = typeof fields.request_id === 'string' ? keyOf(fields.request_id, fields) : undefined
  const caller = { orgId: world.orgId, personId: world.members[0].id, language, request } as unknown as MemberContext
  const found = all.find((each) => each.endpoint === endpoint)
  assert.ok(found)
  return endpoint.output.parse(await found.handler(caller, fields as never)) as OutputOf<E>
}

/** Those who govern approve a change of the whitelist, and the signers follow it. */
async function carryOut(orderId: string): Promise<void> {
  const query = (tx: Parameters<Parameters<typeof world.db.asOrganisation>[1]>[0]) => tx.selectFrom('signer_order').select('intent').where('id', '=', orderId)
  const { intent } = await world.db.asOrganisation(world.orgId, (tx) => query(tx).executeTakeFirstOrThrow())
  for (const member of world.members.slice(1, 3)) await approveAs(world, approvalOn(world, decode(intentShape, new Uint8Array(intent)), member))
  await followSignerOrder(world.context, world.orgId, orderId)
}

it('the log of strategies tells changes of the whitelist too, each with its addresses, who decided it and its version', async () => {
  const entry = { request_id: 'kraken-is-added', name: 'Kraken', address: STRANGER, chains: [CHAIN], whitelist: '1' as const }
  const { id, trade_no: on } = await call(saveBookEntry, entry)
  await carryOut(on ?? '')
  const { trade_no: off } = await call(deleteBookEntries, { request_id: 'kraken-is-removed', ids: [id], propose: '1' as const })
  const log = (given: Partial<CallInput<typeof listOperateLog>> = {}, language?: string) =>
    call(listOperateLog, { scope: 'address_book', ...given } as CallInput<typeof listOperateLog>, language)
  const { pageTotal, list } = await log()
  assert.equal(pageTotal, 2)
  assert.deepEqual(
    list.map((row) => [row.id, row.action, row.target, row.flow.state, row.version, row.can_restore]),
    [
      [off, 'delete', 'Kraken', 'approving', 2, false],
      [on, 'create', 'Kraken', 'applied', 1, false],
    ],
  )
  const [taken, put] = list
  assert.deepEqual([put?.diff[0]?.path, put?.diff[0]?.old, put?.user.person_id], [`address_book/${id}`, null, world.members[0].id])
  assert.match(put?.diff[0]?.new ?? '', new RegExp(`^${STRANGER}, `))
  assert.deepEqual([taken?.diff[0]?.new, put?.flow.nodes[0]?.approved.length, taken?.flow.nodes[0]?.approved.length], [null, 2, 0])
  assert.ok((await log({}, 'zh_CN')).list.every(({ lines }) => /\p{Script=Han}/u.test(lines[0] ?? '')))
  const [ann, ben] = world.members
  assert.deepEqual(
    await Promise.all(
      [log({ user: ann.id }), log({ user: ben.id }), log({ type: 'transfer' }), log({ end_time: 1 })].map(async (each) => (await each).pageTotal),
    ),
    [2, 0, 0, 0],
  )
  const others = await Promise.all((['workspace', 'higher', 'basic', 'all'] as const).map((scope) => log({ scope })))
  assert.ok(others.every(({ list: rows }) => rows.every(({ id: row }) => row !== on && row !== off)))
})
