import { STAKE_ACTIONS } from '@holdfast/chain-core'
import { SIGNATURE_MAX } from '@holdfast/chain-evm/codec'
import { bool, bytes, type Infer, list, optional, struct, text, uint, union } from '@holdfast/encoding'
import { conditionShape } from '../conditions/index.ts'
import { partyShape, WHO_MAX, whoShape } from '../people/who.ts'
import { limitShape } from './limits.ts'
import { coversTradesShape } from './trades-shape.ts'

const windowShape = optional(struct('holdfast/rule-window/v1', { lengthMs: uint(), maxAmount: uint(256) }))

/**
 * Who may ask for payments and who must approve them. `chain` and `asset` absent match all; `maxAmount` absent has no upper bound; `asset` is the contract,
 * empty text for the chain's own coin, a collection (`collectionAsset`) or one token of it (`nftAsset`). `window` caps what signers let through of each asset
 * under this rule in any stretch of that length, counted by each signer itself in base units of that asset.
 */
const transferRuleShape = struct('holdfast/rule/v1', {
  id: text(64),
  chain: optional(text(64)),
  asset: optional(text(128)),
  maxAmount: optional(uint(256)),
  window: windowShape,
  initiators: list(bytes(16), 256),
  approvers: list(bytes(16), 256),
  threshold: uint(8),
})

/**
 * The first form of a rule for calls, which stays readable. `functions` absent stood for every function that an order names, and no rule bounded allowances:
 * signers follow it no more for what moves tokens or gives rights, nor without functions (`evaluateCall`). Otherwise as `boundedCallRuleShape`.
 */
const callRuleShape = struct('holdfast/call-rule/v1', {
  id: text(64),
  chain: text(64),
  payers: optional(list(text(128), 256)),
  contracts: list(text(128), 256),
  functions: optional(list(text(SIGNATURE_MAX), 256)),
  maxValue: uint(256),
  window: windowShape,
  unlimitedAllowances: bool(),
  unknownCallData: bool(),
  initiators: list(bytes(16), 256),
  approvers: list(bytes(16), 256),
  threshold: uint(8),
})

/**
 * Who may have which functions of which contracts called, and who must approve. `payers` are the addresses that may call, absent all of them; `functions` are
 * canonical signatures: besides what is called, whatever known function that moves tokens or gives rights stands anywhere in the call data has to be among
 * them. `maxValue` counts the chain's own coin that goes along with one call; `maxTokens` the tokens, in base units, that one call moves or lets others take,
 * all together; `window` both, the tokens for each contract that is called. Rights without end over tokens, and call data that nobody can read, need their
 * own word each.
 */
const boundedCallRuleShape = struct('holdfast/call-rule/v2', {
  id: text(64),
  chain: text(64),
  payers: optional(list(text(128), 256)),
  contracts: list(text(128), 256),
  functions: list(text(SIGNATURE_MAX), 256),
  maxValue: uint(256),
  maxTokens: uint(256),
  window: optional(struct('holdfast/call-rule-window/v1', { lengthMs: uint(), maxAmount: uint(256), maxTokens: uint(256) })),
  unlimitedAllowances: bool(),
  unknownCallData: bool(),
  initiators: list(bytes(16), 256),
  approvers: list(bytes(16), 256),
  threshold: uint(8),
})

/**
 * Who may order what about stake, and who must approve. `payers` are the accounts whose stake it is, absent all of them; `receivers` whom may be delegated
 * to, absent anybody; `maxAmount` and `window` count the coin staked that orders are about; a delegation may be locked for `maxLockBlocks` at most.
 */
const stakeRuleShape = struct('holdfast/tron-resource-rule/v1', {
  id: text(64),
  chain: text(64),
  payers: optional(list(text(128), 256)),
  actions: list(text(16), STAKE_ACTIONS.length),
  receivers: optional(list(text(128), 256)),
  maxAmount: uint(256),
  maxLockBlocks: uint(),
  window: windowShape,
  initiators: list(bytes(16), 256),
  approvers: list(bytes(16), 256),
  threshold: uint(8),
})

/** What a rule is about. What it lets through of it, its conditions say, and for calls, stake and trades these bounds. */
const coversShape = union({
  payments: struct('holdfast/rule/covers-payments/v1', {}),
  calls: struct('holdfast/rule/covers-calls/v1', {
    chain: text(64),
    contracts: list(text(128), 256),
    functions: list(text(SIGNATURE_MAX), 256),
    maxValue: uint(256),
    maxTokens: uint(256),
    unlimitedAllowances: bool(),
    unknownCallData: bool(),
  }),
  stake: struct('holdfast/rule/covers-stake/v1', {
    chain: text(64),
    actions: list(text(16), STAKE_ACTIONS.length),
    receivers: optional(list(text(128), 256)),
    maxAmount: uint(256),
    maxLockBlocks: uint(),
  }),
  trades: coversTradesShape,
})

/** So many of these people, of whom one counts in one step only; or one machine that looks at orders itself, which counts in no other step. */
const stepShape = struct('holdfast/rule/step/v1', { need: uint(8), who: list(partyShape, WHO_MAX) })

export const STEPS_MAX = 9

/**
 * A rule with a name, conditions and steps. The first of the rules of level `higher` whose conditions hold decides, and where there is none, the first of level
 * `basic`; but a rule whose limits are used up passes an order on to the next one. `approve`: every step is needed, and nothing is signed before `delayMs` have
 * passed since a signer saw that all are met. `pass`: the signature of the person who asks is enough, for orders whose fee can reach at most so much of a network's own coin (`fees`), and on no other network. `checked`:
 * the same once a co-signer has approved as well, which looks at each order by itself, so that the rule may pay whom it likes. The no of anybody in `mayStop` is enough, as is that of
 * whoever stands in a step. An order may be open for `expiresAfterMs` at most, or as long as it likes, if that is 0.
 */
const namedRuleShape = struct('holdfast/rule/v2', {
  id: text(64),
  name: text(64),
  level: text(8),
  covers: coversShape,
  conditions: list(conditionShape, 16),
  limits: list(limitShape, 8),
  action: union({
    refuse: struct('holdfast/rule/refuse/v1', {}),
    approve: struct('holdfast/rule/approve/v1', {
      steps: list(stepShape, STEPS_MAX),
      mayStop: list(whoShape, WHO_MAX),
      delayMs: uint(53),
      expiresAfterMs: uint(53),
    }),
    pass: struct('holdfast/rule/pass/v1', {
      fees: list(struct('holdfast/rule/fee/v1', { chain: text(64), max: uint(256) }), 64),
      mayStop: list(whoShape, WHO_MAX),
      expiresAfterMs: uint(53),
    }),
    checked: struct('holdfast/rule/checked/v1', {
      machine: text(64),
      fees: list(struct('holdfast/rule/fee/v1', { chain: text(64), max: uint(256) }), 64),
      mayStop: list(whoShape, WHO_MAX),
      expiresAfterMs: uint(53),
    }),
  }),
})

const firstRules = { transfer: transferRuleShape, call: callRuleShape, boundedCall: boundedCallRuleShape, stake: stakeRuleShape }

/** The rules of the first two forms of a policy. */
export const firstRuleShape = union(firstRules)
/** Those of the third: rules that it takes over from before stay as they are. */
export const ruleShape = union({ ...firstRules, named: namedRuleShape })

export type TransferRule = { kind: 'transfer' } & Infer<typeof transferRuleShape>
export type FirstCallRule = { kind: 'call' } & Infer<typeof callRuleShape>
export type BoundedCallRule = { kind: 'boundedCall' } & Infer<typeof boundedCallRuleShape>
export type CallRule = FirstCallRule | BoundedCallRule
export type StakeRule = { kind: 'stake' } & Infer<typeof stakeRuleShape>
export type FirstRule = TransferRule | CallRule | StakeRule
export type NamedRule = { kind: 'named' } & Infer<typeof namedRuleShape>
export type Rule = FirstRule | NamedRule

/** Whether a rule lets nothing through. */
export const isRefusing = (rule: Rule): boolean => rule.kind === 'named' && rule.action.kind === 'refuse'

/** What people call a rule: its name, or its id where it is of a form without names. */
export const ruleName = (rule: Rule): string => (rule.kind === 'named' ? rule.name : rule.id)
export type Covers = Infer<typeof coversShape>
