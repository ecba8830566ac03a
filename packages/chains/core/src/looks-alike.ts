/** How many characters at each end people look at, at the least. Who plants an address makes these the same. */
const ENDS = 4
/** So many at one end alone are no accident either: one address in sixteen million has six of another's. */
const ONE_END = 6

/**
 * Whether two different addresses begin and end alike, or have one long end in common, so that somebody who compares only the ends takes one for the other.
 * What all addresses of a chain begin with, such as 0x or bc1q, does not count.
 */
export function looksAlike(address: string, other: string): boolean {
  const [a, b] = [plain(address), plain(other)]
  if (a === b) return false
  const [start, end] = [shared([...a], [...b]), shared([...a].reverse(), [...b].reverse())]
  return (start >= ENDS && end >= ENDS) || start >= ONE_END || end >= ONE_END
}

/** What two addresses that look alike have one of in common, so that those among many can be found without comparing each with each. */
export function alikeKeys(address: string): string[] {
  const text = plain(address)
  const [start, end] = [text.slice(0, ONE_END), text.slice(-ONE_END)]
  return [`${start}…`, `…${end}`, `${text.slice(0, ENDS)}…${text.slice(-ENDS)}`]
}

/** The last characters by which similar addresses can be found in the database before they are compared. */
export function endOf(address: string): string {
  return plain(address).slice(-ENDS)
}

/** The first characters of an address, without what all of its chain begin with: those that have them alone look alike. */
export function startOf(address: string): string {
  return plain(address).slice(0, ONE_END)
}

/** Characters that two texts have in common from their first on. */
function shared(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((character, i) => character !== b[i])
  return at === -1 ? a.length : at
}

/**
 * What all addresses of a network begin with, in lower case: 0x; bech32 of any network with its version and, of taproot, the same; TON's flags; base58 of TRON
 * and of old Bitcoin scripts. It means the same to JavaScript and to PostgreSQL.
 */
export const CONSTANT_START = /^(?:0x|(?:bc|tb|bcrt)1[qp]|(?=.{48}$)[uek0]q|(?=.{34}$)t)/

function plain(address: string): string {
  return address.toLowerCase().replace(CONSTANT_START, '')
}
