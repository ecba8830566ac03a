import { useEndpoint } from '@holdfast/client'
import { usePermission } from '@holdfast/features/session/console'
import { shortAddress } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { searchBook } from '../book-contract.ts'

const SHOWN_MAX = 6

/** Entries of the organisation's book that can be paid on a network, each with where it is with the whitelist. `isEarlier`: they are those of an earlier word. */
export function usePaidEntries(keyword: string, chain = '') {
  const { t } = useTranslation('whiteAddress')
  const mayRead = usePermission('address_book.read')
  const { data, isPlaceholderData: isEarlier } = useEndpoint(searchBook, { chain, keyword }, { enabled: chain !== '' && mayRead, keepLast: true })
  const entries = (data?.list ?? []).slice(0, SHOWN_MAX).map(({ id, name, address, memo, whitelist_status: status }) => ({
    key: id,
    name,
    detail: [t(`book.status.${status}`), shortAddress(address), memo].filter(Boolean).join(' · '),
    take: { address, memo },
  }))
  return { entries, isEarlier }
}
