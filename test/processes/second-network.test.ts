import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { evmNode } from '@holdfast/chain-evm/node'
import { getWithdrawal } from '@holdfast/features/transfer/contract'
import { listCoinAssets } from '@holdfast/features/wallet/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import { formatAmount, parseAmount } from '@holdfast/units'
import { depositFromFaucet } from '../../apps/launcher/src/deposit-from-faucet.ts'
import { LOCAL_CHAIN, LOCAL_SECOND } from '../../apps/launcher/src/local-settings.ts'
import { orderPayment, waitUntilPaid } from '../../apps/launcher/src/order-payment.ts'
import { foundFunded, type FundedOrganisation } from './testing/funded-organisation.ts'
import { type JoinedStack, joinStack } from './testing/joined-stack.ts'
import { freshAddress } from './testing/local-chain.ts'
import { assertBooks } from './testing/read-books.ts'
import { PLAIN_STACK } from './shared-stack.ts'

const WEI = 18
const CHAINS = [LOCAL_CHAIN, LOCAL_SECOND]

let stack: JoinedStack
let org: FundedOrganisation

before(async () => {
  stack = await joinStack(PLAIN_STACK)
  org = await foundFunded(stack, { amount: '3', mark: 'Twice' })
})
after(() => stack?.dispose())

/** What one address has on both networks, past the product. */
function onChains(address: string): Promise<string[]> {
  const { rpc, second } = stack.settings.ports
  const urls = [rpc, second].map((port) => `http://127.0.0.1:${port}`)
  const node = (chain: string, i: number) => evmNode({ chain, rpcUrl: urls[i]!, tokens: [], fetch: ports.fetch, timer: ports.timer })
  return Promise.all(CHAINS.map(async (chain, i) => formatAmount(await node(chain, i).balance(address, { chain, contract: null }), WEI)))
}

async function inBooks(): Promise<string[]> {
  const { list } = await org.alice.client.call(listCoinAssets, { sub_wallet_id: org.subWalletId })
  return CHAINS.map((chain) => list.find((each) => each.chain === chain && each.contract_address === null)!.normal_balance)
}

test('one key holds other coins on each of two EVM networks: what is paid on one moves nothing on the other', async () => {
  const { alice, bruno, chiara, subWalletId } = org
  const address = await depositFromFaucet(ports, stack.settings, alice, { subWalletId, chain: LOCAL_SECOND, symbol: 'DEV', amount: '5' })
  assert.equal(address, org.address, 'both networks have the same address')
  assert.deepEqual(await inBooks(), ['3', '5'])
  assert.deepEqual(await onChains(address), ['3', '5'])

  const to = freshAddress()
  const order = await orderPayment(ports, alice, { subWalletId, chain: LOCAL_SECOND, symbol: 'DEV', amount: '1.5', to })
  await bruno.decide(order.hash, 'approve')
  await chiara.decide(order.hash, 'approve')
  const paid = await waitUntilPaid(ports, alice, order)
  assert.deepEqual([paid.symbol, paid.fee_symbol], ['DEV', 'DEV'])
  assert.deepEqual(await onChains(to), ['0', '1.5'])
  const left = formatAmount(parseAmount('3.5', WEI) - parseAmount(paid.real_fee!, WEI), WEI)
  assert.deepEqual(await inBooks(), ['3', left])
  assert.deepEqual(await onChains(address), ['3', left])

  // The place of the payment is taken on its own network alone: the other one begins at its own first place.
  const first = await orderPayment(ports, alice, { subWalletId, symbol: 'ETH', amount: '0.25', to })
  await bruno.decide(first.hash, 'approve')
  await chiara.decide(first.hash, 'approve')
  await waitUntilPaid(ports, alice, first)
  const nonces = await Promise.all([order, first].map(async ({ id }) => (await alice.client.call(getWithdrawal, { id })).nonce))
  assert.deepEqual(nonces, ['0', '0'])
  assert.deepEqual(await onChains(to), ['0.25', '1.5'])
  await assertBooks(stack)
})
