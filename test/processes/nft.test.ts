import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listNftAssets, listNftTokens, getNft } from '@holdfast/features/nft/contract'
import { checkStrategy } from '@holdfast/features/policy/contract'
import { getDepositAddress } from '../../features/deposit-address/contract.ts'
import { freshAddress } from '../../features/testing/fresh-address.ts'
import { nodePorts as ports } from '@holdfast/ports/node'
import { askFaucet } from '../../apps/launcher/src/deposit-from-faucet.ts'
import { LOCAL_CHAIN } from '../../apps/launcher/src/local-settings.ts'
import { orderPayment, waitUntilPaid } from '../../apps/launcher/src/order-payment.ts'
import { waitUntil } from '../../apps/launcher/src/wait-until.ts'
import { foundFunded, type FundedOrganisation } from './testing/funded-organisation.ts'
import { assertLedger } from './testing/read-ledger.ts'
import { type JoinedStack, joinStack, PLAIN_STACK } from './testing/joined-stack.ts'

let stack: JoinedStack
let org: FundedOrganisation

const collections = async () => (await org.alice.client.call(listNftAssets, { sub_wallet_id: org.subWalletId })).nft_list

async function tokensOf(name: string) {
  const { chain, contract_address } = (await collections()).find((each) => each.name === name)!
  return (await org.alice.client.call(listNftTokens, { sub_wallet_id: org.subWalletId, chain, contract_address })).nft_token_list
}

/** Has the faucet give tokens, and waits until the ledger has them. */
async function given(symbol: string, amount: string) {
  const { address } = await org.alice.client.call(getDepositAddress, { sub_wallet_id: org.subWalletId, chain: LOCAL_CHAIN, symbol })
  await askFaucet(ports, stack.settings, { address: address!, asset: symbol, amount })
  return waitUntil(ports, `${symbol} to be credited`, async () => (await tokensOf(symbol))[0])
}

before(async () => {
  stack = await joinStack(PLAIN_STACK)
  org = await foundFunded(stack, { amount: '1', mark: 'collects' })
})
after(() => stack?.dispose())

for (const { symbol, standard, amount, sent, left } of [
  { symbol: 'DEVC', standard: 'ERC-721', amount: '1', sent: '1', left: undefined },
  { symbol: 'DEVI', standard: 'ERC-1155', amount: '7', sent: '3', left: '4' },
]) {
  test(`a token of ${standard} arrives, and leaves by an order that two people approve and two signers sign`, async () => {
    const token = await given(symbol, amount)
    assert.deepEqual([token.amount, token.held, token.standard, token.image], [amount, '0', standard, null])
    const asked = { sub_wallet_id: org.subWalletId, chain: LOCAL_CHAIN, symbol, token_id: token.token_id, amount: sent }
    assert.equal((await org.alice.client.call(checkStrategy, asked)).outcome, 'needs')
    const to = freshAddress()
    const order = await orderPayment(ports, org.alice, { subWalletId: org.subWalletId, symbol, tokenId: token.token_id, amount: sent, to })
    await org.bruno.decide(order.hash, 'approve')
    await org.chiara.decide(order.hash, 'approve')
    const paid = await waitUntilPaid(ports, org.alice, order)
    assert.deepEqual([paid.symbol, paid.token_id, paid.amount], [symbol, token.token_id, sent])
    assert.equal((await tokensOf(symbol))[0]?.amount, left)
    const info = { base_symbol: 'ETH', contract_address: paid.contract_address!, token_id: token.token_id }
    const { nft_name, owners } = await org.alice.client.call(getNft, info)
    assert.equal(nft_name, `${symbol} #${token.token_id}`)
    assert.deepEqual(
      owners.map((each) => each.amount),
      left === undefined ? [] : [left],
    )
  })
}

test('after that the ledger still adds up', () => assertLedger(stack))
