import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encode, fromHex, toHex } from '@holdfast/encoding'
import { type ContractCallIntent, intentShape } from '@holdfast/intent'
import fc from 'fast-check'
import type { OpenCalls } from './calls.ts'
import { checkAsked, checkCalled, OrderFault } from './check-asked.ts'

const COIN = { chain: 'eip155:1', contract: null, symbol: 'ETH', decimals: 18n }
const CONTRACT = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const address = fc.stringMatching(/^0x[0-9a-f]{40}$/)
const asked = fc.record({
  amount: fc.constantFrom('0', '0.5', '12'),
  input_data: fc.stringMatching(/^0x([0-9a-f]{2}){4,80}$/),
  function: fc.constantFrom('', 'approve(address,uint256)', 'deposit()'),
  interactive_contract: fc.oneof(fc.constant(CONTRACT), address),
  max_fee: fc.constantFrom('0.001', '0.002'),
})
type Asked = OpenCalls['openCreateCall']['input']
const callOf = (given: object): Asked => ({ request_id: 'call-0001', sub_wallet_id: 'one', chain: COIN.chain, ...given }) as Asked

const unitsOf = { '0': 0n, '0.5': 5n * 10n ** 17n, '12': 12n * 10n ** 18n }
function intentOf(call: Asked, changes: Partial<ContractCallIntent> = {}): string {
  const intent = {
    ...{ kind: 'contractCall', genesis: new Uint8Array(32), orderId: new Uint8Array(16), keyId: new Uint8Array(32), path: [0n], from: `0x${'11'.repeat(20)}` },
    ...{ to: call.interactive_contract, asset: COIN, amount: unitsOf[call.amount as keyof typeof unitsOf], feeAsset: COIN, feeCap: 10n ** 15n },
    ...{ slotRule: 'account-nonce', notBeforeMs: 0n, expiresAtMs: 1n, policyVersion: 1n, policyHash: new Uint8Array(32), initiator: new Uint8Array(16) },
    ...{
      remark: '',
      nonce: new Uint8Array(32),
      data: fromHex(call.input_data.slice(2)),
      signature: call.function === '' ? null : call.function,
    },
    ...changes,
  } as ContractCallIntent
  return toHex(encode(intentShape, intent))
}

test('a call is signed where its bytes call what was asked for, and nothing else is', () => {
  fc.assert(
    fc.property(asked, asked, (given, other) => {
      const call = callOf(given)
      assert.equal(checkCalled(call, intentOf(call)).kind, 'contractCall')
      const said = ({ amount, input_data, function: name, interactive_contract }: typeof given) => [
        amount,
        input_data,
        name,
        interactive_contract.toLowerCase(),
      ]
      if (said(given).join() !== said(other).join()) assert.throws(() => checkCalled(call, intentOf(callOf(other))), OrderFault)
    }),
  )
})

test('a call on another network, for a higher fee, of a token or that is a payment is not signed', () => {
  const call = callOf({ amount: '0', input_data: '0xd0e30db0', function: 'deposit()', interactive_contract: CONTRACT, max_fee: '0.001' })
  checkCalled(call, intentOf(call))
  const elsewhere = { ...COIN, chain: 'eip155:2' }
  for (const changes of [{ asset: elsewhere }, { feeAsset: elsewhere }, { asset: { ...COIN, contract: CONTRACT } }, { feeCap: 10n ** 15n + 1n }])
    assert.throws(() => checkCalled(call, intentOf(call, changes)), OrderFault)
  const payment = { request_id: 'pay-00001', sub_wallet_id: 'one', chain: COIN.chain, symbol: 'ETH', address_to: CONTRACT, amount: '0', max_fee: '0.001' }
  assert.throws(() => checkAsked(payment, intentOf(call)), OrderFault)
})
