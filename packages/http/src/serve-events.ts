import { AppError, defineEndpoint, errorEnvelope, EVENTS_REMEMBERED_MS, readInput, wholeNumberText } from '@holdfast/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { asCaller, type CallServices, formOf, type IncomingCall, languageOf, logged, toAppError } from './answer-call.ts'
import type { EventHub, EventSink } from './event-hub.ts'
import { securityHeaders } from './security-headers.ts'
import type { Session } from './session.ts'

/** The stream of hints for open pages. Its answer is text/event-stream, or an envelope if it is refused. */
export const eventsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/events',
  permission: 'member',
  summary: 'Server-sent events: hints that something changed.',
  input: z.object({
    since_ms: wholeNumberText(0, EVENTS_REMEMBERED_MS)
      .default(0)
      .describe('Milliseconds since the page asked its first question: what changed since is told again.'),
  }),
  output: z.null(),
})

/** Serves the event stream under the same checks as every call. */
export function serveEvents(app: FastifyInstance, services: CallServices, hub: EventHub, incomingOf: (request: FastifyRequest) => IncomingCall): void {
  app.get(eventsEndpoint.path, async (request, reply) => {
    const call = incomingOf(request)
    const who: { session?: Session } = {}
    let forget: (() => void) | undefined
    try {
      const { session } = await asCaller(services, eventsEndpoint, call, who, async (caller) => caller)
      if (!session) throw new AppError('signed_out')
      const { since_ms } = readInput(eventsEndpoint, await formOf(eventsEndpoint, call))
      const { raw } = reply
      const head = {
        ...securityHeaders(services.origin()),
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        'x-request-id': call.requestId,
      }
      const sink: EventSink = {
        // Headers go out with the first line, so a refusal by the hub is still an envelope.
        write: (text) => {
          if (!raw.headersSent) raw.writeHead(200, head)
          raw.write(text)
        },
        pendingBytes: () => raw.writableLength,
        close: () => raw.end(),
      }
      forget = hub.open(session, sink, since_ms)
      reply.hijack()
      raw.once('close', forget)
      raw.once('error', forget)
      // The page may have left while the session was looked up; its close event is then past.
      if (raw.destroyed) forget()
    } catch (thrown) {
      const error = toAppError(services, thrown, call.requestId)
      const { clock } = services.ports
      services.log({
        ...logged(call, who.session),
        atMs: clock.nowMs(),
        httpStatus: error.httpStatus,
        code: error.code,
        errorName: error.errorName,
        durationMs: 0,
        cause: error.cause,
      })
      return reply.code(error.httpStatus).send(errorEnvelope(error, languageOf(call.headers)))
    }
    return reply
  })
}
