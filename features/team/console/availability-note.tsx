import './team.css'
import { Label, Note, RelativeTime, Time } from '@holdfast/ui'
import type { OutputOf } from '@holdfast/contract'
import { useEndpoint } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { getAvailability } from '../contract.ts'

type Gap = OutputOf<typeof getAvailability>['gaps'][number]

/** Says which approvals nobody can complete while people are away, and of whom who approves nothing was heard for long. Nothing where all is well. */
export function AvailabilityNote() {
  const { t } = useTranslation('teamMember')
  const { data } = useEndpoint(getAvailability, {})
  if (!data || data.gaps.length + data.silent.length === 0) return null
  return (
    <div className="hf-page-key hf-stack">
      <Gaps tone="warn" title={t('availability.gaps')} gaps={data.gaps.filter(({ decided }) => decided.length === 0)} />
      <Gaps tone="info" title={t('availability.decided')} gaps={data.gaps.filter(({ decided }) => decided.length > 0)} />
      {data.silent.length > 0 && (
        <Note tone="warn" title={t('availability.silent')}>
          <ul className="hf-bullets">
            {data.silent.map(({ user_id: id, name, since, breaks, decided }) => (
              <li key={id}>
                <Label text={name} /> <RelativeTime ms={since} />
                {decided !== null && (
                  <p className="hf-small">
                    <Label text={decided} wrap />
                  </p>
                )}
                {breaks.map((each) => (
                  <p key={each} className="hf-small hf-muted">
                    {t('availability.without')} <Label text={each} wrap />
                  </p>
                ))}
              </li>
            ))}
          </ul>
          {data.together.map((each) => (
            <p key={each} className="hf-small hf-muted">
              {t('availability.withoutAll')} <Label text={each} wrap />
            </p>
          ))}
          <p className="hf-small">{t('availability.silentNote')}</p>
        </Note>
      )}
    </div>
  )
}

/** Approvals that wait for who is away, and when; below each who decides in their place. */
function Gaps({ tone, title, gaps }: { tone: 'warn' | 'info'; title: string; gaps: readonly Gap[] }) {
  if (gaps.length === 0) return null
  return (
    <Note tone={tone} title={title}>
      <ul className="hf-bullets">
        {gaps.map(({ text, from, until, decided }) => (
          <li key={`${text} ${from}`}>
            <Label text={text} wrap />{' '}
            <span className="hf-muted">
              <Time ms={from} /> – <Time ms={until} />
            </span>
            {decided.map((each) => (
              <p key={each} className="hf-small">
                <Label text={each} wrap />
              </p>
            ))}
          </li>
        ))}
      </ul>
    </Note>
  )
}
