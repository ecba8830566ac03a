import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFlowChoice, writeFlowChoice } from './flow-choice.ts'

const read = (address: string) => readFlowChoice(new URLSearchParams(address))

test('what the picture of flows shows stands in the address, and what is usual is left out', () => {
  assert.deepEqual(read(''), { range: '30d', coin: undefined })
  assert.deepEqual(writeFlowChoice(read('')), {})
  for (const coin of ['eip155:31337|', 'eip155:1|0x5FbDB2315678afecb367f032d93F642f64180aa3', 'bip122:regtest|brc20:devb']) {
    const choice = { range: '90d' as const, coin }
    assert.deepEqual(readFlowChoice(new URLSearchParams(writeFlowChoice(choice))), choice)
  }
})

test('what is not understood in an address is as if it were not there', () => {
  assert.deepEqual(read('flows=1y&flow_coin=<script>'), { range: '30d', coin: undefined })
})
