import { fromHex } from '@holdfast/encoding'
import type { PageCalls } from '@holdfast/features/server-feature'
import * as z from 'zod'
import { keepDelegation } from './keep-delegation.ts'
import { pokeDelegations } from './spread-delegations.ts'

const body = z.object({ delegation: z.string().regex(/^([0-9a-f]{2}){1,16384}$/) })

/** What the page asks on which a person says who decides for them, or that nobody does any more: their own signature is all that it takes. */
export function delegationPageCalls(context: Parameters<typeof keepDelegation>[0] & Parameters<typeof pokeDelegations>[0]): PageCalls {
  return {
    'delegation.set': async (given) => {
      const answer = await keepDelegation(context, fromHex(body.parse(given).delegation))
      pokeDelegations(context)
      return answer
    },
  }
}
