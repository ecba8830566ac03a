import { BlockList, isIP } from 'node:net'

/** Ranges of IP addresses, such as those of the proxies whose word is believed. */
export type AddressRanges = { has(address: string): boolean }

/** What stands for "no range": somebody has thought of it, and there is none. */
export const NO_RANGES = 'none'

/**
 * Reads addresses and CIDR ranges with commas between, or `none`. Undefined if any of it is neither, and for a range that takes in every
 * address: whoever trusts everybody's word for an address has none.
 */
export function readAddressRanges(text: string): string[] | undefined {
  if (text === NO_RANGES) return []
  const ranges = text.split(',').map((range) => range.trim())
  return ranges.every(isRange) ? ranges : undefined
}

function isRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || address.includes('%') || rest.length > 0) return false
  return prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128))
}

/** The ranges that `readAddressRanges` has read, to ask. An IPv4 address in the clothes of IPv6 is the IPv4 address. */
export function addressRanges(ranges: readonly string[]): AddressRanges {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/')
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
    list.addSubnet(address, prefix === undefined ? (family === 'ipv4' ? 32 : 128) : Number(prefix), family)
  }
  return {
    has: (address) => {
      const plain = plainAddress(address)
      const version = isIP(plain)
      return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6')
    },
  }
}

const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

/**
 * The address a request comes from: the peer's or, while that is a trusted proxy, what this proxy says (X-Forwarded-For, read from its end). What is
 * no address there is not believed.
 */
export function clientAddress(peer: string, forwardedFor: string | undefined, trusted: AddressRanges): string {
  let address = plainAddress(peer)
  for (const said of (forwardedFor ?? '').split(',').reverse()) {
    const next = plainAddress(said.trim())
    if (!trusted.has(address) || isIP(next) === 0) return address
    address = next
  }
  return address
}

/** What one subscriber of a network holds: the address itself, or the /64 of an IPv6 address, of which each has 2^64. */
export function networkOf(address: string): string {
  const plain = plainAddress(address)
  if (isIP(plain) !== 6) return plain
  const [head = '', tail] = (plain.split('%', 1)[0] ?? '').split('::')
  const groups = (text: string | undefined) => (text ? text.split(':') : [])
  const missing = 8 - groups(head).length - groups(tail).length
  const all = [...groups(head), ...(tail === undefined ? [] : Array<string>(Math.max(0, missing)).fill('0')), ...groups(tail)]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
