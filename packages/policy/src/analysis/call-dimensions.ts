import { STAKE_ACTIONS } from '@holdfast/chain-core'
import { type CallReading, type Find, KNOWN_FUNCTIONS } from '@holdfast/chain-evm/codec'
import type { Policy } from '../policy.ts'
import { type CallBounds, callBoundsOf } from '../rules/call-bounds.ts'
import type { Rule } from '../rules/rule-shapes.ts'
import { type StakeBounds, stakeBoundsOf } from '../rules/stake-bounds.ts'
import { venueForm } from '../rules/trade-bounds.ts'
import { type Arguments, argumentPieces, comparedBy } from './argument-pieces.ts'
import { type Band, bandsOf, type Piece, type Told } from './dimension.ts'

type CallTold = Extract<Told, { kind: 'call' }>
type StakeTold = Extract<Told, { kind: 'stake' }>

const boundsOfAll = <B>(rules: readonly Rule[], boundsOf: (rule: Rule) => B | undefined): B[] => rules.flatMap((rule) => boundsOf(rule) ?? [])

/** The contracts that rules name: a call of any other is denied. On venues of trades they do not decide. */
export function contractPieces(rules: readonly Rule[], policy: Policy): Piece[] {
  const named = boundsOfAll(rules, callBoundsOf).flatMap(({ chain, contracts }) =>
    contracts.filter((contract) => venueForm(policy, chain, contract) === undefined),
  )
  return [...new Set(named)].map((address) => ({ told: { kind: 'contract', address }, act: { contract: address } }))
}

const OTHER_ADDRESS = 'another address'

/** The paying addresses that rules name, and any other. */
export function payerPieces(bounds: readonly { payers: readonly string[] | null }[]): Piece[] {
  const named = [...new Set(bounds.flatMap(({ payers }) => payers ?? []))]
  return [...named, null].map((address) => ({ told: { kind: 'payer', address }, act: { from: address ?? OTHER_ADDRESS } }))
}

export const payersOf = (rules: readonly Rule[]): { payers: readonly string[] | null }[] => [
  ...boundsOfAll(rules, callBoundsOf),
  ...boundsOfAll(rules, stakeBoundsOf),
]

/**
 * What calls do: each function that rules name, and data that nobody can read, with so much coin and so many tokens, and with the parameters that rules
 * compare. Calls that carry others are not looked at.
 */
export function callPieces(rules: readonly Rule[]): { pieces: Piece[]; isWhole: boolean } {
  const bounds = boundsOfAll(rules, callBoundsOf)
  const values = [
    { from: 0n, to: 0n },
    ...bandsOf(
      bounds.map(({ maxValue }) => maxValue),
      1n,
    ),
  ]
  const amounts = [
    { from: 0n, to: 0n },
    ...bandsOf(
      bounds.map(({ maxTokens }) => maxTokens ?? 0n),
      1n,
    ),
  ]
  const functions = [...new Set(bounds.flatMap(({ functions: named }) => named ?? []))]
  const all = comparedBy(rules)
  const compared = functions.map((signature) => ({ signature, ...argumentPieces(all, signature) }))
  const unread: { signature: string | null; all: Arguments[] } = { signature: null, all: [{ told: [], data: new Uint8Array() }] }
  const pieces = [...compared, unread].flatMap(({ signature, all: each }) => {
    const deed = KNOWN_FUNCTIONS.find((known) => known.signature === signature)?.deed
    const tokens: (Band | 'endless')[] = deed === 'moves' ? amounts : deed === 'grants' ? [...amounts, 'endless'] : [{ from: 0n, to: 0n }]
    return values.flatMap((value) =>
      tokens.flatMap((moved) =>
        each.map(({ told: parameters, data }): Piece => {
          const told: CallTold = { kind: 'call', signature, value, tokens: moved, parameters }
          return { told, act: { signature, value: value.from, data } }
        }),
      ),
    )
  })
  return { pieces, isWhole: compared.every((each) => each.isWhole) }
}

/** Whether the bounds of a rule let a call through that does this: as `decideCall` has it. */
export function coversCall(bounds: CallBounds, { signature, value, tokens }: CallTold): boolean {
  const isNamed = signature === null ? bounds.unknownCallData : (bounds.functions?.includes(signature) ?? false)
  if (!isNamed || value.from > bounds.maxValue) return false
  // A rule of the first form counts no tokens, and lets nothing through that moves some.
  if (bounds.maxTokens === null) return tokens !== 'endless' && tokens.from === 0n
  if (tokens === 'endless') return bounds.unlimitedAllowances
  const isUncounted = KNOWN_FUNCTIONS.some((known) => known.signature === signature && known.deed === 'grants') && bounds.unlimitedAllowances
  const counted = isUncounted ? 0n : tokens.from
  return counted <= bounds.maxTokens && !(bounds.isCounted && value.from > 0n && counted > 0n)
}

/** What the data of a call says that does this. */
export function readingOf({ signature, tokens }: CallTold): CallReading {
  const deed = KNOWN_FUNCTIONS.find((known) => known.signature === signature)?.deed
  const amount = tokens === 'endless' ? null : tokens.from
  const isFound = signature !== null && (deed === 'moves' || deed === 'grants')
  const find = (): Find => ({
    signature: signature ?? '',
    deed: deed === 'grants' ? 'grants' : 'moves',
    carried: false,
    amount,
    to: null,
    adds: false,
    takesBack: amount === 0n,
  })
  return { signature, args: [], grants: [], finds: isFound ? [find()] : [] }
}

/** What can be done with stake, with whom and for how long. */
export function stakePieces(rules: readonly Rule[]): Piece[] {
  const bounds = boundsOfAll(rules, stakeBoundsOf)
  const receivers = [...new Set(bounds.flatMap(({ receivers: named }) => named ?? [])), OTHER_ADDRESS]
  const locks = bandsOf(
    bounds.map(({ maxLockBlocks }) => maxLockBlocks),
    0n,
  )
  const told = STAKE_ACTIONS.flatMap((action): StakeTold[] => {
    if (action !== 'delegate' && action !== 'undelegate') return [{ kind: 'stake', action, receiver: null, lockBlocks: null }]
    return receivers.flatMap((receiver) =>
      (action === 'delegate' ? locks : [null]).map((lockBlocks) => ({ kind: 'stake' as const, action, receiver, lockBlocks })),
    )
  })
  return told.map((each) => ({ told: each, act: { action: each.action, receiver: each.receiver, lockBlocks: each.lockBlocks?.from ?? 0n } }))
}

/** Whether the bounds of a rule let this be done with stake: as `decideStake` has it. */
export const coversStake = (bounds: StakeBounds, { action, receiver, lockBlocks }: StakeTold): boolean =>
  bounds.actions.includes(action) && (receiver === null || (bounds.receivers?.includes(receiver) ?? true)) && (lockBlocks?.from ?? 0n) <= bounds.maxLockBlocks

/** How much stake an order is about. */
export const stakeAmountPieces = (rules: readonly Rule[], borders: readonly bigint[]): Piece[] =>
  bandsOf([...boundsOfAll(rules, stakeBoundsOf).map(({ maxAmount }) => maxAmount), ...borders], 1n).map((amount) => ({
    told: { kind: 'amount', amount },
    act: { amount: amount.from },
  }))
