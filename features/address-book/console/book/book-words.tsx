import type { OutputOf } from '@holdfast/contract'
import { NetworkChip } from '@holdfast/features/network/console'
import { StatusTag, Time, type Tone } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { listBook } from '../../book-contract.ts'

export type BookEntry = OutputOf<typeof listBook>['list'][number]
export type WhitelistStatus = BookEntry['whitelist_status']

export const STATUS_TONE: Record<WhitelistStatus, Tone> = {
  none: 'neutral',
  auditing: 'active',
  cooling: 'warn',
  active: 'good',
  deleting: 'active',
  disabled: 'neutral',
}

/** Where an entry is with the whitelist, and from when it counts. */
export function WhitelistTag({ entry }: { entry: Pick<BookEntry, 'whitelist_status' | 'usable_at'> }) {
  const { t } = useTranslation('whiteAddress')
  const { whitelist_status: status, usable_at: usableAt } = entry
  const next =
    usableAt === null ? undefined : (
      <>
        {t('book.from')} <Time ms={usableAt} />
      </>
    )
  return <StatusTag tone={STATUS_TONE[status]} text={t(`book.status.${status}`)} {...(next ? { next } : {})} />
}

/** The networks of an entry. */
export function Networks({ chains }: Pick<BookEntry, 'chains'>) {
  return (
    <span className="hf-row-tight hf-wrap">
      {chains.map(({ chain, network }) => (
        <NetworkChip key={chain} chain={chain} network={network} />
      ))}
    </span>
  )
}
