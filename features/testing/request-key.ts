import type { Language } from '@holdfast/contract'
import { type RequestKey, requestKeyOf } from '@holdfast/http'

/** The key of a call that a test makes without the HTTP layer, with what was asked for. */
export const keyOf = (id: string, asked: object = {}): RequestKey => requestKeyOf({ path: '/test' }, 'somebody', { ...asked, request_id: id })

/** Whoever makes a call of an organisation without the HTTP layer, with its key. */
export function callerOf<Input extends { request_id: string }>(orgId: string, personId: string, input: Input, language: Language = 'en_US') {
  return { orgId, personId, requesterId: personId, isMachine: false, language, request: requestKeyOf({ path: '/test' }, personId, input) }
}
