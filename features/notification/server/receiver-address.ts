import { AppError } from '@holdfast/contract'
import type { Ports } from '@holdfast/ports'
import { isPublicAddress } from './check-address.ts'

/** Hosts with port, such as `localhost:9000`, that may be receivers though they are no public ones: for trying out on one machine. */
export type LocalHosts = ReadonlySet<string>

const URL_CHARACTERS_MAX = 2048

/** Why an address cannot be a receiver; the words follow 'Check "url": '. */
export class ReceiverRefused extends Error {
  override name = 'ReceiverRefused'
}

export type Receiver = { url: string; host: string; isLocal: boolean }

/** Reads the address of a receiver: https, no secrets in it, nothing after "#". Throws ReceiverRefused. Does not ask the DNS. */
export function readReceiver(text: string, localHosts: LocalHosts): Receiver {
  if (text.length > URL_CHARACTERS_MAX) throw new ReceiverRefused(`it must have at most ${URL_CHARACTERS_MAX} characters`)
  if (!/^[!-~]+$/.test(text) || !/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text))
    throw new ReceiverRefused('it must be a whole address such as https://example.com/hook')
  const url = new URL(text)
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  const isLocal = localHosts.has(`${url.hostname}:${port}`)
  if (url.protocol !== 'https:' && !isLocal) throw new ReceiverRefused('it must begin with https://')
  if (url.username !== '' || url.password !== '') throw new ReceiverRefused('it must not hold a user name or a password')
  if (text.includes('#')) throw new ReceiverRefused('it must not have a part after "#"')
  return { url: url.href, host: url.hostname.replace(/^\[|\]$/g, ''), isLocal }
}

/** The addresses a receiver has at this moment, every one of them allowed. Throws ReceiverRefused; `dns` where there are none. */
export async function resolveReceiver({ net }: Pick<Ports, 'net'>, { host, isLocal }: Receiver): Promise<string[]> {
  const addresses = await net.resolve(host).catch(() => [])
  if (addresses.length === 0) throw new ReceiverRefused(NO_ADDRESS)
  // One bad address among good ones is a name that leads inside at another time.
  if (!isLocal && !addresses.every(isPublicAddress)) throw new ReceiverRefused(NOT_PUBLIC)
  return addresses
}

export const NO_ADDRESS = 'its name has no address in the DNS'
/** The address itself is not told: it may be one of a network that only the server sees. */
export const NOT_PUBLIC = 'it leads to an address that is not public'

/** Checks an address that somebody wants to save. Throws AppError `invalid_parameters`. */
export async function checkReceiver(ports: Pick<Ports, 'net'>, text: string, localHosts: LocalHosts): Promise<string> {
  try {
    const receiver = readReceiver(text, localHosts)
    await resolveReceiver(ports, receiver)
    return receiver.url
  } catch (cause) {
    if (cause instanceof ReceiverRefused) throw new AppError('invalid_parameters', { cause, details: { field: 'url', reason: cause.message } })
    throw cause
  }
}
