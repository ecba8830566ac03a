import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as z from 'zod'
import { saveMonitored } from './contract.ts'

test('what a page asks for when it watches an address can be sent, with receivers and without', () => {
  const asked = { chain: 'tron:0xcd8690dc', address: 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf', energy_min: '65000', net_min: '345', trx_min: '0' }
  const receivers = ['0198f0a0-0000-7000-8000-000000000001']
  for (const given of [asked, { ...asked, receivers }]) assert.deepEqual(z.decode(saveMonitored.input, z.encode(saveMonitored.input, given)), given)
})
