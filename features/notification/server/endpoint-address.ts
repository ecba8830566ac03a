import { AppError } from '@holdfast/contract'
import type { Ports } from '@holdfast/ports'
import { isPublicAddress } from './check-address.ts'

/** Hosts with port, such as `localhost:9000`, that may be endpoints though they are no public ones: for trying out on one machine. */
export type LocalHosts = ReadonlySet<string>

const URL_CHARACTERS_MAX = 2048

/** Why an address cannot be an endpoint; the words follow 'Check "url": '. */
export class EndpointRefused extends Error {
  override name = 'EndpointRefused'
}

export type Endpoint = { url: string; host: string; isLocal: boolean }

/** Reads the address of an endpoint: https, no secrets in it, nothing after "#". Throws EndpointRefused. Does not ask the DNS. */
export function readEndpoint(text: string, localHosts: LocalHosts): Endpoint {
  if (text.length > URL_CHARACTERS_MAX) throw new EndpointRefused(`it must have at most ${URL_CHARACTERS_MAX} characters`)
  if (!/^[!-~]+$/.test(text) || !/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text))
    throw new EndpointRefused('it must be a whole address such as https://example.com/hook')
  const url = new URL(text)
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  const isLocal = localHosts.has(`${url.hostname}:${port}`)
  if (url.protocol !== 'https:' && !isLocal) throw new EndpointRefused('it must begin with https://')
  if (url.username !== '' || url.password !== '') throw new EndpointRefused('it must not hold a user name or a password')
  if (text.includes('#')) throw new EndpointRefused('it must not have a part after "#"')
  return { url: url.href, host: url.hostname.replace(/^\[|\]$/g, ''), isLocal }
}

/** The addresses an endpoint has at this moment, every one of them allowed. Throws EndpointRefused; `dns` where there are none. */
export async function resolveEndpoint({ net }: Pick<Ports, 'net'>, { host, isLocal }: Endpoint): Promise<string[]> {
  const addresses = await net.resolve(host).catch(() => [])
  if (addresses.length === 0) throw new EndpointRefused(NO_ADDRESS)
  // One bad address among good ones is a name that leads inside at another time.
  if (!isLocal && !addresses.every(isPublicAddress)) throw new EndpointRefused(NOT_PUBLIC)
  return addresses
}

export const NO_ADDRESS = 'its name has no address in the DNS'
/** The address itself is not told: it may be one of a network that only the server sees. */
export const NOT_PUBLIC = 'it leads to an address that is not public'

/** Checks an address that somebody wants to save. Throws AppError `invalid_parameters`. */
export async function checkEndpoint(ports: Pick<Ports, 'net'>, text: string, localHosts: LocalHosts): Promise<string> {
  try {
    const endpoint = readEndpoint(text, localHosts)
    await resolveEndpoint(ports, endpoint)
    return endpoint.url
  } catch (cause) {
    if (cause instanceof EndpointRefused) throw new AppError('invalid_parameters', { cause, details: { field: 'url', reason: cause.message } })
    throw cause
  }
}
