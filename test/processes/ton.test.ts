import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { ChainNode } from '@holdfast/chain-core'
import { addressText } from '@holdfast/chain-ton/codec'
import { tonNode } from '@holdfast/chain-ton/node'
import { getEvidence } from '../../features/evidence/contract.ts'
import { getWithdrawal } from '../../features/transaction/contract.ts'
import { listCoinAssets } from '../../features/wallet/contract.ts'
import { checkAddress } from '@holdfast/features/withdrawal/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import { formatAmount, parseAmount } from '@holdfast/units'
import { depositFromFaucet } from '../../apps/launcher/src/deposit-from-faucet.ts'
import { LOCAL_TON as chain } from '../../apps/launcher/src/local-settings.ts'
import { foundOrganisation } from '../../apps/launcher/src/found-organisation.ts'
import { makeWallet } from '../../apps/launcher/src/make-wallet.ts'
import { orderPayment, waitUntilPaid } from '../../apps/launcher/src/order-payment.ts'
import { proveRecovery } from '../../apps/launcher/src/prove-recovery.ts'
import { runToEnd } from '../../apps/launcher/src/run-to-end.ts'
import type { TerminalMember } from '../../apps/launcher/src/terminal-member.ts'
import { type JoinedStack, joinStack, PLAIN_STACK } from './testing/joined-stack.ts'
import { assertLedger } from './testing/read-ledger.ts'

let stack: JoinedStack
let alice: TerminalMember
let bruno: TerminalMember
let chiara: TerminalMember
let fingerprint: string
let node: ChainNode
let subWalletId: string
let address: string

const freshAddress = () => addressText({ workchain: 0, hash: randomBytes(32) }, true)

before(async () => {
  stack = await joinStack(PLAIN_STACK)
  const names = ['Alice', 'Bruno', 'Chiara'].map((name) => `${name} Ton`)
  const founded = await foundOrganisation(ports, stack.settings, { name: 'Organisation Ton', members: names, threshold: 2 })
  fingerprint = founded.fingerprint
  ;[alice, bruno, chiara] = founded.members as [TerminalMember, TerminalMember, TerminalMember]
  const wallet = await makeWallet(ports, alice, 'Wallet for TON', 'ed25519')
  const { walletId } = wallet
  subWalletId = wallet.subWalletId
  await proveRecovery(ports, stack.settings, alice, walletId)
  const rpcUrl = `http://127.0.0.1:${stack.settings.ports.ton}/api/v2/jsonRPC`
  node = tonNode({ chain, rpcUrl, tokens: [], fetch: ports.fetch, timer: ports.timer, publicKeyOf: async () => undefined })
})
after(() => stack?.dispose())

const coins = async () => (await alice.client.call(listCoinAssets, { sub_wallet_id: subWalletId })).list
const coin = async (symbol: string) => (await coins()).find((each) => each.symbol === symbol)!

/** What the chain itself says of a coin of an address, past the product. */
async function onChain(holder: string, symbol: string): Promise<string> {
  const { contract_address: contract, decimals } = await coin(symbol)
  return formatAmount(await node.balance(holder, { chain, contract }), decimals)
}

async function pay(symbol: string, amount: string, to: string, memo: string) {
  const order = await orderPayment(ports, alice, { subWalletId, chain, symbol, amount, to, memo })
  await bruno.decide(order.hash, 'approve')
  await chiara.decide(order.hash, 'approve')
  return waitUntilPaid(ports, alice, order)
}

test('a wallet with an ed25519 key is for TON alone, and TON and a jetton are deposited to its address', async () => {
  assert.deepEqual(new Set((await coins()).map((each) => each.chain)), new Set([chain]))
  address = await depositFromFaucet(ports, stack.settings, alice, { subWalletId, chain, symbol: 'TON', amount: '10.5' })
  assert.match(address, /^0Q[\w-]{46}$/)
  assert.equal(await depositFromFaucet(ports, stack.settings, alice, { subWalletId, chain, symbol: 'USDJ', amount: '500.000001' }), address)
})

test('TON with a comment is signed by two signers with FROST, makes the wallet contract, and is final; its evidence holds offline', async () => {
  const to = freshAddress()
  const bytes = Buffer.from(to, 'base64url')
  const raw = `0:${bytes.subarray(2, 34).toString('hex')}`
  const known = await alice.client.call(checkAddress, { sub_wallet_id: subWalletId, chain, address: raw })
  assert.deepEqual([known.canonical, known.is_uninitialised, known.memo_max], [to, true, 120])
  const paid = await pay('TON', '2.25', raw, 'invoice 10042')
  assert.deepEqual([paid.memo, paid.address_to, paid.nonce], ['invoice 10042', to, '0'])
  assert.equal(await onChain(to, 'TON'), '2.25')
  const { bundle } = await alice.client.call(getEvidence, { id: paid.id })
  const path = `${stack.settings.folder}/evidence-ton`
  await ports.disk.writeAtomic(path, Buffer.from(bundle, 'base64'))
  const verdict = await runToEnd(ports, [`${stack.settings.root}/apps/cli/src/main.ts`, 'verify-evidence', path, '--fingerprint', fingerprint], {
    cwd: stack.settings.root,
    logPath: `${stack.settings.folder}/logs/verify-evidence-ton.log`,
    what: 'verifying the evidence',
  })
  assert.match(verdict, /2\.25 TON/)
})

test('a jetton is paid with a comment, what is left of the coin sent along comes back, and the ledger is what the chain says', async () => {
  const to = freshAddress()
  const paid = await pay('USDJ', '120.25', to, '10042')
  assert.equal(await onChain(to, 'USDJ'), '120.25')
  assert.equal((await alice.client.call(getWithdrawal, { id: paid.id })).sub_status, 'ok')
  assert.equal((await coin('USDJ')).normal_balance, '379.750001')
  assert.equal(await onChain(address, 'USDJ'), '379.750001')
  // One nanoton came with the notification of the jetton.
  const { normal_balance } = await coin('TON')
  const surplus = (await node.balance(address, { chain, contract: null })) - parseAmount(normal_balance, 9)
  assert.ok(surplus >= 0n && surplus <= 1n, `${surplus} nanotons more than the books`)
  await assertLedger(stack)
})
