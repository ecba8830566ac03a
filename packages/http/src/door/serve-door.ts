import { AppError, type Endpoint, errorEnvelope, type OpenApiDocument, readInput, successEnvelope } from '@holdfast/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  type CallAnswer,
  type CallServices,
  checkedReply,
  DEFAULT_WORK_LIMIT_MS,
  formOf,
  type IncomingCall,
  languageOf,
  toAppError,
  withinTime,
} from '../answer-call.ts'
import type { HandledEndpoint } from '../handle.ts'
import type { MachineRequester } from '../session.ts'

/** A call that machines may make, at its path at this door. */
export type DoorEndpoint = { endpoint: Endpoint; forAnybody: NonNullable<HandledEndpoint['forAnybody']> }

/** Who was let in. `demand` throws AppError where the key may not name what the call names. */
export type Admission = { orgId: string; requester: MachineRequester; demand(input: unknown): Promise<void> }

/** The calls of programs with keys of their own. No session, no cookie and no page has a part in them. */
export type Door = {
  endpoints: readonly DoorEndpoint[]
  /** What the door serves, as it is answered to everybody at `/open/v1/openapi.json`. */
  document: Pick<OpenApiDocument, 'paths'>
  /** Lets a call in by who signed it; throws AppError otherwise. Nothing of its form is read before. */
  admit(endpoint: Endpoint, call: IncomingCall): Promise<Admission>
  /** Told of each call once it is answered. */
  record(call: IncomingCall, answer: { httpStatus: number; code: string; durationMs: number }): Promise<void>
}

/** Serves what programs call. Every answer is an envelope; one that could not be written down is no answer of a call. */
export function serveDoor(app: FastifyInstance, services: CallServices, door: Door, read: (request: FastifyRequest) => IncomingCall): void {
  const document = JSON.stringify(door.document)
  app.get('/open/v1/openapi.json', (_, reply) => reply.type('application/json').header('cache-control', 'no-cache').send(document))
  for (const each of door.endpoints) {
    const { method, path: url } = each.endpoint
    app.route({
      method,
      url,
      handler: async (request, reply) => {
        const { httpStatus, body } = await answerMachine(services, door, each, read(request))
        return reply.code(httpStatus).header('cache-control', 'no-store').send(body)
      },
    })
  }
}

async function answerMachine(services: CallServices, door: Door, each: DoorEndpoint, call: IncomingCall): Promise<Pick<CallAnswer, 'httpStatus' | 'body'>> {
  const { clock } = services.ports
  const startedMs = clock.monotonicMs()
  let refused: AppError | undefined
  let reply: unknown
  try {
    reply = await work(services, door, each, call)
  } catch (thrown) {
    refused = toAppError(services, thrown, call.requestId)
  }
  const envelope = refused ? errorEnvelope(refused, languageOf(call.headers)) : successEnvelope(reply)
  const answer = { httpStatus: refused?.httpStatus ?? 200, code: envelope.code, durationMs: Math.round(clock.monotonicMs() - startedMs) }
  const failed = await door.record(call, answer).then(
    () => undefined,
    (cause: unknown) => cause,
  )
  const { requestId, ip, method, path } = call
  const cause = failed ?? refused?.cause
  services.log({
    ...{ requestId, ip, method, path, atMs: clock.nowMs() },
    ...answer,
    ...(refused ? { errorName: refused.errorName } : {}),
    ...(cause === undefined ? {} : { cause }),
  })
  return { httpStatus: answer.httpStatus, body: envelope }
}

async function work(services: CallServices, door: Door, { endpoint, forAnybody }: DoorEndpoint, call: IncomingCall): Promise<unknown> {
  const { ports, perIp } = services
  perIp.demand(call.ip)
  const { orgId, requester, demand } = await door.admit(endpoint, call)
  const input = readInput(endpoint, await formOf(endpoint, call))
  await demand(input)
  const context = { ports, requestId: call.requestId, ip: call.ip, language: languageOf(call.headers), orgId, requester }
  return checkedReply(endpoint, await withinTime(ports, forAnybody(context, input as never), endpoint.timeoutMs ?? DEFAULT_WORK_LIMIT_MS))
}
