import { ChainError, deadAddress, STAKE_ACTIONS } from '@holdfast/chain-core'
import { ANY_SUPPLY, parseSignature } from '@holdfast/chain-evm/codec'
import { toHex } from '@holdfast/encoding'
import { known } from '@holdfast/units'
import { type About, comparisonsIn, faultOfCondition, isInList } from '../conditions/index.ts'
import { eligibleIn, fillSteps, neededIn, type Step, stepsFor } from '../evaluate/steps.ts'
import { asksUnsigned, machineOfParty } from '../people/machines.ts'
import { faultOfWho, peopleMeant, type Who } from '../people/who.ts'
import { findPerson, type Policy, PolicyRefused } from '../policy.ts'
import { type CallBounds, callBoundsOf } from './call-bounds.ts'
import { faultOfLimit } from './limits.ts'
import { readRule } from './read-rule.ts'
import type { Covers, FirstRule, NamedRule, Rule } from './rule-shapes.ts'
import { type StakeBounds, stakeBoundsOf } from './stake-bounds.ts'
import { faultOfTrades, tradeBoundsOf } from './trade-bounds.ts'

/** Checks that a rule can stand in a policy, and that somebody can meet it. Throws PolicyRefused. */
export function checkRule(policy: Policy, rule: Rule): void {
  const where = `rule ${rule.id}`
  const calls = callBoundsOf(rule)
  if (calls) checkCalls(policy, where, calls)
  if (calls && calls.maxTokens !== null) checkBounds(where, { ...calls, maxTokens: calls.maxTokens })
  const stake = stakeBoundsOf(rule)
  if (stake) checkStake(policy, where, stake)
  if (rule.kind === 'named') checkNamed(policy, where, rule)
  else checkFirst(policy, where, rule)
}

function checkFirst(policy: Policy, where: string, { approvers, threshold, initiators }: FirstRule): void {
  checkQuorum(policy, where, approvers, threshold)
  if (initiators.length === 0) throw new PolicyRefused(`${where} lets nobody ask`)
  checkMembers(policy, where, initiators)
}

const ABOUT: Record<Covers['kind'], About> = { payments: 'payment', calls: 'call', stake: 'stake', trades: 'trade' }

function checkNamed(policy: Policy, where: string, rule: NamedRule): void {
  const { name, level, covers, conditions, limits, action } = rule
  if (name.trim() === '') throw new PolicyRefused(`${where} has no name`)
  if (policy.rules.some((each) => each.kind === 'named' && each.id !== rule.id && each.name === name))
    throw new PolicyRefused(`${where} has the name of another`)
  if (level !== 'higher' && level !== 'basic') throw new PolicyRefused(`${where} is of the level ${level}, which is none`)
  const kinds = conditions.map(({ kind }) => kind)
  if (new Set(kinds).size !== kinds.length) throw new PolicyRefused(`${where} has two conditions of one kind`)
  if (level === 'basic' && kinds.some((kind) => kind !== 'sources')) throw new PolicyRefused(`${where} is basic and has other conditions than wallets`)
  const faults = [
    ...conditions.map((each) => faultOfCondition(each, ABOUT[covers.kind], policy)),
    ...limits.map((each) => faultOfLimit(each, ABOUT[covers.kind], policy)),
  ]
  const trades = tradeBoundsOf(rule)
  const fault = faults.find((each) => each !== undefined) ?? faultOfCompared(rule) ?? (trades && faultOfTrades(policy, rule, trades))
  if (fault) throw new PolicyRefused(`${where} ${fault}`)
  if (action.kind === 'refuse') {
    if (limits.length > 0) throw new PolicyRefused(`${where} refuses, and has a limit: put the limit into the rule before it`)
    if (conditions.some((each) => each.kind === 'value' && each.atMostCents !== null))
      throw new PolicyRefused(`${where} refuses up to a value, and would let through what nobody knows the worth of: bound the rules that let through`)
    if (conditions.flatMap(comparisonsIn).some(isInList))
      throw new PolicyRefused(`${where} refuses by what is in a list, and would let through one with an element more: bound the rules that let through`)
    if (asksOfDestinations(rule))
      throw new PolicyRefused(`${where} refuses own addresses or such that were paid before, and nobody can prove that an address is none`)
    return
  }
  checkStoppers(policy, where, action.mayStop)
  if (needsProof(rule)) checkLessThanLater(policy, where, rule)
  if (action.kind === 'approve') checkSteps(policy, where, rule, action)
  else checkPass(policy, where, rule, action)
}

/** Why a rule cannot compare parameters as it does: it is not for those functions, or says of them in two places. */
function faultOfCompared({ covers, conditions }: NamedRule): string | undefined {
  if (conditions.filter(({ kind }) => kind === 'parameters' || kind === 'comparisons').length > 1)
    return 'compares parameters in two conditions: put them into one'
  const compared = conditions.flatMap(comparisonsIn)
  const other = compared.find(({ signature }) => covers.kind !== 'calls' || !covers.functions.includes(signature))
  return other && `compares a parameter of ${other.signature}, which is none of its functions`
}

/** Without people, money goes only where people have said before that it may go, or where a co-signer looks at each order, and only so much of it. */
function checkPass(policy: Policy, where: string, rule: NamedRule, action: Pass): void {
  const { covers, conditions, limits } = rule
  const { fees } = action
  if (covers.kind !== 'payments') throw new PolicyRefused(`${where} passes orders without approvals, and is not for payments`)
  const to = conditions.find((each) => each.kind === 'destinations')
  if (action.kind === 'checked') checkCoSigner(policy, where, action.machine)
  else if (!to || to.paidBefore) throw new PolicyRefused(`${where} passes payments without approvals: let it pay own, listed or named addresses only`)
  const lasting = limits.filter(({ each, lengthMs }) => (each === 'rule' || each === 'asker') && lengthMs >= PASS_LIMIT_MS_MIN)
  if (!lasting.some(({ amounts, maxCents }) => amounts.length > 0 || maxCents !== null))
    throw new PolicyRefused(`${where} passes payments without approvals: set a limit of amounts over an hour or more, for the rule or each person who asks`)
  // Each order costs its fee, however little it pays.
  if (!lasting.some(({ maxCount }) => maxCount !== null))
    throw new PolicyRefused(`${where} passes payments without approvals: set a limit of orders over an hour or more, for the rule or each person who asks`)
  const chains = fees.map(({ chain }) => chain)
  if (fees.length === 0) throw new PolicyRefused(`${where} passes payments without approvals: say what their fee may reach`)
  if (new Set(chains).size !== chains.length) throw new PolicyRefused(`${where} names the fees of a network twice`)
  const unknown = chains.find((chain) => !policy.assets.some((asset) => asset.chain === chain && asset.contract === null))
  if (unknown !== undefined) throw new PolicyRefused(`${where} names fees on ${unknown}, whose own coin the policy does not pin`)
  const { askers } = readRule(rule, policy)
  // What is asked for without a signature passes by that of a co-signer alone, and never by nobody's.
  const passes = (id: Uint8Array) => (machineOfParty(policy, id) ? action.kind === 'checked' || !asksUnsigned(policy, id) : hasApprovalKey(policy, id))
  if (!askers.some(passes)) throw new PolicyRefused(`${where} lets nobody ask who has an approval key`)
}

function checkCoSigner(policy: Policy, where: string, id: string): void {
  const fault = faultOfWho(policy, [{ kind: 'machine', id }], ['coSigner'])
  if (fault) throw new PolicyRefused(`${where} ${fault}`)
}

/** Whether a rule asks of destinations what a server has to prove, and can leave unproven. */
const asksOfDestinations = ({ conditions }: NamedRule): boolean => conditions.some((each) => each.kind === 'destinations' && (each.own || each.paidBefore))

/** Whether a rule holds by what a server hands on, and can keep to itself: also what screeners say. */
const needsProof = (rule: NamedRule): boolean => asksOfDestinations(rule) || rule.conditions.some(({ kind }) => kind === 'screening')

/** What a rule is about: only rules about the same are asked after one another. */
function sortOf(rule: Rule): Covers['kind'] {
  if (rule.kind === 'named') return rule.covers.kind
  return rule.kind === 'transfer' ? 'payments' : rule.kind === 'stake' ? 'stake' : 'calls'
}

/** Whatever is not proven falls to the rules that are asked after: none of them may ask for less, or a server could choose it. */
function checkLessThanLater(policy: Policy, where: string, rule: NamedRule): void {
  const own = readRule(rule, policy)
  const asked = (each: Rule) => ({ ...readRule(each, policy), rule: each })
  const about = policy.rules.filter((each) => sortOf(each) === sortOf(rule)).map(asked)
  const inOrder = [...about.filter(({ isBasic }) => !isBasic), ...about.filter(({ isBasic }) => isBasic)]
  const later = inOrder.slice(inOrder.findIndex((each) => each.rule === rule) + 1)
  const isPass = (steps: readonly Step[]) => steps.every(({ isAskers }) => isAskers)
  const less = later.find(
    ({ refuses, steps, delayMs }) => !refuses && (neededIn(steps) < neededIn(own.steps) || delayMs < own.delayMs || (isPass(steps) && !isPass(own.steps))),
  )
  if (!less) return
  if (asksOfDestinations(rule))
    throw new PolicyRefused(`${where} is for own addresses or such that were paid before, and rule ${less.rule.id} after it asks for less: ask that one first`)
  throw new PolicyRefused(`${where} is for what screeners have said, and rule ${less.rule.id} after it asks for less: ask that one first`)
}

function checkStoppers(policy: Policy, where: string, mayStop: readonly Who[]): void {
  if (mayStop.length === 0) return
  const fault = faultOfWho(policy, mayStop)
  if (fault) throw new PolicyRefused(`${where} ${fault}`)
  for (const id of peopleMeant(policy, mayStop)) checkApprovalKey(policy, where, id)
}

type Approve = Extract<NamedRule['action'], { kind: 'approve' }>
type Pass = Exclude<NamedRule['action'], { kind: 'refuse' | 'approve' }>

const PASS_LIMIT_MS_MIN = 3_600_000n

/** Every step can be met by people with approval keys, whoever of those who may ask does: who asks never counts. */
function checkSteps(policy: Policy, where: string, rule: NamedRule, { steps, delayMs, expiresAfterMs }: Approve): void {
  if (steps.length === 0) throw new PolicyRefused(`${where} asks for no approval: set at least 1`)
  if (expiresAfterMs > 0n && expiresAfterMs <= delayMs) throw new PolicyRefused(`${where} waits for longer than it lets orders be open`)
  for (const { need, who } of steps) {
    const fault = faultOfWho(policy, who, ['coSigner'])
    if (fault) throw new PolicyRefused(`${where} ${fault}`)
    if (need < 1n) throw new PolicyRefused(`${where} asks for no approval: set at least 1`)
    if (who.length > 1 && who.some(({ kind }) => kind === 'machine')) throw new PolicyRefused(`${where} has a machine among others: give it a step of its own`)
  }
  if (steps.every(({ who }) => who.some(({ kind }) => kind === 'machine')))
    throw new PolicyRefused(`${where} asks for no person: where a co-signer alone approves, let the rule pass orders that it has checked`)
  const { askers, steps: read } = readRule(rule, policy)
  for (const id of eligibleIn(read)) if (!machineOfParty(policy, id)) checkApprovalKey(policy, where, id)
  if (askers.length === 0) throw new PolicyRefused(`${where} lets nobody ask`)
  const isMet = (asker: Uint8Array) => {
    const others = stepsFor(read, [asker])
    return fillSteps(others, eligibleIn(others)).missing === 0
  }
  if (!askers.some(isMet)) throw new PolicyRefused(`${where} has steps that nobody can meet: who asks never counts, and each person counts in one step`)
}

function checkCalls(policy: Policy, where: string, { chain, payers, contracts, functions }: CallBounds): void {
  if (!policy.assets.some((asset) => asset.chain === chain && asset.contract === null))
    throw new PolicyRefused(`${where} is for calls on ${chain}, whose own coin the policy does not pin`)
  if (contracts.length === 0) throw new PolicyRefused(`${where} names no contract`)
  if (payers?.length === 0) throw new PolicyRefused(`${where} lets no address call`)
  if (functions?.length === 0) throw new PolicyRefused(`${where} names no function`)
  for (const signature of functions ?? []) {
    try {
      parseSignature(signature)
    } catch (cause) {
      if (cause instanceof ChainError) throw new PolicyRefused(`${where}: ${cause.message}`, { cause })
      throw cause
    }
  }
}

function checkBounds(where: string, { contracts, functions, maxTokens, chain }: CallBounds & { maxTokens: bigint }): void {
  if (functions?.length === 0) throw new PolicyRefused(`${where} names no function`)
  if (maxTokens >= ANY_SUPPLY)
    throw new PolicyRefused(`${where} lets ${maxTokens} base units of a token be moved or allowed, more than any supply: set a limit`)
  const dead = contracts.find((contract) => deadAddress(chain, contract) === 'nobody')
  if (dead !== undefined) throw new PolicyRefused(`${where} names ${dead}, at which there can be no contract`)
}

function checkStake(policy: Policy, where: string, { chain, payers, actions, receivers }: StakeBounds): void {
  if (!policy.assets.some((asset) => asset.chain === chain && asset.contract === null))
    throw new PolicyRefused(`${where} is for stake on ${chain}, whose own coin the policy does not pin`)
  if (actions.length === 0) throw new PolicyRefused(`${where} lets nothing be done`)
  const unknown = actions.find((action) => !STAKE_ACTIONS.some((each) => each === action))
  if (unknown !== undefined) throw new PolicyRefused(`${where} names ${unknown}, which is nothing that can be done with stake`)
  if (new Set(actions).size !== actions.length) throw new PolicyRefused(`${where} names an action twice`)
  if (payers?.length === 0) throw new PolicyRefused(`${where} is for no account`)
  if (receivers?.length === 0) throw new PolicyRefused(`${where} lets nobody be delegated to; leave out delegations`)
}

function checkMembers(policy: Policy, where: string, ids: Uint8Array[]): void {
  if (new Set(ids.map(toHex)).size !== ids.length) throw new PolicyRefused(`${where} names a person twice`)
  for (const id of ids) if (!findPerson(policy, id)) throw new PolicyRefused(`${where} names ${toHex(id)}, who is not in the policy`)
}

function checkApprovalKey(policy: Policy, where: string, id: Uint8Array): void {
  if (!hasApprovalKey(policy, id)) throw new PolicyRefused(`${where} names an approver without an approval key`)
}

const hasApprovalKey = (policy: Policy, id: Uint8Array): boolean => known(findPerson(policy, id), 'an approver').credentials.length > 0

/** So many of these people, each with an approval key, can be met. Throws PolicyRefused. */
export function checkQuorum(policy: Policy, where: string, approvers: Uint8Array[], threshold: bigint): void {
  checkMembers(policy, where, approvers)
  if (threshold < 1n) throw new PolicyRefused(`${where} asks for no approval: set at least 1`)
  if (threshold > BigInt(approvers.length)) throw new PolicyRefused(`${where} asks for ${threshold} of ${approvers.length} approvers, which nobody can meet`)
  for (const id of approvers) checkApprovalKey(policy, where, id)
}
