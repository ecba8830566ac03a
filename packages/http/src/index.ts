export type { RequestLog, RequestLogEntry } from './request-log.ts'
export { clearedCookies, SESSION_COOKIE } from './cookies.ts'
export { createEventHub, type EventHub, type EventSink, type HubEvent } from './event-hub.ts'
export type { Admission, Door, DoorEndpoint } from './door/serve-door.ts'
export type { WireAdmission, WireDoor } from './door/serve-wire.ts'
export { checkedReply, type IncomingCall } from './answer-call.ts'
export { createHttpServer, type HttpServer, type HttpServerOptions } from './create-http-server.ts'
export { readTable } from './upload/read-table.ts'
export { type TableLimits } from './upload/read-workbook.ts'
export { amountOf } from './amount-of.ts'
export { claimRequest, isClaimed } from './claim-request.ts'
export { type RequestKey, requestKeyOf } from './request-key.ts'
export type { Again } from './kept/kept-answers.ts'
export { handle, type ContextOf, type HandledEndpoint, type Handler, type SharedHandler } from './handle.ts'
export { isOpenTokenOf, isXsrfTokenOf, newSessionToken, newXsrfToken, openTokenOf, sessionHashOf } from './session-tokens.ts'
export {
  type CallerContext,
  type MachineRequester,
  type MemberContext,
  type PublicContext,
  type RequestContext,
  type Requester,
  requesterIdOf,
  type Session,
  type SessionAuthority,
} from './session.ts'
export { eventsEndpoint } from './serve-events.ts'
export { createRefusalLog, type RefusalLine } from './refusal-log.ts'
export { createAddressLimits, createRateLimits, type RateLimits } from './rate-limits.ts'
export { createStrangerLimits } from './door/stranger-limits.ts'
export type { ViolationLine } from './serve-reports.ts'
