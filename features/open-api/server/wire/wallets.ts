import { AppError } from '@holdfast/contract'
import { createAddresses, listUserAddresses } from '@holdfast/features/deposit-address/contract'
import { toldAddresses } from '@holdfast/features/deposit-address/server'
import { transferErrors } from '@holdfast/features/transfer/errors'
import { createSubWallet, listCoinAssets, updateShowStatus } from '@holdfast/features/wallet/contract'
import { namedSubWallets } from '@holdfast/features/wallet/server'
import { openApiErrors } from '../../errors.ts'
import { askConsole, type Asking, demandField, demandNumbers, fieldOf, ownRequestId } from './asking.ts'
import { coinNamed, type WireCoin } from './coins.ts'
import { idsOf, numbersOf, subWalletOf } from './numbers.ts'

const LISTED = 100
const HIDDEN = '2'
const POLL_MS = 250
const POLLS = 60

/** Adds a sub-wallet, which the wire hides unless it is to be shown. */
export async function createWallet(asking: Asking) {
  const { context, caller } = asking
  if (caller.requester.subWallets !== null) throw new AppError(openApiErrors.key_not_for_wallet)
  const wallet_id = fieldOf(asking, 'wallet_id') ?? (await mainWallet(asking))
  const form = { request_id: ownRequestId(asking), wallet_id, sub_wallet_name: demandField(asking, 'sub_wallet_name') }
  const { sub_wallet_id: id } = await askConsole(asking, createSubWallet, form, 'key')
  if (fieldOf(asking, 'app_show_status') !== '1') await askConsole(asking, updateShowStatus, { wallet_id, sub_wallet_ids: id, app_show_status: HIDDEN }, 'key')
  return { sub_wallet_id: (await numbersOf(context.db, caller.orgId, 'sub_wallet', [id])).get(id) }
}

/** The main wallet, of which the wire knows no other: the one that was made first and is not archived. Throws AppError if there is none. */
export async function mainWallet({ context, caller }: Pick<Asking, 'context' | 'caller'>): Promise<string> {
  const first = await context.db.readOrganisation(caller.orgId, (tx) =>
    tx
      .selectFrom('wallet')
      .select('id')
      .where('org_id', '=', tx.orgId)
      .where('state', '=', 'active')
      .where('archived_at', 'is', null)
      .orderBy('created_at')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst(),
  )
  if (!first) throw new AppError('wallet_not_found')
  return first.id
}

/** Makes one further address, and waits for the signers to attest it. */
export async function createAddress(asking: Asking) {
  const { context, caller } = asking
  const coin = coinNamed(context, caller.orgId, demandField(asking, 'symbol'))
  const subWalletId = await subWalletOf(context.db, caller.orgId, demandField(asking, 'sub_wallet_id'))
  const { chain } = coin.asset
  const { first } = await askConsole(asking, createAddresses, { request_id: ownRequestId(asking), sub_wallet_id: subWalletId, chain }, 'sub_wallets')
  for (let i = 0; i < POLLS; i++) {
    const [made] = await addressesFrom(asking, { subWalletId, chain, from: first, limit: 1 })
    if (made?.number === first) return { ...addressView(made), symbol: coin.name }
    await new Promise<void>((resolve) => context.ports.timer.after(POLL_MS, resolve))
  }
  throw new AppError(transferErrors.processing)
}

/** The addresses of a sub-wallet on the network of a coin, after `max_id`. */
export async function addressList(asking: Asking) {
  const { context, caller } = asking
  const { asset } = coinNamed(context, caller.orgId, demandField(asking, 'symbol'))
  const subWalletId = await subWalletOf(context.db, caller.orgId, demandField(asking, 'sub_wallet_id'))
  // Refuses a key that may not read the addresses of this sub-wallet.
  await askConsole(asking, listUserAddresses, { sub_wallet_id: subWalletId, chain: asset.chain, page_no: '1', page_size: '1' }, 'sub_wallets')
  const [after] = fieldOf(asking, 'max_id') === undefined ? [0n] : demandNumbers(asking, 'max_id')
  return (await addressesFrom(asking, { subWalletId, chain: asset.chain, from: Number(after), limit: LISTED })).map(addressView)
}

type From = { subWalletId: string; chain: string; from: number; limit: number }

const addressesFrom = ({ context, caller }: Asking, from: From) =>
  context.db.asOrganisation(caller.orgId, (tx) =>
    toldAddresses(tx, context.networks, { ...from, language: caller.language, nowMs: context.ports.clock.nowMs() }),
  )

const addressView = ({ address, number, addr_type }: { address: string; number: number; addr_type: number }) => ({
  id: number + 1,
  address,
  addr_type,
  memo: '',
})

/** What a sub-wallet has of a coin. */
export async function walletAssets(asking: Asking) {
  const { context, caller } = asking
  const { asset }: WireCoin = coinNamed(context, caller.orgId, demandField(asking, 'symbol'))
  const sub_wallet_id = await subWalletOf(context.db, caller.orgId, demandField(asking, 'sub_wallet_id'))
  const { list } = await askConsole(asking, listCoinAssets, { sub_wallet_id }, 'sub_wallets')
  const has = list.find((each) => each.chain === asset.chain && each.symbol === asset.symbol)
  return { normal_balance: has?.normal_balance ?? '0', lock_balance: has?.lock_balance ?? '0', collecting_balance: has?.collecting_balance ?? '0' }
}

/** Shows or hides sub-wallets, of whatever wallets. */
export async function changeShowStatus(asking: Asking) {
  const { context, caller } = asking
  const numbers = demandNumbers(asking, 'sub_wallet_ids')
  const found = await idsOf(context.db, caller.orgId, 'sub_wallet', numbers)
  if (found.length < new Set(numbers).size) throw new AppError('wallet_not_found')
  const ids = found.map(({ id }) => id)
  const rows = await context.db.readOrganisation(caller.orgId, (tx) => namedSubWallets(tx).where('sub_wallet.id', 'in', ids).execute())
  for (const wallet_id of new Set(rows.map((row) => row.wallet_id))) {
    const own = rows.filter((row) => row.wallet_id === wallet_id).map((row) => row.sub_wallet_id)
    const form = { wallet_id, sub_wallet_ids: own.join(','), app_show_status: demandField(asking, 'app_show_status') }
    await askConsole(asking, updateShowStatus, form, 'sub_wallets')
  }
  return null
}

/** Whose an address is, where it is one of the organisation's that the key may name. */
export async function addressInfo(asking: Asking) {
  const { context, caller } = asking
  const given = demandField(asking, 'address')
  const spellings = context.networks.list().flatMap(({ codec }) => codec.canonicalAddress(given) ?? [])
  const row = await context.db.readOrganisation(caller.orgId, (tx) =>
    tx
      .selectFrom('address')
      .select(['sub_wallet_id', 'addr_type', 'chain'])
      .where('org_id', '=', tx.orgId)
      .where('address', 'in', [given, ...spellings])
      .limit(1)
      .executeTakeFirst(),
  )
  const { subWallets } = caller.requester
  if (!row || (subWallets !== null && !subWallets.includes(row.sub_wallet_id))) throw new AppError('resource_not_found')
  const number = (await numbersOf(context.db, caller.orgId, 'sub_wallet', [row.sub_wallet_id])).get(row.sub_wallet_id)
  const { name: base } = coinNamed(
    context,
    caller.orgId,
    `${context.networks.require(row.chain).assets.find(({ contract }) => contract === null)?.symbol}@${row.chain}`,
  )
  return { sub_wallet_id: number, addr_type: row.addr_type, merge_address_symbol: base }
}
