import type { Endpoint, InputOf, ReplyOf } from '@holdfast/contract'
import type { MemberContext, PublicContext } from './session.ts'

export type ContextOf<E extends Endpoint> = E['permission'] extends 'public' ? PublicContext : MemberContext

/** Does the work of one endpoint. Throws AppError to refuse; anything else it throws is a fault of the server. */
export type Handler<E extends Endpoint> = (context: ContextOf<E>, input: InputOf<E>) => Promise<ReplyOf<E>>

/** An endpoint with its handler, as the server registers it. */
export type HandledEndpoint = { endpoint: Endpoint; handler: (context: MemberContext, input: never) => Promise<unknown> }

/** Joins an endpoint and its handler; the handler's types come from the endpoint. */
export function handle<E extends Endpoint>(endpoint: E, handler: Handler<E>): HandledEndpoint {
  return { endpoint, handler: handler as unknown as HandledEndpoint['handler'] }
}
