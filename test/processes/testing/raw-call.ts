import { createClient, createCookieJar, type Endpoint, type Envelope, envelopeSchema, takesFile } from '@holdfast/contract'
import { getState } from '@holdfast/features/session/contract'
import { nodePorts } from '@holdfast/ports/node'
import type * as z from 'zod'
import type { LocalSettings } from '../../../apps/launcher/src/local-settings.ts'
import type { TerminalMember } from '../../../apps/launcher/src/terminal-member.ts'

export type Headers = Record<string, string>
export type RawAnswer = { status: number; text: string; envelope: Envelope }

const ENCODED = { 'content-type': 'application/x-www-form-urlencoded' }

/** The headers with which this member's browser would make a call. */
export function headersOf(member: Pick<TerminalMember, 'client'>, endpoint: Endpoint): Headers {
  return member.client.request(endpoint.method, endpoint.path).init.headers
}

/** The headers of a browser that has opened the console, and where nobody is signed in. */
export async function headersOfStranger(settings: LocalSettings): Promise<Headers> {
  const client = createClient({
    baseUrl: settings.consoleOrigin,
    fetch: nodePorts.fetch,
    timer: nodePorts.timer,
    cookieJar: createCookieJar(),
    headers: () => ({ language: 'en_US', timezone: 'UTC' }),
  })
  await client.call(getState, {})
  return client.request('GET', '/').init.headers
}

/** Calls an endpoint with these texts in its fields, and reads the answer as it came. Throws where it is not an envelope. */
export async function rawCall(settings: LocalSettings, endpoint: Endpoint, fields: Record<string, string>, headers: Headers): Promise<RawAnswer> {
  const form = new URLSearchParams(fields)
  const url = `${settings.consoleOrigin}${endpoint.path}`
  const response =
    endpoint.method === 'GET'
      ? await fetch(form.size === 0 ? url : `${url}?${form}`, { headers })
      : await fetch(url, {
          method: 'POST',
          ...(takesFile(endpoint) ? { headers, body: inParts(endpoint, fields) } : { headers: { ...headers, ...ENCODED }, body: form.toString() }),
        })
  const text = await response.text()
  return { status: response.status, text, envelope: envelopeSchema.parse(JSON.parse(text)) }
}

/** The fields of a call that takes a file, the text of which stands in its field. */
function inParts({ input }: Endpoint, fields: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, text] of Object.entries(fields)) {
    form.append(name, (input.shape[name] as z.ZodType | undefined)?.def.type === 'file' ? new File([text], 'file.csv') : text)
  }
  return form
}
