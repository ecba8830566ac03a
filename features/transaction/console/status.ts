import type { Tone } from '@holdfast/ui'
import type { TransactionKind } from '../contract.ts'

/** The states of an order, a deposit and an allowance spend that have words of their own. */
export const STATUSES = [1000, 1100, 1200, 2000, 2100, 2200, 2201, 2202, 2300, 2400] as const
export const DEPOSIT_STATUSES = [1000, 1100, 2000, 3000, 4000] as const
export const SPEND_STATUSES = [1100, 2000, 3000] as const

/** The finer states that have words of their own. */
export const SUB_STATUSES = [
  'approving',
  'waiting_co_signer',
  'waiting_third_signer',
  'waiting_freeze',
  'waiting_screening',
  'cooling',
  'signing',
  'co_signer_alarm',
  'broadcasting',
  'mempool',
  'confirming',
  'reorg_recheck',
  'approver_rejected',
  'co_signer_refused',
  'signer_timeout',
  'initiator_cancelled',
  'strategy_changed',
  'approval_expired',
  'nonce_taken',
  'bytes_expired',
  'replaced',
  'replaced_by',
  'dropped',
  'deposit_not_waiting',
  'replacement_failed',
  'speeding_up',
  'cancelled_on_chain',
  'sources_disagree',
  'books_broken',
  'comment_missing',
  'comment_unknown',
  'amount_too_large',
  'uneven_token',
  'not_booked',
  'never_there',
  'reverted',
  'broadcast_unknown',
  'build_failed',
  'needs_attention',
  'cheat_detected',
  'co_signer_fault',
  'co_signer_not_ready',
  'no_effect',
  'other_amount',
  'paid_partly',
  'node_unavailable',
  'queued_nonce',
  'waiting_resources',
  'signature_unclear',
  'slot_blocked',
  'unconfirmed',
  'unacknowledged',
  'reorged',
] as const

const TONES: Readonly<Record<number, Tone>> = {
  1000: 'warn',
  1100: 'active',
  1200: 'active',
  2000: 'good',
  2100: 'bad',
  2200: 'bad',
  2201: 'bad',
  2202: 'neutral',
  2300: 'bad',
  2400: 'bad',
}
const DEPOSIT_TONES: Readonly<Record<number, Tone>> = { 1000: 'active', 1100: 'active', 2000: 'good', 3000: 'bad', 4000: 'neutral' }
const SPEND_TONES: Readonly<Record<number, Tone>> = { 1100: 'warn', 2000: 'neutral', 3000: 'neutral' }

/** How each kind of transaction tells its states. */
const KINDS = {
  withdraw: { statuses: STATUSES, tones: TONES, words: 'transaction.status' },
  deposit: { statuses: DEPOSIT_STATUSES, tones: DEPOSIT_TONES, words: 'transaction.depositStatus' },
  pull: { statuses: SPEND_STATUSES, tones: SPEND_TONES, words: 'transaction.allowanceSpendStatus' },
} as const

/** Finer states that say more than their number: an alarm is bad although the order is not over. */
const SUB_STATUS_TONES: Readonly<Record<string, Tone>> = {
  co_signer_alarm: 'bad',
  cheat_detected: 'bad',
  signature_unclear: 'bad',
  slot_blocked: 'bad',
  sources_disagree: 'bad',
  books_broken: 'bad',
  needs_attention: 'bad',
  build_failed: 'warn',
  comment_missing: 'warn',
  comment_unknown: 'warn',
  amount_too_large: 'warn',
  uneven_token: 'warn',
  not_booked: 'bad',
  never_there: 'bad',
  reorg_recheck: 'warn',
  unacknowledged: 'bad',
  cancelled_on_chain: 'neutral',
  replacement_failed: 'warn',
  other_amount: 'warn',
}

type Row = { type: TransactionKind; status: number; sub_status: string }

/** What a state means to people. An unknown state is neutral: nothing is promised about it. */
export function toneOf({ type, status, sub_status: subStatus }: Row): Tone {
  return SUB_STATUS_TONES[subStatus] ?? KINDS[type].tones[status] ?? 'neutral'
}

/** The translation key of a state's name, or undefined if it has no words. */
export function statusKey({ type, status, sub_status: subStatus }: Pick<Row, 'type' | 'status'> & Partial<Row>): string | undefined {
  // No chain has seen what no block has.
  if (type === 'deposit' && subStatus === 'mempool') return 'transaction.subStatus.mempool'
  // It is signed only after it has waited, and can be stopped meanwhile.
  if (type === 'withdraw' && subStatus === 'cooling') return 'transaction.status.cooling'
  const { words } = KINDS[type]
  return statusesOf(type).includes(status) ? `${words}.${status}` : undefined
}

/** The states that a kind of transaction can be in. */
export function statusesOf(type: TransactionKind): readonly number[] {
  return KINDS[type].statuses
}

/** The translation key of a finer state, or undefined if the state itself says it all. */
export function subStatusKey(subStatus: string): string | undefined {
  return SUB_STATUSES.some((each) => each === subStatus) ? `transaction.subStatus.${subStatus}` : undefined
}

/** Sub-statuses of an order that has its quorum and that no signer has begun with. */
const UNBEGUN: readonly string[] = ['build_failed', 'waiting_co_signer', 'waiting_screening', 'queued_nonce', 'waiting_resources', 'node_unavailable']

/** Whether people can still take the order back. The server, which knows what its signers were told, may refuse it later. */
export function canCancel({ type, status, sub_status, can_take_back: known }: Row & { can_take_back?: boolean }): boolean {
  return type === 'withdraw' && (known ?? (status === 1000 || (status === 1100 && UNBEGUN.includes(sub_status))))
}

/** Whether a payment waits for a block, so that it may be sped up there. Orders about another payment are not, nor is what consists of several transactions. */
export function canSpeedUp({ type, status, sub_status, purpose, inscribes }: Row & Pick<Form, 'purpose' | 'inscribes'>): boolean {
  return type === 'withdraw' && status === 1200 && !['confirming', 'waiting_carrier'].includes(sub_status) && (purpose ?? 'pay') === 'pay' && !inscribes
}

/** Whether it may be cancelled there too. What speeds a deposit up pays nobody, so there is nothing to cancel. */
export function canCancelOnChain(row: Row & Pick<Form, 'purpose' | 'lifts' | 'inscribes'>): boolean {
  return canSpeedUp(row) && row.lifts === undefined
}

/** Whether a deposit waits for a block on a chain of coins, so a child may speed it up: only there a deposit is known before its block. */
export function canCpfp({ type, sub_status }: Pick<Row, 'type' | 'sub_status'>): boolean {
  return type === 'deposit' && sub_status === 'mempool'
}

/** Whether a deposit stands in no block: it waits for one, or never came. */
export function isOutsideBlocks({ type, sub_status }: Pick<Row, 'type' | 'sub_status'>): boolean {
  return type === 'deposit' && ['mempool', 'replaced', 'dropped'].includes(sub_status)
}

/** Whether an order ended without paying, so that the same can be asked for once more: a payment to one, which is all that the form for payments has. */
export function canOrderAgain({ type, status, call, stake, recipients, purpose, lifts }: Pick<Row, 'type' | 'status'> & Form): boolean {
  return type === 'withdraw' && !call && !stake && recipients === undefined && lifts === undefined && (purpose ?? 'pay') === 'pay' && status >= 2100
}

type Form = {
  call?: object | null
  stake?: object | undefined
  recipients?: number | undefined
  purpose?: string | undefined
  lifts?: string | undefined
  inscribes?: true | undefined
}

/** Whether an order stands still until a person has looked and lets it go on: its last step was an alarm. */
export function isAlarmed({ timeline }: { timeline: readonly { state: string }[] }): boolean {
  return timeline.at(-1)?.state === 'alarmed'
}

const HELD: readonly string[] = ['comment_missing', 'comment_unknown', 'amount_too_large', 'uneven_token']
const AHEAD = ['quorum', 'signing', 'network', 'finality'] as const

/** The steps that are still to come, in order. None if it is over. */
export function stepsAhead({ type, status, sub_status: subStatus }: Row): (typeof AHEAD)[number][] {
  if (type === 'deposit' && subStatus === 'mempool') return ['network', 'finality']
  // What is held waits for people and for no block.
  if (type !== 'withdraw') return status < 2000 && !HELD.includes(subStatus) ? ['finality'] : []
  if (status === 1000) return [...AHEAD]
  if (status === 1100) return ['signing', 'network', 'finality']
  if (status !== 1200) return []
  return subStatus === 'confirming' ? ['finality'] : ['network', 'finality']
}

const STEP_TONES: Readonly<Record<string, Tone>> = {
  completed: 'good',
  credited: 'good',
  booked: 'bad',
  acknowledged: 'good',
  claim_confirmed: 'good',
  claim_refused: 'bad',
  claim_withdrawn: 'neutral',
  claim_kept: 'neutral',
  approved: 'good',
  rejected: 'bad',
  refused: 'bad',
  timed_out: 'bad',
  dropped: 'bad',
  replaced: 'neutral',
  failed: 'bad',
  alarmed: 'bad',
  reversed: 'bad',
  cancelled: 'neutral',
  expired: 'neutral',
}

/** Sub-statuses that a story tells as steps of their own: something happened, and the order is where it was. */
const EVENT_TONES: Readonly<Record<string, Tone>> = {
  queued_nonce: 'neutral',
  waiting_resources: 'neutral',
  strategy_changed: 'neutral',
  broadcast_unknown: 'warn',
  build_failed: 'warn',
  co_signer_fault: 'warn',
  co_signer_not_ready: 'warn',
  node_unavailable: 'warn',
  reorg_recheck: 'warn',
  speeding_up: 'neutral',
  replaced_by: 'neutral',
  replacement_failed: 'warn',
  cheat_detected: 'bad',
  no_effect: 'bad',
  other_amount: 'warn',
  paid_partly: 'bad',
  signature_unclear: 'bad',
  slot_blocked: 'bad',
  sources_disagree: 'bad',
  books_broken: 'bad',
  needs_attention: 'bad',
}

/** What a step of a timeline is called, and what it means. An approval is told while the order is still pending, so it is not the order's state. */
export function storyStep({ state, sub_status: subStatus }: { state: string; sub_status: string }): { key: string; tone: Tone } {
  if (state === 'approving' && subStatus === 'approved') return { key: 'transaction.step.approve', tone: 'good' }
  if (state === 'approving' && subStatus === 'rejected') return { key: 'transaction.step.reject', tone: 'bad' }
  const tone = EVENT_TONES[subStatus]
  if (tone) return { key: `transaction.subStatus.${subStatus}`, tone }
  return { key: `transaction.step.${state}`, tone: STEP_TONES[state] ?? 'active' }
}

type Event = { state: string; sub_status: string; reason: string | null }

/** The events of a timeline without those that only say again where the order stands: the same step as the one before, by nobody's decision and for no reason. */
export function toldOnce<E extends Event>(timeline: readonly E[]): E[] {
  return timeline.filter((event, i) => {
    const before = timeline[i - 1]
    const isSame = before !== undefined && before.state === event.state && storyStep(before).key === storyStep(event).key
    return !isSame || event.state === 'approving' || (event.reason !== null && event.reason !== '')
  })
}

/** Whether a no of this person at the approval page still stops an order that has its approvals. */
export const canStop = ({ stoppable, approvers }: Stoppable, personId: string | undefined): boolean =>
  stoppable !== null && approvers.some(({ person_id: id, state }) => id === personId && state !== 'rejected')

type Stoppable = { stoppable: object | null; approvers: readonly { person_id: string; state: string }[] }
