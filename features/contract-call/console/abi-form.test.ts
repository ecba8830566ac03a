import assert from 'node:assert/strict'
import { test } from 'node:test'
import devExchange from '@holdfast/chain-evm/artifacts/dev-exchange.json' with { type: 'json' }
import { functionsOfAbi, isValue, writeCall } from './abi-form.ts'

const SPENDER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'

test('a pasted ABI gives the functions that change something, with tuples written out; anything else gives nothing', () => {
  assert.deepEqual(functionsOfAbi(JSON.stringify(devExchange)), [{ signature: 'swap(uint256)', arguments: [{ name: 'amount', type: 'uint256' }] }])
  const tuple = [{ type: 'function', name: 'f', inputs: [{ name: 'orders', type: 'tuple[]', components: [{ type: 'address' }, { type: 'uint8' }] }] }]
  assert.deepEqual(functionsOfAbi(JSON.stringify(tuple))?.[0]?.signature, 'f((address,uint8)[])')
  for (const text of ['', 'x', '{}', 'null', '3']) assert.equal(functionsOfAbi(text), undefined)
  assert.deepEqual(functionsOfAbi('[null, 3, {"type":"function","name":"f(","inputs":[{"type":"uint"}]}]'), [])
})

test('typed arguments become call data, and what is no value of its type becomes none', () => {
  assert.match(writeCall('approve(address,uint256)', [SPENDER, '5'])!, /^0x095ea7b3/)
  assert.ok(writeCall('f((address,uint8)[])', [JSON.stringify([[SPENDER, 1]])]))
  const wrong: [string, string][] = [
    ['uint8', '256'],
    ['uint256', '-1'],
    ['uint256', '1.5'],
    ['uint256', ''],
    ['uint256[]', '[9007199254740993]'],
    ['address', '0x12'],
    ['bool', 'yes'],
    ['bytes', 'abc'],
    ['bytes4', '0x1234'],
    ['uint8[2]', '[1]'],
    ['(uint8,uint8)', '[1]'],
    ['(uint8,uint8)', '[1,2,3]'],
  ]
  for (const [type, text] of wrong) assert.equal(isValue(type, text), false, `${type} ${text}`)
  const right: [string, string][] = [
    ['int8', '-128'],
    ['uint256[]', '["9007199254740993"]'],
    ['bool', 'false'],
    ['bytes', '0x'],
    ['string', ''],
  ]
  for (const [type, text] of right) assert.equal(isValue(type, text), true, `${type} ${text}`)
})
