import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { listTodo } from '@holdfast/features/proposal/contract'
import { claimDeposit, decideClaim } from '@holdfast/features/deposit/contract'
import { getRecoveryKit } from '@holdfast/features/key-recovery/contract'
import { getPolicy, proposeAbsence, proposePolicy, withdrawSignerOrder } from '@holdfast/features/policy/contract'
import { inviteMember } from '@holdfast/features/team/contract'
import { getEvidence } from '@holdfast/features/evidence/contract'
import { cancelWithdrawal } from '@holdfast/features/transfer/contract'
import { listTransactions, labelTransactions, saveView } from '@holdfast/features/transaction/contract'
import { listCoins, lockCoin } from '@holdfast/features/utxo/contract'
import { createDepositComment, updateAddressLabel } from '@holdfast/features/deposit-address/contract'
import { createWithdrawal } from '@holdfast/features/withdrawal/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import { askFaucet, depositFromFaucet } from '../../apps/launcher/src/deposit-from-faucet.ts'
import { LOCAL_BITCOIN, LOCAL_CHAIN, LOCAL_TON, LOCAL_TRON, type LocalSettings } from '../../apps/launcher/src/local-settings.ts'
import { makeWallet } from '../../apps/launcher/src/make-wallet.ts'
import { fastFee, orderPayment } from '../../apps/launcher/src/order-payment.ts'
import { proveRecovery } from '../../apps/launcher/src/prove-recovery.ts'
import type { TerminalMember } from '../../apps/launcher/src/terminal-member.ts'
import { waitUntil } from '../../apps/launcher/src/wait-until.ts'
import { draftOf } from '../../features/policy/console/draft.ts'
import { freshAddress } from '../../features/testing/fresh-address.ts'
import { contractEndpoints, nameOf } from '../processes/testing/all-endpoints.ts'
import { type Belongings, furnish } from '../processes/testing/belongings.ts'
import { freshOnBitcoin } from '../processes/testing/fresh-addresses.ts'
import { foundFunded, type FundedOrganisation } from '../processes/testing/funded-organisation.ts'
import { OWN_CALLS } from '../processes/testing/own-calls.ts'
import { startTestStack, type TestStack } from '../processes/testing/start-test-stack.ts'
import { askAs, commonOf, type Question } from './record-answers.ts'
import { openRelease, storeRelease, STORED } from './release-file.ts'

/*
 * Stores what this release leaves behind, for the tests of all later ones: an organisation with money on every chain, one of everything that can be named,
 * and something open of every kind that people decide. One command: npm run store-release [-- FILE]
 */

const MARK = 'Meridian'
const DAY_MS = 24 * 3_600_000

const DEPOSITS = [
  [LOCAL_BITCOIN, 'BTC', '0.5'],
  [LOCAL_BITCOIN, 'BTC', '0.125'],
  [LOCAL_TRON, 'TRX', '500'],
] as const

/** Files, and what is made of the words and the network of the moment. */
const NOT_RECORDED = [
  '/api/mpc/transaction/export',
  '/api/mpc/gas_estimate',
  '/api/mpc/withdraw/evidence',
  '/api/mpc/sub_wallet/export/info',
  '/api/mpc/transaction/receipt',
  '/api/mpc/log/export',
]

async function renewPolicy({ alice, bruno, chiara }: FundedOrganisation): Promise<void> {
  const same = draftOf(await alice.client.call(getPolicy, {}))
  const draft = { ...same, rules: same.rules.map((rule) => ({ ...rule, initiators: [alice, bruno].map(({ personId }) => personId) })) }
  const { intent_hash: hash } = await alice.client.call(proposePolicy, { request_id: 'change-before', draft })
  for (const member of [bruno, chiara]) await member.decide(hash, 'approve')
  await waitUntil(ports, 'version 2', async () => ((await alice.client.call(getPolicy, {})).version === 2 ? true : undefined))
}

/** A wallet on TON whose address is shared by comments, and a payment to it that came without one and is held. */
async function holdPayment({ settings }: TestStack, { alice }: FundedOrganisation) {
  const { walletId, subWalletId } = await makeWallet(ports, alice, `TON ${MARK}`, 'ed25519')
  await proveRecovery(ports, settings, alice, walletId)
  const place = { subWalletId, chain: LOCAL_TON, symbol: 'TON' }
  const address = await depositFromFaucet(ports, settings, alice, { ...place, amount: '20' })
  const { memo } = await alice.client.call(createDepositComment, { sub_wallet_id: subWalletId, chain: LOCAL_TON, label: `Payer ${MARK}` })
  await askFaucet(ports, settings, { address, chain: LOCAL_TON, asset: 'TON', amount: '3' })
  const heldId = await waitUntil(ports, 'the held payment', async () => (await alice.client.call(listTransactions, { type: 'held' })).list[0]?.id)
  return { tonSubWalletId: subWalletId, heldId, memo }
}

/** What was asked for of every kind, and came to nothing. The claim is of a payment that is still held. */
async function askInVain({ alice, bruno, subWalletId }: FundedOrganisation, { heldId }: { heldId: string }): Promise<void> {
  const { client } = alice
  const payment = { subWalletId, symbol: 'ETH', amount: '0.5', to: freshAddress() }
  await bruno.decide((await orderPayment(ports, alice, { ...payment, remark: `Rejected ${MARK}` })).hash, 'reject')
  const { id } = await orderPayment(ports, alice, { ...payment, remark: `Taken back ${MARK}` })
  await client.call(cancelWithdrawal, { withdraw_id: id, remark: `Not needed ${MARK}` })
  const same = draftOf(await client.call(getPolicy, {}))
  const draft = { ...same, rules: same.rules.map((rule) => ({ ...rule, threshold: 1 })) }
  await bruno.decide((await client.call(proposePolicy, { request_id: 'change-in-vain', draft })).intent_hash, 'reject')
  const absence = await client.call(proposeAbsence, { request_id: 'away-in-vain', party: 2, days: 1, reason: `Not away ${MARK}` })
  await client.call(withdrawSignerOrder, { id: absence.id, remark: '' })
  const { claim_id: claimId } = await client.call(claimDeposit, { id: heldId, reason: `Of nobody, ${MARK}` })
  await bruno.client.call(decideClaim, { claim_id: claimId, result: 'refuse', reason: `It is of somebody, ${MARK}` })
}

/** Orders that wait: a payment, and one of Bitcoin that pays two at once. */
async function askForMore({ alice, subWalletId }: FundedOrganisation) {
  const place = { chain: LOCAL_BITCOIN, symbol: 'BTC' }
  const half = await orderPayment(ports, alice, { subWalletId, symbol: 'ETH', amount: '0.25', to: freshAddress(), remark: `Half ${MARK}` })
  const outputs = ['0.01', '0.02'].map((amount) => ({ address_to: freshOnBitcoin(), amount }))
  const to = outputs[0]!.address_to
  const payout = await alice.client.call(createWithdrawal, {
    ...{ request_id: 'payout-1', sub_wallet_id: subWalletId, ...place, address_to: to, amount: '0.03', outputs, ack: 'first_seen' },
    max_fee: await fastFee(alice, { subWalletId, ...place, amount: '0.1', to }),
  })
  return { halfId: half.id, payoutId: payout.withdraw_id }
}

/** What people keep for themselves of what they see, and somebody who has not joined yet. */
async function keepNotes({ alice, paidId, subWalletId, address }: Belongings): Promise<void> {
  const { client } = alice
  const bitcoin = { sub_wallet_id: subWalletId, chain: LOCAL_BITCOIN }
  const { txid, vout } = (await client.call(listCoins, bitcoin)).list.find(({ amount }) => amount === '0.125')!
  await client.call(lockCoin, { ...bitcoin, txid, vout, reason: `Kept ${MARK}` })
  await client.call(updateAddressLabel, { sub_wallet_id: subWalletId, chain: LOCAL_CHAIN, address, label: `Label ${MARK}` })
  await client.call(labelTransactions, { ids: paidId, type: 'withdraw', category: `Category ${MARK}`, tags: ['first', 'second'], note: `Note ${MARK}` })
  await client.call(saveView, { name: `View ${MARK}`, query: 'type=withdraw&status=2000' })
  await client.call(inviteMember, { request_id: 'invite-dora', nick_name: `Dora ${MARK}`, account: 'dora@example.com', role: 'viewer', approver: true })
}

/** Has Bruno approve whatever waits for him but one payment and the claim, which one word decides: all of it then waits for one more person. */
async function approveHalf({ bruno, waitingId }: Belongings): Promise<void> {
  const { list } = await bruno.client.call(listTodo, { state: 'wait' })
  for (const { kind, biz_id: id, approval_url: url } of list)
    if (kind !== 'deposit_claim' && id !== waitingId) await bruno.decide(url.split('/').at(-1)!, 'approve')
}

const askAll = (member: TerminalMember, settings: LocalSettings, questions: readonly Question[]) =>
  Promise.all(questions.map((question) => askAs(member, settings, question)))

type Asked = { questions: Question[]; answers: unknown[] }

/** Founds and furnishes the organisation, stops everything and stores it. */
async function storeAll(stack: TestStack, path: string): Promise<Asked> {
  const { settings } = stack
  const founded = await foundFunded(stack, { amount: '5', mark: MARK })
  const { alice, bruno, chiara, walletId, subWalletId, fingerprint } = founded
  for (const [chain, symbol, amount] of DEPOSITS) await depositFromFaucet(ports, settings, alice, { subWalletId, chain, symbol, amount })
  await renewPolicy(founded)
  const { memo, ...held } = await holdPayment(stack, founded)
  await askInVain(founded, held)
  const org = await furnish(stack, founded, MARK)
  const more = await askForMore(founded)
  const { claim_id: claimId } = await alice.client.call(claimDeposit, { id: held.heldId, memo, reason: `By its receipt, ${MARK}` })
  await keepNotes(org)
  await approveHalf(org)
  const endpoints = await contractEndpoints()
  const questions = endpoints
    .filter(({ method, path: at }) => method === 'GET' && !NOT_RECORDED.includes(at))
    .map((endpoint) => ({ path: endpoint.path, fields: OWN_CALLS[nameOf(endpoint)]!(org) }))
  const answers = await askAll(alice, settings, questions)
  const { bundle } = await alice.client.call(getEvidence, { id: org.paidId })
  const { kit } = await alice.client.call(getRecoveryKit, { wallet_id: walletId })
  await stack.stop()
  const { paidId, waitingId, changeId, keyChangeId, absenceId } = org
  await storeRelease(path, {
    ...{ release: version, settings, fingerprint, members: [alice, bruno, chiara], calls: endpoints.map(nameOf).sort() },
    ids: { walletId, subWalletId, paidId, waitingId, changeId, keyChangeId, absenceId, claimId, ...held, ...more },
    ...{ evidence: Buffer.from(bundle, 'base64'), recoveryKit: Buffer.from(kit!, 'base64') },
  })
  return { questions, answers }
}

/** Starts what was stored, a day later, and adds what it still answers as it did. */
async function addAnswers(path: string, { questions, answers }: Asked): Promise<void> {
  const stored = openRelease(path)
  const { stack, people } = await stored.start(stored.facts.stoppedAtMs + DAY_MS)
  try {
    const later = await askAll(people[0], stack.settings, questions)
    stored.keepAnswers(questions.map((question, i) => ({ ...question, data: commonOf(answers[i], later[i]) })))
  } finally {
    await stack.dispose()
    stored.dispose()
  }
}

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
const path = resolve(process.argv[2] ?? `${STORED}${version}.tar.gz`)
if (existsSync(path)) throw new Error(`${path} is there already: a stored release is never changed. Give this release its own version in package.json`)
mkdirSync(dirname(path), { recursive: true })
const stack = await startTestStack()
const asked = await storeAll(stack, path).finally(() => stack.dispose())
await addAnswers(path, asked)
console.log(`stored ${path}`)
