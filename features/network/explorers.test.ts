import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fillLink, hostOf, isExplorer } from './explorers.ts'

const good = { tx_link: 'https://scan.example/tx/{txid}', address_link: 'https://scan.example/#/address/{address}?tab=all' }

test('an explorer has a link for a transaction and one for an address, of one host, over https', () => {
  assert.equal(isExplorer(good, false), true)
  const faults = [
    { ...good, tx_link: 'https://scan.example/tx/' },
    { ...good, tx_link: 'https://scan.example/{txid}/{txid}' },
    { ...good, tx_link: 'https://{txid}.scan.example/tx' },
    { ...good, tx_link: 'https://scan.example{txid}' },
    { ...good, tx_link: 'https://other.example/tx/{txid}' },
    { ...good, tx_link: 'https://me:pass@scan.example/tx/{txid}' },
    { ...good, tx_link: 'javascript:alert({txid})' },
    { ...good, address_link: 'https://scan.example/{txid}' },
  ]
  for (const fault of faults) assert.equal(isExplorer(fault, true), false, JSON.stringify(fault))
})

test('only a network of this machine may have an explorer without encryption', () => {
  const plain = { tx_link: 'http://localhost:4000/tx/{txid}', address_link: 'http://localhost:4000/a/{address}' }
  assert.deepEqual([isExplorer(plain, false), isExplorer(plain, true)], [false, true])
})

test('whatever is looked up, the link leads to the host of the explorer', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (about) => {
      for (const link of [good.tx_link, good.address_link]) {
        const filled = new URL(fillLink(link, about))
        assert.deepEqual([filled.protocol, filled.host], ['https:', hostOf(link)])
      }
    }),
  )
  assert.equal(fillLink(good.tx_link, '0xab$&'), 'https://scan.example/tx/0xab%24%26')
})
