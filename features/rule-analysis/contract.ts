import { addressText, defineEndpoint, idText, jsonField, positiveAmountText } from '@holdfast/contract'
import * as z from 'zod'
import { rulesDraft } from '@holdfast/features/rule-draft/contract'

// What rules would do, before they are proposed. Nothing is changed by these calls.

const named = z.object({ id: z.string(), name: z.string() })
const person = z.object({ person_id: z.string(), name: z.string() })

/** What a policy does with an order: refuses it, lets it pass by the signature of the person who asks, or has it wait for people. */
const decision = z.object({
  outcome: z.enum(['refused', 'passes', 'waits']),
  rule: named.nullable(),
  /** Who has to approve, or why it is refused, as a sentence in the caller's language. */
  sentence: z.string(),
})

/** An order to look at: whatever is left out is not known. */
const askedOrder = z.object({
  chain: z.string().min(1).max(64),
  asset: z.string().max(128).default('').describe("A contract, a collection or one token of it; empty for the network's own coin"),
  amount: positiveAmountText,
  to: addressText.optional(),
  memo: z.string().max(128).optional(),
  sub_wallet_id: idText.optional(),
  asker: idText.optional().describe('Whoever would ask; the caller, if it is not said'),
  at: z.int().min(0).optional().describe('When it would be signed, in milliseconds; now, if it is not said'),
})
export type AskedOrder = z.output<typeof askedOrder>

const edge = z.enum(['at-amount', 'above-amount', 'first-minute', 'after-last-minute', 'asker-approves', 'limits-used-up'])

export const checkRulesDraft = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/strategy/check',
  permission: 'strategy.read',
  changes: [],
  summary:
    'What rules cover, leave open, share and never decide on, whom they cannot do without, and what they say of one order; of the policy in force, if no draft is given',
  input: z.object({ draft: jsonField(rulesDraft).optional(), order: jsonField(askedOrder).optional() }),
  output: z.object({
    fault: z.string().nullable().describe('Why the draft cannot be proposed; null if it can'),
    is_whole: z.boolean().describe('False where there are too many borders to list every part of a gap'),
    match: z.object({ id: z.string(), name: z.string(), level: z.enum(['higher', 'basic']) }).nullable(),
    action: z.enum(['refuse', 'approve', 'pass']).nullable(),
    nodes: z.array(z.object({ no: z.int(), need: z.int(), approvers: z.array(person) })),
    decision: decision.nullable(),
    reasons: z
      .array(z.object({ rule: named, conditions: z.array(z.object({ text: z.string(), ok: z.boolean().nullable().describe('Null where it is not known') })) }))
      .describe('Each rule that is for such orders with its conditions, in the order in which they are asked, as far as the one that decides'),
    assets: z
      .array(
        z.object({
          chain: z.string(),
          network: z.string(),
          asset: z.string(),
          symbol: z.string(),
          bands: z.array(
            z.object({
              text: z.string().describe('Empty for any amount'),
              rules: z.array(named.extend({ action: z.enum(['refuse', 'approve', 'pass']) })),
              has_gap: z.boolean(),
            }),
          ),
        }),
      )
      .describe('By amounts of each asset, the rules that decide on some such payment in the order in which they are asked'),
    coverage: z.array(z.object({ rule: named, sentence: z.string(), decides: z.array(z.string()), more: z.int().describe('How many parts are not listed') })),
    gaps: z.array(z.object({ text: z.string(), example: z.string() })),
    gaps_count: z.int(),
    overlaps: z.array(z.object({ first: named, other: named, is_whole: z.boolean(), text: z.string(), example: z.string() })),
    overlaps_count: z.int(),
    shadowed: z.array(z.object({ rule: named, by: z.array(named), text: z.string() })),
    away: z.array(
      z.object({
        rule: named.nullable(),
        person: person.nullable(),
        step: z.int().nullable(),
        text: z.string(),
        decided: z
          .string()
          .nullable()
          .describe('Who decides in their place now, so that orders can be approved nevertheless; null where nobody does, or it is not enough'),
      }),
    ),
    without_key: z.array(person.extend({ text: z.string() })),
  }),
})

export const REPLAY_DAYS_MAX = 90

export const replayRules = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/strategy/replay',
  permission: 'strategy.read',
  changes: [],
  summary:
    "What drafted rules would have done with the organisation's own orders of the last days, and with orders at the borders of every rule, beside what the rules in force do",
  input: z.object({ draft: jsonField(rulesDraft), days: z.coerce.number().int().min(1).max(REPLAY_DAYS_MAX).default(30) }),
  output: z.object({
    fault: z.string().nullable(),
    days: z.int(),
    orders: z.int(),
    is_whole: z.boolean().describe('False where there were more orders than are looked at'),
    before: z.object({ passes: z.int(), waits: z.int(), refused: z.int() }),
    after: z.object({ passes: z.int(), waits: z.int(), refused: z.int() }),
    changed_count: z.int(),
    changed: z.array(z.object({ id: z.string(), at: z.int(), title: z.string(), before: decision, after: decision })),
    edge_cases: z.array(z.object({ rule: named, edge, text: z.string(), before: decision, after: decision, is_changed: z.boolean() })),
    edge_cases_count: z.int(),
  }),
})
