import assert from 'node:assert/strict'
import { test } from 'node:test'
import { healthOf } from './health.ts'

const network = (healthy: boolean) => ({
  chain: 'eip155:31337',
  network: 'Local',
  height: healthy ? '7' : null,
  healthy,
  sources: 1,
  internal_transfers: null,
  halt: null,
  reading: null,
  local: true,
  faucet_url: null,
})
const alarm = (cause: 'books' | 'missing' | 'surplus' | 'pulled') => ({
  cause,
  chain: 'eip155:31337',
  network: 'Local',
  contract: '',
  symbol: 'ETH',
  address: null,
  reason: 'less than booked',
  since: 1,
  pull_id: null,
})
const none = { alarms: [] }
const signers = (...online: boolean[]) => online.map((each, at) => ({ party: at + 1, name: `signer-${at + 1}`, online: each }))

test('the header says in one word whether payments can be made', () => {
  assert.equal(healthOf({ ...none, networks: [network(true)], signers: signers(true, true, true) }), 'good')
  assert.equal(healthOf({ ...none, networks: [network(true)], signers: signers(true, false, true) }), 'warn')
  assert.equal(healthOf({ ...none, networks: [network(true), network(false)], signers: signers(true, true, true) }), 'warn')
  assert.equal(healthOf({ ...none, networks: [network(true)], signers: signers(true, false, false) }), 'bad')
  assert.equal(healthOf({ ...none, networks: [network(false)], signers: signers(true, true, true) }), 'bad')
  assert.equal(healthOf({ ...none, networks: [], signers: signers(true, true, true) }), 'bad')
})

test('the header says that money stands still, and that it is not where the ledger says', () => {
  const all = { networks: [network(true)], signers: signers(true, true, true) }
  const halted = { ...network(true), halt: { reason: 'two sources differ', since: 1 } }
  assert.equal(healthOf({ ...all, ...none, networks: [halted] }), 'bad')
  assert.equal(healthOf({ ...all, ...none, networks: [halted, network(true)] }), 'warn')
  assert.equal(healthOf({ ...all, alarms: [alarm('books')] }), 'bad')
  assert.equal(healthOf({ ...all, alarms: [alarm('missing')] }), 'bad')
  assert.equal(healthOf({ ...all, alarms: [alarm('surplus')] }), 'warn')
  assert.equal(healthOf({ ...all, alarms: [alarm('pulled')] }), 'warn')
})
