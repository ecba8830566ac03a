import type { OutputOf } from '@holdfast/contract'
import { Grouped, Label } from '@holdfast/ui'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { getBookAudit } from '../../book-contract.ts'
import { EntryChecks } from './entry-checks.tsx'

type Audit = OutputOf<typeof getBookAudit>
type Change = Audit['changes'][number]

/** Addresses that are put on the whitelist or taken off, each whole, with what is known of those that are put on. */
export function WhitelistChanges({ changes, checks = [] }: { changes: readonly Change[]; checks?: Audit['checks'] }) {
  const { t } = useTranslation('whiteAddress')
  return (
    <ul className="hf-book-report" aria-label={t('book.audit.changes')}>
      {changes.map((change) => {
        const found = change.kind === 'add' ? checks.find((each) => each.entry_id === change.entry_id) : undefined
        return (
          <li key={`${change.kind}${change.entry_id}`}>
            <WhitelistPlace place={change} lead={t(`book.audit.${change.kind}`)}>
              {found && <EntryChecks checks={found} />}
            </WhitelistPlace>
          </li>
        )
      })}
    </ul>
  )
}

/** One of them, with what is said before its name and below it. */
export function WhitelistPlace({ place: { name, address, networks, memo }, lead, children }: { place: Change; lead?: string; children?: ReactNode }) {
  const { t } = useTranslation('whiteAddress')
  return (
    <span className="hf-stack-tight hf-grow">
      <span>
        {lead !== undefined && `${lead}${t('book.audit.colon')}`}
        <Label text={name} />
      </span>
      <Grouped text={address} />
      <span className="hf-small hf-muted">
        <Label text={networks.join(t('book.audit.comma'))} />
        {memo !== null && memo !== '' && (
          <>
            {' '}
            {t('personal.memo')}
            {t('book.audit.colon')}
            <Label text={memo} />
          </>
        )}
      </span>
      {children}
    </span>
  )
}
