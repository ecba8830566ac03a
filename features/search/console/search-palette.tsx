import { type Api, useApi } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { usePermission } from '@holdfast/features/session/console'
import { openOrderDrawer } from '@holdfast/features/transaction/console'
import { openCreateWalletDrawer, useSelectionStore } from '@holdfast/features/wallet/console'
import {
  exactAmount,
  IconBuilding,
  IconDown,
  IconPlus,
  IconSearch,
  IconSwap,
  IconTable,
  IconTask,
  IconUp,
  IconWallet,
  type PaletteItem,
  type PaletteSource,
  shortAddress,
  useDrawers,
  usePaletteSource,
} from '@holdfast/ui'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { search } from '../contract.ts'

type Found = OutputOf<typeof search>
type Find = (query: string, signal: AbortSignal) => Promise<Found>

/** Adds what people do most to the command palette, and everything that the server finds by a word. */
export function SearchPalette() {
  const { client } = useApi()
  // One question for all sources, which ask at the same moment.
  const find = useMemo(() => askOnce(client), [client])
  useDeeds()
  useFoundTransactions(find)
  useFoundPlaces(find)
  return null
}

function askOnce(client: Api['client']): Find {
  let last: { query: string; answer: Promise<Found> } | undefined
  return (query, signal) => {
    if (last?.query !== query) {
      const answer = client.call(search, { keyword: query.slice(0, 100) }, { signal })
      last = { query, answer }
      answer.catch(() => {
        if (last?.answer === answer) last = undefined
      })
    }
    return last.answer
  }
}

/** What people come for, by what they call it in both languages. */
function useDeeds(): void {
  const { t, i18n } = useTranslation()
  const navigate = useNavigate()
  const drawers = useDrawers()
  const [mayPay, mayCreate, mayApprove] = [usePermission('withdraw.create'), usePermission('wallet.create'), usePermission('approval.read')]
  usePaletteSource(
    useMemo((): PaletteSource => {
      const coins = () => void navigate('/mpc/center/wallet')
      const deeds: (PaletteItem & { isOpen: boolean })[] = [
        { key: 'deposit', title: t('search.deed.deposit'), words: 'deposit receive 充值 收款', icon: IconDown, run: coins, isOpen: true },
        { key: 'withdraw', title: t('search.deed.withdraw'), words: 'withdraw send pay 提币 转账 付款', icon: IconUp, run: coins, isOpen: mayPay },
        {
          key: 'approve',
          title: t('search.deed.approve'),
          words: 'approve decide 审批 批准',
          icon: IconTask,
          run: () => void navigate('/mpc/center/wallet/todo'),
          isOpen: mayApprove,
        },
        {
          key: 'create-wallet',
          title: t('search.deed.createWallet'),
          words: 'create new wallet 创建 新建 钱包',
          icon: IconPlus,
          run: () => openCreateWalletDrawer(drawers, t('wallet.create.title')),
          isOpen: mayCreate,
        },
      ]
      return { key: 'deeds', title: t('search.group.deeds'), order: 15, items: deeds.filter(({ isOpen }) => isOpen) }
      // The words change with the language.
      // oxlint-disable-next-line react-hooks/exhaustive-deps
    }, [i18n.language, navigate, drawers, mayPay, mayCreate, mayApprove]),
  )
}

function useFoundTransactions(find: Find): void {
  const { t, i18n } = useTranslation()
  const navigate = useNavigate()
  const drawers = useDrawers()
  usePaletteSource(
    useMemo((): PaletteSource => {
      const itemOf = (row: Found['transactions'][number]): PaletteItem => ({
        key: row.id,
        // What is about a payment moves nothing itself.
        title: row.purpose === 'pay' ? `${t(`transaction.type.${row.type}`)} · ${exactAmount(row.amount)} ${row.symbol}` : t(`transaction.type.${row.purpose}`),
        detail: [`${row.wallet_name} / ${row.sub_wallet_name}`, row.network, row.remark, row.other && shortAddress(row.other)].filter(Boolean).join(' · '),
        icon: row.type === 'deposit' ? IconDown : IconUp,
        run: () => void openOrderDrawer(drawers, { id: row.id, kind: row.type, title: t(`transaction.detail.${row.type}`) }),
      })
      const inList = (query: string): PaletteItem => ({
        key: 'in-list',
        title: t('search.inList', { query }),
        icon: IconSwap,
        run: () => void navigate(`/mpc/center/wallet/transactions?${new URLSearchParams({ wallets: 'all', q: query }).toString()}`),
      })
      return {
        key: 'found-transactions',
        title: t('search.group.transactions'),
        order: 30,
        search: async (query, signal) => {
          const { transactions } = await find(query, signal)
          return transactions.length === 0 ? [] : [...transactions.map(itemOf), inList(query)]
        },
      }
      // oxlint-disable-next-line react-hooks/exhaustive-deps
    }, [i18n.language, navigate, drawers, find]),
  )
}

/** Addresses, contacts, members and sub-wallets; wallets themselves are known to the page. */
function useFoundPlaces(find: Find): void {
  const { t, i18n } = useTranslation()
  const navigate = useNavigate()
  const store = useSelectionStore()
  const sources = useMemo((): Record<'addresses' | 'contacts' | 'members' | 'subWallets', PaletteSource> => {
    const to = (path: string, query: Record<string, string>) => () => void navigate(`/mpc/${path}?${new URLSearchParams(query).toString()}`)
    const source = (key: string, order: number, itemsOf: (found: Found) => PaletteItem[]): PaletteSource => ({
      key: `found-${key}`,
      title: t(`search.group.${key}`),
      order,
      search: async (query, signal) => itemsOf(await find(query, signal)),
    })
    const placeName = ({ wallet_name, sub_wallet }: Found['wallets'][number]) => [wallet_name, sub_wallet?.name].filter(Boolean).join(' / ')
    return {
      subWallets: source('subWallets', 25, ({ wallets }) =>
        wallets.flatMap((place) => {
          const { wallet_id: id, wallet_name: name, sub_wallet: subWallet } = place
          if (!subWallet) return []
          const open = () => {
            store.chooseWallet({ id, name })
            store.chooseSubWallet(subWallet)
            void navigate('/mpc/center/wallet')
          }
          return [{ key: subWallet.id, title: placeName(place), icon: IconWallet, run: open }]
        }),
      ),
      addresses: source('addresses', 35, ({ addresses }) =>
        addresses.map(({ address, kind, place }) => ({
          key: address,
          title: address,
          detail: place ? placeName(place) : t(`search.address.${kind}`),
          icon: IconSearch,
          run: to('center/wallet/transactions', { wallets: 'all', address }),
        })),
      ),
      contacts: source('contacts', 40, ({ contacts }) =>
        contacts.map(({ id, name, address, network }) => ({
          key: id,
          title: name,
          detail: `${network} · ${shortAddress(address)}`,
          icon: IconTable,
          run: to('wallet/personalBook', { q: name }),
        })),
      ),
      members: source('members', 45, ({ members }) =>
        members.map(({ user_id: id, name, role }) => ({
          key: id,
          title: name,
          detail: t(`setup.role.${role}`, { defaultValue: role }),
          icon: IconBuilding,
          run: to('teamMember', { member: id }),
        })),
      ),
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [i18n.language, navigate, store, find])
  usePaletteSource(sources.subWallets)
  usePaletteSource(sources.addresses)
  usePaletteSource(sources.contacts)
  usePaletteSource(sources.members)
}
