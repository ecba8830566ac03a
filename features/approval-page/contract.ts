import { defineEndpoint } from '@holdfast/contract'
import * as z from 'zod'

/** What is opened on an approval page: orders, the way to stop all signing, who decides for somebody, the making of a key, a founding. */
type Place = 'order' | 'review' | 'stop' | 'standing' | 'delegation' | 'key' | 'setup'

/** A link to an approval page. What it is about stands behind the `#`, so it reaches no server by being opened. */
export const pageUrl = (origin: string, place: Place, about: string): string => `${origin}/#/${place}/${about}`

/** The same on another approval page. */
export const onPage = (url: string, origin: string): string => origin + url.slice(new URL(url).origin.length)

export const approvalPage = z.object({
  origin: z.string(),
  /** Whether the signer that serves it is connected. */
  up: z.boolean(),
  /** Whether the caller has a key there: one that the policy names, one that waits for that, or none. */
  key: z.enum(['counts', 'waits', 'none']),
})
export type ApprovalPage = z.output<typeof approvalPage>

export const getApprovalPages = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/approval/pages',
  permission: 'member',
  staleOn: ['policy.changed', 'member.changed'],
  summary:
    'The pages from which approvals count by the policy, the one that members are led to first; whether each can be reached, and whether the caller has a key there',
  input: z.object({}),
  output: z.object({
    pages: z.array(approvalPage),
    approves: z.boolean().describe('Whether the policy names the caller among those who approve'),
  }),
})

/**
 * Which page to lead somebody to, and which to name beside it. The first page leads while it can be reached, otherwise the first of the others that can. Beside
 * it stand the first page, where it does not lead, and every page where the person has a key that counts.
 */
export function choosePages(pages: readonly ApprovalPage[]): { lead: string | undefined; others: string[] } {
  const lead = pages.find(({ up }) => up) ?? pages[0]
  const others = pages.filter((page, at) => page !== lead && (at === 0 || page.key === 'counts'))
  return { lead: lead?.origin, others: others.map(({ origin }) => origin) }
}
