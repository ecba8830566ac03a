import ipaddr from 'ipaddr.js'

/** Parts of the public IPv6 space that stand for something else: protocol assignments with Teredo, 6to4, documentation. */
const SPECIAL_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((range) => ipaddr.IPv6.parseCIDR(range))
/** The only IPv6 space that is routed at all (RFC 4291, IANA): everything else is refused, whatever it may become. */
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR('2000::/3')
/** Beside what the library names: protocol assignments, 6to4 relays, AS112. */
const SPECIAL_V4 = ['192.0.0.0/24', '192.88.99.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.175.48.0/24'].map((range) => ipaddr.IPv4.parseCIDR(range))

/**
 * Whether an address is one of the public internet. Everything else is refused: private, loopback, link-local with the metadata
 * services of clouds, shared, multicast, reserved, and each way to write one of these inside an IPv6 address (mapped,
 * compatible, 6to4, Teredo, NAT64). What is not plainly an address is refused too.
 */
export function isPublicAddress(text: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) {
    const address = ipaddr.IPv4.parse(text)
    return address.range() === 'unicast' && !SPECIAL_V4.some((range) => address.match(range))
  }
  if (!/^[0-9a-f:.]+$/i.test(text) || !ipaddr.IPv6.isValid(text)) return false
  const address = ipaddr.IPv6.parse(text)
  return address.range() === 'unicast' && address.match(GLOBAL_V6) && !SPECIAL_V6.some((range) => address.match(range))
}
