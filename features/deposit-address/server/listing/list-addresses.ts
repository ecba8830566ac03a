import { AppError, type Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { Network, Networks } from '@holdfast/features/network/server'
import { formatAmount, last } from '@holdfast/units'
import { sql } from 'kysely'
import { whyClosed } from '../deposit-address.ts'
import { type AddressRow, countAddresses, type Narrowing, placeText, readAddresses, readPlace } from './read-addresses.ts'
import { requireSubWallet } from '@holdfast/features/wallet/server'
import { attestedAddresses, recoveryOfKeys, recoveryOfSubWallet, recoveryOn } from '@holdfast/features/key/server'
import { currentPolicy } from '@holdfast/features/policy/server'
import { networkErrors } from '@holdfast/features/network/errors'

/** An address that people pay in to; one of the system has 2. */
const USER_ADDRESS = 1

type Page = { page: number; pageSize: number }

/**
 * A page of the addresses of a sub-wallet, or what follows `after` of a part before. None is told while recovery of its key is not proven: what was given out cannot
 * be taken back.
 */
export async function listUserAddresses(
  tx: OrganisationTx,
  networks: Networks,
  { after, page, pageSize, ...asked }: Narrowing & Page & { after?: string | undefined; language: Language; nowMs: number },
) {
  const begin = after === undefined ? { offset: (page - 1) * pageSize } : { after: readPlace(after) }
  const [wallet, found, total, inForce] = await Promise.all([
    recoveryOfSubWallet(tx, asked.subWalletId, asked.nowMs),
    readAddresses(tx, networks, { ...asked, addrType: USER_ADDRESS, byComment: true, limit: pageSize + 1, ...begin }),
    countAddresses(tx, networks, { ...asked, addrType: USER_ADDRESS }),
    currentPolicy(tx),
  ])
  const rows = found.slice(0, pageSize)
  const attested = await attestedAddresses(tx, rows, inForce)
  const closedFor = (row: AddressRow) =>
    whyClosed({
      walletState: wallet.state,
      recovery: recoveryOn(row.chain, wallet.keys),
      addressMadeAtMs: Number(row.created_at),
      isTaken: row.isTaken,
      isAttested: attested.has(row),
      language: asked.language,
    })
  const list = rows
    .map((row) => ({ row, closed: closedFor(row) }))
    .map(({ row, closed }) => ({
      id: [row.chain, ...row.path, ...(row.comment === null ? [] : [row.comment])].join('/'),
      chain: row.chain,
      network: networks.find(row.chain)?.name ?? row.chain,
      address: closed === undefined ? row.address : null,
      memo: closed === undefined ? row.comment : null,
      payment_link: closed === undefined ? linkOf(networks, row) : null,
      addr_type: row.addr_type,
      label: row.label,
      enableDeposit: closed === undefined,
      text: closed ?? '',
      balance: amountsOf(networks, row),
      last_in_at: row.last_in_at === null ? null : Number(row.last_in_at),
      created_at: Number(row.created_at),
    }))
  const hasMore = found.length > rows.length
  return { pageTotal: total, has_more: hasMore, next: hasMore ? placeText(last(rows)) : null, list }
}

function linkOf(networks: Networks, { chain, address, comment }: AddressRow): string | null {
  return comment === null ? null : (networks.find(chain)?.codec.paymentLink?.(address, { contract: null, memo: comment }) ?? null)
}

/** The addresses of a sub-wallet on the network of a coin, for the choice of where to pay from. */
export async function listMultiAddresses(
  tx: OrganisationTx,
  networks: Networks,
  asked: Pick<Narrowing, 'subWalletId' | 'addrType' | 'state' | 'nowMs'> & Page & { chain: string; symbol: string },
) {
  const wallet = await requireSubWallet(tx, asked.subWalletId)
  const asset = networks.asset(asked.chain, asked.symbol)
  if (!asset) throw new AppError(networkErrors.unsupported_coin)
  const recovery = recoveryOn(asked.chain, await recoveryOfKeys(tx, wallet.walletId, asked.nowMs))
  if (!(recovery.depositsOpen || recovery.provenBeforeMs !== null)) return { pageTotal: 0, list: [] }
  const { subWalletId, chain, state, addrType, nowMs } = asked
  const narrowing = { subWalletId, chain, state, addrType, nowMs }
  const [rows, total] = await Promise.all([
    readAddresses(tx, networks, { ...narrowing, byComment: false, limit: asked.pageSize, offset: (asked.page - 1) * asked.pageSize }),
    countAddresses(tx, networks, narrowing),
  ])
  const attested = await attestedAddresses(tx, rows)
  const list = rows
    .filter((row) => attested.has(row))
    .map((row) => {
      const own = row.balances.find(({ contract }) => contract === (asset.contract ?? ''))
      const [available, held] = [BigInt(own?.available ?? 0), BigInt(own?.held ?? 0)]
      return {
        id: `${row.chain}/${row.path.join('/')}`,
        address: row.address,
        addr_type: row.addr_type,
        label: row.label,
        balance: formatAmount(available + held, asset.decimals),
        available: formatAmount(available, asset.decimals),
        in_use: row.last_in_at !== null,
        is_default: row.number === 0,
      }
    })
  return { pageTotal: total, list }
}

type Named = { subWalletId: string; address: string; memo: string | null; label: string }

/** Names an address, or one comment of a shared one, for everybody in the organisation, or takes its name away. */
export async function updateAddressLabel(tx: OrganisationTx, network: Network | undefined, asked: Named) {
  const { walletId } = await requireSubWallet(tx, asked.subWalletId)
  const canonical = network?.codec.canonicalAddress(asked.address)
  if (!network || canonical === undefined) throw new AppError(networkErrors.invalid_transfer_address)
  const own = await tx
    .selectFrom('address')
    .select('address')
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', network.chain)
    .where('address', '=', canonical)
    .where('sub_wallet_id', '=', asked.subWalletId)
    .executeTakeFirst()
  if (!own) throw new AppError('resource_not_found')
  const label = asked.label === '' ? null : asked.label
  const of = sql`org_id = ${tx.orgId} and chain = ${network.chain} and address = ${canonical}`
  const changed =
    asked.memo === null
      ? await sql`update address set label = ${label} where ${of}`.execute(tx)
      : await sql`update deposit_comment set label = ${label} where ${of} and comment = ${asked.memo}`.execute(tx)
  if (changed.numAffectedRows === 0n) throw new AppError('resource_not_found')
  return { walletId }
}

/** What an address has of each listed coin. */
export const amountsOf = (networks: Networks, { chain, balances }: Pick<AddressRow, 'chain' | 'balances'>): { symbol: string; amount: string }[] =>
  balances.flatMap(({ contract, available, held }) => {
    const coin = networks.byContract(chain, contract)
    return coin ? [{ symbol: coin.symbol, amount: formatAmount(BigInt(available) + BigInt(held), coin.decimals) }] : []
  })
