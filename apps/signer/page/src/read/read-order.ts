import { slotOf } from '@holdfast/chain-core'
import { decode, EncodingFault, equalBytes, fromHex } from '@holdfast/encoding'
import {
  type Delegation,
  delegationShape,
  type Intent,
  intentHash,
  intentShape,
  isSpending,
  judgedAs,
  type MachineSignature,
  movesMoney,
  originalOf,
  faultOf,
  type Refusal,
  readSpoken,
  type Vote,
} from '@holdfast/intent'
import {
  ApprovalRefused,
  checkApproval,
  checkDelegation,
  checkMachineSignature,
  checkPolicy,
  countApprovals,
  decidersOf,
  DelegationRefused,
  describesPinnedAssets,
  eligibleIn,
  evaluateOrder,
  neededIn,
  outcomesOfOrder,
  findMachine,
  findPerson,
  findSpeaker,
  type Genesis,
  genesisHash,
  genesisShape,
  type Person,
  type Policy,
  policyHash,
  policyShape,
  oneStep,
  type PartName,
  quorumsOfChange,
  readScreenings,
  type Rule,
  screeningAsked,
  type Screening,
  type Step,
  stoppersOf,
  type Tally,
  waitOfChange,
} from '@holdfast/policy'
import { at } from '@holdfast/units'
import { PageError } from '../page-error.ts'
import { type Kept, readKept } from './read-kept.ts'
import type { Around, Book, Closes, Facts, KeptReply, OrderReply } from './signer-api.ts'
import type { RefusalCode } from '../words/refusals.ts'

/** Steps of people who must approve. `directory` is the policy version that names them and their keys. */
export type Quorum = {
  name: 'order' | 'newGovernors' | PartName
  directory: Policy
  /** The rule that the server names for an order to pay, and those that may decide as well: signers count their limits themselves. */
  rule: Rule | null
  others: { rule: Rule; needed: number }[]
  steps: readonly Step[]
  /** How long signers wait once all steps are met. */
  delayMs: bigint
  /** What the rule demands of screeners before it is signed, and what each said last. */
  screenings: Screened[]
  /** Everybody who counts: in a step, or whose no is enough. */
  eligible: Person[]
  tally: Tally
}

/** A screener by its name, what a rule demands that it says, how young, and what it said last of this order; null where it said nothing. */
export type Screened = { screener: string; levels: readonly string[]; withinMs: bigint; said: Screening | null }

/** That somebody may decide for another, by what that person signed. */
export type Deputy = { delegate: Person; delegator: Person; delegation: Delegation }

export type Order = {
  hash: Uint8Array
  intent: Intent
  /** The document from which the organisation began. */
  genesis: Genesis
  policy: Policy
  /** Empty if the policy denies the order. */
  quorums: Quorum[]
  deniedBecause: string | null
  /** Who may decide it for whom, and everything that people said of it and that counts. */
  deputies: Deputy[]
  votes: Vote[]
  /** What a change of the policy would put into force; null for an order to pay. */
  next: Policy | null
  /** Why approvals that came along do not count. */
  ignored: Refusal[]
  /** The server's word, shown as such. */
  state: string
  facts: Facts | null
  closes: Closes | null
  around: Around | null
  /**
   * How long each signer waits before it follows a change that loosens the policy, and the signer that serves the page until when; null for any other order.
   */
  wait: { ms: bigint; untilMs: number | null } | null
  /** When the signer that serves the page saw that the steps of the rule are met, of an order that waits after that; null before, and for any other. */
  quorumSeenMs: number | null
  /** Of the signer that serves the page. */
  book: Book | null
  /** The version of a standing order that this one would take the place of, as the signer that serves the page follows it. */
  replaces: Kept | null
  /** The coin, by transaction and output, that an order about a payment names by its digest: compared with it here. */
  coin: string | null
}

/**
 * Reads an order from its bytes and believes nothing else: the intent must have the hash of the link, founding document and policy
 * the hashes the intent names, each approval must verify. Throws PageError if the order must not be shown at all.
 */
export function readOrder(hashHex: string, reply: OrderReply, origin: string): Order {
  const hash = fromHex(hashHex)
  const intent = decodeOr('unreadable', () => decode(intentShape, fromHex(reply.intent)))
  if (!equalBytes(intentHash(intent), hash)) throw new PageError('otherOrder')
  const payment = isSpending(intent) ? decodeOr('unreadable', () => originalOf(intent)) : undefined
  const fault = intent.kind === 'batch' ? faultOf(intent) : payment && faultOf(payment)
  if (fault !== undefined) throw new PageError('unreadable', fault)
  const genesis = decodeOr('badDocument', () => decode(genesisShape, fromHex(reply.genesis)))
  if (!equalBytes(genesisHash(genesis), intent.genesis)) throw new PageError('badDocument')
  const policy = decodeOr('unreadable', () => decode(policyShape, fromHex(reply.policy)))
  if (!equalBytes(policyHash(policy), intent.policyHash) || policy.version !== intent.policyVersion) throw new PageError('otherPolicy')
  const next = intent.kind === 'policyChange' ? decodeOr('unreadable', () => decodeNext(intent.newPolicy)) : null
  if (!policy.origins.some((each) => each.origin === origin)) throw new PageError('otherOrigin', origin)
  const { valid, machines, screenings, ignored } = sortApprovals(reply.approvals, intent, [policy, ...(next ? [next] : [])])
  const asked = askedOf(intent, policy, next, { rule: reply.rule, screenings })
  const quorums = asked.quorums.map((each) => countQuorum(each, intent, policy, { valid, machines }))
  return {
    hash,
    intent,
    genesis,
    policy,
    next,
    quorums,
    deniedBecause: asked.deniedBecause,
    deputies: reply.delegations.flatMap((each) => readDeputy(each, intent, policy) ?? []),
    votes: valid.map(({ approval }) => approval),
    ignored,
    state: reply.state,
    facts: reply.facts,
    closes: reply.closes,
    around: reply.around,
    wait: next && waitOfChange(policy, next) > 0n ? { ms: waitOfChange(policy, next), untilMs: reply.waitsUntil } : null,
    quorumSeenMs: reply.quorumSeenMs,
    book: reply.book,
    replaces: replacedBy(intent, reply.kept),
    coin: intent.kind === 'replacement' && reply.coin !== null && slotOf(reply.coin) === intent.slot ? reply.coin : null,
  }
}

function decodeOr<T>(code: 'unreadable' | 'badDocument', read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw new PageError(code, '', { cause })
  }
}

function decodeNext(bytes: Uint8Array): Policy {
  const next = decode(policyShape, bytes)
  checkPolicy(next)
  return next
}

function replacedBy(intent: Intent, reply: KeptReply | null): Kept | null {
  if (intent.kind !== 'standingOrder' || reply === null) return null
  const kept = readKept(reply, intent.genesis)
  return equalBytes(kept.order.id, intent.id) && kept.order.version < intent.version ? kept : null
}

/** Who may decide an order for whom by a statement; undefined where it gives nobody a word in it: signers look at the same. */
function readDeputy(hex: string, intent: Intent, policy: Policy): Deputy | undefined {
  if (!movesMoney(intent)) return undefined
  try {
    const delegation = decode(delegationShape, fromHex(hex))
    const people = checkDelegation(delegation, policy, intent.genesis)
    return Object.values(people).some(({ id }) => equalBytes(id, intent.initiator)) ? undefined : { ...people, delegation }
  } catch (cause) {
    if (cause instanceof DelegationRefused || cause instanceof EncodingFault) return undefined
    throw cause
  }
}

const UNREADABLE = { code: 'page-unreadable' } satisfies { code: RefusalCode }

type Valid = { approval: Vote; directories: Policy[] }
type Spoken = { valid: Valid[]; machines: MachineSignature[] }
type Sorted = Spoken & { screenings: Screening[]; ignored: Refusal[] }

function sortApprovals(encoded: readonly string[], intent: Intent, directories: readonly [Policy, ...Policy[]]): Sorted {
  const valid: Valid[] = []
  const machines: MachineSignature[] = []
  const screenings: Screening[] = []
  const ignored: Refusal[] = []
  const about = { genesis: intent.genesis, intentHash: intentHash(intent) }
  for (const hex of encoded) {
    try {
      const spoken = readSpoken([fromHex(hex)])
      const [machine] = spoken.machines
      if (machine) {
        checkMachineSignature(machine, intent, directories[0])
        machines.push(machine)
        continue
      }
      if (spoken.screenings.length > 0) {
        screenings.push(...readScreenings(spoken.screenings, about, directories[0]))
        continue
      }
      const approval = at(spoken.approvals, 0)
      const accepting = directories.filter((directory) => counts(approval, intent, directories[0], directory))
      // Asks again under the version in force, to learn why it counts nowhere.
      if (accepting.length === 0) checkApproval(approval, intent, directories[0])
      valid.push({ approval, directories: accepting })
    } catch (cause) {
      ignored.push(cause instanceof ApprovalRefused ? cause.refusal : UNREADABLE)
    }
  }
  return { valid, machines, screenings, ignored }
}

function counts(approval: Vote, intent: Intent, policy: Policy, directory: Policy): boolean {
  try {
    checkApproval(approval, intent, policy, directory)
    return true
  } catch (cause) {
    if (cause instanceof ApprovalRefused) return false
    throw cause
  }
}

type Asked = { deniedBecause: string | null; quorums: Omit<Quorum, 'tally'>[] }

function askedOf(
  intent: Intent,
  policy: Policy,
  next: Policy | null,
  { rule, screenings: said }: { rule: string | null; screenings: readonly Screening[] },
): Asked {
  if (movesMoney(intent)) {
    const judged = judgedAs(intent)
    const asked = isSpending(intent) ? intent : judged
    if (!describesPinnedAssets(judged, policy)) return { deniedBecause: 'asset-not-pinned', quorums: [] }
    const outcome = evaluateOrder(policy, asked, { by: rule })
    const outcomes = outcomesOfOrder(policy, asked)
    const may = outcomes.filter((each) => each.kind === 'needs')
    if (outcome.kind === 'deny') return { deniedBecause: outcome.reason, quorums: [] }
    const { steps, mayStop, delayMs } = outcome
    const others = may.filter((each) => each.rule !== outcome.rule).map((each) => ({ rule: each.rule, needed: neededIn(each.steps) }))
    const screenings = screeningAsked(policy, outcomes, outcome.rule.id, { said, atMs: 0 }).map(({ levels, withinMs, state: { machine } }): Screened => {
      const newest = said.filter((each) => each.machine === machine).toSorted((a, b) => b.atMs - a.atMs)[0] ?? null
      return { screener: findMachine(policy, machine)?.name ?? machine, levels, withinMs, said: newest }
    })
    return {
      deniedBecause: null,
      quorums: [{ name: 'order', directory: policy, rule: outcome.rule, others, steps, delayMs, screenings, eligible: peopleOf(policy, mayStop) }],
    }
  }
  if (next) {
    const quorums = quorumsOfChange(policy, next, intent.initiator).map(({ of, directory, steps, mayStop }) => {
      const name = of === 'current' ? ('order' as const) : of === 'next' ? ('newGovernors' as const) : of
      return { name, directory, rule: null, others: [], screenings: [], delayMs: 0n, steps, eligible: peopleOf(directory, mayStop) }
    })
    return { deniedBecause: null, quorums }
  }
  const { approvers, threshold } = decidersOf(policy, intent)
  const others = (people: readonly Uint8Array[]) => people.filter((id) => !equalBytes(id, intent.initiator))
  const eligible = peopleOf(policy, others(stoppersOf(policy, intent)))
  return {
    deniedBecause: null,
    quorums: [
      { name: 'order', directory: policy, rule: null, others: [], screenings: [], delayMs: 0n, steps: oneStep(others(approvers), threshold), eligible },
    ],
  }
}

function peopleOf(policy: Policy, ids: readonly Uint8Array[]): Person[] {
  return ids.map((id) => findPerson(policy, id)).filter((person) => person !== undefined)
}

function countQuorum(asked: Asked['quorums'][number], intent: Intent, policy: Policy, { valid, machines }: Spoken): Quorum {
  const approvals = valid.filter((each) => each.directories.includes(asked.directory)).map((each) => each.approval)
  const tally = countApprovals({
    policy,
    directory: asked.directory,
    intent,
    approvals,
    machines,
    steps: asked.steps,
    mayStop: [...asked.eligible.map((person) => person.id), ...eligibleIn(asked.steps).filter((id) => findSpeaker(policy, id)?.isMachine)],
  })
  return { ...asked, tally }
}

export type Window = 'open' | 'not-yet' | 'expired'

/** Whether approvals signed now would count. */
export function windowOf(intent: Intent, nowMs: number): Window {
  if (BigInt(nowMs) < intent.notBeforeMs) return 'not-yet'
  return BigInt(nowMs) > intent.expiresAtMs ? 'expired' : 'open'
}
