import type { InputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { toHex } from '@holdfast/encoding'
import type { StandingOrderIntent } from '@holdfast/intent'
import { bytesToUuid, formatAmount } from '@holdfast/units'
import type { proposeStandingOrder } from '../contract.ts'

const DAY_MS = 86_400_000n

type Draft = InputOf<typeof proposeStandingOrder>['draft']
type DraftPlace = Draft['sources'][number]
type Place = { keyId: Uint8Array; path: readonly bigint[] }

/**
 * The draft of which a standing order was made, amounts in whole units: what `readTerms` reads, turned round. Null for kinds that other pages ask for, for
 * limits that a draft does not say, and for places that no wallet of the organisation has any more.
 */
export async function draftOf(tx: OrganisationTx, intent: StandingOrderIntent): Promise<Draft | null> {
  const { does, assets, fees, limits } = intent
  if (does.kind !== 'sweep' && does.kind !== 'fuel') return null
  const placeOf = await readPlaces(tx)
  const own = (places: readonly Place[]) => distinct(places.map(placeOf))
  const [toOwn, toListed] = does.kind === 'fuel' ? [does.to, []] : [does.to.filter((to) => to.kind === 'own'), does.to.filter((to) => to.kind === 'listed')]
  const [sources, ownTargets] = [own(intent.sources), own(toOwn)]
  const [limit, ...further] = limits
  // A limit that a draft does not say would be missing from the next version.
  const isSaid = further.length === 0 && limit?.each === 'rule' && limit.lengthMs === DAY_MS && limit.amounts.length === 0
  if (!sources || !ownTargets || !isSaid || limit.maxCount === null) return null
  return {
    id: bytesToUuid(intent.id),
    kind: does.kind,
    name: intent.name,
    sources,
    targets: [
      ...ownTargets.map((place) => ({ kind: 'own' as const, ...place })),
      ...toListed.map(({ chain, address, memo }) => ({ kind: 'listed' as const, chain, address, memo: memo ?? '' })),
    ],
    assets: assets.map(({ asset, atLeast, atMost }) => ({
      chain: asset.chain,
      symbol: asset.symbol,
      at_least: formatAmount(atLeast, Number(asset.decimals)),
      at_most: formatAmount(atMost, Number(asset.decimals)),
    })),
    fees: fees.map(({ asset, max, maxShare }) => ({
      chain: asset.chain,
      max: formatAmount(max, Number(asset.decimals)),
      max_share: Number(maxShare) / 100,
    })),
    transfers: Number(limit.maxCount),
    never: intent.never,
    days: Math.max(1, Number((intent.untilMs - intent.notBeforeMs + DAY_MS / 2n) / DAY_MS)),
  }
}

/** Each place once, since a wallet has one for each of its keys; undefined where one of them is known no more. */
function distinct(places: readonly (DraftPlace | undefined)[]): DraftPlace[] | undefined {
  const known = places.filter((place) => place !== undefined)
  if (known.length < places.length) return undefined
  return [...new Map(known.map((place) => [`${place.wallet_id} ${place.sub_wallet_id}`, place])).values()]
}

/** Which wallet or sub-wallet of the organisation a place of a key is. */
export async function readPlaces(tx: OrganisationTx): Promise<(place: Place) => DraftPlace | undefined> {
  const [keys, subWallets] = await Promise.all([
    tx.selectFrom('key_of_wallet').select(['key_id', 'wallet_id']).where('org_id', '=', tx.orgId).execute(),
    tx.selectFrom('sub_wallet').select(['id', 'wallet_id', 'number']).where('org_id', '=', tx.orgId).execute(),
  ])
  const walletOf = new Map(keys.map((each) => [toHex(new Uint8Array(each.key_id)), each.wallet_id]))
  const subWalletOf = new Map(subWallets.map((each) => [`${each.wallet_id}/${each.number}`, each.id]))
  return ({ keyId, path: [number] }) => {
    const walletId = walletOf.get(toHex(keyId))
    if (walletId === undefined) return undefined
    if (number === undefined) return { wallet_id: walletId, sub_wallet_id: null }
    const subWalletId = subWalletOf.get(`${walletId}/${number}`)
    return subWalletId === undefined ? undefined : { wallet_id: walletId, sub_wallet_id: subWalletId }
  }
}
