import { AppError, type Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { listAlarms, type Network, type Networks } from '@holdfast/features/network/server'
import { balances } from '@holdfast/ledger'
import { formatAmount } from '@holdfast/units'
import { sql } from 'kysely'
import { whyClosed } from './deposit-address.ts'
import { normalColumn } from './deposit-comments.ts'
import { requireSubWallet, withSubWallet } from '@holdfast/features/wallet/server'
import { recoveryOfKeys, recoveryOn } from '@holdfast/features/key/server'
import { networkErrors } from '@holdfast/features/network/errors'

/** An address that people pay in to. Ours have no other kind yet: those of the system come with collection. */
const USER_ADDRESS = 1

type Filters = { chain?: string | undefined; symbol?: string | undefined; keyword?: string | undefined; page: number; pageSize: number }
type Row = { chain: string; address: string; comment: string | null; label: string | null; path: number[]; created_at: bigint; last_in_at: bigint | null }

/** A page of the addresses of a sub-wallet. None is told while recovery of its key is not proven: what was given out cannot be taken back. */
export async function listUserAddresses(tx: OrganisationTx, networks: Networks, asked: Filters & { subWalletId: string; language: Language; nowMs: number }) {
  const { wallet, found } = await withSubWallet(tx, asked.subWalletId, (walletId) =>
    Promise.all([
      recoveryOfKeys(tx, walletId, asked.nowMs),
      listAlarms(tx),
      readAddresses(tx, networks, { ...asked, byComment: true }),
      amountsByChain(tx, networks, asked.subWalletId),
    ]),
  )
  const [keys, alarms, { rows, total }, amounts] = found
  const taken = new Set(alarms.filter(({ cause }) => cause === 'control').map(({ chain, place }) => `${chain} ${place}`))
  const closedFor = ({ chain, address, created_at: madeAt }: Row) =>
    whyClosed({
      walletState: wallet.state,
      recovery: recoveryOn(chain, keys),
      addressMadeAtMs: Number(madeAt),
      isTaken: taken.has(`${chain} ${address}`),
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
      addr_type: USER_ADDRESS,
      label: row.label,
      enableDeposit: closed === undefined,
      text: closed ?? '',
      balance: amounts.get(row.chain) ?? [],
      last_in_at: row.last_in_at === null ? null : Number(row.last_in_at),
      created_at: Number(row.created_at),
    }))
  return { pageTotal: total, list }
}

function linkOf(networks: Networks, { chain, address, comment }: Row): string | null {
  return comment === null ? null : (networks.find(chain)?.codec.paymentLink?.(address, { contract: null, memo: comment }) ?? null)
}

/** The addresses of a sub-wallet on the network of a coin, for the choice of where to pay from. */
export async function listMultiAddresses(
  tx: OrganisationTx,
  networks: Networks,
  asked: { subWalletId: string; chain: string; symbol: string; addrType: number | undefined; page: number; pageSize: number; nowMs: number },
) {
  const wallet = await requireSubWallet(tx, asked.subWalletId)
  if (!networks.asset(asked.chain, asked.symbol)) throw new AppError(networkErrors.unsupported_coin)
  const recovery = recoveryOn(asked.chain, await recoveryOfKeys(tx, wallet.walletId, asked.nowMs))
  if (!(recovery.depositsOpen || recovery.provenBeforeMs !== null) || (asked.addrType ?? USER_ADDRESS) !== USER_ADDRESS) return { pageTotal: 0, list: [] }
  const { rows, total } = await readAddresses(tx, networks, {
    chain: asked.chain,
    page: asked.page,
    pageSize: asked.pageSize,
    subWalletId: asked.subWalletId,
    byComment: false,
  })
  const held = (await amountsByChain(tx, networks, asked.subWalletId)).get(asked.chain)
  const list = rows.map((row) => ({
    id: `${row.chain}/${row.path.join('/')}`,
    address: row.address,
    addr_type: USER_ADDRESS,
    label: row.label,
    balance: held?.find((each) => each.symbol === asked.symbol)?.amount ?? '0',
    in_use: row.last_in_at !== null,
    is_default: row.path.at(-1) === 0,
  }))
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

/** The addresses of a sub-wallet; with `byComment` a shared one once for each of its comments. */
async function readAddresses(
  tx: OrganisationTx,
  networks: Networks,
  asked: Filters & { subWalletId: string; byComment: boolean },
): Promise<{ rows: Row[]; total: number }> {
  const withSymbol = networks.list().filter(({ assets }) => asked.symbol === undefined || assets.some(({ symbol }) => symbol === asked.symbol))
  const chains = withSymbol.map(({ chain }) => chain).filter((chain) => asked.chain === undefined || chain === asked.chain)
  if (chains.length === 0) return { rows: [], total: 0 }
  let found = tx
    .selectFrom('address')
    .leftJoin('deposit_comment', (join) =>
      join
        .onRef('deposit_comment.org_id', '=', 'address.org_id')
        .onRef('deposit_comment.chain', '=', 'address.chain')
        .onRef('deposit_comment.address', '=', 'address.address')
        .on(sql<boolean>`${asked.byComment}`),
    )
    .where('address.org_id', '=', tx.orgId)
    .where('address.sub_wallet_id', '=', asked.subWalletId)
    .where('address.chain', 'in', chains)
  const label = sql<string | null>`case when deposit_comment.comment is null then address.label else deposit_comment.label end`
  const word = asked.keyword?.trim().toLowerCase() ?? ''
  if (word !== '') {
    const texts = sql`concat_ws(' ', address.address, deposit_comment.comment, ${label})`
    found = found.where(sql<boolean>`position(${word} in lower(${texts})) > 0`)
  }
  const counted = found.select((row) => row.fn.countAll<bigint>().as('count')).executeTakeFirstOrThrow()
  const listed = found
    .select(['address.chain', 'address.address', 'deposit_comment.comment', label.as('label'), 'address.path', 'address.created_at'])
    .select((outer) =>
      outer
        .selectFrom('deposit')
        .select((row) => row.fn.max('deposit.created_at').as('last'))
        .whereRef('deposit.org_id', '=', 'address.org_id')
        .whereRef('deposit.chain', '=', 'address.chain')
        .whereRef('deposit.address', '=', 'address.address')
        .where('deposit.state', '!=', 'reversed')
        .where(sql<boolean>`(deposit_comment.comment is null or ${normalColumn('deposit.memo')} = deposit_comment.comment or exists (
          select from deposit_claim c where c.org_id = deposit.org_id and c.deposit_id = deposit.id and c.comment = deposit_comment.comment and c.state = 'confirmed'))`)
        .as('last_in_at'),
    )
    .orderBy('address.chain')
    .orderBy('address.path')
    .orderBy('deposit_comment.created_at', 'desc')
    .orderBy('deposit_comment.comment')
    .limit(asked.pageSize)
    .offset((asked.page - 1) * asked.pageSize)
    .execute()
  const [{ count }, rows] = await Promise.all([counted, listed])
  return { rows, total: Number(count) }
}

/** What a sub-wallet has on each network. It has one address on each, so that this is what the address has. */
async function amountsByChain(tx: OrganisationTx, networks: Networks, subWalletId: string) {
  const found = new Map<string, { symbol: string; amount: string }[]>()
  for (const { asset, available, held, staked } of await balances(tx, subWalletId)) {
    const coin = networks.byContract(asset.chain, asset.contract ?? '')
    if (!coin || available + held + staked === 0n) continue
    found.set(asset.chain, [...(found.get(asset.chain) ?? []), { symbol: coin.symbol, amount: formatAmount(available + held + staked, coin.decimals) }])
  }
  return found
}
