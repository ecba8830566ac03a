import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AbiValue, encodeFunctionCall, parseSignature } from '@holdfast/chain-evm/codec'
import type { Language } from '@holdfast/contract'
import type { Network } from '@holdfast/features/network/server'
import { groupAddress } from '@holdfast/intent'
import { CHAIN, ETH, member, samplePolicy } from '../../../packages/policy/src/testing/sample-organisation.ts'
import { decodedView } from './describe-call.ts'

const [COIN, OTHER, SPENDER] = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
] as const
const APPROVE = 'approve(address,uint256)'
const usdx = { chain: CHAIN, contract: COIN, symbol: 'USDX', decimals: 6n }
const policy = samplePolicy([member(1), member(2)], 1, { assets: [ETH, usdx] }) as unknown as Parameters<typeof decodedView>[1]

function titleOf(contract: string, signature: string, values: AbiValue[], language: Language = 'en_US'): string {
  const network = { chain: CHAIN } as Network
  return decodedView({ network, contract, value: 0n, data: encodeFunctionCall(parseSignature(signature), values), signature }, policy, language).title
}

test('a call that gives an allowance over a known token, or ends it, is titled by who may spend how much; every other one by its function', () => {
  assert.equal(titleOf(COIN, APPROVE, [SPENDER, 100_000_000n]), `Let ${groupAddress(SPENDER)} spend up to 100 USDX`)
  assert.equal(titleOf(COIN, APPROVE, [SPENDER, (1n << 256n) - 1n]), `Let ${groupAddress(SPENDER)} spend up to ANY AMOUNT of USDX`)
  assert.equal(titleOf(COIN, APPROVE, [SPENDER, 0n]), `Revoke the allowance of ${groupAddress(SPENDER)} over USDX`)
  assert.equal(titleOf(COIN, APPROVE, [SPENDER, 2_500_000n], 'zh_CN'), `允许 ${groupAddress(SPENDER)} 支用至多 2.5 USDX`)
  assert.match(titleOf(OTHER, APPROVE, [SPENDER, 5n]), /^Call approve of /)
  assert.match(titleOf(COIN, 'increaseAllowance(address,uint256)', [SPENDER, 5n]), /^Call increaseAllowance of /)
  assert.match(titleOf(COIN, 'setApprovalForAll(address,bool)', [SPENDER, true]), /^Call setApprovalForAll of /)
})
