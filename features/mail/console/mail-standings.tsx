import { Label, RelativeTime } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { MailStanding } from '../contract.ts'

/** Who was told of something by mail, and who was not and why. */
export function MailStandings({ mails }: { mails: readonly MailStanding[] }) {
  const { t } = useTranslation()
  if (mails.length === 0) return null
  // What is so for everybody is said once.
  if (mails.every(({ reason }) => reason === 'no_server')) return <p className="hf-small">{t('mail.nobody')}</p>
  return (
    <div className="hf-small">
      <p>{t('mail.told')}</p>
      <ul className="hf-bullets">
        {mails.map(({ name, state, reason, at }, place) => (
          <li key={`${place} ${name}`}>
            <Label text={name} />: {t(reason !== null && state === 'waiting' ? 'mail.state.again' : `mail.state.${state}`)}{' '}
            {state === 'sent' ? <RelativeTime ms={at} /> : reason !== null && t(`mail.reason.${reason}`)}
          </li>
        ))}
      </ul>
    </div>
  )
}
