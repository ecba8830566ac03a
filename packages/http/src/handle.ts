import { type Endpoint, type InputOf, isMutating, type ReplyOf } from '@holdfast/contract'
import { REQUEST_ID, type RequestKey, requestKeyOf } from './request-key.ts'
import { type CallerContext, type MemberContext, type PublicContext, requesterIdOf } from './session.ts'

type Once<E extends Endpoint> = InputOf<E> extends { request_id: string } ? { request: RequestKey } : unknown

/** Who calls. A call that is carried out once also has its key. */
export type ContextOf<E extends Endpoint> = (E['permission'] extends 'public' ? PublicContext : MemberContext) & Once<E>

/** Does the work of one endpoint. Throws AppError to refuse; anything else it throws is a fault of the server. */
export type Handler<E extends Endpoint> = (context: ContextOf<E>, input: InputOf<E>) => Promise<ReplyOf<E>>

/** An endpoint with its handler, as the server registers it. */
export type HandledEndpoint = {
  endpoint: Endpoint
  handler: (context: MemberContext, input: never) => Promise<unknown>
  /** The same work for a machine too; absent where only a person may have it done. */
  forAnybody?: (context: CallerContext, input: never) => Promise<unknown>
}

/** Does the work of an endpoint for people and for machines. */
export type SharedHandler<E extends Endpoint> = (context: CallerContext & Once<E>, input: InputOf<E>) => Promise<ReplyOf<E>>

/**
 * Joins an endpoint and its handler; the handler's types come from the endpoint. One for machines too (`shared`) is given nothing that only people have, so
 * that what is handled without it can never be asked for by a machine.
 */
export function handle<E extends Endpoint>(endpoint: E, handler: Handler<E>): HandledEndpoint
export function handle<E extends Endpoint>(endpoint: E, handler: SharedHandler<E>, shared: 'machines too'): HandledEndpoint
export function handle(endpoint: Endpoint, handler: unknown, shared?: 'machines too'): HandledEndpoint {
  if (shared === undefined) {
    const act = handler as HandledEndpoint['handler']
    return { endpoint, handler: (context, input) => act(withKey(endpoint, context, context.personId, input), input) }
  }
  const act = handler as NonNullable<HandledEndpoint['forAnybody']>
  const forAnybody: typeof act = (context, input) => act(withKey(endpoint, context, requesterIdOf(context.requester), input), input)
  return { endpoint, forAnybody, handler: (context, input) => forAnybody({ ...context, requester: { personId: context.personId } }, input) }
}

/** The context with the key of a call that is carried out once. */
function withKey<C extends object>(endpoint: Endpoint, context: C, callerId: string, input: never): C {
  // A list may be narrowed by what was asked for under a key; it has none of its own.
  return isMutating(endpoint) && Object.hasOwn(endpoint.input.shape, REQUEST_ID) ? { ...context, request: requestKeyOf(endpoint, callerId, input) } : context
}
