import { Label } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { Change } from './change-parts.tsx'

/** How many have approved of how many, for each group of people whose word is needed. */
export function QuorumMeters({ quorums }: { quorums: Change['quorums'] }) {
  const { t } = useTranslation('strategyEngine')
  return (
    <div className="hf-quorums">
      {quorums.map((quorum) => (
        <div key={quorum.name} className="hf-stack-tight">
          <p className="hf-small">
            <strong>{t(`quorum.${quorum.name}`)}</strong>{' '}
            <span className="hf-muted hf-numbers">{t('quorum.count', { done: quorum.approved.length, need: quorum.need })}</span>
          </p>
          <div className="hf-meter" role="img" aria-label={t('quorum.count', { done: quorum.approved.length, need: quorum.need })}>
            {Array.from({ length: quorum.need }, (_, at) => (
              <span key={at} className={quorum.rejected.length > 0 ? 'hf-meter-failed' : at < quorum.approved.length ? 'hf-meter-done' : undefined} />
            ))}
          </div>
          <Names title={t('quorum.approved')} people={quorum.approved} />
          <Names title={t('quorum.rejected')} people={quorum.rejected} />
          <Names title={t('quorum.waiting')} people={quorum.waiting} />
        </div>
      ))}
    </div>
  )
}

function Names({ title, people }: { title: string; people: readonly { person_id: string; name: string }[] }) {
  if (people.length === 0) return null
  return (
    <p className="hf-small hf-muted hf-row-tight">
      {title}
      {people.map((each) => (
        <span key={each.person_id} className="hf-person">
          <Label text={each.name} wrap />
        </span>
      ))}
    </p>
  )
}
