import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { evmNode } from '@holdfast/chain-evm/node'
import { getEvidence } from '../../features/evidence/contract.ts'
import { getSpeedUp, speedUp } from '../../features/transfer/contract.ts'
import { getWithdrawal } from '../../features/transaction/contract.ts'
import { listCoinAssets } from '../../features/wallet/contract.ts'
import { freshAddress } from '../../features/testing/fresh-address.ts'
import { nodePorts as ports } from '@holdfast/ports/node'
import { formatAmount, parseAmount } from '@holdfast/units'
import { depositFromFaucet } from '../../apps/launcher/src/deposit-from-faucet.ts'
import { LOCAL_CHAIN, LOCAL_SECOND } from '../../apps/launcher/src/local-settings.ts'
import { fastFee, type Order, orderPayment, waitUntilPaid } from '../../apps/launcher/src/order-payment.ts'
import { runToEnd } from '../../apps/launcher/src/run-to-end.ts'
import { waitUntil } from '../../apps/launcher/src/wait-until.ts'
import { foundFunded, type FundedOrganisation } from './testing/funded-organisation.ts'
import { type JoinedStack, joinStack, PLAIN_STACK } from './testing/joined-stack.ts'
import { localChain } from './testing/local-chain.ts'
import { assertLedger } from './testing/read-ledger.ts'

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
  await assertLedger(stack)
})

const detailOf = ({ id }: Pick<Order, 'id'>) => org.alice.client.call(getWithdrawal, { id })

const secondChain = () => localChain({ rpcUrl: `http://127.0.0.1:${stack.settings.ports.second}` })

/** Waits until so many transactions of an order were signed and a node has the last one. */
async function waitUntilSent(order: Order, transactions: number): Promise<void> {
  await waitUntil(ports, `transaction ${transactions} to be in the pool`, async () => {
    const { speed_up_history: made } = await detailOf(order)
    const signed = made.flatMap(({ txid }) => txid ?? [])
    return (signed.length === transactions && (await secondChain().knows(signed.at(-1)!))) || undefined
  })
}

/** What the offline verifier says of the proof of one of an order's transactions. */
async function verdictOn({ id }: Order, number: number): Promise<string> {
  const { bundle } = await org.alice.client.call(getEvidence, { id, number })
  const path = `${stack.settings.folder}/evidence-${id}-${number}`
  await ports.disk.writeAtomic(path, Buffer.from(bundle, 'base64'))
  return runToEnd(ports, [`${stack.settings.root}/apps/cli/src/main.ts`, 'verify-evidence', path, '--fingerprint', org.fingerprint], {
    cwd: stack.settings.root,
    logPath: `${path}.log`,
    what: 'verifying the evidence',
  })
}

test('of two payments that wait one is sped up within its cap and one is cancelled by two people, and every signature has its proof', async () => {
  const { alice, bruno, chiara, subWalletId, address } = org
  const letGo = await secondChain().holdBack(address)
  const [, before] = await inBooks()
  const [paidTo, unpaidTo] = [freshAddress(), freshAddress()]
  const order = async (to: string): Promise<Order> => {
    const payment = { subWalletId, chain: LOCAL_SECOND, symbol: 'DEV', amount: '0.25', to }
    const maxFee = formatAmount(parseAmount(await fastFee(alice, payment), WEI) * 10n, WEI)
    const made = await orderPayment(ports, alice, { ...payment, maxFee })
    for (const member of [bruno, chiara]) await member.decide(made.hash, 'approve')
    return made
  }
  const orders = [await order(paidTo), await order(unpaidTo)] as const
  const [fast, unwanted] = orders
  for (const each of orders) await waitUntilSent(each, 1)

  const { cap, cancel_fee } = await alice.client.call(getSpeedUp, { trans_id: fast.id })
  const faster = await alice.client.call(speedUp, { request_id: 'pay-more-for-it', trans_id: fast.id, max_fee: cap })
  assert.equal(faster.needs_approval, false)
  const asked = { request_id: 'take-it-back', trans_id: unwanted.id, cancel: '1', max_fee: cancel_fee! } as const
  const { new_trans_id: cancelId } = await alice.client.call(speedUp, asked)
  const { intent_hash: hash } = await detailOf({ id: cancelId })
  for (const member of [bruno, chiara]) await member.decide(hash, 'approve')
  for (const each of orders) await waitUntilSent(each, 2)
  await letGo()

  const paid = await waitUntilPaid(ports, alice, fast)
  const cancellation = await waitUntilPaid(ports, alice, { id: cancelId })
  const cancelled = await detailOf(unwanted)
  assert.deepEqual([cancelled.status, cancelled.sub_status, cancelled.real_fee], [2300, 'cancelled_on_chain', null])
  assert.deepEqual([await onChains(paidTo), await onChains(unpaidTo)].flat(), ['0', '0.25', '0', '0'])
  const spent = ['0.25', paid.real_fee!, cancellation.real_fee!].reduce((sum, each) => sum + parseAmount(each, WEI), 0n)
  const left = formatAmount(parseAmount(before!, WEI) - spent, WEI)
  assert.deepEqual([(await inBooks())[1], (await onChains(address))[1]], [left, left])
  const verdicts = await Promise.all(orders.flatMap((each) => [verdictOn(each, 1), verdictOn(each, 2)]))
  for (const verdict of verdicts) assert.match(verdict, /0\.25 DEV/)
  await assertLedger(stack)
})
