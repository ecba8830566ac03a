import { decideBookAudit, saveBookEntry, saveBookGroup, savePersonal } from '@holdfast/features/address-book/contract'
import { uploadBatch } from '@holdfast/features/batch-transfer/contract'
import { importCollecting } from '@holdfast/features/co-signer/contract'
import { saveCollector } from '@holdfast/features/collection/contract'
import { acceptExport, applyForExport, proposeKeyChange, proposeRetirement, withdrawKeyChange } from '@holdfast/features/key-recovery/contract'
import { getNotification, pauseWebhookEndpoint, saveWebhookEndpoint, testWebhookEndpoint } from '@holdfast/features/notification/contract'
import { listLoginHistory, listMethods, listSessions } from '@holdfast/features/session/contract'
import { generateQr } from '@holdfast/features/proposal/contract'
import { getPolicy, proposeAbsence, proposePolicy } from '@holdfast/features/policy/contract'
import { listTransactions } from '../../../features/transaction/contract.ts'
import { createSubWallet, updateAlias } from '../../../features/wallet/contract.ts'
import { nodePorts as ports } from '@holdfast/ports/node'
import { LOCAL_CHAIN } from '../../../apps/launcher/src/local-settings.ts'
import { orderPayment, waitUntilPaid } from '../../../apps/launcher/src/order-payment.ts'
import { createTerminalMember } from '../../../apps/launcher/src/terminal-member.ts'
import { draftOf } from '../../../features/policy/console/draft.ts'
import { freshAddress } from '../../../features/testing/fresh-address.ts'
import type { OwnThings } from '../../../features/testing/own-things.ts'
import { foundFunded, type FundedOrganisation } from './funded-organisation.ts'
import type { JoinedStack } from './joined-stack.ts'
import { CLOSED_HOST } from './start-test-stack.ts'

const IMPORT_COLUMNS = 'chain,symbol,collect_min,single_min,collect_max,fueling_limit,max_fee,max_fee_pct,schedule'

/** An organisation with one of everything that an id can name. */
export type Belongings = FundedOrganisation & OwnThings

export async function foundWithEverything(stack: JoinedStack, mark: string): Promise<Belongings> {
  return furnish(stack, await foundFunded(stack, { amount: '5', mark }), mark)
}

/** Gives an organisation that has just been funded one of everything. */
export async function furnish(stack: JoinedStack, org: FundedOrganisation, mark: string): Promise<Belongings> {
  const { alice, bruno, chiara, walletId, subWalletId } = org
  const { client } = alice
  // A key with unfinished payments cannot be retired: it was asked for before there were any, and taken back.
  const retireRequest = { request_id: `retire-${mark}`, wallet_id: walletId, reason: '', leave_holdings: true }
  const { id: retireId } = await client.call(proposeRetirement, retireRequest)
  await client.call(withdrawKeyChange, { id: retireId, remark: '' })
  await client.call(updateAlias, { wallet_id: walletId, alias: `Alias ${mark}` })
  const { sub_wallet_id: secondSubWalletId } = await client.call(createSubWallet, {
    request_id: `second-${mark}`,
    wallet_id: walletId,
    sub_wallet_name: `Second ${mark}`,
  })
  const payment = () => ({ subWalletId, symbol: 'ETH', amount: '0.1', to: freshAddress(), remark: `Remark ${mark}` })
  const paid = await orderPayment(ports, alice, payment())
  for (const member of [bruno, chiara]) await member.decide(paid.hash, 'approve')
  await waitUntilPaid(ports, alice, paid)
  const waiting = await orderPayment(ports, alice, payment())
  const { qr_id: qrId } = await client.call(generateQr, { type: 'approve', biz_id: waiting.id })
  const elsewhere = createTerminalMember(ports, stack.settings, alice, alice.keys)
  await elsewhere.signIn()
  const { list: deposits } = await client.call(listTransactions, { type: 'deposit' })
  const sessions = await client.call(listSessions, {})
  const { list: signIns } = await client.call(listLoginHistory, { user_id: org.alice.personId, result: 'ok', page_no: 1, page_size: 1 })
  const [method] = await client.call(listMethods, {})
  const second = await failedNotification(org)
  const contact = (name: string) => client.call(savePersonal, { name: `${name} ${mark}`, chain: LOCAL_CHAIN, address: freshAddress() })
  const { id: contactId } = await contact('Friend')
  const { id: secondContactId } = await contact('Supplier')
  const { id: groupId } = await client.call(saveBookGroup, { name: `List ${mark}` })
  const payee = (whitelist: '0' | '1') =>
    client.call(saveBookEntry, {
      request_id: `payee-${whitelist}-${mark}`,
      name: `Payee ${mark}`,
      address: freshAddress(),
      chains: [LOCAL_CHAIN],
      group_id: groupId,
      whitelist,
    })
  const { id: secondBookEntryId } = await payee('0')
  // One change of the whitelist is open at a time: this one was asked for and taken back.
  const { id: bookEntryId, trade_no: bookOrderId } = await payee('1')
  await client.call(decideBookAudit, { id: bookOrderId ?? '', result: 'withdraw' })
  const same = draftOf(await client.call(getPolicy, {}))
  const draft = { ...same, rules: same.rules.map((rule) => ({ ...rule, initiators: [alice.personId] })) }
  const changeRequestId = `change-${mark}`
  const change = await client.call(proposePolicy, { request_id: changeRequestId, draft })
  const absenceRequest = { request_id: `absence-${mark}`, party: 3, days: 2, reason: `Away ${mark}` }
  const { id: absenceId } = await client.call(proposeAbsence, absenceRequest)
  // One order about a key is open at a time: the export, which one of those it names has confirmed, was taken back.
  const exportRequest = { request_id: `export-${mark}`, wallet_id: walletId, reason: `Export ${mark}`, holders: [alice, bruno].map(holderOf) }
  const { id: exportId } = await client.call(applyForExport, exportRequest)
  await client.call(acceptExport, { item_id: exportId, result: 1 })
  await client.call(withdrawKeyChange, { id: exportId, remark: '' })
  const rules = `${IMPORT_COLUMNS}\n${LOCAL_CHAIN},ETH,1,,,,0.01,,`
  const { import_id: importId } = await client.call(importCollecting, { wallet_id: walletId, file: new File([rules], 'rules.csv') })
  const { id: collectorId } = await client.call(saveCollector, {
    ...{ wallet_id: walletId, name: `Sweep ${mark}`, chain: LOCAL_CHAIN, fee_max: '0.01' },
    ...{ target_sub_wallet_id: subWalletId, payer_sub_wallet_id: subWalletId },
  })
  const payments = async (name: string) => {
    const file = new File([`address,amount\n${freshAddress()},0.01`], `${name} ${mark}.csv`)
    return (await client.call(uploadBatch, { sub_wallet_id: subWalletId, chain: LOCAL_CHAIN, symbol: 'ETH', file })).batch_id
  }
  const batchId = await payments('Payroll')
  const secondBatchId = await payments('Suppliers')
  const keyChangeRequestId = `key-change-${mark}`
  const { id: keyChangeId } = await client.call(proposeKeyChange, { request_id: keyChangeRequestId, wallet_id: walletId, action: 'refresh' })
  return {
    ...org,
    mark,
    contactId,
    secondContactId,
    groupId,
    bookEntryId,
    secondBookEntryId,
    bookOrderId: bookOrderId ?? '',
    secondSubWalletId,
    paidId: paid.id,
    waitingId: waiting.id,
    qrId,
    depositId: deposits[0]!.id,
    sessionId: sessions.find(({ current }) => !current)!.session_id,
    methodId: method!.method_id,
    signInId: signIns[0]!.id,
    changeId: change.id,
    changeRequestId,
    keyChangeId,
    keyChangeRequestId,
    absenceId,
    absenceRequest: { ...absenceRequest, party: '3', days: '2' },
    exportId,
    importId,
    collectorId,
    batchId,
    secondBatchId,
    exportRequest: { ...exportRequest, holders: JSON.stringify(exportRequest.holders) },
    retireRequest: { ...retireRequest, leave_holdings: 'true' },
    draft: JSON.stringify(draft),
    ...(await failedNotification(org)),
    secondEndpointId: second.endpointId,
    secondNotifyId: second.notifyId,
  }
}

const holderOf = ({ personId }: { personId: string }, at: number) => ({ party: at + 1, person_id: personId, recipient: `age1${String(at + 2).repeat(58)}` })

async function failedNotification({ alice: { client } }: FundedOrganisation): Promise<{ endpointId: string; notifyId: string }> {
  const { endpoint_id: endpointId } = await client.call(saveWebhookEndpoint, { url: `http://${CLOSED_HOST}/`, sides: ['fuel'] })
  await client.call(pauseWebhookEndpoint, { endpoint_id: endpointId, paused: true })
  const { notify_id: notifyId } = await client.call(testWebhookEndpoint, { endpoint_id: endpointId })
  while ((await client.call(getNotification, { notify_id: notifyId })).status !== 'failed') await ports.timer.sleep(50)
  return { endpointId, notifyId }
}

/** Everything by which an organisation could be recognised in an answer. */
export function canariesOf(org: Belongings): string[] {
  const {
    mark,
    walletId,
    subWalletId,
    secondSubWalletId,
    address,
    fingerprint,
    paidId,
    waitingId,
    qrId,
    depositId,
    sessionId,
    methodId,
    signInId,
    contactId,
    secondContactId,
    groupId,
    bookEntryId,
    bookOrderId,
    changeId,
    keyChangeId,
    exportId,
    batchId,
    secondBatchId,
    endpointId,
    notifyId,
  } = org
  const people = [org.alice, org.bruno, org.chiara].map(({ personId }) => personId)
  return [
    mark,
    walletId,
    subWalletId,
    secondSubWalletId,
    address,
    address.toLowerCase(),
    fingerprint,
    paidId,
    waitingId,
    qrId,
    depositId,
    sessionId,
    methodId,
    signInId,
    contactId,
    secondContactId,
    groupId,
    bookEntryId,
    bookOrderId,
    changeId,
    keyChangeId,
    exportId,
    batchId,
    secondBatchId,
    endpointId,
    notifyId,
    ...people,
  ]
}

const ID_FIELDS = [
  'walletId',
  'subWalletId',
  'secondSubWalletId',
  'paidId',
  'waitingId',
  'depositId',
  'methodId',
  'signInId',
  'contactId',
  'groupId',
  'bookEntryId',
  'bookOrderId',
  'changeId',
  'keyChangeId',
  'exportId',
  'batchId',
  'endpointId',
  'notifyId',
] as const

/** The ids of an organisation's things, whatever they name. */
export function idsOf(org: Belongings): string[] {
  return [...ID_FIELDS.map((field) => org[field]), org.alice.personId]
}
