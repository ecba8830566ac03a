import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Network } from '@holdfast/features/network/server'
import { PROTOCOLS, signatureKindOf } from '@holdfast/mpc'
import { known } from '@holdfast/units'
import { depositsOf } from './closed-networks.ts'

const network = (chain: string, name: string) => ({ chain, name }) as Network
const networks = { list: () => [network('eip155:1', 'Ethereum'), network('ton:-3', 'TON'), network('tron:0x2b6653dc', 'TRON')] }
const protocolOf = (kind: string) =>
  known(
    PROTOCOLS.find((each) => signatureKindOf(each) === kind),
    kind,
  )
const key = (kind: string, depositsOpen: boolean, retired = false) => ({ protocol: protocolOf(kind), depositsOpen, retired })

test('deposits are closed on the networks of a key that is not proven, and on no other', () => {
  assert.deepEqual(depositsOf(networks, [key('ecdsa', true), key('ed25519', false)]), { deposits: 'part', closed_networks: ['TON'] })
  assert.deepEqual(depositsOf(networks, [key('ecdsa', false), key('ed25519', true)]), { deposits: 'part', closed_networks: ['Ethereum', 'TRON'] })
  assert.deepEqual(depositsOf(networks, [key('ecdsa', true), key('ed25519', true)]), { deposits: 'open', closed_networks: [] })
  assert.deepEqual(depositsOf(networks, [key('ecdsa', false)]), { deposits: 'closed', closed_networks: ['Ethereum', 'TRON'] })
})

test('a retired key closes nothing that people would still wait for, and without a key in use nothing is open', () => {
  assert.deepEqual(depositsOf(networks, [key('ecdsa', true), key('ed25519', false, true)]), { deposits: 'open', closed_networks: [] })
  for (const none of [[], [key('ecdsa', true, true)]]) assert.equal(depositsOf(networks, none).deposits, 'closed')
})
