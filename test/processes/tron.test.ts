import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { addressText } from '@holdfast/chain-tron/codec'
import { tronNode, type TronNode } from '@holdfast/chain-tron/node'
import { getEvidence } from '../../features/evidence/contract.ts'
import { getWithdrawal } from '../../features/transaction/contract.ts'
import { listCoinAssets } from '../../features/wallet/contract.ts'
import { estimateGas } from '@holdfast/features/withdrawal/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import { formatAmount, parseAmount } from '@holdfast/units'
import { depositFromFaucet } from '../../apps/launcher/src/deposit-from-faucet.ts'
import { LOCAL_TRON as chain } from '../../apps/launcher/src/local-settings.ts'
import { orderPayment, waitUntilPaid } from '../../apps/launcher/src/order-payment.ts'
import { runToEnd } from '../../apps/launcher/src/run-to-end.ts'
import { foundFunded, type FundedOrganisation } from './testing/funded-organisation.ts'
import { type JoinedStack, joinStack, PLAIN_STACK } from './testing/joined-stack.ts'
import { assertLedger } from './testing/read-ledger.ts'

const SUN = 6

let stack: JoinedStack
let org: FundedOrganisation
let node: TronNode
let address: string

const freshAddress = () => addressText(Uint8Array.of(0x41, ...randomBytes(20)))

before(async () => {
  stack = await joinStack(PLAIN_STACK)
  org = await foundFunded(stack, { amount: '1', mark: 'Tron' })
  const rpcUrl = `http://127.0.0.1:${stack.settings.ports.tron}`
  node = tronNode({ chain, rpcUrl, tokens: [], fetch: ports.fetch, timer: ports.timer })
})
after(() => stack?.dispose())

async function coins() {
  const { list } = await org.alice.client.call(listCoinAssets, { sub_wallet_id: org.subWalletId })
  return list.filter((each) => each.chain === chain)
}
const coin = async (symbol: string) => (await coins()).find((each) => each.symbol === symbol)!

/** What the chain itself says of a coin of an address, past the product. */
async function onChain(holder: string, symbol: string): Promise<string> {
  const { contract_address: contract, decimals } = await coin(symbol)
  return formatAmount(await node.balance(holder, { chain, contract }), decimals)
}

async function pay(symbol: string, amount: string, to: string) {
  const order = await orderPayment(ports, org.alice, { subWalletId: org.subWalletId, chain, symbol, amount, to })
  await org.bruno.decide(order.hash, 'approve')
  await org.chiara.decide(order.hash, 'approve')
  return waitUntilPaid(ports, org.alice, order)
}

test('TRX and a TRC-20 are deposited to one address of TRON and credited', async () => {
  address = await depositFromFaucet(ports, stack.settings, org.alice, { subWalletId: org.subWalletId, chain, symbol: 'TRX', amount: '100.5' })
  assert.match(address, /^T[1-9A-HJ-NP-Za-km-z]{33}$/)
  const same = await depositFromFaucet(ports, stack.settings, org.alice, { subWalletId: org.subWalletId, chain, symbol: 'USDZ', amount: '500.000001' })
  assert.equal(same, address)
  for (const symbol of ['TRX', 'USDZ']) assert.equal(await onChain(address, symbol), (await coin(symbol)).normal_balance)
})

test('a payment of TRX makes the account it pays, says so before, and is settled with what the chain took', async () => {
  const to = freshAddress()
  const asked = { sub_wallet_id: org.subWalletId, chain, symbol: 'TRX', to, amount: '10' }
  const { tiers } = await org.alice.client.call(estimateGas, asked)
  assert.deepEqual(
    tiers.map(({ activation, eta_s }) => [activation, eta_s]),
    [
      ['1.1', null],
      ['1.1', null],
      ['1.1', null],
    ],
  )
  const paid = await pay('TRX', '10', to)
  assert.deepEqual([paid.real_fee, paid.fee_symbol, paid.nonce], ['1.1', 'TRX', null])
  assert.equal(await onChain(to, 'TRX'), '10')
  const { tiers: later } = await org.alice.client.call(estimateGas, asked)
  assert.equal(later[1]!.activation, null)
  assert.equal((await coin('TRX')).normal_balance, '89.4')
})

test('a payment of a TRC-20 is signed by two signers, confirmed, and its evidence holds offline', async () => {
  const to = freshAddress()
  const before = parseAmount((await coin('TRX')).normal_balance, SUN)
  const paid = await pay('USDZ', '120.25', to)
  assert.equal(await onChain(to, 'USDZ'), '120.25')
  assert.equal((await coin('USDZ')).normal_balance, '379.750001')
  assert.equal(before - parseAmount((await coin('TRX')).normal_balance, SUN), parseAmount(paid.real_fee!, SUN))
  for (const symbol of ['TRX', 'USDZ']) assert.equal(await onChain(address, symbol), (await coin(symbol)).normal_balance)
  await assertLedger(stack)
  const { bundle } = await org.alice.client.call(getEvidence, { id: paid.id })
  const path = `${stack.settings.folder}/evidence-tron`
  await ports.disk.writeAtomic(path, Buffer.from(bundle, 'base64'))
  const verdict = await runToEnd(ports, [`${stack.settings.root}/apps/cli/src/main.ts`, 'verify-evidence', path, '--fingerprint', org.fingerprint], {
    cwd: stack.settings.root,
    logPath: `${stack.settings.folder}/logs/verify-evidence-tron.log`,
    what: 'verifying the evidence',
  })
  assert.match(verdict, /120\.25 USDZ/)
  assert.equal((await org.alice.client.call(getWithdrawal, { id: paid.id })).sub_status, 'ok')
})
