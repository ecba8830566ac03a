import type { Language, OutputOf } from '@holdfast/contract'
import { type Explorer, fillLink } from '@holdfast/features/network/explorers'
import type { getAllowanceSpend, getDeposit, getWithdrawal } from '@holdfast/features/transaction/contract'
import { kindIn, momentOf, stepIn } from '@holdfast/features/transaction/server'
import { subWalletPath } from '@holdfast/features/wallet/server'
import type { Sheet, SheetRow } from '@holdfast/pdf'
import { assetName } from '@holdfast/units'
import { clockOf } from './export-transactions.ts'
import { EXPORT_WORDS } from './export-words.ts'
import { grouped, rounded } from './money-text.ts'
import { RECEIPT_WORDS } from './receipt-words.ts'

type Withdrawal = OutputOf<typeof getWithdrawal>
export type Receipted = Withdrawal | OutputOf<typeof getDeposit> | OutputOf<typeof getAllowanceSpend>

type About = {
  language: Language
  tz: string
  organisation: string
  /** Who asked for the receipt. */
  person: string
  fingerprint: string
  /** The stored evidence: the name it is downloaded under and its SHA-256. Null if nothing was signed. */
  evidence: { fileName: string; digest: string } | null
  /** Where transactions of the network can be looked up. */
  explorers: readonly Explorer[]
  nowMs: number
}

/** What a receipt is written with: its words, and moments with their zone, for a sheet travels further than the clock it was written by. */
type Pen = About & { words: (typeof RECEIPT_WORDS)['en_US']; timeIn: (ms: number) => string }

const COMPLETED = 2000

/** One transaction as a document for others: who paid whom how much and when, who approved it, its timeline, and how all this is verified. */
export function receiptSheet(row: Receipted, about: About): Sheet {
  const { language, organisation, person, nowMs, tz } = about
  const words = RECEIPT_WORDS[language]
  const clock = clockOf(tz).timeIn
  const pen = { ...about, words, timeIn: (ms: number) => `${clock(ms)} ${tz}` }
  const withdrawal = 'approvers' in row ? row : undefined
  const isAbout = row.replaces != null
  const isPayment = !row.stake && !row.call && row.lifts === undefined && !isAbout
  const end = row.status === COMPLETED ? 'done' : 'open'
  return {
    language: language.replace('_', '-'),
    letterhead: organisation,
    // A sheet about a payment is no receipt of one.
    title: isAbout ? kindIn(language, row) : isPayment ? words.titles[row.type][end] : words.otherTitles[end](kindIn(language, row)),
    reference: [words.number(row.id), words.issued(pen.timeIn(nowMs))],
    headline: headlineOf(row, pen),
    sections: [
      { title: words.facts, rows: factsOf(row, pen) },
      ...(withdrawal && withdrawal.outputs.length > 0
        ? [{ title: words.recipients, rows: recipientsOf(withdrawal, EXPORT_WORDS[language].columns.memo) }]
        : []),
      ...(withdrawal ? [{ title: words.approvals, rows: approvalsOf(withdrawal, pen) }] : []),
      {
        title: `${words.timeline} (${tz})`,
        rows: row.timeline.map((event) => {
          const actor = event.in_place_of === undefined ? event.actor : words.forOther(event.actor, event.in_place_of)
          const { what, details } = stepIn(language, { ...event, actor })
          return { label: clock(event.at), value: [what, ...details].join(' · ') }
        }),
      },
    ],
    proof: withdrawal ? orderProof(withdrawal, pen) : chainProof(row, pen),
    foot: words.foot(organisation, pen.timeIn(nowMs), person),
    madeAtMs: nowMs,
  }
}

const amountOf = (amount: string, unit: string): string => `${grouped(amount)} ${unit}`
const moneyOf = (value: string, currency: string): string => `${grouped(rounded(value, 2))} ${currency}`

function headlineOf(row: Receipted, { language, words, timeIn }: Pen): Sheet['headline'] {
  const isDone = row.status === COMPLETED
  // What nobody was paid, and never will be, has no worth of a payment.
  const worth = row.status <= COMPLETED ? row.worth : null
  return {
    amount: row.replaces != null ? words.paysNobody : amountOf(row.amount, assetName(row.symbol, row.token_id)),
    under: worth?.at_time == null ? [] : [words.worth(moneyOf(worth.at_time, worth.currency), momentOf(row))],
    state: words.asOf(EXPORT_WORDS[language].statuses[row.type][row.status] ?? String(row.status), timeIn(row.updated_at)),
    isDone,
  }
}

/** What is for whoever holds the receipt; how the organisation files it for itself is not. */
function factsOf(row: Receipted, { language, words, timeIn, explorers }: Pen): SheetRow[] {
  const { columns } = EXPORT_WORDS[language]
  const isOut = row.type !== 'deposit'
  const ours: SheetRow = {
    label: isOut ? words.from : words.to,
    value: subWalletPath(row),
    under: [(isOut ? row.address_from : row.address_to) ?? ''].filter(Boolean),
  }
  const fee = row.real_fee ?? row.fee
  const feeWorth = row.real_fee !== null && row.worth?.fee != null ? [moneyOf(row.worth.fee, row.worth.currency)] : []
  const { txid } = row
  const rows: (SheetRow | false)[] = [
    ...(isOut ? [theirs(row, words.to, words), ours] : [theirs(row, words.from, words), ours]),
    row.taken_by !== undefined && { label: columns.takenBy, value: row.taken_by },
    { label: columns.network, value: row.network, under: row.contract_address === null ? [] : [words.contract(row.contract_address)] },
    row.memo !== null && { label: columns.memo, value: row.memo },
    (row.stake !== undefined || row.call?.method != null) && { label: columns.does, value: row.stake?.title ?? row.call?.method ?? '' },
    row.replaces != null && { label: columns.about, value: row.replaces },
    fee !== null && { label: row.real_fee === null ? words.feeCap : words.feePaid, value: amountOf(fee, row.fee_symbol), under: feeWorth },
    { label: words.time[row.type], value: timeIn(row.created_at) },
    txid !== null && {
      label: columns.txid,
      value: txid,
      under: [...(row.tx_height === null ? [] : [words.block(row.tx_height)]), ...explorers.map(({ tx_link: link }) => words.lookUp(fillLink(link, txid)))],
    },
    row.initiator !== null && { label: columns.initiator, value: row.initiator.name },
    row.remark !== '' && { label: columns.remark, value: row.remark },
    row.request_id !== null && { label: columns.requestId, value: row.request_id },
  ]
  return rows.filter((each) => each !== false && each.value !== '') as SheetRow[]
}

/** The side that is not the organisation's, its name first where there is one. */
function theirs(row: Receipted, label: string, words: Pen['words']): SheetRow | false {
  if (row.replaces != null) return false
  if ('outputs' in row && row.outputs.length > 0) return { label, value: words.several(row.outputs.length) }
  const [name, address] = row.type === 'deposit' ? [row.from_label, row.address_from] : [row.to_label, row.address_to]
  return name === null ? { label, value: address ?? '' } : { label, value: name, under: [address ?? ''].filter(Boolean) }
}

function recipientsOf({ outputs, symbol }: Withdrawal, memoWord: string): SheetRow[] {
  return outputs.map(({ address_to: to, amount, label, memo }) => {
    const under = [...(label === null ? [] : [to]), ...(memo === null ? [] : [`${memoWord}: ${memo}`])]
    return { label: amountOf(amount, symbol), value: label ?? to, under }
  })
}

function approvalsOf({ approvals, approvers, policy_version: version, rule_id: rule }: Withdrawal, { words, timeIn }: Pen): SheetRow[] {
  const counted = approvals ? [{ label: words.approvals, value: words.needed(approvals.done, approvals.need, version, rule) }] : []
  const people = approvers.map(({ name, state, at, by }) => ({
    label: name,
    value: [words.decisions[state], ...(by === null ? [] : [words.inPlace(by)]), ...(at === null ? [] : [timeIn(at)])].join(', '),
  }))
  return [...counted, ...people]
}

/** How an order is verified: by its evidence, with fingerprints that the code has too. */
function orderProof({ intent_hash: order, txid, replaces }: Withdrawal, { words, fingerprint, evidence }: Pen): Sheet['proof'] {
  const held = { order, organisation: fingerprint, evidence: evidence?.digest, transaction: txid }
  return {
    title: words.proof,
    code: codeOf(held),
    rows: [
      { label: words.order, value: order },
      { label: words.organisation, value: fingerprint },
      evidence
        ? { label: words.evidence, value: evidence.fileName, under: [words.digest(evidence.digest)] }
        : { label: words.evidence, value: words.noEvidence },
    ],
    notes: [...(replaces == null ? [] : [words.aboutPayment]), `${words.verify} ${words.code}`],
  }
}

/** What the chain has needs no proof of ours: the code leads to it. */
function chainProof({ txid, network }: Receipted, { language, words, explorers: [explorer] }: Pen): Sheet['proof'] {
  const { columns } = EXPORT_WORDS[language]
  const code = explorer && txid !== null ? fillLink(explorer.tx_link, txid) : codeOf({ network, transaction: txid })
  return { title: words.proof, code, rows: txid === null ? [] : [{ label: columns.txid, value: txid }], notes: [words.depositProof] }
}

/** Names and values, in capitals where nothing is lost by them: that makes a code of few and large squares. */
function codeOf(held: Record<string, string | null | undefined>): string {
  const parts = Object.entries(held).flatMap(([name, value]) => (value ? [{ name, value }] : []))
  const text = ['holdfast', ...parts.map(({ name, value }) => `${name} ${value}`)].join(' ')
  return parts.every(({ value }) => /^(0x)?[0-9a-f]+$/.test(value)) ? text.toUpperCase() : text
}
