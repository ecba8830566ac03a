import type { OutputOf } from '@holdfast/contract'
import { LastScreening } from '@holdfast/features/kyt/console'
import { Grouped, Label, Note, StatusTag, Time } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { getBookAudit } from '../../book-contract.ts'

type Checks = OutputOf<typeof getBookAudit>['checks'][number]

/** What is known of an address that people are asked about: what speaks against it first, then what it is and who proved it. */
export function EntryChecks({ checks }: { checks: Checks }) {
  const { t } = useTranslation('whiteAddress')
  const { format, memo, similar, verify, kyt, first_paid_at: paidAt, first_received_at: receivedAt, created_by: by, created_at: at } = checks
  return (
    <span className="hf-stack-tight">
      {format === 'invalid' && <Note tone="bad">{t('personal.invalid')}</Note>}
      {similar.length > 0 && (
        <Note tone="bad" title={t('personal.lookalike')}>
          <span className="hf-stack-tight">
            {similar.map(({ address, name, kind }) => (
              <span key={address} className="hf-stack-tight">
                <span className="hf-small">
                  {t(`personal.kind.${kind}`)} {name !== null && <Label text={name} />}
                </span>
                <Grouped text={address} />
              </span>
            ))}
          </span>
        </Note>
      )}
      {memo === 'missing' && <Note tone="warn">{t('book.checks.memoMissing')}</Note>}
      {memo === 'not_carried' && <Note tone="bad">{t('book.checks.memoNotCarried')}</Note>}
      <span className="hf-row-tight hf-wrap">
        <StatusTag
          tone={verify === null ? 'neutral' : 'good'}
          text={t(verify === null ? 'book.verify.none' : `book.verify.${verify.type}`)}
          {...(verify !== null && { next: <VerifiedBy verify={verify} /> })}
        />
        <StatusTag
          tone={paidAt === null ? 'warn' : 'neutral'}
          text={t(paidAt === null ? 'book.checks.neverPaid' : 'book.checks.paidSince')}
          {...since(paidAt)}
        />
        {receivedAt !== null && <StatusTag tone="neutral" text={t('book.checks.receivedSince')} {...since(receivedAt)} />}
        <LastScreening screening={kyt} />
      </span>
      {by !== null && at !== null && (
        <span className="hf-small hf-muted">
          {t('book.addedBy')} <Label text={by.name} /> <Time ms={at} />
        </span>
      )}
    </span>
  )
}

const since = (ms: number | null) => (ms === null ? {} : { next: <Time ms={ms} /> })

function VerifiedBy({ verify: { by, at } }: { verify: NonNullable<Checks['verify']> }) {
  return (
    <>
      <Label text={by} /> <Time ms={at} />
    </>
  )
}
