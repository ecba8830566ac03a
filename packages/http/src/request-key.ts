import { createHash } from 'node:crypto'
import { type Endpoint, isSecretField } from '@holdfast/contract'
import { encode, list, struct, text } from '@holdfast/encoding'

/** What makes a call happen once: the id that its caller made, and the digest of everything that the call asks for. */
export type RequestKey = {
  id: string
  /** SHA-256, 32 bytes. */
  digest: Uint8Array
}

/** The field in which a caller names a call that happens once. */
export const REQUEST_ID = 'request_id'

const askedShape = struct('holdfast/request/v1', {
  path: text(200),
  person: text(64),
  fields: list(struct('holdfast/request/field/v1', { name: text(100), value: text(1 << 20) }), 200),
})

/**
 * The key of a call: its id and the digest of its path, of the caller, and of every parsed field in the order of the names. The digest leaves out the id and
 * what proves who the caller is (a code differs the next time). A field that was not given does not count.
 */
export function requestKeyOf(
  endpoint: Pick<Endpoint, 'path'>,
  personId: string,
  input: Readonly<Record<string, unknown>> & { request_id: string },
): RequestKey {
  const fields = Object.entries(input)
    .filter(([name, value]) => name !== REQUEST_ID && !isSecretField(name) && value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => ({ name, value: canonicalText(value) }))
  const asked = encode(askedShape, { path: endpoint.path, person: personId, fields })
  return { id: input.request_id, digest: Uint8Array.from(createHash('sha256').update(asked).digest()) }
}

/** A value as JSON in which the members of every object are sorted by name. Text is taken in Unicode's composed form. */
function canonicalText(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(typeof value === 'string' ? value.normalize('NFC') : value)
  const members = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonicalText(each)}`).join(',')}}`
}
