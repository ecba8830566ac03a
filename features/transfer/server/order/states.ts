/**
 * The states of an order, and its events. This table is complete: `moveOrder` writes nothing that is not here.
 *
 * approving -> approved -> signing -> broadcasting -> pending -> confirming -> completed, with the ends an order can take
 * on the way. Only a reorganisation of the chain takes an order out of a final state, and only if the chain had decided it.
 */
export const ORDER_STATES = [
  'approving',
  'approved',
  'signing',
  'alarmed',
  'broadcasting',
  'pending',
  'confirming',
  'completed',
  'rejected',
  'refused',
  'timed_out',
  'cancelled',
  'expired',
  'dropped',
  'replaced',
  'failed',
] as const
export type OrderState = (typeof ORDER_STATES)[number]

export const ORDER_EVENTS = [
  'approve',
  'reject',
  'cancel',
  'expire',
  'supersede',
  'time_out',
  'prepare',
  'refuse',
  'alarm',
  'resume',
  'sign',
  'accept',
  'lose',
  'include',
  'settle',
  'revert',
  'lose_slot',
  'replace',
  'void',
  'stand',
  'yield',
  'reorganise',
] as const
export type OrderEvent = (typeof ORDER_EVENTS)[number]

const TRANSITIONS: Record<OrderState, Partial<Record<OrderEvent, OrderState>>> = {
  // Waits for people.
  approving: { approve: 'approved', reject: 'rejected', cancel: 'cancelled', expire: 'expired', supersede: 'cancelled', yield: 'replaced' },
  // Has its quorum; waits for its slot on the chain and for two signers, and may have to wait first, so that people can still stop it.
  // No bytes have been shown to a signer yet.
  approved: { prepare: 'signing', reject: 'rejected', cancel: 'cancelled', supersede: 'cancelled', time_out: 'timed_out', yield: 'replaced' },
  // Holds a slot and its unsigned bytes are stored; from here a signature may exist.
  // If bytes end by themselves before any signer was told to begin, new ones are prepared.
  // The requester may take it back until its signers are told to begin.
  signing: {
    prepare: 'signing',
    cancel: 'cancelled',
    sign: 'broadcasting',
    refuse: 'refused',
    alarm: 'alarmed',
    supersede: 'cancelled',
    time_out: 'timed_out',
    lose_slot: 'dropped',
    yield: 'replaced',
  },
  // A signer caught another one cheating, or refused although a signature may exist: a person must look, unless the chain shows what
  // became of the order's slot: our own bytes, signed, or another transaction. It ends late only if no signature can exist.
  alarmed: { resume: 'signing', sign: 'broadcasting', lose_slot: 'dropped', supersede: 'cancelled', time_out: 'timed_out' },
  // Its signed bytes are stored and are sent, the same ones, until the chain has them.
  // Another transaction in its slot, which pays a higher fee, may be signed meanwhile; then that one is sent.
  // An order about another payment has its transaction among those of that payment, and ends with it, whether or not its own is in the block.
  broadcasting: { accept: 'pending', include: 'confirming', lose_slot: 'dropped', replace: 'broadcasting', stand: 'completed', yield: 'replaced' },
  // A node has it in its pool.
  pending: { lose: 'broadcasting', replace: 'broadcasting', include: 'confirming', lose_slot: 'dropped' },
  // `void`: the transaction that cancels it is final.
  confirming: { settle: 'completed', revert: 'failed', void: 'replaced', reorganise: 'broadcasting' },
  completed: { reorganise: 'broadcasting' },
  rejected: {},
  refused: {},
  timed_out: {},
  cancelled: {},
  expired: {},
  dropped: {},
  replaced: { reorganise: 'broadcasting' },
  failed: { reorganise: 'broadcasting' },
}

const FINAL: readonly OrderState[] = ['completed', 'rejected', 'refused', 'timed_out', 'cancelled', 'expired', 'dropped', 'replaced', 'failed']

/** The numbers and words by which the interface names a state, and the sub-status an event gives if it names none. */
const SHOWN: Record<OrderState, { status: number; subStatus: string }> = {
  approving: { status: 1000, subStatus: 'approving' },
  approved: { status: 1100, subStatus: 'waiting_co_signer' },
  signing: { status: 1100, subStatus: 'signing' },
  alarmed: { status: 1100, subStatus: 'co_signer_alarm' },
  broadcasting: { status: 1200, subStatus: 'broadcasting' },
  pending: { status: 1200, subStatus: 'mempool' },
  confirming: { status: 1200, subStatus: 'confirming' },
  completed: { status: 2000, subStatus: 'ok' },
  rejected: { status: 2100, subStatus: 'approver_rejected' },
  refused: { status: 2200, subStatus: 'co_signer_refused' },
  timed_out: { status: 2201, subStatus: 'signer_timeout' },
  cancelled: { status: 2202, subStatus: 'initiator_cancelled' },
  expired: { status: 2202, subStatus: 'approval_expired' },
  dropped: { status: 2300, subStatus: 'nonce_taken' },
  replaced: { status: 2300, subStatus: 'replaced' },
  failed: { status: 2400, subStatus: 'reverted' },
}

/** Sub-statuses that an event brings, other than the usual one of the state it leads to. */
const SUB_STATUS_OF_EVENT: Partial<Record<OrderEvent, string>> = {
  supersede: 'strategy_changed',
  reorganise: 'reorg_recheck',
  replace: 'replaced_by',
  void: 'cancelled_on_chain',
}

/** An event that cannot happen to an order in its present state. */
export class ImpossibleMove extends Error {
  override name = 'ImpossibleMove'
}

/** The state an event leads to. Throws ImpossibleMove. */
export function nextState(state: OrderState, event: OrderEvent): OrderState {
  const next = TRANSITIONS[state][event]
  if (next === undefined) throw new ImpossibleMove(`an order that is ${state} cannot ${event}`)
  return next
}

export function canMove(state: OrderState, event: OrderEvent): boolean {
  return TRANSITIONS[state][event] !== undefined
}

export function isFinal(state: OrderState): boolean {
  return FINAL.includes(state)
}

/** Whether an order is on its way to a block, so that its transaction can be replaced. */
export const isOnItsWay = ({ state }: { state: OrderState }): boolean => state === 'broadcasting' || state === 'pending'

/** The number of a state, such as 1000 for an order that waits for approval. */
export function statusOf(state: OrderState): number {
  return SHOWN[state].status
}

/** The sub-status an order gets when an event leads it to a state. */
export function subStatusOf(state: OrderState, event: OrderEvent | 'open'): string {
  return (event === 'open' ? undefined : SUB_STATUS_OF_EVENT[event]) ?? SHOWN[state].subStatus
}

/** The states a status number stands for. */
export function statesOfStatus(status: number): OrderState[] {
  return ORDER_STATES.filter((state) => SHOWN[state].status === status)
}

export type Posting = 'hold' | 'release' | 'settle' | 'charge_fee' | 'restore' | 'none'

/**
 * What a move means for the money held for the order: nothing while the order lives, release if it ends unpaid,
 * settlement if it is paid, the fee alone if the chain ran it without effect or cancelled it, and restoring the hold if the chain
 * reversed that.
 */
export function postingOf(from: OrderState, to: OrderState): Posting {
  const wasFinal = isFinal(from)
  if (wasFinal) return 'restore'
  if (!isFinal(to)) return 'none'
  if (to === 'completed') return 'settle'
  return to === 'failed' || (to === 'replaced' && from === 'confirming') ? 'charge_fee' : 'release'
}

export function asOrderState(text: string): OrderState {
  const state = ORDER_STATES.find((each) => each === text)
  if (!state) throw new Error(`unknown order state ${text}`)
  return state
}
