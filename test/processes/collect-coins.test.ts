import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAddresses, listUserAddresses } from '@holdfast/features/deposit-address/contract'
import { listStandingOrders, listStandingReasons, proposeStandingOrder } from '@holdfast/features/standing-order/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import { formatAmount, known, parseAmount } from '@holdfast/units'
import { askFaucet } from '../../apps/launcher/src/deposit-from-faucet.ts'
import { foundOrganisation } from '../../apps/launcher/src/found-organisation.ts'
import { LOCAL_BITCOIN, LOCAL_TON } from '../../apps/launcher/src/local-settings.ts'
import { makeWallet } from '../../apps/launcher/src/make-wallet.ts'
import { proveRecovery } from '../../apps/launcher/src/prove-recovery.ts'
import type { TerminalMember } from '../../apps/launcher/src/terminal-member.ts'
import { waitUntil } from '../../apps/launcher/src/wait-until.ts'
import { listCoinAssets } from '../../features/wallet/contract.ts'
import { approveAt, type Place, placed } from './testing/collected-deposits.ts'
import { type JoinedStack, joinStack, PLAIN_STACK } from './testing/joined-stack.ts'
import { assertLedger } from './testing/read-ledger.ts'

/* Bitcoin and TON, from deposits at many addresses to where a standing order collects them, with the local networks and real signers. */

let stack: JoinedStack
let alice: TerminalMember
let bruno: TerminalMember
let chiara: TerminalMember

before(async () => {
  stack = await joinStack(PLAIN_STACK)
  const names = ['Alice', 'Bruno', 'Chiara'].map((name) => `${name} Coins`)
  const founded = await foundOrganisation(ports, stack.settings, { name: 'Organisation Coins', members: names, threshold: 2 })
  ;[alice, bruno, chiara] = founded.members as [TerminalMember, TerminalMember, TerminalMember]
})
after(() => stack?.dispose())

async function openWallet(name: string, kind: 'ecdsa' | 'ed25519'): Promise<Place> {
  const place = await makeWallet(ports, alice, name, kind)
  await proveRecovery(ports, stack.settings, alice, place.walletId)
  return place
}

/** So many addresses for customers of a sub-wallet, each attested by all signers. */
async function makeAddresses({ subWalletId }: Place, chain: string, count: number): Promise<string[]> {
  await alice.client.call(createAddresses, { request_id: `customers-of-${subWalletId}`, sub_wallet_id: subWalletId, chain, count })
  return waitUntil(ports, 'the addresses', async () => {
    const { list } = await alice.client.call(listUserAddresses, { sub_wallet_id: subWalletId, chain, page_no: 1, page_size: 50 })
    const made = list.flatMap(({ address }) => (address === null ? [] : [address]))
    return made.length > count ? made.slice(0, count) : undefined
  })
}

const coin = async ({ subWalletId }: Place, chain: string, symbol: string) => {
  const { list } = await alice.client.call(listCoinAssets, { sub_wallet_id: subWalletId })
  return known(
    list.find((each) => each.chain === chain && each.symbol === symbol),
    symbol,
  )
}

type Collected = { chain: string; symbol: string; decimals: number; name: string; max: string; atLeast: string; deposits: readonly string[] }

/** Pays each amount to an address of its own, and waits until a standing order has collected those that are worth it. Answers why the others were left. */
async function collected({ chain, symbol, decimals, name, max, atLeast, deposits }: Collected, from: Place, to: Place): Promise<string[]> {
  const addresses = await makeAddresses(from, chain, deposits.length)
  const draft = {
    ...{ id: null, kind: 'sweep' as const, name, sources: [placed(from)], targets: [{ kind: 'own' as const, ...placed(to) }], never: [] },
    assets: [{ chain, symbol, at_least: atLeast, at_most: '1000' }],
    ...{ fees: [{ chain, max, max_share: 20 }], transfers: 100, days: 30 },
  }
  const { approval_url: url } = await alice.client.call(proposeStandingOrder, { request_id: `collect-${symbol}`, draft, remark: '' })
  await approveAt(url, { alice, bruno, chiara })
  await Promise.all(addresses.map((address, i) => askFaucet(ports, stack.settings, { address, chain, asset: symbol, amount: deposits[i]! })))
  const worth = deposits.filter((each) => parseAmount(each, decimals) >= parseAmount(atLeast, decimals))
  const order = async () => (await alice.client.call(listStandingOrders, {})).list.find((each) => each.name === name)
  const found = await waitUntil(ports, `${worth.length} transfers`, async () => {
    const now = await order()
    const count = (now?.moved ?? []).reduce((sum, each) => sum + each.count, 0)
    return now && count >= worth.length && now.moving === 0 ? now : undefined
  })
  assert.equal(
    found.moved.reduce((sum, { count }) => sum + count, 0),
    worth.length,
    'each address once',
  )
  const arrived = parseAmount((await coin(to, chain, symbol)).normal_balance, decimals)
  const sent = worth.reduce((all, each) => all + parseAmount(each, decimals), 0n)
  const most = parseAmount(max, decimals) * BigInt(worth.length)
  assert.ok(arrived < sent && arrived >= sent - most, `${formatAmount(arrived, decimals)} of ${formatAmount(sent, decimals)} arrived`)
  const reasons = await alice.client.call(listStandingReasons, { id: found.id, page_no: 1, page_size: 50 })
  return reasons.list.map(({ reason }) => reason)
}

test('Bitcoin of many addresses is collected, each address by what its own coins cost, and what is not worth it is said', async () => {
  const from = await openWallet('Bitcoin deposits', 'ecdsa')
  const to = await openWallet('Bitcoin treasury', 'ecdsa')
  const rule = { chain: LOCAL_BITCOIN, symbol: 'BTC', decimals: 8, name: 'Collect Bitcoin', max: '0.0005', atLeast: '0.001' }
  const left = await collected({ ...rule, deposits: ['0.01', '0.02', '0.005', '0.03', '0.0004'] }, from, to)
  assert.deepEqual(left, ['below_threshold'])
  await assertLedger(stack)
})

test('TON of many addresses is collected, each by one message of its own wallet, which the first one makes', async () => {
  const from = await openWallet('TON deposits', 'ed25519')
  const to = await openWallet('TON treasury', 'ed25519')
  const rule = { chain: LOCAL_TON, symbol: 'TON', decimals: 9, name: 'Collect TON', max: '0.2', atLeast: '1' }
  const left = await collected({ ...rule, deposits: ['5', '6.5', '7.25', '8', '0.5'] }, from, to)
  assert.ok(left.length >= 1 && left.every((reason) => reason === 'below_threshold'), left.join(' '))
  await assertLedger(stack)
})
