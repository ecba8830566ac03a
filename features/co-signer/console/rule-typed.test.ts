import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { faultOfRule, ruleToSend, typedRule } from './rule-typed.ts'

const coin = { chain: 'eip155:1', symbol: 'USDT' }
const rule = {
  ...{ ...coin, network: 'Ethereum', contract_address: '0x1', collect_min: '500', single_min: null, collect_max: '9999999999999999', fueling_limit: '0.002' },
  ...{ max_fee: '0.002', fee_symbol: 'ETH', max_fee_pct: 5, rbf_after_s: 1800, rbf_times: 5, schedule: '02:30', next_at: null, enabled: true, approved: true },
}

describe('the rule of a coin as somebody types it', () => {
  it('is sent as it was where nothing is typed anew, also what the page does not show', () => {
    const typed = typedRule(coin, rule)
    assert.equal(faultOfRule(typed, true), undefined)
    assert.deepEqual(ruleToSend(typed, true), {
      ...{ ...coin, collect_min: '500', fueling_limit: '0.002', max_fee: '0.002', max_fee_pct: '5', rbf_after_s: '1800', rbf_times: '5', schedule: '02:30' },
    })
  })

  it('has a fee raised three times at most where it was not raised before', () => {
    const typed = { ...typedRule(coin, { ...rule, rbf_after_s: null, rbf_times: null }), raise: '45' }
    const { rbf_after_s: after, rbf_times: times } = ruleToSend(typed, true)
    assert.deepEqual([after, times], ['2700', '3'])
  })
})
