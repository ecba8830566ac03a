import { useEndpoint } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { listKeyReminders } from '../contract.ts'

/** How much is to be done about keys; nothing if nothing is. */
export function KeyBadge() {
  const { t } = useTranslation('privateKeyRecovery')
  const { data } = useEndpoint(listKeyReminders, {})
  const count = data?.list.length ?? 0
  if (count === 0) return null
  return (
    <span className="hf-badge" aria-label={t('reminder.count', { count })}>
      {count}
    </span>
  )
}
