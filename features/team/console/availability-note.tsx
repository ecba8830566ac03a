import './team.css'
import { Label, Note, RelativeTime, Time } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { getAvailability } from '../contract.ts'

/** Says which approvals nobody can complete while people are away, and of whom who approves nothing was heard for long. Nothing where all is well. */
export function AvailabilityNote() {
  const { t } = useTranslation('teamMember')
  const { data } = useEndpoint(getAvailability, {})
  if (!data || data.gaps.length + data.silent.length === 0) return null
  return (
    <div className="hf-page-key hf-stack">
      {data.gaps.length > 0 && (
        <Note tone="warn" title={t('availability.gaps')}>
          <ul className="hf-bullets">
            {data.gaps.map(({ text, from, until }) => (
              <li key={`${text} ${from}`}>
                <Label text={text} wrap />{' '}
                <span className="hf-muted">
                  <Time ms={from} /> – <Time ms={until} />
                </span>
              </li>
            ))}
          </ul>
        </Note>
      )}
      {data.silent.length > 0 && (
        <Note tone="warn" title={t('availability.silent')}>
          <ul className="hf-bullets">
            {data.silent.map(({ user_id: id, name, since, breaks }) => (
              <li key={id}>
                <Label text={name} /> <RelativeTime ms={since} />
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
