import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addressRanges, clientAddress, networkOf, readAddressRanges } from './address-ranges.ts'

const trusted = addressRanges(readAddressRanges('10.0.0.0/8, 192.0.2.7,2001:db8::/32')!)

test('ranges of addresses are read whole or not at all, and none takes in everybody', () => {
  assert.deepEqual(readAddressRanges('none'), [])
  assert.deepEqual(readAddressRanges('10.0.0.0/8, ::1'), ['10.0.0.0/8', '::1'])
  for (const wrong of [
    '',
    ',',
    '10.0.0.0/33',
    '10.0.0/8',
    '0.0.0.0/0',
    '::/0',
    '::/129',
    'proxy.example',
    '10.0.0.1/8/9',
    '10.0.0.1/',
    'fe80::1%eth0',
    'none,::1',
  ])
    assert.equal(readAddressRanges(wrong), undefined, wrong)
  assert.deepEqual(
    ['10.255.0.1', '::ffff:10.1.2.3', '192.0.2.7', '2001:db8:ffff::1'].map((each) => trusted.has(each)),
    [true, true, true, true],
  )
  assert.deepEqual(
    ['11.0.0.1', '192.0.2.8', '2001:db9::1', '', 'unix', '10.0.0.1x'].map((each) => trusted.has(each)),
    [false, false, false, false, false, false],
  )
})

test('the address behind a proxy is the one that the last trusted proxy saw', () => {
  assert.equal(clientAddress('203.0.113.9', '198.51.100.1', trusted), '203.0.113.9')
  assert.equal(clientAddress('10.0.0.1', '198.51.100.1', trusted), '198.51.100.1')
  assert.equal(clientAddress('::ffff:10.0.0.1', '1.1.1.1, 198.51.100.1, 10.0.0.2', trusted), '198.51.100.1')
  assert.equal(clientAddress('10.0.0.1', undefined, trusted), '10.0.0.1')
  assert.equal(clientAddress('10.0.0.1', '198.51.100.1, unknown', trusted), '10.0.0.1')
})

test('whatever somebody writes before the address that the proxy adds changes nothing', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string())), (forged) => {
      assert.equal(clientAddress('10.0.0.1', [...forged, '198.51.100.1'].join(','), trusted), '198.51.100.1')
    }),
  )
})

test('all addresses of one IPv6 subscriber are one network', () => {
  assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), networkOf('2001:db8:1:2::9'))
  assert.notEqual(networkOf('2001:db8:1:2::9'), networkOf('2001:db8:1:3::9'))
  assert.equal(networkOf('::1'), '0:0:0:0::/64')
  assert.equal(networkOf('::ffff:192.0.2.7'), '192.0.2.7')
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      assert.match(networkOf(address), /^([0-9a-f]{1,4}:){4}:\/64$|^\d+\.\d+\.\d+\.\d+$/, address)
    }),
  )
})
