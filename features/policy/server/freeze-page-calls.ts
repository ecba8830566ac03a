import { fromHex } from '@holdfast/encoding'
import * as z from 'zod'
import { keepFreeze } from './freezes.ts'
import { pokeSignerOrders } from './signer-order/run-signer-orders.ts'

const freezeBody = z.object({ freeze: z.string().regex(/^([0-9a-f]{2}){1,16384}$/) })

/** What the page asks on which one person stops all signing: their own signature is all that it takes. */
export function freezePageCalls(
  context: Parameters<typeof keepFreeze>[0] & Parameters<typeof pokeSignerOrders>[0],
): Record<string, (body: unknown) => Promise<unknown>> {
  return {
    'organisation.freeze': async (body) => {
      const answer = await keepFreeze(context, fromHex(freezeBody.parse(body).freeze))
      pokeSignerOrders(context)
      return answer
    },
  }
}
