import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actOf, type PayoutIntent } from '@holdfast/intent'
import fc from 'fast-check'
import { ETHER, organisationWith, orderOf, STRANGER, SUPPLIER } from '../testing/world.ts'
import { fieldBody, readFieldAnswer } from './field-form.ts'

const organisation = organisationWith(new Uint8Array(32).fill(4))

test('a payment is told in the names that callbacks of the field know', () => {
  const intent = orderOf(organisation, 1, { memo: 'invoice 7' })
  const body = fieldBody({ type: 'sign_start', intent, act: actOf(intent) })
  const { withdraw_id: id, request_id: requestId, ...rest } = body
  assert.match(String(id), /^[0-9a-f-]{36}$/)
  assert.match(String(requestId), /^[0-9a-f-]{36}$/)
  assert.deepEqual(rest, {
    type: 'sign_start',
    pending_round: 0,
    from: intent.from,
    to: SUPPLIER,
    memo: 'invoice 7',
    amount: '1',
    symbol: 'ETH',
    network: 'eip155:31337',
    contract: '',
    txid: '',
  })
})

test('of several recipients each is told with its amount', () => {
  const outputs = [
    { to: SUPPLIER, amount: ETHER / 2n },
    { to: STRANGER, amount: ETHER / 2n },
  ]
  const intent: PayoutIntent = { ...orderOf(organisation, 1), kind: 'payout', outputs }
  const body = fieldBody({ type: 'sign_success', intent, act: actOf(intent), txid: '0xabc' })
  assert.deepEqual(body['outputs'], [
    { address_to: SUPPLIER, amount: '0.5' },
    { address_to: STRANGER, amount: '0.5' },
  ])
  assert.equal(body['txid'], '0xabc')
})

test('no answer but the very word is a yes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 12 }), fc.constantFrom(200, 204, 500), (body, status) => {
      const isWord = status === 200 && Buffer.from(body).equals(Buffer.from('SUCCESS'))
      assert.equal(readFieldAnswer({ status, body }).kind, isWord ? 'yes' : 'no')
    }),
  )
  assert.equal(readFieldAnswer({ status: 200, body: new TextEncoder().encode('SUCCESS') }).kind, 'yes')
  assert.equal(readFieldAnswer({ status: 200, body: new TextEncoder().encode('\uFEFFSUCCESS') }).kind, 'no')
})
