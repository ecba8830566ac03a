import { nftAsset, pinnedContract, readCollection, readNft, readTokenWallets } from '@holdfast/chain-core'
import { toHex } from '@holdfast/encoding'
import type { PaymentAct } from '@holdfast/intent'
import { at } from '@holdfast/units'
import { type Condition, type DestinationFacts, isNamed, localTimeOf } from '../conditions/index.ts'
import { coversPayment } from '../evaluate/evaluate.ts'
import type { Policy } from '../policy.ts'
import type { Rule } from '../rules/rule-shapes.ts'
import { countedName, unitsWorth } from '../rules/valuation.ts'
import { bandsOf, type Piece, type Place, type Told } from './dimension.ts'

type Kind<K extends Condition['kind']> = Extract<Condition, { kind: K }>

export const conditionsIn = <K extends Condition['kind']>(rules: readonly Rule[], kind: K): Kind<K>[] =>
  rules.flatMap((rule) => (rule.kind === 'named' ? rule.conditions.filter((each): each is Kind<K> => each.kind === kind) : []))

/**
 * Every asset of a network that the policy pins, in the bands of amounts between the borders that rules set for it. A collection is one asset for each token
 * that a rule names, and one for the others.
 */
export function assetPieces(policy: Policy, chain: string, rules: readonly Rule[]): Piece[] {
  const bounds = conditionsIn(rules, 'assets').flatMap(({ assets }) => assets.filter((each) => each.chain === chain))
  const names = [...bounds.map(({ asset }) => asset), ...rules.map((rule) => (rule.kind === 'transfer' ? rule.asset : null))].filter((name) => name !== null)
  const pinned = policy.assets.filter((asset) => asset.chain === chain && !readTokenWallets(asset.contract))
  return pinned.flatMap(({ contract }) =>
    tokensOf(contract, names).flatMap((token) => {
      const borders = [
        ...bounds.filter(({ asset }) => asset !== null && isNamed(asset, token)).flatMap(({ above, atMost }) => [above, ...(atMost === null ? [] : [atMost])]),
        ...rules.flatMap((rule) =>
          rule.kind === 'transfer' && rule.maxAmount !== null && coversPayment(rule, paying(chain, token, 0n)) ? [rule.maxAmount] : [],
        ),
      ]
      return bandsOf([...borders, ...valueBorders(policy, rules, chain, token)], 1n).map((band) => ({
        told: { kind: 'asset' as const, chain, asset: names.includes(token ?? '') ? (token ?? '') : (contract ?? ''), ...band },
        act: { chain, contract: token, amount: band.from },
      }))
    }),
  )
}

/** The amounts of an asset that are worth what rules set as bounds of values, as far as the table says what it is worth. */
export const valueBorders = (policy: Policy, rules: readonly Rule[], chain: string, contract: string | null): bigint[] =>
  conditionsIn(rules, 'value').flatMap(({ aboveCents, atMostCents }) =>
    [aboveCents, ...(atMostCents === null ? [] : [atMostCents])].flatMap((cents) => {
      const units = cents === 0n ? undefined : unitsWorth(policy, countedName(chain, contract), cents)
      return units === undefined ? [] : [units]
    }),
  )

const paying = (chain: string, contract: string | null, amount: bigint): PaymentAct => ({
  as: 'payment',
  chain,
  contract,
  amount,
  recipients: [],
  memo: null,
  source: null,
  initiator: new Uint8Array(16),
})

/** The coin itself; of a collection the tokens that rules name, and one that none names. */
function tokensOf(contract: string | null, names: readonly string[]): (string | null)[] {
  const collection = readCollection(contract)
  if (!collection) return [contract]
  const named = names.filter((name) => readNft(name) && pinnedContract(name) === contract)
  const ids = named.map((name) => readNft(name)?.tokenId)
  let other = 0n
  while (ids.includes(other)) other++
  return [...new Set([...named, nftAsset({ ...collection, tokenId: other })])]
}

/** Everybody whom the policy names. */
export const askerPieces = (policy: Policy): Piece[] => policy.people.map(({ id }) => ({ told: { kind: 'asker', person: id }, act: { initiator: id } }))

/** Every wallet that rules name, an address of it that is of none of those below it, and an address of another key. */
export function sourcePieces(rules: readonly Rule[]): Piece[] {
  const wallets = conditionsIn(rules, 'sources').flatMap((condition) => condition.wallets)
  const placeOf = (keyId: Uint8Array, path: readonly bigint[]) => `${toHex(keyId)}/${path.join('/')}`
  const named = [...new Map(wallets.map((wallet) => [placeOf(wallet.keyId, wallet.path), wallet])).values()]
  const inside = named.map((wallet) => {
    const below = named.filter(({ keyId, path }) => toHex(keyId) === toHex(wallet.keyId) && path.length > wallet.path.length)
    let next = 0n
    while (below.some(({ path }) => path[wallet.path.length] === next)) next++
    return { told: { kind: 'source' as const, wallet }, act: { source: { keyId: wallet.keyId, path: [...wallet.path, next] } } }
  })
  const other = new Uint8Array(32)
  while (named.some(({ keyId }) => toHex(keyId) === toHex(other))) other[0] = (other[0] ?? 0) + 1
  return [...inside, { told: { kind: 'source', wallet: null }, act: { source: { keyId: other, path: [0n] } } }]
}

/** More lists than these are not looked at in every combination. */
const LISTS_MAX = 4
const OTHER_ADDRESS = 'another address'
const SOME_MEMO = 'a memo that no rule names'

/**
 * Every kind of destination that rules tell apart, with the memo that goes along; `isWhole` is false where there are too many lists for every combination of
 * them.
 */
export function destinationPieces(chain: string, rules: readonly Rule[]): { pieces: Piece[]; isWhole: boolean } {
  const conditions = conditionsIn(rules, 'destinations')
  const lists = [...new Set(conditions.flatMap((each) => each.lists))]
  const onLists = lists.length > LISTS_MAX ? [[], ...lists.map((list) => [list]), lists] : subsetsOf(lists)
  const listing = conditions.some(({ listed }) => listed) || lists.length > 0 ? [null, ...onLists] : [undefined]
  const owns = conditions.some(({ own }) => own) ? [true, false] : [null]
  const paid = conditions.some(({ paidBefore }) => paidBefore) ? [true, false] : [null]
  const pieces = placesApart(chain, conditions, conditionsIn(rules, 'memo').length > 0).flatMap(({ act, ...place }) =>
    owns.flatMap((own) =>
      listing.flatMap((on) =>
        paid.map((paidBefore): Piece => {
          const facts: DestinationFacts = { isOwn: own ?? false, isListed: on !== null && on !== undefined, lists: on ?? [], isPaidBefore: paidBefore ?? false }
          const listed = on === undefined ? null : on === null ? ('no' as const) : ('yes' as const)
          return { told: { kind: 'destination', own, listed, lists: on ?? [], paidBefore, ...place }, act, given: { destination: () => facts } }
        }),
      ),
    ),
  )
  return { pieces, isWhole: lists.length <= LISTS_MAX }
}

const subsetsOf = (names: readonly string[]): string[][] => names.reduce<string[][]>((sets, name) => [...sets, ...sets.map((set) => [...set, name])], [[]])

type Apart = Pick<Extract<Told, { kind: 'destination' }>, 'addresses' | 'memo'> & { act: Pick<PaymentAct, 'recipients' | 'memo'> }

/** The places that rules name, those together that the same rules name; and any other, with a memo and without one where rules ask for that. */
function placesApart(chain: string, conditions: readonly Kind<'destinations'>[], asksForMemos: boolean): Apart[] {
  const named = conditions.map(({ addresses }) => addresses.filter((each) => each.chain === chain).map(({ memo, ...each }) => ({ ...each, memo: memo ?? '' })))
  const nameOf = ({ address, memo }: Place) => JSON.stringify([address, memo])
  const once = [...new Map(named.flat().map((place) => [nameOf(place), place])).values()]
  const by = (place: Place) => named.map((inside) => inside.some((each) => nameOf(each) === nameOf(place)))
  const groups = [...Map.groupBy(once, (place) => JSON.stringify([...by(place), asksForMemos && place.memo !== ''])).values()]
  const others = (asksForMemos ? [true, false] : [null]).map((memo): Apart => {
    return { addresses: groups.length === 0 ? null : [], memo, act: { recipients: [OTHER_ADDRESS], memo: memo ? SOME_MEMO : null } }
  })
  const together = groups.map((group): Apart => {
    const { address, memo } = at(group, 0)
    const addresses = group.map((place) => ({ name: place.name, address: place.address, memo: place.memo }))
    return { addresses, memo: asksForMemos ? memo !== '' : null, act: { recipients: [address], memo: memo === '' ? null : memo } }
  })
  return [...together, ...others]
}

const MINUTE_MS = 60_000
/** Clocks of all zones differ by whole quarters of an hour. */
const QUARTER_MINUTES = 15
const WEEK_QUARTERS = 7 * 24 * 4
const DAY_MS = 86_400_000

/** The stretches of the week from a day on in which no border of any times of rules lies. */
export function timePieces(conditions: readonly Kind<'times'>[], nowMs: number): Piece[] {
  const startMs = nowMs - (nowMs % DAY_MS)
  const endMs = startMs + 7 * DAY_MS
  const borders = new Set([startMs])
  for (const zone of new Set(conditions.map((each) => each.zone))) {
    const minutes = [0n, ...conditions.filter((each) => each.zone === zone).flatMap(({ fromMinute, untilMinute }) => [fromMinute, untilMinute])]
    let expected: number | undefined
    for (let quarter = 0; quarter < WEEK_QUARTERS; quarter++) {
      const atMs = startMs + quarter * QUARTER_MINUTES * MINUTE_MS
      const local = Number(localTimeOf(zone, atMs)?.minute ?? 0n)
      if (local !== expected) borders.add(atMs)
      expected = (local + QUARTER_MINUTES) % 1440
      for (const minute of minutes) {
        const after = Number(minute) - local
        if (after >= 0 && after < QUARTER_MINUTES) borders.add(atMs + after * MINUTE_MS)
      }
    }
  }
  const sorted = [...borders].toSorted((a, b) => a - b)
  return sorted.map((fromMs, i) => ({ told: { kind: 'time', fromMs, untilMs: sorted[i + 1] ?? endMs }, act: {}, given: { atMs: fromMs } }))
}

/** The first time of the week at which a condition on times begins to hold, and the first minute after it; undefined if it holds at no time or always. */
export function localTimes(condition: Kind<'times'>, nowMs: number): { firstMs: number; afterMs: number } | undefined {
  const pieces = timePieces([condition], nowMs).flatMap(({ told }) => (told.kind === 'time' ? [told.fromMs] : []))
  const isIn = (atMs: number) => {
    const local = localTimeOf(condition.zone, atMs)
    return local !== undefined && condition.days.includes(local.day) && local.minute >= condition.fromMinute && local.minute < condition.untilMinute
  }
  const first = pieces.findIndex((atMs, i) => isIn(atMs) && i > 0 && !isIn(pieces[i - 1] ?? 0))
  const after = pieces.findIndex((atMs, i) => i > first && !isIn(atMs))
  const [firstMs, afterMs] = [pieces[first], pieces[after]]
  return firstMs === undefined || afterMs === undefined ? undefined : { firstMs, afterMs }
}
