import { equalBytes, toHex } from '@holdfast/encoding'
import { followedStandingOrders } from '@holdfast/features/policy/server'
import { ENDS_DELEGATION, originalOf, type SpendingIntent, stakeTitle } from '@holdfast/intent'
import { asksUnsigned, eligibleIn, evaluateOrder, fillSteps, findSpeaker, neededIn, type Policy, ruleName, type Step } from '@holdfast/policy'
import { at, bytesToUuid, formatAmount, isUuid, known, uuidToBytes } from '@holdfast/units'
import { moneyFields } from './money-fields.ts'
import { approvalsOf } from './read-rows.ts'
import {
  NEEDS_ATTENTION,
  keptObstacle,
  purposeOf,
  obstacleText,
  intentOf,
  type OrderRow,
  asOrderState,
  isFinal,
  statusOf,
} from '@holdfast/features/transfer/server'
import type { ViewContext } from './view-context.ts'
import { approveText, confirmingText, coolingText, waitText } from './words.ts'

/** Who may approve an order, who has spoken, and how many are needed: by the policy it was made under. People, and machines where they stand. */
export type Quorum = {
  ruleId: string
  ruleName: string
  /** The name of the standing order that asked for it; null where a person or a machine did. */
  standingOrder: string | null
  /** How many people all steps need, and how many of those are missing. */
  threshold: number
  missing: number
  /** How many steps there are, and which is the first that is not filled, or the last one. */
  steps: number
  step: number
  /** Everybody who counts: in a step, or by a no; and those who stand in a step. */
  eligible: string[]
  people: string[]
  /** Who approved and counts in a step, and who could still fill a place that is open. */
  approved: string[]
  waiting: string[]
  /** What each said, and for whom, where that is another: whose seat it fills. */
  approvals: { personId: string; decision: 'approve' | 'reject'; atMs: number; forId: string | null }[]
}

/** What a standing order asks for, or pays lines of a batch, needs nobody: people approved the standing order, or the batch. */
const NOBODY_ASKED: Omit<Quorum, 'ruleId' | 'standingOrder'> = {
  ruleName: '',
  threshold: 0,
  missing: 0,
  steps: 0,
  step: 0,
  eligible: [],
  people: [],
  approved: [],
  waiting: [],
  approvals: [],
}

/** The quorums of some orders, by order. `stored` are all decisions stored for each. */
export async function quorumsOf(
  view: ViewContext,
  rows: readonly OrderRow[],
  stored = approvalsOf(
    view.tx,
    rows.map(({ id }) => id),
  ),
): Promise<Map<string, Quorum>> {
  // Each is remembered, so that the orders below find theirs.
  const versions = [...new Set(rows.map((row) => row.policy_version))].map((version) => view.policy(version))
  const [all] = await Promise.all([stored, ...versions])
  const approvals = Map.groupBy(all, (each) => toHex(each.intent_hash))
  // Asked for only where one of them was: most lists have none.
  const standing = rows.some((row) => row.standing_order_id !== null) ? await followedStandingOrders(view.tx) : []
  const quorums = new Map<string, Quorum>()
  for (const row of rows) {
    if (row.standing_order_id !== null) {
      const asked = standing.find(({ intent }) => bytesToUuid(intent.id) === row.standing_order_id)
      quorums.set(row.id, { ...NOBODY_ASKED, ruleId: row.rule_id ?? '', standingOrder: asked?.intent.name ?? view.personName(row.initiator) })
      continue
    }
    if (row.batch_id !== null) {
      quorums.set(row.id, { ...NOBODY_ASKED, ruleId: row.rule_id ?? '', standingOrder: null })
      continue
    }
    const policy = await view.policy(row.policy_version)
    view.nameMachines(policy)
    quorums.set(row.id, progressOf(neededFor(policy, row), approvals.get(toHex(row.intent_hash)) ?? []))
  }
  return quorums
}

type Needed = { ruleId: string; ruleName: string; steps: readonly Step[]; people: string[]; eligible: string[] }

/** What policies were found to ask for orders. Neither the intent of an order nor a version of a policy ever changes. */
const found = new WeakMap<SpendingIntent, { policy: Policy; ruleId: string | null; needed: Needed }>()

/**
 * What the policy asks for an order, and the ids of those who count in a step and who count at all. A machine that asks signs that it does: where that fills no
 * step of the rule, it is one of its own before them.
 */
function neededFor(policy: Policy, row: OrderRow): Needed {
  const [intent, ruleId] = [intentOf(row), row.rule_id]
  const before = found.get(intent)
  if (before?.policy === policy && before.ruleId === ruleId) return before.needed
  const needs = [ruleId, null].map((by) => evaluateOrder(policy, intent, { judged: 'then', by })).find(({ kind }) => kind === 'needs')
  if (needs?.kind !== 'needs') throw new Error(`order ${row.id} stands under a policy that denies it`)
  const asker = findSpeaker(policy, intent.initiator)
  const isBeside = asker?.isMachine && !asksUnsigned(policy, asker.id) && !eligibleIn(needs.steps).some((id) => equalBytes(id, asker.id))
  const own = isBeside ? [asker.id] : []
  const steps = [...own.map((id) => ({ need: 1, eligible: [id] })), ...needs.steps]
  const needed = {
    ruleId: needs.rule.id,
    ruleName: ruleName(needs.rule),
    steps,
    people: eligibleIn(steps).map(bytesToUuid),
    eligible: [...own, ...needs.mayStop].map(bytesToUuid),
  }
  found.set(intent, { policy, ruleId, needed })
  return needed
}

type Stored = Awaited<ReturnType<typeof approvalsOf>>[number]

/** How far orders were found to be. What is needed of an order and what was said of it are all that this depends on. */
const progressed = new WeakMap<Needed, { said: string; quorum: Quorum }>()

function progressOf(needed: Needed, stored: readonly Stored[]): Quorum {
  const said = stored.map(({ person_id: id, for_person: seat, decision, created_at: at }) => `${id} ${seat} ${decision} ${at}`).join()
  const before = progressed.get(needed)
  if (before?.said === said) return before.quorum
  const quorum = countProgress(needed, stored)
  progressed.set(needed, { said, quorum })
  return quorum
}

function countProgress({ ruleId, ruleName: name, steps, people, eligible }: Needed, stored: readonly Stored[]): Quorum {
  const yes = stored.filter(({ decision }) => decision === 'approve')
  const seats = [...new Set(yes.map(seatOf))]
  const approved = seats.map(uuidToBytes)
  const { filled, missing } = fillSteps(steps, approved)
  // Who spoke for another has spoken: their own seat stays empty.
  const spoken = stored.flatMap((each) => [each.person_id, seatOf(each)])
  const isNeeded = (id: string) => !spoken.includes(id) && fillSteps(steps, [...approved, uuidToBytes(id)]).missing < missing
  const open = steps.findIndex(({ need }, i) => at(filled, i).length < need)
  return {
    ruleName: name,
    ruleId,
    standingOrder: null,
    threshold: neededIn(steps),
    missing,
    steps: steps.length,
    step: open < 0 ? steps.length - 1 : open,
    eligible,
    people,
    approved: seats.filter((id) => people.includes(id)),
    waiting: missing === 0 ? [] : people.filter(isNeeded),
    approvals: stored.map(({ person_id: personId, for_person: forId = null, decision, created_at: at }) => ({ personId, forId, decision, atMs: Number(at) })),
  }
}

const seatOf = ({ person_id: id, for_person: seat }: Stored): string => seat ?? id

export async function quorumOf(view: ViewContext, row: OrderRow): Promise<Quorum> {
  return known((await quorumsOf(view, [row])).get(row.id), `the quorum of order ${row.id}`)
}

/**
 * A withdrawal as lists show it. An order about a payment pays nobody itself, whatever it says of that payment: it has no amount, no recipient and no
 * memo. What a cancellation cost is told with it (`cost`, base units of the network's own coin) and not with the payment that was cancelled.
 */
export function orderView(view: ViewContext, row: OrderRow, quorum: Quorum, cost?: bigint) {
  const state = asOrderState(row.state)
  const coin = view.networks.find(row.chain)?.assets.find((each) => each.contract === null)
  const fee = (value: bigint) => formatAmount(value, coin?.decimals ?? 0)
  const confirmations = confirmationsOf(view, row.chain, row.block_height)
  const isAbout = row.replaces !== null
  const paid = state === 'replaced' ? null : isAbout ? (cost ?? null) : row.fee_paid
  return {
    ...moneyFields(view, isAbout ? { ...row, amount: 0n } : row),
    id: row.id,
    type: 'withdraw' as const,
    symbol: row.symbol,
    address_from: row.address_from,
    address_to: isAbout ? row.address_from : row.address_to,
    memo: isAbout ? null : row.memo,
    ...(isAbout ? aboutOf(view, row) : partOf(row, view.language)),
    txid: row.txid,
    fee: fee(row.fee_cap),
    real_fee: paid === null ? null : fee(paid),
    status: statusOf(state),
    sub_status: row.sub_status ?? '',
    next_action: nextActionOf(view, row, quorum, confirmations),
    confirmations: confirmations.done,
    need_confirmations: confirmations.need,
    tx_height: row.block_height === null ? null : String(row.block_height),
    // What a standing order makes, people approved in the console.
    source: row.standing_order_id === null && !view.isPerson(row.initiator) ? ('api' as const) : ('web' as const),
    initiator: { person_id: row.initiator, name: quorum.standingOrder ?? view.personName(row.initiator) },
    approvals: { done: quorum.threshold - quorum.missing, need: quorum.threshold },
    remark: row.remark,
    purpose: purposeOf(row),
    replaces: row.replaces,
    created_at: Number(row.created_at),
    updated_at: Number(row.updated_at),
  }
}

/** The payment that an order is about, for people to know which. */
function aboutOf(view: ViewContext, row: OrderRow): Part & { about: { amount: string; address_to: string; recipients?: number } } {
  const { recipients } = partOf(row, view.language)
  const { amount } = moneyFields(view, row)
  return { call: null, about: { amount, address_to: row.address_to, ...(recipients !== undefined && { recipients }) } }
}

const LOCALE = { en_US: 'en-US', zh_CN: 'zh-CN' } as const

type Part = { call: { method: string | null } | null; stake?: { action: string; title: string }; recipients?: number; lifts?: string; inscribes?: true }

/** What an order says beyond a payment to one, as it was approved: the function it calls, what it is about of stake, or how many it pays. */
function partOf(row: OrderRow, language: ViewContext['language']): Part {
  const intent = originalOf(intentOf(row))
  switch (intent.kind) {
    case 'contractCall':
      return { call: { method: intent.signature } }
    case 'stake':
      return { call: null, stake: { action: intent.action, title: stakeTitle(intent, LOCALE[language]) } }
    case 'depositChild':
      return { call: null, lifts: intent.deposit }
    case 'payout':
    case 'notedPayout':
      return { call: null, recipients: intent.outputs.length }
    case 'brc20Inscribe':
      return { call: null, inscribes: true }
    case 'authorization':
      return { call: null, stake: { action: intent.to === ENDS_DELEGATION ? 'endAuthorization' : 'authorize', title: `EIP-7702: ${intent.to}` } }
    case 'transfer':
    case 'brc20Transfer':
    case 'brc20Batch':
      return { call: null }
  }
}

/** Blocks on top of the one that holds a transaction, up to the number that makes it final. */
export function confirmationsOf({ heights, networks }: ViewContext, chain: string, height: bigint | null): { done: number; need: number } {
  const need = networks.find(chain)?.finalityBlocks ?? 0
  return { done: height === null ? 0 : heights.above(chain, height, need), need }
}

function nextActionOf(view: ViewContext, row: OrderRow, quorum: Quorum, { done, need }: { done: number; need: number }) {
  const state = asOrderState(row.state)
  const attention = row.sub_status === NEEDS_ATTENTION ? `${obstacleIn(view, row)}${waitText(NEEDS_ATTENTION, view.language)}` : ''
  if (isFinal(state)) return { action: 'none' as const, who: [], text: attention }
  if (state === 'approving') {
    const { missing } = quorum
    const who = quorum.waiting.map((id) => ({ person_id: id, name: view.personName(id) }))
    return {
      action: 'approve' as const,
      who,
      text: approveText(
        missing,
        who.map((each) => each.name),
        view.language,
      ),
    }
  }
  const isConfirming = state === 'confirming' && row.sub_status !== NEEDS_ATTENTION
  const waiting = () =>
    row.sub_status === 'cooling' && row.signable_at !== null ? coolingText(row.signable_at, view.language) : waitText(row.sub_status ?? '', view.language)
  const text = isConfirming ? confirmingText(done, need, view.language) : waiting()
  return { action: 'wait' as const, who: [], text: `${obstacleIn(view, row)}${text}` }
}

/** The true reason comes first; what happens next is the same for all of them. */
function obstacleIn({ networks, language }: ViewContext, row: OrderRow): string {
  const obstacle = keptObstacle(row)
  const coin = networks.find(row.chain)?.assets.find((each) => each.contract === null)
  return obstacle && coin ? `${obstacleText(obstacle, coin, language)}${language === 'en_US' ? ' ' : ''}` : ''
}

/** The name of who made a step: a member's name, or server, chain, signer as it is written. */
export function actorName(view: ViewContext, actor: string): string {
  return isUuid(actor) ? view.personName(actor) : actor
}
