import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CallError } from '@holdfast/contract'
import { getRecoveryKit, listKeys, proposeRetirement, submitDrill } from '@holdfast/features/key-recovery/contract'
import { getDepositAddress } from '@holdfast/features/deposit-address/contract'
import { listTodo } from '@holdfast/features/proposal/contract'
import { listCoinAssets, listWallets } from '@holdfast/features/wallet/contract'
import { walletErrors } from '@holdfast/features/wallet/errors'
import { nodePorts as ports } from '@holdfast/ports/node'
import { encodeDrills, readDrills } from '@holdfast/protocol'
import { depositFromFaucet } from '../../apps/launcher/src/deposit-from-faucet.ts'
import { foundOrganisation } from '../../apps/launcher/src/found-organisation.ts'
import { LOCAL_BITCOIN, LOCAL_CHAIN, LOCAL_TON, LOCAL_TRON } from '../../apps/launcher/src/local-settings.ts'
import { makeWallet } from '../../apps/launcher/src/make-wallet.ts'
import { orderPayment, waitUntilPaid } from '../../apps/launcher/src/order-payment.ts'
import { proveRecovery } from '../../apps/launcher/src/prove-recovery.ts'
import { recoveryDrill } from '../../apps/launcher/src/run-drill.ts'
import { runToEnd } from '../../apps/launcher/src/run-to-end.ts'
import type { TerminalMember } from '../../apps/launcher/src/terminal-member.ts'
import { waitUntil } from '../../apps/launcher/src/wait-until.ts'
import { freshAddress } from '../../features/testing/fresh-address.ts'
import { freshOnBitcoin, freshOnTon, freshOnTron } from './testing/fresh-addresses.ts'
import { type JoinedStack, joinStack, PLAIN_STACK } from './testing/joined-stack.ts'
import { assertLedger } from './testing/read-ledger.ts'

let stack: JoinedStack
let alice: TerminalMember
let bruno: TerminalMember
let chiara: TerminalMember
let walletId: string
let subWalletId: string

before(async () => {
  stack = await joinStack(PLAIN_STACK)
  const names = ['Alice', 'Bruno', 'Chiara'].map((name) => `${name} Treasury`)
  const { members } = await foundOrganisation(ports, stack.settings, { name: 'Organisation Treasury', members: names, threshold: 2 })
  ;[alice, bruno, chiara] = members as [TerminalMember, TerminalMember, TerminalMember]
})
after(() => stack?.dispose())

const addressOn = (chain: string, symbol: string) => alice.client.call(getDepositAddress, { sub_wallet_id: subWalletId, chain, symbol })

const COINS = [
  { chain: LOCAL_CHAIN, symbol: 'ETH', amount: '2', paid: '0.5', form: /^0x[0-9a-fA-F]{40}$/, fresh: freshAddress },
  { chain: LOCAL_TRON, symbol: 'TRX', amount: '100', paid: '5', form: /^T\w{33}$/, fresh: freshOnTron },
  // A bitcoin address that every payer knows: of the ECDSA key, not of one for taproot.
  { chain: LOCAL_BITCOIN, symbol: 'BTC', amount: '0.5', paid: '0.1', form: /^bcrt1q\w{38}$/, fresh: freshOnBitcoin },
  { chain: LOCAL_TON, symbol: 'TON', amount: '10', paid: '2.25', form: /^0Q[\w-]{46}$/, fresh: freshOnTon },
]

test('a wallet for which no kind of key is named gets those that the networks need, and an address on each of them', async () => {
  const startedMs = performance.now()
  ;({ walletId, subWalletId } = await makeWallet(ports, alice, 'Treasury', 'all'))
  console.log(`a wallet with two keys: ${Math.round(performance.now() - startedMs)} ms`)
  const { wallet_list } = await alice.client.call(listWallets, {})
  assert.deepEqual(wallet_list.map(({ key_kind, key_kinds, recovery_verified: isOpen }) => [key_kind, key_kinds, isOpen])[0], [
    'ecdsa',
    ['ecdsa', 'ed25519'],
    false,
  ])
  const { list } = await alice.client.call(listKeys, { wallet_id: walletId })
  assert.deepEqual(
    list.map(({ key_kind, is_only, ready }) => [key_kind, is_only, ready]),
    [
      ['ecdsa', false, true],
      ['ed25519', false, true],
    ],
  )
})

test('its one recovery kit rebuilds all its keys, and deposits of a network stay closed until the key of that network is proven', async () => {
  const { settings } = stack
  const { kit, state } = await alice.client.call(getRecoveryKit, { wallet_id: walletId })
  assert.equal(state, 'written')
  const { kitPath, drillPath, args } = recoveryDrill(settings, { name: walletId, proof: 'proof' })
  await ports.disk.writeAtomic(kitPath, Buffer.from(kit!, 'base64'))
  const said = await runToEnd(ports, [`${settings.root}/apps/cli/src/main.ts`, 'recover', ...args], {
    cwd: settings.root,
    logPath: `${settings.folder}/logs/recover-treasury.log`,
    what: 'rebuilding the keys',
  })
  assert.equal(said.match(/The key was rebuilt from the shares of/g)?.length, 2)
  const records = readDrills((await ports.disk.read(drillPath))!)
  assert.equal(records.length, 2)
  const ofTon = Buffer.from(encodeDrills(records.slice(1))).toString('base64')
  await alice.client.call(submitDrill, { wallet_id: walletId, drill: ofTon })
  for (const { chain, symbol } of COINS) assert.equal((await addressOn(chain, symbol)).enableDeposit, chain === LOCAL_TON, symbol)
  await proveRecovery(ports, settings, alice, walletId, [2, 3])
  for (const { chain, symbol } of COINS) assert.ok((await addressOn(chain, symbol)).enableDeposit, symbol)
  assert.equal((await alice.client.call(getRecoveryKit, { wallet_id: walletId })).state, 'verified')
})

test('what is deposited to it on each network is credited, and paid from it by the key of that network', async () => {
  for (const { chain, symbol, amount, form } of COINS)
    assert.match(await depositFromFaucet(ports, stack.settings, alice, { subWalletId, chain, symbol, amount }), form)
  const paid = await Promise.all(
    COINS.map(async ({ chain, symbol, paid: sum, fresh }) => {
      const order = await orderPayment(ports, alice, { subWalletId, chain, symbol, amount: sum, to: fresh() })
      await bruno.decide(order.hash, 'approve')
      await chiara.decide(order.hash, 'approve')
      return waitUntilPaid(ports, alice, order)
    }),
  )
  assert.deepEqual(
    paid.map(({ sub_status }) => sub_status),
    COINS.map(() => 'ok'),
  )
  const { list } = await alice.client.call(listCoinAssets, { sub_wallet_id: subWalletId })
  for (const { symbol, chain, amount, paid: sum } of COINS) {
    const left = Number(list.find((coin) => coin.chain === chain && coin.symbol === symbol)!.normal_balance)
    assert.ok(left <= Number(amount) - Number(sum) && left > 0, `${left} ${symbol} left`)
  }
  await assertLedger(stack)
})

test('a key of it that is retired signs nothing any more and shows no address, and its other keys go on', async () => {
  const asked = { request_id: 'retire-ton', wallet_id: walletId, reason: 'TON is closed', leave_holdings: true }
  const codeOf = (cause: unknown) => (cause instanceof CallError ? cause.code : String(cause))
  assert.equal(await alice.client.call(proposeRetirement, asked).catch(codeOf), '100004', 'which key it is about has to be said')
  const { intent_hash: hash } = await alice.client.call(proposeRetirement, { ...asked, key_kind: 'ed25519' })
  const [waiting] = (await bruno.client.call(listTodo, { state: 'wait' })).list
  assert.match(waiting!.title, /retire the key of Treasury \(Ed25519\)$/)
  await bruno.decide(hash, 'approve')
  await chiara.decide(hash, 'approve')
  await waitUntil(ports, 'the key to be retired', async () => {
    const { list } = await alice.client.call(listKeys, { wallet_id: walletId })
    return list.some(({ retired, retirement_open: isOpen }) => retired && !isOpen) ? true : undefined
  })
  assert.deepEqual(
    (await alice.client.call(listWallets, {})).wallet_list.map(({ retired }) => retired),
    [false],
  )
  const [eth, , , ton] = COINS
  assert.deepEqual([(await addressOn(eth!.chain, 'ETH')).enableDeposit, (await addressOn(ton!.chain, 'TON')).enableDeposit], [true, false])
  const refused = await orderPayment(ports, alice, { subWalletId, chain: ton!.chain, symbol: 'TON', amount: '1', to: freshOnTon(), maxFee: '0.1' }).catch(
    codeOf,
  )
  assert.equal(refused, walletErrors.wallet_retired.code)
  const order = await orderPayment(ports, alice, { subWalletId, symbol: 'ETH', amount: '0.1', to: freshAddress() })
  await bruno.decide(order.hash, 'approve')
  await chiara.decide(order.hash, 'approve')
  assert.equal((await waitUntilPaid(ports, alice, order)).sub_status, 'ok')
})
