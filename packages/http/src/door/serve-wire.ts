import { AppError, type Envelope, errorEnvelope, successEnvelope } from '@holdfast/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type CallServices, type IncomingCall, languageOf, toAppError, withinTime } from '../answer-call.ts'

/** Who was let in. What is answered from then on, refusals too, is sealed for who called. */
export type WireAdmission = {
  seal(envelope: Envelope): object
  act(context: Pick<IncomingCall, 'requestId' | 'ip'> & { language: ReturnType<typeof languageOf> }): Promise<unknown>
}

/** The calls of programs that speak the wire of the field's SDKs. No session, no cookie and no page has a part in them. */
export type WireDoor = {
  paths: readonly string[]
  /** Lets a call in by who made it; throws AppError otherwise, the same for whatever is wrong. */
  admit(path: string, call: IncomingCall): Promise<WireAdmission>
  /** Told of each call once it is answered. */
  record(call: IncomingCall, answer: { httpStatus: number; code: string; durationMs: number }): Promise<void>
}

/** Signers attest an address while its call waits. */
const WORK_LIMIT_MS = 20_000

/** Serves the wire. Its clients read the code of an answer, and take any other status than 200 for a fault of the way. */
export function serveWire(app: FastifyInstance, services: CallServices, door: WireDoor, read: (request: FastifyRequest) => IncomingCall): void {
  for (const url of door.paths)
    app.route({
      method: ['GET', 'POST'],
      url,
      handler: async (request, reply) => {
        const { body, isSealed, note } = await answerWire(services, door, url, read(request))
        // Whoever was not let in is answered first: how long it takes to write that down says what was wrong.
        if (isSealed) await note()
        void reply.header('cache-control', 'no-store').send(body)
        if (!isSealed) await note()
        return reply
      },
    })
}

type WireAnswer = {
  body: object
  /** Whether it is for the eyes of who called. */
  isSealed: boolean
  /** Writes the call down. */
  note(): Promise<void>
}

async function answerWire(services: CallServices, door: WireDoor, path: string, call: IncomingCall): Promise<WireAnswer> {
  const { clock } = services.ports
  const startedMs = clock.monotonicMs()
  const language = languageOf(call.headers)
  let admitted: WireAdmission | undefined
  let refused: AppError | undefined
  let reply: unknown
  try {
    services.perIp.demand(call.ip)
    admitted = await door.admit(path, call)
    reply = await withinTime(services.ports, admitted.act({ requestId: call.requestId, ip: call.ip, language }), WORK_LIMIT_MS)
  } catch (thrown) {
    refused = toAppError(services, thrown, call.requestId)
  }
  const envelope = refused ? errorEnvelope(refused, language) : successEnvelope(reply)
  const answer = { httpStatus: 200, code: envelope.code, durationMs: Math.round(clock.monotonicMs() - startedMs) }
  const note = async () => {
    const failed = await door.record(call, answer).then(
      () => undefined,
      (cause: unknown) => cause,
    )
    const { requestId, ip, method, path: whole } = call
    const cause = failed ?? refused?.cause
    services.log({
      ...{ requestId, ip, method, path: whole, atMs: clock.nowMs() },
      ...answer,
      // A fault is one in the log, whatever the wire makes of it.
      ...(refused ? { errorName: refused.errorName, httpStatus: refused.httpStatus } : {}),
      ...(cause === undefined ? {} : { cause }),
    })
  }
  return { body: admitted ? admitted.seal(envelope) : envelope, isSealed: admitted !== undefined, note }
}
