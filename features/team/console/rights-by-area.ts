/** The parts of the product that rights are about, as people look for them; what is not named here comes last. */
const ORDER = ['wallet', 'address', 'withdraw', 'deposit', 'web3', 'transaction', 'approval', 'policy', 'key', 'member', 'organisation']
const FIRST = 'read'
/** Roles speak of these already, and no call asks for such a right yet: nobody is told of what is not there. */
export const ABSENT: readonly string[] = ['cold_wallet', 'invoice', 'trade']

/** The rights that are told of. */
export const toldRights = (permissions: readonly string[]): string[] => permissions.filter((each) => !ABSENT.includes(areaOf(each)))
const areaOf = (permission: string): string => permission.slice(0, permission.indexOf('.'))

/** Rights such as `withdraw.create`, gathered by what they are about; to read comes first. */
export function rightsByArea(permissions: readonly string[]): { area: string; acts: string[] }[] {
  const rank = (area: string) => (ORDER.indexOf(area) + ORDER.length + 1) % (ORDER.length + 1)
  const byArea = Map.groupBy(toldRights(permissions), areaOf)
  return [...byArea]
    .map(([area, of]) => ({
      area,
      acts: of.map((each) => each.slice(area.length + 1)).toSorted((a, b) => Number(b === FIRST) - Number(a === FIRST)),
    }))
    .toSorted((a, b) => rank(a.area) - rank(b.area))
}
