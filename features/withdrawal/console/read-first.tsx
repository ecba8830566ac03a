import { Note } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { type AddressCheck, alarmsOf, isGrave, warningsOf } from './draft.ts'

/** What the approval page will say above an order about its destination, shown before the order is sent. Empty if there is nothing to say. */
export function ReadFirst({ check }: { check: AddressCheck }) {
  const { t } = useTranslation()
  const alarms = alarmsOf(check)
  if (alarms.length === 0) return null
  return (
    <Note tone={warningsOf(check).some(isGrave) ? 'bad' : 'warn'} title={t('withdrawal.review.first')}>
      <ul className="hf-bullets">
        {alarms.map(({ key, address }) => (
          <li key={`${key} ${address}`} className="hf-break">
            {t(`withdrawal.alarm.${key}`, { address })}
          </li>
        ))}
      </ul>
    </Note>
  )
}
