import type { OutputOf } from '@holdfast/contract'
import { listPersonal } from '@holdfast/features/address-book/server'
import { searchAddresses } from '@holdfast/features/known-address/server'
import { listPeople } from '@holdfast/features/team/server'
import type { Viewer } from '@holdfast/features/transaction/server'
import { asFound, readNamedSubWallets, searchWallets } from '@holdfast/features/wallet/server'
import type { search as endpoint } from '../contract.ts'
import { searchTransactions } from './search-transactions.ts'

type Found = OutputOf<typeof endpoint>
type Searcher = Viewer & { personId: string; permissions: ReadonlySet<string> }

/** So many of each kind are told: whoever wants more opens the list. */
const MOST = 6
/** A word of one letter is in nearly everything. */
const SHORTEST = 2

const NOTHING: Found = { transactions: [], addresses: [], contacts: [], members: [], wallets: [] }

/** What a word is about, of all that a person may see. Nothing is read of which they may see nothing. */
export async function searchEverything(searcher: Searcher, keyword: string): Promise<Found> {
  const word = keyword.trim()
  if ([...word].length < SHORTEST) return NOTHING
  const ifMay = <T>(permission: string, find: () => Promise<T[]>): Promise<T[]> => (searcher.permissions.has(permission) ? find() : Promise.resolve([]))
  const [transactions, addresses, contacts, members, wallets] = await Promise.all([
    ifMay('transaction.read', () => findTransactions(searcher, word)),
    ifMay('address.read', () => findAddresses(searcher, word)),
    findContacts(searcher, word),
    ifMay('member.read', () => findMembers(searcher, word)),
    ifMay('wallet.read', () => searchWallets(searcher.tx, word, MOST)),
  ])
  return { transactions, addresses, contacts, members, wallets }
}

async function findTransactions(searcher: Searcher, word: string): Promise<Found['transactions']> {
  const rows = await searchTransactions(searcher, word, MOST)
  return rows.map((row) => {
    const other = row.type === 'deposit' ? (row.from_label ?? row.address_from) : (row.to_label ?? row.address_to)
    return {
      id: row.id,
      type: row.type,
      purpose: ('purpose' in row ? row.purpose : undefined) ?? 'pay',
      symbol: row.symbol,
      amount: row.amount,
      network: row.network,
      wallet_name: row.wallet_name,
      sub_wallet_name: row.sub_wallet_name,
      other,
      remark: row.remark,
      txid: row.txid,
      status: row.status,
      sub_status: row.sub_status,
      created_at: row.created_at,
    }
  })
}

async function findAddresses({ tx }: Searcher, word: string): Promise<Found['addresses']> {
  const found = await searchAddresses(tx, word, MOST)
  const named = await readNamedSubWallets(
    tx,
    found.flatMap(({ subWalletId }) => subWalletId ?? []),
  )
  return found.map(({ address, kind, subWalletId }) => {
    const place = subWalletId === null ? undefined : named.get(subWalletId)
    return { address, kind, place: place ? asFound(place) : null }
  })
}

async function findContacts({ tx, networks, personId }: Searcher, keyword: string): Promise<Found['contacts']> {
  const { list } = await listPersonal(tx, networks, { personId, keyword, chain: undefined, page: 1, pageSize: MOST })
  return list.map(({ id, name, address, network }) => ({ id, name, address, network }))
}

async function findMembers({ tx, permissions }: Searcher, keyword: string): Promise<Found['members']> {
  const { rows } = await listPeople(tx, { keyword, page_no: 1, page_size: MOST }, { showsAccounts: permissions.has('member.write') })
  return rows.map(({ id, name, role }) => ({ user_id: id, name, role }))
}
