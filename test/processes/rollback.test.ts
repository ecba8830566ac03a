import assert from 'node:assert/strict'
import { cpSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { listKeys, proposeKeyChange } from '@holdfast/features/key-recovery/contract'
import { getPolicy, proposePolicy } from '@holdfast/features/policy/contract'
import { getEvidence } from '../../features/evidence/contract.ts'
import { getWithdrawal } from '../../features/transaction/contract.ts'
import { nodePorts as ports } from '@holdfast/ports/node'
import { makeWallet } from '../../apps/launcher/src/make-wallet.ts'
import { isOver, type Order, orderPayment, waitUntilPaid } from '../../apps/launcher/src/order-payment.ts'
import { initSigner } from '../../apps/launcher/src/prepare-identities.ts'
import { proveRecovery } from '../../apps/launcher/src/prove-recovery.ts'
import { runToEnd } from '../../apps/launcher/src/run-to-end.ts'
import { createTerminalMember } from '../../apps/launcher/src/terminal-member.ts'
import { waitUntil } from '../../apps/launcher/src/wait-until.ts'
import { draftOf } from '../../features/policy/console/draft.ts'
import { freshAddress } from '../../features/testing/fresh-address.ts'
import { foundFunded, type FundedOrganisation } from './testing/funded-organisation.ts'
import { localChain } from './testing/local-chain.ts'
import { withDatabase } from './testing/read-ledger.ts'
import { runAside } from './testing/run-aside.ts'
import { sayAway } from './testing/say-away.ts'
import { startTestStack, type TestStack } from './testing/start-test-stack.ts'

const ASKED_AGAIN = 9
/** A signer that begins anew counts approvals from this long after it began: clocks differ. */
const ANEW_MS = 5 * 60_000 - 1_000

let stack: TestStack
let org: FundedOrganisation

before(async () => {
  stack = await startTestStack()
  org = await foundFunded(stack, { amount: '5' })
})
after(() => stack?.dispose())

async function approvedOrder(to = freshAddress()): Promise<Order> {
  const order = await orderPayment(ports, org.alice, { subWalletId: org.subWalletId, symbol: 'ETH', amount: '0.1', to })
  for (const member of [org.bruno, org.chiara]) await member.decide(order.hash, 'approve')
  return order
}

const detail = ({ id }: Order) => org.alice.client.call(getWithdrawal, { id })

/** Who signed, as the timeline says. */
async function signersOf(order: Order): Promise<string | undefined> {
  return (await detail(order)).timeline.find(({ state }) => state === 'broadcasting')?.actor
}

/** How each session for an order ended, and by which check. */
async function attemptsOf({ id }: Order): Promise<string[]> {
  const rows = await withDatabase(stack, (db) =>
    db.asSystem((tx) =>
      tx
        .selectFrom('signing_attempt')
        .select(['outcome', 'failed_check'])
        .where('order_id', '=', id)
        .where('outcome', 'is not', null)
        .orderBy('number')
        .execute(),
    ),
  )
  return rows.map(({ outcome, failed_check }) => `${outcome} ${failed_check ?? ''}`.trim())
}

/** What the offline verifier says of an order's payment, or of a refusal of it. */
async function verdictOn({ id }: Order, kind: 'signature' | 'refusal'): Promise<string> {
  const { folder, root } = stack.settings
  const { bundle } = await org.alice.client.call(getEvidence, { id, kind })
  const path = `${folder}/${kind}`
  writeFileSync(path, Buffer.from(bundle, 'base64'))
  const args = [`${root}/apps/cli/src/main.ts`, 'verify-evidence', path, '--fingerprint', org.fingerprint]
  return runToEnd(ports, args, { cwd: root, logPath: `${folder}/logs/verify-${kind}.log`, what: `verifying the ${kind}` })
}

test('a signer put back to an older copy of its folder is refused by c12, and the honest pair goes on when people say that it is away', async () => {
  const folder = `${stack.settings.folder}/signer-3`
  const copy = `${stack.settings.folder}/older-signer-3`
  await stack.end('signer-3')
  cpSync(folder, copy, { recursive: true })
  await stack.restart('signer-3')

  // Without signer 2 the third one has to sign, so its state moves on from the copy.
  await stack.end('signer-2')
  const first = await approvedOrder()
  await sayAway(org, 2)
  await waitUntilPaid(ports, org.alice, first)
  assert.equal(await signersOf(first), 'signers 1, 3')

  await stack.end('signer-3')
  rmSync(folder, { recursive: true })
  cpSync(copy, folder, { recursive: true })
  await stack.restart('signer-3')
  await stack.restart('signer-2')
  const to = freshAddress()
  const second = await approvedOrder(to)
  // The two that remember must hear the third as well, which gives no word where another one has seen a record that it lost.
  // Asking again and again must not wear the refusal out: every session writes records, and the copy's journal grows past the lost ones.
  const attempts = await waitUntil(ports, `${ASKED_AGAIN} sessions`, async () => {
    const ended = await attemptsOf(second)
    return ended.length >= ASKED_AGAIN || ended.includes('signed') ? ended : undefined
  })
  assert.deepEqual(
    attempts.map((each) => each.split(' ')[0]),
    attempts.map(() => 'refused'),
  )
  assert.equal(attempts[0], 'refused c12')
  const refused = await detail(second)
  assert.deepEqual({ over: isOver(refused), txid: refused.txid }, { over: false, txid: null }, 'a refusal about a signer must not end the order')
  assert.ok(refused.refusals.some(({ check }) => check === 'c12'))
  assert.match(await verdictOn(second, 'refusal'), /c12/)

  await sayAway(org, 3)
  await waitUntilPaid(ports, org.alice, second)
  assert.equal(await signersOf(second), 'signers 1, 2')
  assert.equal(await localChain(stack.settings).balanceOf(to), 10n ** 17n)
  const third = await approvedOrder()
  await waitUntilPaid(ports, org.alice, third)
  assert.equal(await signersOf(third), 'signers 1, 2')
})

test('a machine that is lost is replaced by one with another identity: keys are repaired, it signs, evidence and kit hold offline; the old one stays outside', async (t) => {
  const { settings } = stack
  const { alice, bruno, chiara, walletId, subWalletId } = org
  const approve = async (hash: string, clock = ports.clock) => {
    for (const { personId, name, keys } of [bruno, chiara])
      await createTerminalMember({ ...ports, clock }, settings, { personId, name }, keys).decide(hash, 'approve')
  }
  await stack.end('signer-3')
  const lost = `${settings.folder}/lost-signer-3`
  renameSync(`${settings.folder}/signer-3`, lost)
  const begun = makeWallet(ports, alice, 'Begun before', 'ed25519')
  const sign_key = await initSigner(ports, settings, 3)
  const draft = { ...draftOf(await alice.client.call(getPolicy, {})), replace_signer: { party: 3, name: 'signer-3b', operator: 'Another operator', sign_key } }
  const change = await alice.client.call(proposePolicy, { request_id: 'replace-signer-3', draft })
  await approve(change.intent_hash)
  await waitUntil(ports, 'the version that names it', async () => ((await alice.client.call(getPolicy, {})).version === 2 ? true : undefined))
  const aside = runAside(stack, { party: 3, folder: lost })
  t.after(() => aside.end())
  await stack.restart('signer-3')
  await begun

  const keyNow = async () => (await alice.client.call(listKeys, { wallet_id: walletId })).list[0]!
  const held = async () => (await keyNow()).signers.map(({ active }) => active)
  assert.deepEqual(await held(), [0, 0, null])
  const repair = await alice.client.call(proposeKeyChange, { request_id: 'repair-signer-3', wallet_id: walletId, action: 'repair', party: 3 })
  await approve(repair.intent_hash)
  await waitUntil(ports, 'its share', async () => ((await keyNow()).change?.state === 'active' ? true : undefined))
  assert.deepEqual(await held(), [1, 1, 1])
  await proveRecovery(ports, settings, alice, walletId, [2, 3])

  // Without signer 2 the new one has to sign.
  await stack.end('signer-2')
  await sayAway(org, 2)
  const to = freshAddress()
  const order = await orderPayment(ports, alice, { subWalletId, symbol: 'ETH', amount: '0.5', to })
  await approve(order.hash, { ...ports.clock, nowMs: () => ports.clock.nowMs() + ANEW_MS })
  await waitUntilPaid(ports, alice, order)
  assert.equal(await signersOf(order), 'signers 1, 3')
  assert.equal(await localChain(settings).balanceOf(to), 5n * 10n ** 17n)
  assert.match(await verdictOn(order, 'signature'), /signer-3b/)
  const said = await aside.end()
  assert.match(said, /^not connected to the server/m)
  assert.doesNotMatch(said, /^connected to the server/m)
})
