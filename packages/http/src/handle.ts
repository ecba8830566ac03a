import type { Endpoint, InputOf, ReplyOf } from '@holdfast/contract'
import { REQUEST_ID, type RequestKey, requestKeyOf } from './request-key.ts'
import type { MemberContext, PublicContext } from './session.ts'

/** Who calls. A call that is carried out once also has its key. */
export type ContextOf<E extends Endpoint> = (E['permission'] extends 'public' ? PublicContext : MemberContext) &
  (InputOf<E> extends { request_id: string } ? { request: RequestKey } : unknown)

/** Does the work of one endpoint. Throws AppError to refuse; anything else it throws is a fault of the server. */
export type Handler<E extends Endpoint> = (context: ContextOf<E>, input: InputOf<E>) => Promise<ReplyOf<E>>

/** An endpoint with its handler, as the server registers it. */
export type HandledEndpoint = { endpoint: Endpoint; handler: (context: MemberContext, input: never) => Promise<unknown> }

/** Joins an endpoint and its handler; the handler's types come from the endpoint. */
export function handle<E extends Endpoint>(endpoint: E, handler: Handler<E>): HandledEndpoint {
  const act = handler as unknown as HandledEndpoint['handler']
  if (!Object.hasOwn(endpoint.input.shape, REQUEST_ID)) return { endpoint, handler: act }
  return {
    endpoint,
    handler: (context, input) => {
      const request = requestKeyOf(endpoint, context.personId, input)
      return act({ ...context, request } as MemberContext, input)
    },
  }
}
