import { fromHex } from '@holdfast/encoding'
import * as z from 'zod'
import { keepFreeze } from './freezes.ts'
import { keepStop } from './stops.ts'
import { pokeSignerOrders } from './signer-order/run-signer-orders.ts'

const record = z.string().regex(/^([0-9a-f]{2}){1,16384}$/)
const freezeBody = z.object({ freeze: record })
const stopBody = z.object({ stop: record })

/** What the page asks on which one person stops all signing, or standing orders: their own signature is all that it takes. */
export function freezePageCalls(
  context: Parameters<typeof keepFreeze>[0] & Parameters<typeof pokeSignerOrders>[0],
): Record<string, (body: unknown) => Promise<unknown>> {
  return {
    'organisation.freeze': async (body) => {
      const answer = await keepFreeze(context, fromHex(freezeBody.parse(body).freeze))
      pokeSignerOrders(context)
      return answer
    },
    'standing.stop': async (body) => {
      const answer = await keepStop(context, fromHex(stopBody.parse(body).stop))
      pokeSignerOrders(context)
      return answer
    },
  }
}
