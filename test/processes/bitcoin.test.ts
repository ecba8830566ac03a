import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { codecFor, readInscriptions, type SpentCoin } from '@holdfast/chain-bitcoin/codec'
import { type BitcoinNode, bitcoinNode } from '@holdfast/chain-bitcoin/node'
import { getEvidence } from '../../features/evidence/contract.ts'
import { getPayout, getWithdrawal } from '../../features/transaction/contract.ts'
import { consolidateCoins, getCoinSettings, listCoins, listTokens, lockCoin } from '@holdfast/features/utxo/contract'
import { listCoinAssets } from '../../features/wallet/contract.ts'
import { createWithdrawal, estimateGas } from '@holdfast/features/withdrawal/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import { formatAmount, parseAmount } from '@holdfast/units'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { depositFromFaucet } from '../../apps/launcher/src/deposit-from-faucet.ts'
import { LOCAL_BITCOIN as chain } from '../../apps/launcher/src/local-settings.ts'
import { makeWallet } from '../../apps/launcher/src/make-wallet.ts'
import { orderPayment, waitUntilPaid } from '../../apps/launcher/src/order-payment.ts'
import { proveRecovery } from '../../apps/launcher/src/prove-recovery.ts'
import { runToEnd } from '../../apps/launcher/src/run-to-end.ts'
import { waitUntil } from '../../apps/launcher/src/wait-until.ts'
import { inscribe } from '../../features/utxo/server/testing/inscribe.ts'
import { foundFunded, type FundedOrganisation } from './testing/funded-organisation.ts'
import { localBitcoin, bitcoinUrl } from './testing/local-bitcoin.ts'
import { type JoinedStack, joinStack, PLAIN_STACK } from './testing/joined-stack.ts'
import { assertLedger } from './testing/read-ledger.ts'

const SATOSHI = 8
const symbol = 'BTC'

let stack: JoinedStack
let org: FundedOrganisation
let node: BitcoinNode
let address: string

const freshAddress = () => codecFor(chain)!.addressFromKey(secp256k1.getPublicKey(randomBytes(32), true))

before(async () => {
  stack = await joinStack(PLAIN_STACK)
  org = await foundFunded(stack, { amount: '1', mark: 'Bitcoin' })
  node = bitcoinNode({ chain, rpcUrl: await bitcoinUrl(stack.settings), fetch: ports.fetch, timer: ports.timer })
})
after(() => stack?.dispose())

async function balance(): Promise<string> {
  const { list } = await org.alice.client.call(listCoinAssets, { sub_wallet_id: org.subWalletId })
  return list.find((each) => each.chain === chain)!.normal_balance
}

/** What the chain itself says of an address, past the product. */
const onChain = async (holder: string) => formatAmount(await node.balance(holder, { chain, contract: null }), SATOSHI)
const outpoints = (coins: readonly SpentCoin[]) => coins.map(({ txid, index }) => `${txid}:${index}`)

/** The transaction that made a coin, which a block at a height or one of those before it has. */
async function transactionBefore(outpoint: string, height: bigint) {
  for (let at = height; at >= 0n; at--) {
    const made = (await node.readWholeBlock(at))!.transactions.find(({ txid }) => outpoint === `${txid}:0`)
    if (made) return made
  }
  throw new Error(`no block has the transaction of ${outpoint}`)
}

async function order(amount: string, to: string) {
  const made = await orderPayment(ports, org.alice, { subWalletId: org.subWalletId, chain, symbol, amount, to })
  await org.bruno.decide(made.hash, 'approve')
  await org.chiara.decide(made.hash, 'approve')
  return made
}

test('Bitcoin is deposited three times to one address of the same key as other chains, and credited', async () => {
  for (const amount of ['0.5', '0.25', '0.125']) {
    address = await depositFromFaucet(ports, stack.settings, org.alice, { subWalletId: org.subWalletId, chain, symbol, amount })
    assert.match(address, /^bcrt1q[02-9ac-hj-np-z]{38}$/)
  }
  assert.equal(await balance(), '0.875')
  assert.equal(await onChain(address), '0.875')
  assert.equal((await node.listCoins(address)).length, 3)
})

test('a payment that needs several coins is signed for each by two signers, confirmed, and its evidence holds offline', async () => {
  const to = freshAddress()
  const before = outpoints(await node.listCoins(address))
  const { tiers } = await org.alice.client.call(estimateGas, { sub_wallet_id: org.subWalletId, chain, symbol, to, amount: '0.8' })
  assert.ok(tiers.every(({ eta_s }) => eta_s !== null))
  const paid = await waitUntilPaid(ports, org.alice, await order('0.8', to))
  assert.deepEqual([paid.nonce, paid.fee_symbol], [null, symbol])
  assert.equal(await onChain(to), '0.8')
  const left = formatAmount(parseAmount('0.075', SATOSHI) - parseAmount(paid.real_fee!, SATOSHI), SATOSHI)
  assert.equal(await balance(), left)
  assert.equal(await onChain(address), left)
  assert.ok(!outpoints(await node.listCoins(address)).some((each) => before.includes(each)), 'all three coins were needed')
  await assertLedger(stack)

  const { bundle } = await org.alice.client.call(getEvidence, { id: paid.id })
  const path = `${stack.settings.folder}/evidence-bitcoin`
  await ports.disk.writeAtomic(path, Buffer.from(bundle, 'base64'))
  const verdict = await runToEnd(ports, [`${stack.settings.root}/apps/cli/src/main.ts`, 'verify-evidence', path, '--fingerprint', org.fingerprint], {
    cwd: stack.settings.root,
    logPath: `${stack.settings.folder}/logs/verify-evidence-bitcoin.log`,
    what: 'verifying the evidence',
  })
  assert.match(verdict, /0\.8 BTC/)
})

test('two payments at once spend no coin twice, and both are paid', async () => {
  for (const amount of ['0.3', '0.4']) await depositFromFaucet(ports, stack.settings, org.alice, { subWalletId: org.subWalletId, chain, symbol, amount })
  const [one, two] = [freshAddress(), freshAddress()]
  const orders = [await order('0.21', one), await order('0.22', two)]
  for (const each of orders) await waitUntilPaid(ports, org.alice, each)
  assert.deepEqual([await onChain(one), await onChain(two)], ['0.21', '0.22'])
  assert.equal(await onChain(address), await balance())
  for (const { id } of orders) assert.equal((await org.alice.client.call(getWithdrawal, { id })).sub_status, 'ok')
  await assertLedger(stack)
})

test('a wallet with a taproot key pays with several coins, and sends a part of a token that it has inscribed, signed for by two signers with FROST', async () => {
  const { walletId, subWalletId } = await makeWallet(ports, org.alice, 'Taproot', 'taproot')
  await proveRecovery(ports, stack.settings, org.alice, walletId)
  const taproot = { subWalletId, chain, symbol }
  let own = ''
  for (const amount of ['0.02', '0.03']) own = await depositFromFaucet(ports, stack.settings, org.alice, { ...taproot, amount })
  assert.match(own, /^bcrt1p[02-9ac-hj-np-z]{58}$/)
  const to = freshAddress()
  const made = await orderPayment(ports, org.alice, { ...taproot, amount: '0.045', to })
  for (const member of [org.bruno, org.chiara]) await member.decide(made.hash, 'approve')
  const { txid, real_fee: fee, tx_height: height } = await waitUntilPaid(ports, org.alice, made)
  assert.equal(await onChain(to), '0.045')
  assert.equal(await onChain(own), formatAmount(parseAmount('0.005', SATOSHI) - parseAmount(fee!, SATOSHI), SATOSHI))
  const paid = (await node.readWholeBlock(BigInt(height!)))!.transactions.find((each) => each.txid === txid)!
  assert.deepEqual(
    paid.inputs.map(({ witness }) => witness.map(({ length }) => length)),
    [[64], [64]],
  )
  await assertLedger(stack)

  const json = (operation: object) => ({
    contentType: 'text/plain',
    body: new TextEncoder().encode(JSON.stringify({ p: 'brc-20', tick: 'devb', ...operation })),
  })
  const bitcoin = localBitcoin(stack.settings)
  await inscribe(bitcoin, own, json({ op: 'deploy', max: '21000000' }))
  await inscribe(bitcoin, own, json({ op: 'mint', amt: '100' }))
  const tokens = async () => (await org.alice.client.call(listCoinAssets, { sub_wallet_id: subWalletId })).list.find((each) => each.symbol === 'DEVB')!
  await waitUntil(ports, 'the token to be credited', async () => ((await tokens()).normal_balance === '100' ? true : undefined))
  const part = await orderPayment(ports, org.alice, { ...taproot, symbol: 'DEVB', amount: '30.5', to })
  for (const member of [org.bruno, org.chiara]) await member.decide(part.hash, 'approve')
  const sent = await waitUntilPaid(ports, org.alice, part)
  assert.equal((await tokens()).normal_balance, '69.5')
  const { list: held } = await org.alice.client.call(listTokens, { sub_wallet_id: subWalletId })
  assert.deepEqual(
    held.map(({ available, transferable }) => [available, transferable]),
    [['69.5', '0']],
  )
  // What the recipient got is the inscription, on the first satoshi of the coin that goes along.
  const last = (await node.readWholeBlock(BigInt(sent.tx_height!)))!.transactions.find((each) => each.txid === sent.txid)!
  const reveal = await transactionBefore(last.inputs[0]!.outpoint, BigInt(sent.tx_height!))
  const [inscription] = readInscriptions(reveal.inputs[0]!.witness)
  assert.equal(new TextDecoder().decode(inscription!.body), '{"p":"brc-20","op":"transfer","tick":"devb","amt":"30.5"}')
  assert.deepEqual([last.inputs.length, last.outputs[0]!.address, last.outputs[0]!.amount], [1, to, 546n])
  await assertLedger(stack)
})

test('a coin is locked, its lock keeps it, and one order joins the rest and another pays several', async () => {
  const at = { sub_wallet_id: org.subWalletId, chain }
  const list = async () => (await org.alice.client.call(listCoins, { ...at, page_no: 1, page_size: 100 })).list
  for (const amount of ['0.01', '0.02', '0.03'])
    await depositFromFaucet(ports, stack.settings, org.alice, { subWalletId: org.subWalletId, chain, symbol, amount })
  const before = await list()
  const kept = before.find(({ amount }) => amount === '0.03')!
  await org.alice.client.call(lockCoin, { ...at, txid: kept.txid, vout: kept.vout, reason: 'kept for the walk' })
  const { consolidation, totals } = await org.alice.client.call(getCoinSettings, at)
  assert.equal(totals.kept, '0.03')
  assert.equal(consolidation!.coins, before.filter(({ state }) => state === 'free').length - 1)
  const { withdraw_id: id, intent_hash: hash } = await org.alice.client.call(consolidateCoins, { request_id: 'join-the-rest', ...at, max_fee: '0.001' })
  for (const member of [org.bruno, org.chiara]) await member.decide(hash, 'approve')
  const joined = await waitUntilPaid(ports, org.alice, { id })
  assert.deepEqual(
    (await list()).map(({ amount, state }) => [amount, state]).toSorted(),
    [
      [consolidation!.amount, 'free'],
      ['0.03', 'person'],
    ].toSorted(),
  )
  assert.ok(parseAmount(joined.real_fee!, SATOSHI) > 0n)
  assert.equal(await balance(), await onChain(address))

  const [one, two] = [freshAddress(), freshAddress()]
  const outputs = [
    { address_to: one, amount: '0.004' },
    { address_to: two, amount: '0.005' },
  ]
  const asked = { ...at, symbol, address_to: one, amount: '0.009', outputs, max_fee: '0.0001', ack: 'first_seen' }
  const payout = await org.alice.client.call(createWithdrawal, { request_id: 'pay-two-at-once', ...asked })
  for (const member of [org.bruno, org.chiara]) await member.decide(payout.intent_hash, 'approve')
  await waitUntilPaid(ports, org.alice, { id: payout.withdraw_id })
  assert.deepEqual([await onChain(one), await onChain(two)], ['0.004', '0.005'])
  const { outputs: paid, total } = await org.alice.client.call(getPayout, { id: payout.withdraw_id })
  assert.deepEqual([paid.map(({ address_to: to }) => to), total], [[one, two], 2])
  assert.equal((await list()).find(({ txid, vout }) => txid === kept.txid && vout === kept.vout)!.state, 'person')
  await assertLedger(stack)
})
