import { ChainError, type TokenSigns } from '@holdfast/chain-core'
import { AppError, looksLikeName } from '@holdfast/contract'
import type { Database, OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { networkErrors } from '@holdfast/features/network/errors'
import { agreedAnswer, assetsOf, type Network, type Networks, signsOfToken } from '@holdfast/features/network/server'
import { announce } from '@holdfast/jobs'
import { newId } from '@holdfast/units'
import { walletErrors } from '../errors.ts'

/*
 * A token that this installation does not list: its contract's description, by two sources if there are two, and the application for it. It counts
 * once a version of the policy names it, which the people who govern the policy approve.
 */

/** A stranger's words that are shown among names of money: letters, digits and little else, so that none looks like another thing. */
const SYMBOL = /^[\p{L}\p{N}$][\p{L}\p{N}$._-]{0,15}$/u
const DECIMALS_MAX = 36
const NAME_MAX = 64

export type TokenPlace = { chain: string; contract: string }
/** A token contract's description, and the symbol under which it would be listed here. */
export type DescribedToken = TokenPlace & { symbol: string; name: string; decimals: number; listedAs: string; sources: number; signs: TokenSigns | null }

/** Reads an unlisted token. Throws `invalid_parameters` if there is no such token, and `unsupported_coin` if the network reports none. */
export async function describeNewToken(
  { db, networks }: Pick<ServerContext, 'db' | 'networks'>,
  { chain, contract: typed }: TokenPlace,
): Promise<DescribedToken> {
  const network = networks.find(chain)
  if (!network?.node.contracts) throw unsupported('tokens of this network cannot be added')
  const contract = network.codec.canonicalAddress(typed)
  if (contract === undefined) throw noToken('it is no address of this network')
  const sources = [network.node, ...(network.witnesses ?? [])]
  const told = await agreedAnswer(
    { height: 0n, sources },
    `what ${contract} says of itself`,
    async (source) => (await source.contracts?.describeToken(contract)) ?? null,
  ).catch((cause: unknown) => {
    if (cause instanceof ChainError) throw unsupported(cause.message)
    throw cause
  })
  if (!told) throw noToken('there is no token at this address')
  const symbol = told.symbol.normalize('NFKC')
  if (!SYMBOL.test(symbol)) throw noToken('its symbol is none that can be shown')
  if (told.decimals > DECIMALS_MAX) throw noToken('it counts in more decimals than there are')
  const name = [...(told.name ?? '')].slice(0, NAME_MAX).join('')
  const [listedAs, signs] = [await symbolFor(db, network, contract, symbol), await signsOfToken(network, contract)]
  return { chain, contract, symbol, name, decimals: told.decimals, listedAs, sources: sources.length, signs }
}

/**
 * The symbol that a token gets here: its own, unless another coin of the network has a similar one or an organisation requested one of it; then
 * with the end of its contract, so that no two of a network are mistaken for each other.
 */
async function symbolFor(db: Database, { chain, assets, collections = [] }: Network, contract: string, symbol: string): Promise<string> {
  const asked = await db.asSystem((tx) => tx.selectFrom('added_token').select(['contract', 'symbol']).where('chain', '=', chain).execute())
  const known = asked.find((each) => each.contract === contract)
  if (known) return known.symbol
  const isTaken = [...assets, ...collections, ...asked].some((each) => looksLikeName(each.symbol, symbol))
  return isTaken ? `${symbol}.${contract.slice(-6)}` : symbol
}

const noToken = (reason: string) => new AppError('invalid_parameters', { details: { field: 'contract_address', reason } })
const unsupported = (reason: string) => new AppError(networkErrors.unsupported_coin, { details: { reason } })

export type Application = { token: DescribedToken; reason: string; fromHeight: bigint | null; personId: string }

/** Requests a token, even again after a refusal. Throws `coin_exists` if the organisation has it, `coin_application_duplicate` if it has requested it. */
export async function applyForToken(tx: OrganisationTx, { ports, networks }: Pick<ServerContext, 'ports' | 'networks'>, asked: Application): Promise<string> {
  const { token, reason, fromHeight, personId } = asked
  const network = networks.require(token.chain)
  if (assetsOf(network, tx.orgId).some((each) => each.contract === token.contract)) throw new AppError(walletErrors.coin_exists)
  const nowMs = ports.clock.nowMs()
  const id = newId(nowMs, ports.random)
  const made = await tx
    .insertInto('added_token')
    .values({
      org_id: tx.orgId,
      id,
      chain: token.chain,
      contract: token.contract,
      symbol: token.listedAs,
      decimals: token.decimals,
      name: token.name,
      reason,
      state: 'applied',
      from_height: fromHeight,
      requested_by: personId,
      created_at: nowMs,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['org_id', 'chain', 'contract'])
        .doUpdateSet({ state: 'applied', reason, from_height: fromHeight, requested_by: personId, refused_by: null, refused_at: null, refusal: null })
        .where('added_token.state', '=', 'refused'),
    )
    .returning('id')
    .executeTakeFirst()
  if (!made) throw new AppError(walletErrors.coin_application_duplicate)
  return id
}

/** Refuses an application, with a reason for the requester. Throws `resource_not_found`, and `state_changed` if it no longer waits. */
export async function refuseToken(
  tx: OrganisationTx,
  { ports }: Pick<ServerContext, 'ports'>,
  { id, reason, personId }: { id: string; reason: string; personId: string },
): Promise<void> {
  const row = await tx
    .selectFrom('added_token')
    .select(['state', 'created_at'])
    .where('org_id', '=', tx.orgId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new AppError('resource_not_found')
  if (row.state !== 'applied') throw new AppError('state_changed')
  await tx
    .updateTable('added_token')
    .set({ state: 'refused', refused_by: personId, refused_at: Math.max(ports.clock.nowMs(), Number(row.created_at)), refusal: reason })
    .where('org_id', '=', tx.orgId)
    .where('id', '=', id)
    .execute()
  await announce(tx, ports, 'policy.changed', { token_id: id })
}

const AUDIT_STATUS = { applied: 0, open: 1, refused: 2 } as const

/** Every token that the organisation requested, the newest first. */
export async function listApplications(tx: OrganisationTx, networks: Networks) {
  const rows = await tx
    .selectFrom('added_token')
    .innerJoin('person', (join) => join.onRef('person.org_id', '=', 'added_token.org_id').onRef('person.id', '=', 'added_token.requested_by'))
    .select(['added_token.id', 'chain', 'contract', 'symbol', 'added_token.name', 'decimals', 'reason', 'added_token.state', 'person.name as by'])
    .leftJoin('person as refuser', (join) => join.onRef('refuser.org_id', '=', 'added_token.org_id').onRef('refuser.id', '=', 'added_token.refused_by'))
    .select(['added_token.created_at', 'from_height', 'refuser.name as refuser', 'refused_at', 'refusal'])
    .where('added_token.org_id', '=', tx.orgId)
    .orderBy('added_token.created_at', 'desc')
    .limit(200)
    .execute()
  return rows.map(({ id, chain, contract, symbol, name, decimals, reason, state, by, created_at, from_height, refuser, refused_at, refusal }) => ({
    ...{ id, chain, symbol, name, decimals, reason, by },
    network: networks.find(chain)?.name ?? chain,
    contract_address: contract,
    from_height: from_height === null ? null : String(from_height),
    audit_status: AUDIT_STATUS[state],
    refused: state === 'refused' ? { by: refuser ?? '', at: Number(refused_at), reason: refusal ?? '' } : null,
    created_at: Number(created_at),
  }))
}
