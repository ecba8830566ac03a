import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FAMILY_NAMES } from '@holdfast/chain-registry/families'
import fc from 'fast-check'
import english from '../locales/en-US.json' with { type: 'json' }
import chinese from '../locales/zh-CN.json' with { type: 'json' }
import { differingPlaces, isPaymentCode, readDestination } from './read-destination.ts'

const ETHER = { chain: 'eip155:1', contract_address: null }
const PAYEE = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'

test('the field of a destination says what stands in it: an address, one of elsewhere, a name, a code that cannot be taken', () => {
  assert.deepEqual(readDestination(PAYEE, ETHER), { kind: 'address' })
  assert.deepEqual(readDestination('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', ETHER), { kind: 'other', family: 'tron' })
  assert.deepEqual(readDestination('vitalik.eth', ETHER), { kind: 'name' })
  assert.deepEqual(readDestination('bitcoin:bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', ETHER), { kind: 'code', fault: 'network', name: 'Bitcoin' })
  assert.deepEqual(readDestination(`ethereum:${PAYEE}@1?value=1`, ETHER), { kind: 'unknown' }, 'it is taken when the field is left')
  assert.deepEqual([readDestination('  ', ETHER), readDestination(PAYEE, undefined)], [{ kind: 'empty' }, { kind: 'unknown' }])
  assert.deepEqual([isPaymentCode('0:ab'), isPaymentCode('TON://transfer/x'), isPaymentCode('Main: rent')], [false, true, false])
})

test('an address of every family has a sentence where one of another network is wanted', () => {
  for (const { withdrawal } of [english, chinese]) for (const family of FAMILY_NAMES) assert.match(withdrawal.to.fault[family], /\{\{network\}\}/)
})

test('nothing that is put into the field throws', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.tuple(fc.constantFrom('bitcoin:', 'ethereum:', 'ton://transfer/', 'tron:'), fc.string()).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(
      texts,
      fc.constantFrom('eip155:1', 'ton:-239', 'tron:0x2b6653dc', 'x'),
      (text, chain) => void readDestination(text, { chain, contract_address: null }),
    ),
  )
})

test('where a checksum is contradicted is shown with the characters beside it', () => {
  assert.equal(differingPlaces(PAYEE, [3]), '…xf[B]69…')
  assert.equal(differingPlaces(PAYEE, [41, 0]), '…35[9]… …[0]xf…')
})
