import { createHash } from 'node:crypto'
import { AppError, type Endpoint, type InputOf, readInput, type ReplyOf } from '@holdfast/contract'
import type { ServerContext } from '@holdfast/features/context'
import { type CallerContext, checkedReply, type HandledEndpoint, type MachineRequester } from '@holdfast/http'
import type { OrganisationId } from '@holdfast/units'
import type { Names } from '../../open-contract.ts'
import { demandScope } from '../demand-scope.ts'

/** Where a call at door two stands: who asks, and what was said. */
export type Asking = {
  context: ServerContext
  handled: readonly HandledEndpoint[]
  caller: CallerContext & { orgId: OrganisationId; requester: MachineRequester }
  fields: Readonly<Record<string, unknown>>
  /** What this very request is known by. */
  mark: string
}

/** A field as text; undefined where it was not given or is none. */
export function fieldOf({ fields }: Pick<Asking, 'fields'>, name: string): string | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A field that must be there. Throws AppError `invalid_parameters`. */
export function demandField(asking: Pick<Asking, 'fields'>, name: string): string {
  const value = fieldOf(asking, name)
  if (value === undefined) throw missing(name)
  return value
}

const missing = (field: string) => new AppError('invalid_parameters', { details: { field, reason: 'it is required' } })

/** Whole numbers by comma, 100 at most. Throws AppError `invalid_parameters`. */
export function demandNumbers(asking: Pick<Asking, 'fields'>, name: string): bigint[] {
  const parts = demandField(asking, name).split(',')
  if (parts.length <= 100 && parts.every((each) => /^\d{1,18}$/.test(each))) return parts.map(BigInt)
  throw new AppError('invalid_parameters', { details: { field: name, reason: 'it must be a whole number' } })
}

/** Has a call of the console answered for the machine, by the same handler, with the same checks. Throws AppError. */
export async function askConsole<E extends Endpoint>(asking: Asking, endpoint: E, form: Readonly<Record<string, unknown>>, names: Names): Promise<ReplyOf<E>> {
  const { context, handled, caller } = asking
  const handler = handled.find((each) => each.endpoint === (endpoint as Endpoint))?.forAnybody
  if (!handler) throw new AppError('system_error', { cause: new Error('a call of door two is not handled for machines') })
  const input = readInput(endpoint, Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined))) as InputOf<E>
  await demandScope(context.db, caller.orgId, caller.requester.subWallets, names, input)
  return checkedReply(endpoint, await handler(caller, input as never)) as ReplyOf<E>
}

/** A `request_id` for a call of the console whose call at this door has none: the same request again is the same one. */
export const ownRequestId = ({ mark }: Pick<Asking, 'mark'>): string => `wire-${createHash('sha256').update(mark).digest('hex').slice(0, 40)}`
