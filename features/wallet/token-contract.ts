import { addressText, boolText, defineEndpoint, idText, remarkText, wholeNumberText } from '@holdfast/contract'
import { tokenSigns } from '@holdfast/features/network/contract'
import * as z from 'zod'

const chainText = z.string().max(64)
const symbolText = z.string().max(32)

export const openCoin = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/wallet/open/coin',
  permission: 'wallet.update',
  changes: ['wallet.changed'],
  summary: 'Puts a coin on the list of a wallet, or takes it off',
  input: z.object({ wallet_id: idText, chain: chainText, symbol: symbolText, open: boolText.default(true) }),
  output: z.object({ exists: z.boolean() }),
  tenantParameters: ['wallet_id'],
})

/** A token as its contract describes itself: words of a stranger. */
const describedToken = {
  chain: z.string(),
  network: z.string(),
  contract_address: z.string(),
  symbol: z.string(),
  name: z.string(),
  decimals: z.int(),
}

export const checkToken = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/coin/audit/check',
  permission: 'wallet.read',
  staleOn: [],
  summary: 'What a token that is not listed here says of itself, by every source of its network',
  input: z.object({ chain: chainText, contract_address: addressText }),
  output: z.object({
    ...describedToken,
    sources: z.int().describe('How many sources were asked; they agree'),
    signs: tokenSigns,
    listed_as: z.string().describe('The symbol it would have here: its own, with the end of its contract where another coin has that'),
  }),
})

export const applyForToken = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/coin/audit/operate/add',
  permission: 'wallet.update',
  changes: ['policy.changed'],
  summary: 'Asks for a token that is not listed here. It counts once a version of the policy names it',
  input: z.object({
    chain: chainText,
    contract_address: addressText,
    reason: remarkText(200).default(''),
    from_height: wholeNumberText(0, Number.MAX_SAFE_INTEGER)
      .optional()
      .describe('Deposits of it from this block on are booked too, as far as the sources still tell'),
  }),
  output: z.object({ id: z.string(), audit_status: z.literal(0) }),
})

export const refuseToken = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/coin/audit/operate/refuse',
  permission: 'policy.propose',
  changes: ['policy.changed'],
  summary: 'Refuses an application for a token, with a reason. The token can be asked for again',
  input: z.object({ id: idText, reason: remarkText(200).refine((text) => text.trim() !== '', 'it must not be empty') }),
  output: z.object({ audit_status: z.literal(2) }),
  tenantParameters: ['id'],
})

export const listTokenApplications = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/coin/audit/list',
  permission: 'wallet.read',
  staleOn: ['policy.changed'],
  summary: 'Every token the organisation asked for',
  input: z.object({}),
  output: z.array(
    z.object({
      id: z.string(),
      ...describedToken,
      reason: z.string(),
      by: z.string(),
      from_height: z.string().nullable(),
      audit_status: z.union([z.literal(0), z.literal(1), z.literal(2)]).describe('0 waits for a version of the policy that names it, 1 open, 2 refused'),
      refused: z.object({ by: z.string(), at: z.int(), reason: z.string() }).nullable(),
      created_at: z.int(),
    }),
  ),
})
