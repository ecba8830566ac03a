import type { Language, OutputOf } from '@holdfast/contract'
import type { Sheet } from '@holdfast/pdf'
import { assetName, known } from '@holdfast/units'
import type { getDeposit, getAllowanceSpend, getWithdrawal } from '../../contract.ts'
import { momentOf } from '../../moment-of.ts'
import enUs from '../../locales/en-US.json' with { type: 'json' }
import zhCn from '../../locales/zh-CN.json' with { type: 'json' }
import { cellsOf, clockOf } from './export-transactions.ts'
import { EXPORT_COLUMNS, EXPORT_WORDS, type ExportColumn } from './export-words.ts'
import { kindIn } from './kind-words.ts'
import { RECEIPT_WORDS } from './receipt-words.ts'

export type Receipted = OutputOf<typeof getWithdrawal> | OutputOf<typeof getDeposit> | OutputOf<typeof getAllowanceSpend>

type About = {
  language: Language
  tz: string
  organisation: string
  /** Who asked for the receipt. */
  person: string
  fingerprint: string
  /** The stored evidence: the name it is downloaded under and its SHA-256. Null if nothing was signed. */
  evidence: { fileName: string; digest: string } | null
  nowMs: number
}

const STORY: Record<Language, { step: Record<string, string>; subStatus: Record<string, string>; actor: Record<string, string> }> = {
  en_US: enUs.transaction,
  zh_CN: zhCn.transaction,
}
const COMPLETED = 2000
/** Said elsewhere on the sheet, or for machines only. */
const SAID: readonly ExportColumn[] = ['type', 'status', 'statusNumber', 'subStatus', 'approvals', 'approvers']

/** Everything that is known of one transaction, for people to keep: facts, approvals, story, and where its proof is. */
export function receiptSheet(row: Receipted, about: About): Sheet {
  const { language, organisation, person, nowMs } = about
  const words = RECEIPT_WORDS[language]
  const { columns, statuses } = EXPORT_WORDS[language]
  const clock = clockOf(about.tz)
  // A moment that stands alone has its zone: a sheet travels further than the clock it was written by.
  const timeIn = (ms: number) => `${clock(ms)} ${about.tz}`
  const withdrawal = 'approvers' in row ? row : undefined
  const approved = (withdrawal?.approvers ?? []).filter((each) => each.state === 'approved').map((each) => each.name)
  const cells = cellsOf(language, { ...row, approved_by: approved }, clock)
  const isAbout = row.replaces != null
  const isPayment = !row.stake && !row.call && row.lifts === undefined && !isAbout
  const end = row.status === COMPLETED ? 'done' : 'open'
  // What nobody was paid has no sign, and what it would have been worth is no worth of a payment.
  const sign = row.stake || row.lifts !== undefined || end === 'open' ? '' : row.type === 'deposit' ? '+' : '-'
  const worth = end === 'done' || row.status < COMPLETED ? row.worth : null
  const facts = EXPORT_COLUMNS.filter((column) => !SAID.includes(column) && cells[column] !== '')
  return {
    language: language.replace('_', '-'),
    // A sheet about a payment is no receipt of one.
    title: isAbout ? kindIn(language, row) : isPayment ? words.titles[row.type][end] : words.otherTitles[end](kindIn(language, row)),
    lead: [
      isAbout ? words.paysNobody : `${sign}${row.amount} ${assetName(row.symbol, row.token_id)}`,
      words.asOf(statuses[row.type][row.status] ?? String(row.status), timeIn(row.updated_at)),
      ...(worth?.at_time == null ? [] : [words.worth(`${worth.at_time} ${worth.currency}`, momentOf(row))]),
    ],
    sections: [
      { title: words.facts, rows: facts.map((column) => ({ label: columns[column].replace('{zone}', about.tz), value: cells[column] })) },
      ...(withdrawal && withdrawal.outputs.length > 0 ? [recipientsSection(withdrawal, words.recipients)] : []),
      ...(withdrawal ? [approvalSection(withdrawal, language, timeIn)] : []),
      { title: `${words.timeline} (${about.tz})`, rows: row.timeline.map((event) => ({ label: clock(event.at), value: eventText(event, language) })) },
      ...(withdrawal ? [proofSection(withdrawal, about)] : []),
    ],
    notes: [...(isAbout ? [words.aboutPayment] : []), withdrawal ? words.verify : words.depositProof],
    foot: words.foot(organisation, timeIn(nowMs), person),
    madeAtMs: nowMs,
  }
}

function recipientsSection({ outputs, symbol }: OutputOf<typeof getWithdrawal>, title: string) {
  return { title, rows: outputs.map(({ address_to: to, amount, label }) => ({ label: label ?? to, value: `${amount} ${symbol} → ${to}` })) }
}

function approvalSection(
  { approvals, approvers, policy_version: version, rule_id: rule }: OutputOf<typeof getWithdrawal>,
  language: Language,
  timeIn: (ms: number) => string,
) {
  const words = RECEIPT_WORDS[language]
  const counted = approvals ? [{ label: words.approvals, value: words.needed(approvals.done, approvals.need, version, rule) }] : []
  const people = approvers.map(({ name, state, at }) => ({ label: name, value: [words.decisions[state], ...(at === null ? [] : [timeIn(at)])].join(', ') }))
  return { title: words.approvals, rows: [...counted, ...people] }
}

function eventText({ state, sub_status: subStatus, actor, reason }: Receipted['timeline'][number], language: Language): string {
  const { step, subStatus: finer, actor: actors } = STORY[language]
  const isApproval = state === 'approving' && (subStatus === 'approved' || subStatus === 'rejected')
  const name = isApproval ? step[subStatus === 'approved' ? 'approve' : 'rejected'] : step[state]
  const detail = isApproval ? undefined : finer[subStatus]
  return [name ?? state, ...(detail ? [detail] : []), actorText(actor, actors), ...(reason ? [reason] : [])].join(' · ')
}

/** Who made a step: a person by name, or the server, the network, the signers in the reader's language. */
function actorText(actor: string, words: Record<string, string>): string {
  const numbers = /^signers ([\d, ]+)$/.exec(actor)?.[1]
  return numbers ? known(words.signersNumbered, 'the words for signers by their numbers').replace('{{numbers}}', numbers) : (words[actor] ?? actor)
}

function proofSection({ intent_hash: order }: OutputOf<typeof getWithdrawal>, { language, fingerprint, evidence }: About) {
  const words = RECEIPT_WORDS[language]
  const stored = evidence
    ? [
        { label: words.evidence, value: evidence.fileName },
        { label: words.digest, value: evidence.digest },
      ]
    : [{ label: words.evidence, value: words.noEvidence }]
  return { title: words.proof, rows: [{ label: words.order, value: order }, { label: words.organisation, value: fingerprint }, ...stored] }
}
