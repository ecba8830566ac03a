import { defineEndpoint, jsonField, requestIdText, totpText } from '@holdfast/contract'
import { checkedDraft } from '@holdfast/features/strategy/contract'
import * as z from 'zod'

// What assets are worth at most, by the policy. Saving it proposes a change of that.

/** Entries that end sooner are said to end soon: a change has to be approved, and may wait at the signers. */
export const SOON_DAYS = 7

/** US dollars for one whole unit, in millionths at the finest. */
export const unitDollars = z.string().regex(/^(0|[1-9]\d{0,20})(\.\d{1,6})?$/, 'it must be an amount of US dollars, with six decimals at most')

const place = { chain: z.string().max(64), asset: z.string().max(128).describe("Empty for the network's own coin") }

/** The whole table as it is to be. What is left out is not valued any more. */
export const valuationDraft = z.object({
  base_version: z.int(),
  entries: z.array(z.object({ ...place, usd: unitDollars, valid_until: z.int().min(1) })).max(512),
})
export type ValuationDraft = z.output<typeof valuationDraft>

export const listValuation = defineEndpoint({
  method: 'GET',
  permission: 'strategy.read',
  staleOn: ['policy.changed'],
  path: '/api/mpc/strategy/valuation/list',
  summary: 'What the policy takes its assets to be worth at most, until when, and what the market says now',
  input: z.object({}),
  output: z.object({
    base_version: z.int(),
    open_change_id: z.string().nullable(),
    is_read: z.boolean().describe('Whether a rule of the policy goes by values'),
    entries: z.array(
      z.object({
        chain: z.string(),
        asset: z.string(),
        network: z.string(),
        symbol: z.string(),
        usd: z.string().nullable().describe('Dollars for one whole unit; null where the table does not say it'),
        valid_until: z.int().nullable(),
        state: z.enum(['valid', 'soon', 'expired', 'none']),
        live: z.string().nullable().describe('What the market says now; null where no price is known'),
        deviation: z.number().nullable().describe('By how many percent the market is above the table'),
      }),
    ),
  }),
})

export const checkValuation = defineEndpoint({
  method: 'POST',
  permission: 'strategy.write',
  path: '/api/mpc/strategy/valuation/check',
  changes: [],
  summary: 'What another table would change, in words, who would have to approve it, and what is wrong with it; nothing is changed',
  input: z.object({ draft: jsonField(valuationDraft) }),
  output: checkedDraft,
})

export const saveValuation = defineEndpoint({
  method: 'POST',
  permission: 'strategy.write',
  path: '/api/mpc/strategy/valuation/save',
  changes: ['policy.changed', 'todo.changed'],
  summary: 'Proposes another table of values. The approvers of valuation approve it, or those who govern where there are none.',
  input: z.object({ request_id: requestIdText, google_code: totpText.optional(), draft: jsonField(valuationDraft) }),
  output: z.object({ id: z.string(), trade_no: z.string(), approval_url: z.string() }),
})
