import { type CallInput, type Endpoint, formEncode, type Language, type OutputOf, parseForm, readInput } from '@holdfast/contract'
import { type HandledEndpoint, type MemberContext, requestKeyOf } from '@holdfast/http'

type Caller = { orgId: string; personId: string; language?: Language; permissions?: readonly string[] }

/**
 * Makes a call without the HTTP layer, as a page would: what is given is written as a form and read again, and what is answered is held against the contract.
 */
export async function callAs<E extends Endpoint>(
  endpoints: readonly HandledEndpoint[],
  endpoint: E,
  input: CallInput<E>,
  { orgId, personId, language = 'en_US', permissions = [] }: Caller,
): Promise<OutputOf<E>> {
  const handled = endpoints.find((each) => each.endpoint === endpoint)
  if (!handled) throw new Error(`nothing answers ${endpoint.path}`)
  const fields = readInput(endpoint, parseForm(formEncode(input), endpoint.maxBodyBytes)) as Record<string, unknown>
  const request = typeof fields['request_id'] === 'string' ? requestKeyOf(endpoint, personId, fields as { request_id: string }) : undefined
  const caller = { orgId, personId, language, request, session: { permissions: new Set(permissions), role: 'owner' } } as unknown as MemberContext
  return endpoint.output.parse(await handled.handler(caller, fields as never)) as OutputOf<E>
}
