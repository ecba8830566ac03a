import type { CallReading, Trade } from '@holdfast/chain-evm/codec'
import type { Act, CallAct, PaymentAct, StakeAct } from '@holdfast/intent'
import { known } from '@holdfast/units'
import { type About, type Condition, type Given, holds, isCalledWith } from '../conditions/index.ts'
import { type Asking, coversPayment, decidePayment, type Outcome, paymentRules } from '../evaluate/evaluate.ts'
import { decideCall } from '../evaluate/evaluate-call.ts'
import { decideStake } from '../evaluate/evaluate-stake.ts'
import { decideTrade } from '../evaluate/evaluate-trade.ts'
import { type Policy, rulesOf } from '../policy.ts'
import { callBoundsOf, callsAsked } from '../rules/call-bounds.ts'
import { readRule } from '../rules/read-rule.ts'
import type { Rule } from '../rules/rule-shapes.ts'
import { stakeBoundsOf, stakesAsked } from '../rules/stake-bounds.ts'
import { tradeBoundsOf } from '../rules/trade-bounds.ts'
import { comparedBy } from './argument-pieces.ts'
import { callPieces, contractPieces, coversCall, coversStake, payerPieces, payersOf, readingOf, stakeAmountPieces, stakePieces } from './call-dimensions.ts'
import { type Dimension, dimensionOf, type Piece, piecesIn } from './dimension.ts'
import { askerPieces, assetPieces, conditionsIn, destinationPieces, sourcePieces, timePieces, valueBorders } from './payment-dimensions.ts'
import type { Region } from './region.ts'
import { coversDeadline, coversPair, coversShare, deadlinePieces, isPriced, pairPieces, sharePieces, tradeOf, venuePieces } from './trade-dimensions.ts'
import { screeningPieces } from './screening-pieces.ts'

/** Orders of one sort on one network: what rules look at in them, and the rules for them in the order in which they are asked. */
export type Subject = { as: About; chain: string; rules: readonly Rule[]; dimensions: readonly Dimension[]; isWhole: boolean; policy: Policy; nowMs: number }

/** An order as the rules look at it, with what is known when it is decided on, and what its call data says: of a call of a venue, the trade. */
export type Point = { act: Act; given: Given; reading: CallReading | null; trade?: Trade }

/** The subjects of a policy: payments on each network of which it pins assets, and calls, stake and trades where it has rules for them. */
export function subjectsOf(policy: Policy, nowMs: number): Subject[] {
  const chains = [...new Set(policy.assets.map(({ chain }) => chain))]
  const all = inOrder(policy, rulesOf(policy))
  const calls = (chain: string) => all.filter((rule) => callBoundsOf(rule)?.chain === chain)
  const trades = (chain: string) => all.filter((rule) => tradeBoundsOf(rule)?.chain === chain)
  const stakes = (chain: string) => all.filter((rule) => stakeBoundsOf(rule)?.chain === chain)
  return [
    ...chains.map((chain) => paymentSubject(policy, chain, nowMs)),
    ...chains.filter((chain) => calls(chain).length > 0).map((chain) => callSubject(policy, chain, calls(chain), nowMs)),
    ...chains.filter((chain) => stakes(chain).length > 0).map((chain) => stakeSubject(policy, chain, stakes(chain), nowMs)),
    ...chains.filter((chain) => trades(chain).length > 0).map((chain) => tradeSubject(policy, chain, trades(chain), nowMs)),
  ]
}

/** Rules in the order in which they are asked: the higher ones first. */
const inOrder = (policy: Policy, rules: readonly Rule[]): Rule[] => [
  ...rules.filter((rule) => !readRule(rule, policy).isBasic),
  ...rules.filter((rule) => readRule(rule, policy).isBasic),
]

type Making = { policy: Policy; rules: readonly Rule[]; base: Act; nowMs: number }

/** A dimension of what conditions of one kind look at, and a rule covers by itself. */
function dimension(
  { policy, rules, base, nowMs }: Making,
  pieces: readonly Piece[],
  kinds: readonly Condition['kind'][],
  coversItself: (rule: Rule, act: Act) => boolean = () => true,
): Dimension {
  return dimensionOf(pieces, rules, (rule, { act: part, given = {} }) => {
    const act = { ...base, ...part } as Act
    if (!coversItself(rule, act)) return false
    if (rule.kind !== 'named') return true
    const covers = (each: Condition) => holds(each, act, { atMs: nowMs, ...given }, policy) ?? (each.kind === 'screening' && rule.action.kind === 'refuse')
    return rule.conditions.every((each) => !kinds.includes(each.kind) || covers(each))
  })
}

/** What screeners said, where any rule asks: of what is not known, rules that refuse decide. */
function screenings(making: Making): { dimensions: Dimension[]; isWhole: boolean } {
  const { pieces, isWhole } = screeningPieces(making.rules, making.nowMs)
  return { dimensions: pieces.length === 0 ? [] : [dimension(making, pieces, ['screening'])], isWhole }
}

const asking = (making: Making): Dimension[] => [
  dimension(making, askerPieces(making.policy), ['askers']),
  dimension(making, sourcePieces(making.rules), ['sources']),
]

const NOBODY = { initiator: new Uint8Array(16), source: null }

function paymentSubject(policy: Policy, chain: string, nowMs: number): Subject {
  const rules = inOrder(policy, paymentRules(policy))
  const base: PaymentAct = { as: 'payment', chain, contract: null, amount: 1n, recipients: [], memo: null, ...NOBODY }
  const making = { policy, rules, base, nowMs }
  const { pieces, isWhole } = destinationPieces(chain, rules)
  const screened = screenings(making)
  const dimensions = [
    dimension(making, assetPieces(policy, chain, rules), ['assets', 'value'], (rule, act) => act.as === 'payment' && coversPayment(rule, act)),
    ...asking(making),
    dimension(making, pieces, ['destinations', 'memo']),
    dimension(making, timePieces(conditionsIn(rules, 'times'), nowMs), ['times']),
    ...screened.dimensions,
  ]
  return { as: 'payment', chain, rules, dimensions, isWhole: isWhole && screened.isWhole, policy, nowMs }
}

function callSubject(policy: Policy, chain: string, rules: readonly Rule[], nowMs: number): Subject {
  const base: CallAct = { as: 'call', chain, from: '', contract: '', value: 0n, data: new Uint8Array(), signature: null, ...NOBODY }
  const making = { policy, rules, base, nowMs }
  const boundsOf = (rule: Rule) => known(callsAsked(rule), 'the bounds of a rule for calls')
  const { pieces, isWhole } = callPieces(rules)
  const screened = screenings(making)
  const coversThis = (rule: Rule, { told }: Piece) => told.kind === 'call' && coversCall(boundsOf(rule), told)
  const coversCompared = (rule: Rule, { act }: Piece) => isCalledWith(comparedBy([rule]), { ...base, ...act } as Act) === true
  const dimensions = [
    dimensionOf(contractPieces(rules, policy), rules, (rule, { told }) => told.kind === 'contract' && boundsOf(rule).contracts.includes(told.address)),
    dimensionOf(pieces, rules, (rule, piece) => coversThis(rule, piece) && coversCompared(rule, piece)),
    payers(rules, boundsOf),
    ...asking(making),
    dimension(making, timePieces(conditionsIn(rules, 'times'), nowMs), ['times']),
    ...screened.dimensions,
  ]
  return { as: 'call', chain, rules, dimensions, isWhole: isWhole && screened.isWhole, policy, nowMs }
}

function stakeSubject(policy: Policy, chain: string, rules: readonly Rule[], nowMs: number): Subject {
  const base: StakeAct = { as: 'stake', chain, from: '', action: '', amount: 1n, receiver: null, lockBlocks: 0n, ...NOBODY }
  const making = { policy, rules, base, nowMs }
  const boundsOf = (rule: Rule) => known(stakesAsked(rule), 'the bounds of a rule for stake')
  const screened = screenings(making)
  const dimensions = [
    dimensionOf(stakePieces(rules), rules, (rule, { told }) => told.kind === 'stake' && coversStake(boundsOf(rule), told)),
    dimension(
      making,
      stakeAmountPieces(rules, valueBorders(policy, rules, chain, null)),
      ['value'],
      (rule, act) => act.as === 'stake' && act.amount <= boundsOf(rule).maxAmount,
    ),
    payers(rules, boundsOf),
    ...asking(making),
    dimension(making, timePieces(conditionsIn(rules, 'times'), nowMs), ['times']),
    ...screened.dimensions,
  ]
  return { as: 'stake', chain, rules, dimensions, isWhole: screened.isWhole, policy, nowMs }
}

function tradeSubject(policy: Policy, chain: string, rules: readonly Rule[], nowMs: number): Subject {
  const base = BASES.trade(chain)
  const making = { policy, rules, base, nowMs }
  const boundsOf = (rule: Rule) => known(tradeBoundsOf(rule), 'the bounds of a rule for trades')
  const { pieces, isWhole } = pairPieces(chain, rules)
  const screened = screenings(making)
  // Where the table does not say what both are worth, only rules that do not ask cover the pair.
  const isKnown = (rule: Rule, pair: Extract<Piece['told'], { kind: 'pair' }>) => boundsOf(rule).slippageBps === null || isPriced(policy, pair, nowMs)
  const dimensions = [
    dimensionOf(venuePieces(rules), rules, (rule, { told }) => told.kind === 'contract' && boundsOf(rule).router === told.address),
    dimensionOf(pieces, rules, (rule, { told }) => told.kind === 'pair' && coversPair(boundsOf(rule), told) && isKnown(rule, told)),
    dimensionOf(sharePieces(rules), rules, (rule, { told }) => told.kind === 'share' && coversShare(boundsOf(rule), told)),
    dimensionOf(deadlinePieces(rules), rules, (rule, { told }) => told.kind === 'deadline' && coversDeadline(boundsOf(rule), told)),
    ...asking(making),
    dimension(making, timePieces(conditionsIn(rules, 'times'), nowMs), ['times']),
    ...screened.dimensions,
  ]
  return { as: 'trade', chain, rules, dimensions, isWhole: isWhole && screened.isWhole, policy, nowMs }
}

const payers = (rules: readonly Rule[], boundsOf: (rule: Rule) => { payers: readonly string[] | null }): Dimension =>
  dimensionOf(payerPieces(payersOf(rules)), rules, (rule, { told }) => {
    const { payers: named } = boundsOf(rule)
    return named === null || (told.kind === 'payer' && told.address !== null && named.includes(told.address))
  })

/** The orders that a rule is for. */
export const regionOf = ({ dimensions }: Subject, rule: Rule): Region => dimensions.map(({ sideOf }) => sideOf(rule))

/** All orders of a subject. */
export const everything = ({ dimensions }: Subject): Region => dimensions.map(({ all }) => all)

const BASES: Record<About, (chain: string) => Act> = {
  payment: (chain) => ({ as: 'payment', chain, contract: null, amount: 1n, recipients: [], memo: null, ...NOBODY }),
  call: (chain) => ({ as: 'call', chain, from: '', contract: '', value: 0n, data: new Uint8Array(), signature: null, ...NOBODY }),
  stake: (chain) => ({ as: 'stake', chain, from: '', action: '', amount: 1n, receiver: null, lockBlocks: 0n, ...NOBODY }),
  trade: (chain) => BASES.call(chain),
}

/** One order of a region, which must not be empty. */
export function pointIn({ as, chain, dimensions, policy, nowMs }: Subject, region: Region): Point {
  const pieces = dimensions.map((each, i) => known(piecesIn(each, region[i] ?? 0n)[0], 'a piece of a region'))
  const act = Object.assign(BASES[as](chain), ...pieces.map((piece) => piece.act)) as Act
  const given = Object.assign({}, ...pieces.map((piece) => piece.given)) as Given
  const told = pieces.map((piece) => piece.told)
  const call = told.find((each) => each.kind === 'call')
  const trade = act.as === 'call' ? tradeOf(told, { policy, from: act.from, atMs: given.atMs ?? nowMs }) : undefined
  return { act, given, reading: call ? readingOf(call) : null, ...(trade && { trade }) }
}

/** What the policy says of an order: see `decide`. Never empty. */
export function outcomesAt(policy: Policy, { act, given, reading, trade }: Point): Outcome[] {
  const how: Asking = given
  if (act.as === 'payment') return decidePayment(policy, act, how)
  if (act.as === 'stake') return decideStake(policy, act, how)
  if (trade) return decideTrade(policy, { act, trade }, how)
  return decideCall(policy, { act, reading: known(reading, 'what a call says') }, how)
}
