import { useApi, useEndpoint } from '@holdfast/client'
import { usePaidEntries } from '@holdfast/features/address-book/console'
import { listPersonalBook } from '@holdfast/features/address-book/contract'
import { getDepositAddress } from '@holdfast/features/deposit-address/contract'
import { listSubWallets, listWallets } from '@holdfast/features/wallet/contract'
import { shortAddress, useDebounced, useToast } from '@holdfast/ui'
import type { PaidCoin } from '../destination-field.tsx'
import { isOfEarlier } from './is-of-earlier.ts'

/** An entry of the organisation's book, a contact, or a sub-wallet of the organisation. */
export type Suggestion = {
  key: string
  kind: 'book' | 'contact' | 'own'
  name: string
  detail?: string
  take: { address: string; memo: string } | { subWalletId: string }
}

const MOST_CONTACTS = 6
const MOST_OWN = 6

type Asked = { text: string; fromId: string; coin: PaidCoin | undefined; onTake: (destination: { address: string; memo: string }) => void }

/**
 * Whom what is typed can mean among the person's contacts on the network and the organisation's own sub-wallets. Who is chosen is taken by address. `isEarlier`:
 * these are still those of what was typed before.
 */
export function useSuggestions({ text, fromId, coin, onTake }: Asked) {
  const { client } = useApi()
  const toast = useToast()
  const keyword = useDebounced(text)
  const paid = usePaidEntries(keyword, coin?.chain)
  const book = paid.entries.map((entry): Suggestion => ({ kind: 'book', ...entry }))
  const known = useContacts(keyword, coin?.chain)
  const contacts = known.contacts.filter(({ take: own }) => !book.some(({ take: one }) => isSamePlace(own, one)))
  const own = useOwn(keyword, fromId)
  const take = async ({ take: chosen }: Suggestion) => {
    if (!coin) return
    if ('address' in chosen) return onTake(chosen)
    const asked = { sub_wallet_id: chosen.subWalletId, chain: coin.chain, symbol: coin.symbol }
    const answer = await client.call(getDepositAddress, asked).catch(() => undefined)
    if (!answer) return
    if (answer.address === null) toast.error(answer.text, 'own-wallet')
    else onTake({ address: answer.address, memo: answer.memo ?? '' })
  }
  const isEarlier = keyword !== text || paid.isEarlier || known.isEarlier || own.isEarlier
  return { suggestions: coin ? [...book, ...contacts, ...own.wallets] : [], isEarlier, take }
}

const isSamePlace = (one: Suggestion['take'], other: Suggestion['take']) =>
  'address' in one && 'address' in other && one.address === other.address && one.memo === other.memo

function useContacts(keyword: string, chain = ''): { contacts: Suggestion[]; isEarlier: boolean } {
  const { data, isPlaceholderData: isEarlier } = useEndpoint(
    listPersonalBook,
    { chain, page_size: MOST_CONTACTS, ...(keyword === '' ? {} : { keyword }) },
    { enabled: chain !== '', keepLast: true },
  )
  const contacts = (data?.list ?? []).map(({ id, name, address, memo }): Suggestion => {
    const detail = [shortAddress(address), memo].filter(Boolean).join(' · ')
    return { key: id, kind: 'contact', name, detail, take: { address, memo } }
  })
  return { contacts, isEarlier }
}

/** Sub-wallets by their own name or their wallet's; of a wallet with many, those that the server finds by the words. */
function useOwn(keyword: string, fromId: string): { wallets: Suggestion[]; isEarlier: boolean } {
  const { data } = useEndpoint(listWallets, {})
  const wallets = [...(data?.top_wallet ?? []), ...(data?.wallet_list ?? [])].filter((each) => each.state === 'active' && !each.retired)
  const large = wallets.find((each) => each.sub_wallet_count > each.sub_wallet_list.length)
  const isAsked = large !== undefined && keyword !== ''
  const more = useEndpoint(
    listSubWallets,
    { wallet_id: large?.wallet_id ?? '', page_no: 1, page_size: MOST_OWN, app_show_status: 1, keyword },
    { enabled: isAsked, keepLast: true },
  )
  const word = keyword.toLocaleLowerCase()
  const found = wallets.flatMap((wallet) => {
    const foundMore = wallet === large && keyword !== '' ? [...(more.data?.top_sub_wallet_list ?? []), ...(more.data?.sub_wallet_list ?? [])] : []
    return [...wallet.sub_wallet_list, ...foundMore].map((each) => ({
      key: each.sub_wallet_id,
      kind: 'own' as const,
      name: `${wallet.alias ?? wallet.wallet_name} / ${each.alias ?? each.sub_wallet_name}`,
      take: { subWalletId: each.sub_wallet_id },
    }))
  })
  const others = found.filter(
    ({ key, name }, i) => key !== fromId && name.toLocaleLowerCase().includes(word) && found.findIndex((each) => each.key === key) === i,
  )
  return { wallets: others.slice(0, MOST_OWN), isEarlier: isOfEarlier(isAsked, more) }
}
