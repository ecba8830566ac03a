import type { InputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { toHex } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import type { StandingOrderIntent } from '@holdfast/intent'
import { bytesToUuid, formatAmount } from '@holdfast/units'
import type { proposeStandingOrder } from '../contract.ts'

const DAY_MS = 86_400_000n

type Draft = InputOf<typeof proposeStandingOrder>['draft']
type DraftPlace = Draft['sources'][number]
type Place = { keyId: Uint8Array; path: readonly bigint[] }

/**
 * The draft of which a standing order was made, amounts in whole units: what `readTerms` reads, turned round. Null for kinds that other pages ask for, and for
 * places that no wallet of the organisation has any more.
 */
export async function draftOf(tx: OrganisationTx, { networks }: Pick<ServerContext, 'networks'>, intent: StandingOrderIntent): Promise<Draft | null> {
  const { does, assets, fees, limits } = intent
  if (does.kind !== 'sweep' && does.kind !== 'fuel') return null
  const placeOf = await readPlaces(tx)
  const own = (places: readonly Place[]) => distinct(places.map(placeOf))
  const sources = own(intent.sources)
  const targets =
    does.kind === 'fuel'
      ? own(does.to)?.map((place) => ({ kind: 'own' as const, ...place }))
      : all([
          ...(own(does.to.flatMap((target) => (target.kind === 'own' ? [target] : [])))?.map((place) => ({ kind: 'own' as const, ...place })) ?? [undefined]),
          ...does.to.flatMap((target) =>
            target.kind === 'listed' ? [{ kind: 'listed' as const, chain: target.chain, address: target.address, memo: target.memo ?? '' }] : [],
          ),
        ])
  const count = limits[0]?.maxCount
  if (!sources || !targets || typeof count !== 'bigint') return null
  const coinOf = (chain: string) => networks.find(chain)?.assets.find(({ contract }) => contract === null)
  return {
    id: bytesToUuid(intent.id),
    kind: does.kind,
    name: intent.name,
    sources,
    targets,
    assets: assets.map(({ asset, atLeast, atMost }) => ({
      chain: asset.chain,
      symbol: asset.symbol,
      at_least: formatAmount(atLeast, Number(asset.decimals)),
      at_most: formatAmount(atMost, Number(asset.decimals)),
    })),
    fees: fees.map(({ asset, max, maxShare }) => ({
      chain: asset.chain,
      max: formatAmount(max, coinOf(asset.chain)?.decimals ?? Number(asset.decimals)),
      max_share: Number(maxShare) / 100,
    })),
    transfers: Number(count),
    never: intent.never,
    days: Math.max(1, Number((intent.untilMs - intent.notBeforeMs + DAY_MS / 2n) / DAY_MS)),
  }
}

/** All of them, if there are all. */
const all = <T>(found: readonly (T | undefined)[]): T[] | undefined => (found.includes(undefined) ? undefined : found.filter((each) => each !== undefined))

/** Each place once: a wallet has one for each of its keys. */
const distinct = (places: readonly (DraftPlace | undefined)[]): DraftPlace[] | undefined =>
  all([...new Map(places.map((each) => [each && `${each.wallet_id} ${each.sub_wallet_id}`, each])).values()])

/** Which wallet or sub-wallet of the organisation a place of a key is. */
async function readPlaces(tx: OrganisationTx): Promise<(place: Place) => DraftPlace | undefined> {
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
