/** How many characters at each end people look at, at the least. Who plants an address makes these the same. */
const ENDS = 4

/**
 * Whether two different addresses begin and end alike, so that somebody who compares only the ends takes one for the other.
 * The prefix that all addresses of a chain share, such as 0x, does not count.
 */
export function looksAlike(address: string, other: string): boolean {
  const [a, b] = [plain(address), plain(other)]
  return a !== b && a.slice(0, ENDS) === b.slice(0, ENDS) && a.slice(-ENDS) === b.slice(-ENDS)
}

/** The last characters by which similar addresses can be found in the database before they are compared. */
export function endOf(address: string): string {
  return plain(address).slice(-ENDS)
}

function plain(address: string): string {
  return address.toLowerCase().replace(/^0x/, '')
}
