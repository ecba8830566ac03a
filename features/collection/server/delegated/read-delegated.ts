import { ChainError } from '@holdfast/chain-core'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import type { Network } from '@holdfast/features/network/server'
import { type OpenAuthorization, openAuthorizations, type SignedCarried } from '@holdfast/features/transfer/server'
import { announce } from '@holdfast/jobs'
import { sql } from 'kysely'
import type { Config } from '../configs.ts'
import type { Delegating } from './choose-delegated.ts'

type Needs = Pick<ServerContext, 'db' | 'ports'>
type Of = { config: Config; network: Network }

/** What a node said of an address is asked again after so long, and whenever an authorization could have changed it. */
const FRESH_MS = 15 * 60_000
/** So many addresses are asked about in one look, and so many of them at once. */
const ASKED_MAX = 400
const ASKED_AT_ONCE = 8

/** How it stands with an address; `signed` is what can be carried now. */
export type Known = Omit<Delegating, 'available'> & { signed: SignedCarried | undefined }

/**
 * Whose code runs in the name of addresses, as the network says, and what they have authorized under a collector's standing order: of those that are `wanted`,
 * each with its sub-wallet, of those that delegated to its contract or may have since, and of those whose authorization has not ended.
 */
export async function readDelegated(needs: Needs, orgId: string, { config, network }: Of, wanted: ReadonlyMap<string, string>): Promise<Known[]> {
  const { kept, open } = await needs.db.asOrganisation(orgId, async (tx) => ({
    kept: await readKept(tx, config, needs.ports.clock.nowMs()),
    open: config.allow_order_id === null ? [] : await openAuthorizations(tx, config.allow_order_id),
  }))
  const before = new Map(kept.map((each) => [each.address, each]))
  const authorized = new Map(open.map((each) => [each.address, each]))
  const places = new Map([
    ...wanted,
    ...kept.flatMap(({ address, subWalletId, delegate, isChanged }): [string, string][] =>
      delegate === config.contract_address || isChanged || authorized.has(address) ? [[address, subWalletId]] : [],
    ),
  ])
  const stale = [...places.keys()].filter((address) => before.get(address)?.isStale ?? true).slice(0, ASKED_MAX)
  const told = await askEach(stale, (address) => network.node.contracts?.delegateOf?.(address))
  const isNews = [...told].some(([address, delegate]) => before.get(address)?.delegate !== (delegate ?? ''))
  if (told.size > 0)
    await needs.db.asOrganisation(orgId, async (tx) => {
      await keep(tx, config, places, told, needs.ports.clock.nowMs())
      if (isNews) await announce(tx, needs.ports, 'collecting.changed', { wallet_id: config.wallet_id })
    })
  const isWaiting = ({ raw, isCarried, isBehind }: OpenAuthorization) => raw !== null && !isCarried && !isBehind
  const slots = await askEach(
    open.filter(isWaiting).map(({ address }) => address),
    (address) => network.node.nextSlot(address),
  )
  return [...places].map(([address, subWalletId]) => {
    const row = before.get(address)
    const said = told.get(address)
    const delegate = said !== undefined ? said : row?.isStale === false ? row.delegate : undefined
    const live = authorized.get(address)
    const isReady = live !== undefined && isWaiting(live) && slots.get(address) === live.slot
    return {
      ...{ address, subWalletId, delegate: delegate === '' ? null : delegate },
      authorized: live && { ends: live.delegate === '', isReady },
      signed: live?.raw && isReady ? { id: live.id, address, delegate: live.delegate, raw: live.raw } : undefined,
    }
  })
}

/** `isChanged`: an authorization of the address has moved since it was read, so that other code may run in its name by now. */
type Kept = { address: string; subWalletId: string; delegate: string; isChanged: boolean; isStale: boolean }

async function readKept(tx: OrganisationTx, { id, allow_order_id: authorizing }: Config, nowMs: number): Promise<Kept[]> {
  const { rows } = await sql<{ address: string; sub_wallet_id: string; delegate: string; is_changed: boolean; is_old: boolean }>`
    select kept.address, kept.sub_wallet_id, kept.delegate,
        kept.read_at < ${nowMs - FRESH_MS} as is_old, exists (select from transfer_order o where o.org_id = kept.org_id
          and o.standing_order_id = ${authorizing}::uuid and o.address_from = kept.address and o.updated_at >= kept.read_at) as is_changed
      from collection_delegate kept where kept.org_id = ${tx.orgId} and kept.config_id = ${id}`.execute(tx)
  return rows.map(({ address, sub_wallet_id: subWalletId, delegate, is_changed: isChanged, is_old: isOld }) => ({
    ...{ address, subWalletId, delegate, isChanged },
    isStale: isChanged || isOld,
  }))
}

/** What a node answers of addresses, a few at once; nothing of those of which it does not. */
async function askEach<T>(addresses: readonly string[], ask: (address: string) => Promise<T> | undefined): Promise<Map<string, T>> {
  const told = new Map<string, T>()
  for (let from = 0; from < addresses.length; from += ASKED_AT_ONCE)
    await Promise.all(
      addresses.slice(from, from + ASKED_AT_ONCE).map(async (address) => {
        try {
          const answer = await ask(address)
          if (answer !== undefined) told.set(address, answer)
        } catch (cause) {
          if (!(cause instanceof ChainError)) throw cause
        }
      }),
    )
  return told
}

async function keep(
  tx: OrganisationTx,
  { id }: Config,
  places: ReadonlyMap<string, string>,
  told: ReadonlyMap<string, string | null>,
  nowMs: number,
): Promise<void> {
  const rows = [...told].map(([address, delegate]) => ({ address, delegate: delegate ?? '', subWalletId: places.get(address) ?? null }))
  const of = (read: (each: (typeof rows)[number]) => string | null) => rows.map(read)
  await sql`
    insert into collection_delegate (org_id, config_id, address, sub_wallet_id, delegate, read_at)
    select ${tx.orgId}::uuid, ${id}::uuid, told.address, told.sub_wallet_id, told.delegate, ${nowMs}::int8
      from unnest(${of(({ address }) => address)}::text[], ${of(({ subWalletId }) => subWalletId)}::uuid[],
        ${of(({ delegate }) => delegate)}::text[]) as told (address, sub_wallet_id, delegate)
    on conflict (org_id, config_id, address) do update set delegate = excluded.delegate, read_at = excluded.read_at`.execute(tx)
}
