import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as z from 'zod'
import { type CallInput, defineEndpoint, type Endpoint, type InputOf, isMutating } from './define-endpoint.ts'
import { amountText, boolText, idText, jsonField, pageNumber } from './field-types.ts'
import { type DescribedCall, openApi } from './open-api.ts'
import { systemErrors } from './system-errors.ts'

const createWithdrawal = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/sub_wallet/withdraw',
  permission: 'withdraw.create',
  summary: 'Proposes a withdrawal.',
  input: z.object({
    sub_wallet_id: idText,
    amount: amountText,
    urgent: boolText.optional(),
    outputs: jsonField(z.array(z.object({ to: z.string() }))).optional(),
  }),
  output: z.object({ withdraw_id: z.string() }),
  timeoutMs: 60_000,
  tenantParameters: ['sub_wallet_id'],
})
const listOrders = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/transaction/list',
  permission: 'member',
  summary: 'Lists orders.',
  input: z.object({ page_no: pageNumber }),
  output: z.array(z.object({ id: z.string() })),
})

test('an endpoint without a permission, outside /api or with a hole in it cannot be defined', () => {
  const sound = { method: 'GET', path: '/api/a', permission: 'public', summary: '', input: z.object({ a: z.string() }), output: z.null() } as const
  const change = (change: object) => () => defineEndpoint({ ...sound, ...change } as typeof sound)
  assert.doesNotThrow(change({}))
  for (const wrong of [
    { permission: '' },
    { permission: undefined },
    { permission: 'admin' },
    { permission: 'Wallet.Read' },
    { method: 'PUT' },
    { path: '/mpc/a' },
    { path: '/api/:id' },
    { path: '/api/../a' },
    { tenantParameters: ['b'] },
    { method: 'POST', bootstrap: true },
    { permission: 'member', bootstrap: true },
    { bootstrap: true, hasEffect: true },
    { input: z.object({ setup_token: z.string() }) },
    { input: z.object({ invite: z.string().optional() }) },
  ])
    assert.throws(change(wrong), /endpoint/, JSON.stringify(wrong))
})

test('the types of a call come from its definition', () => {
  const given: CallInput<typeof createWithdrawal> = { sub_wallet_id: 'x', amount: '1', outputs: [{ to: 'y' }] }
  const parsed: InputOf<typeof listOrders> = { page_no: 2 }
  const page: CallInput<typeof listOrders> = {}
  // @ts-expect-error the amount is missing
  const incomplete: CallInput<typeof createWithdrawal> = { sub_wallet_id: 'x' }
  assert.ok(given && parsed && page && incomplete)
})

test('a POST and a GET with an effect are mutating', () => {
  assert.equal(isMutating(createWithdrawal), true)
  assert.equal(isMutating(listOrders), false)
  assert.equal(isMutating({ ...listOrders, hasEffect: true }), true)
})

const documentOf = (calls: DescribedCall[]) => openApi('1', { calls, errors: systemErrors })
const described = (name: string, endpoint: Endpoint, refusals: string[] = []) => ({ name, feature: 'withdrawal', endpoint, refusals })

test('the OpenAPI document says form-encoded bodies, query parameters, envelopes and permissions', () => {
  const document = documentOf([described('createWithdrawal', createWithdrawal), described('listOrders', listOrders)])
  const paths = JSON.parse(JSON.stringify(document.paths))
  const post = paths['/api/mpc/sub_wallet/withdraw'].post
  assert.equal(document.openapi, '3.1.0')
  assert.deepEqual([post.operationId, post.tags], ['createWithdrawal', ['withdrawal']])
  assert.equal(post['x-permission'], 'withdraw.create')
  assert.deepEqual(post['x-tenant-parameters'], ['sub_wallet_id'])
  const body = post.requestBody.content['application/x-www-form-urlencoded'].schema
  assert.deepEqual(body.required, ['sub_wallet_id', 'amount'])
  assert.equal(body.properties.outputs.type, 'string')
  const get = paths['/api/mpc/transaction/list'].get
  assert.deepEqual(
    get.parameters.map((each: { name: string; in: string; required: boolean }) => [each.name, each.in, each.required]),
    [['page_no', 'query', false]],
  )
  const reply = get.responses[200].content['application/json'].schema
  assert.deepEqual(reply.required, ['code', 'msg', 'data'])
  assert.equal(reply.properties.data.anyOf[0].type, 'array')
  assert.throws(() => documentOf([described('a', listOrders), described('b', listOrders)]), /two endpoints/)
  assert.throws(() => documentOf([described('a', listOrders), described('a', createWithdrawal)]), /two calls/)
})

test('the OpenAPI document says of each call what it needs and what refuses it, by code and by status', () => {
  const open = defineEndpoint({ ...listOrders, permission: 'public', path: '/api/mpc/session/state', bootstrap: true })
  const document = documentOf([described('send', createWithdrawal, ['insufficient_balance', 'busy']), described('list', listOrders), described('open', open)])
  const paths = JSON.parse(JSON.stringify(document.paths))
  const [send, list, state] = [paths[createWithdrawal.path].post, paths[listOrders.path].get, paths[open.path].get]
  assert.deepEqual(send.security, [{ session: [], xsrf: [], openToken: [] }])
  assert.deepEqual(list.security, [{ session: [], xsrf: [] }])
  assert.deepEqual(state.security, [])
  const before = ['body_too_large', 'insufficient_balance', 'not_permitted', 'open_token_stale', 'signed_out', 'unsupported_content']
  assert.deepEqual(send['x-refusals'], before, 'what every call refuses with is said once')
  assert.deepEqual(list['x-refusals'], ['signed_out'])
  assert.deepEqual(state['x-refusals'], [])
  assert.deepEqual(Object.keys(send.responses), ['200', '403', '413', '415', '429', '500', '503', '504'])
  assert.deepEqual(Object.keys(list.responses), ['200', '403', '429', '500', '503', '504'])
})
