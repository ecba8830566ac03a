import { pinnedContract } from '@holdfast/chain-core'
import { AppError, type InputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { toHex } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { networkErrors } from '@holdfast/features/network/errors'
import { protocolFor } from '@holdfast/features/network/server'
import { currentPolicy, type PolicyInForce, type StandingOrderTerms } from '@holdfast/features/policy/server'
import { amountOf } from '@holdfast/http'
import { type Asset, EVERYTHING } from '@holdfast/intent'
import { newId, uuidToBytes, withinBytes } from '@holdfast/units'
import type { proposeStandingOrder } from '../contract.ts'

const DAY_MS = 86_400_000

type Draft = InputOf<typeof proposeStandingOrder>['draft']
type DraftPlace = Draft['sources'][number]
type Needs = Pick<ServerContext, 'networks' | 'ports'>

/** A draft of a standing order as signers read it. Throws AppError where it names what is not there. */
export async function readTerms(tx: OrganisationTx, { networks, ports }: Needs, draft: Draft): Promise<StandingOrderTerms> {
  const inForce = await currentPolicy(tx)
  const nowMs = ports.clock.nowMs()
  const assetOf = (chain: string, symbol: string) => {
    const asset = networks.asset(chain, symbol)
    if (!asset) throw new AppError(networkErrors.unsupported_coin)
    return { asset: pinned(inForce, asset), decimals: asset }
  }
  const chains = [...new Set(draft.assets.map(({ chain }) => chain))]
  const moved = draft.assets.map(({ chain, symbol, at_least, at_most, day_most: dayMost }) => {
    const { asset, decimals } = assetOf(chain, symbol)
    const dayMax = dayMost === undefined ? [] : [{ chain, asset: asset.contract ?? '', max: amountOf(dayMost, decimals) }]
    // No amount bounds what runs in the name of an address.
    const bounds =
      draft.kind === 'authorize' ? { atLeast: 0n, atMost: EVERYTHING } : { atLeast: amountOf(at_least, decimals), atMost: amountOf(at_most, decimals) }
    return { asset: { asset, ...bounds }, dayMax }
  })
  const fees = draft.fees.map(({ chain, max, max_share: share }) => {
    const coin = networks.find(chain)?.assets.find(({ contract }) => contract === null)
    if (!coin) throw new AppError(networkErrors.unsupported_coin)
    return { asset: pinned(inForce, coin), max: amountOf(max, coin), maxShare: BigInt(Math.round(share * 100)) }
  })
  // Signers compare addresses as texts, and refuse another spelling than the network's own.
  const spelt = (address: string, on: readonly string[]) => {
    const [known] = on.map((chain) => networks.find(chain)?.codec.canonicalAddress(address)).filter((each) => each !== undefined)
    if (known === undefined) throw new AppError(networkErrors.invalid_transfer_address)
    return known
  }
  const placesOf = async (places: readonly DraftPlace[]) => (await Promise.all(places.map((each) => readPlaces(tx, each, chains)))).flat()
  const own = draft.targets.flatMap((target) => (target.kind === 'own' ? [target] : []))
  const listed = draft.targets.flatMap((target) => (target.kind === 'listed' ? [target] : []))
  const doesOf = async (): Promise<StandingOrderTerms['does']> => {
    if (draft.kind === 'fuel') return { kind: 'fuel', to: distinct(await placesOf(own)) }
    if (draft.kind === 'delegate') return { kind: 'delegate', to: distinct(await placesOf(own)), resources: [...(draft.resources ?? [])] }
    if (draft.kind === 'rent') return { kind: 'rent', to: listed.map(({ chain, address }) => ({ chain, address: spelt(address, [chain]) })) }
    const targets = (await Promise.all(own.map((target) => readTargets(tx, target, chains)))).flat()
    if (draft.kind !== 'sweep') return { kind: draft.kind, to: targets.map(({ chain, name, keyId, path }) => ({ chain, name, keyId, path })) }
    const onList = listed.map(({ chain, address, memo }) => ({
      kind: 'listed' as const,
      chain,
      address: spelt(address, [chain]),
      memo: memo === '' ? null : memo,
    }))
    return { kind: 'sweep', to: [...targets, ...onList] }
  }
  return {
    id: draft.id === null ? uuidToBytes(newId(nowMs, ports.random)) : uuidToBytes(draft.id),
    name: draft.name,
    does: await doesOf(),
    sources: distinct(await placesOf(draft.sources)),
    never: [...new Set(draft.never.map((address) => spelt(address, chains)))],
    assets: moved.map(({ asset }) => asset),
    fees,
    limits: [
      {
        each: 'rule',
        lengthMs: BigInt(DAY_MS),
        amounts: moved.flatMap(({ dayMax }) => dayMax),
        maxTokens: null,
        maxCount: BigInt(draft.transfers),
        maxCents: null,
      },
    ],
    untilMs: BigInt(nowMs + draft.days * DAY_MS),
  }
}

type Place = StandingOrderTerms['sources'][number]

const distinct = (places: readonly Place[]): Place[] => [...new Map(places.map((each) => [`${toHex(each.keyId)}/${each.path.join('/')}`, each])).values()]

/** Where the addresses of a wallet or a sub-wallet are: one place for each key of it that signs on one of the networks. Throws `wallet_not_found`. */
async function readPlaces(tx: OrganisationTx, { wallet_id: walletId, sub_wallet_id: subWalletId }: DraftPlace, chains: readonly string[]): Promise<Place[]> {
  const wallet = await tx
    .selectFrom('wallet')
    .select('name')
    .where('org_id', '=', tx.orgId)
    .where('id', '=', walletId as never)
    .executeTakeFirst()
  const subWallet =
    subWalletId === null
      ? undefined
      : await tx
          .selectFrom('sub_wallet')
          .select(['name', 'number'])
          .where('org_id', '=', tx.orgId)
          .where('wallet_id', '=', walletId as never)
          .where('id', '=', subWalletId as never)
          .executeTakeFirst()
  if (!wallet || (subWalletId !== null && !subWallet)) throw new AppError('wallet_not_found')
  const keys = await tx
    .selectFrom('key_of_wallet')
    .select(['key_id', 'protocol'])
    .where('org_id', '=', tx.orgId)
    .where('wallet_id', '=', walletId as never)
    .where('retired_at', 'is', null)
    .execute()
  const protocols = new Set(
    chains.map((chain) =>
      protocolFor(
        chain,
        keys.map(({ protocol }) => protocol),
      ),
    ),
  )
  const name = withinBytes([wallet.name, ...(subWallet ? [subWallet.name] : [])].join(' / '), 64)
  return keys
    .filter(({ protocol }) => protocols.has(protocol))
    .map(({ key_id: keyId }) => ({ name, keyId: new Uint8Array(keyId), path: subWallet ? [BigInt(subWallet.number)] : [] }))
}

type Target = Extract<Extract<StandingOrderTerms['does'], { kind: 'sweep' }>['to'][number], { kind: 'own' }>

/** The first address of a sub-wallet on each of the networks, as a target of a sweep. */
async function readTargets(tx: OrganisationTx, place: DraftPlace, chains: readonly string[]): Promise<Target[]> {
  const found = await Promise.all(
    chains.map(async (chain): Promise<Target[]> => {
      const [first] = await readPlaces(tx, place, [chain])
      return first && first.path.length > 0 ? [{ kind: 'own', chain, ...first, path: [...first.path, 0n] }] : []
    }),
  )
  return found.flat()
}

/** The asset as the policy pins it: signers know no other. */
export function pinned(
  { policy }: PolicyInForce,
  { chain, contract, symbol, decimals }: { chain: string; contract: string | null; symbol: string; decimals: number },
): Asset {
  const found = policy.assets.find((each) => each.chain === chain && each.contract === pinnedContract(contract))
  return found ?? { chain, contract, symbol, decimals: BigInt(decimals) }
}
