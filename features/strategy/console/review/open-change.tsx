import { useEndpoint } from '@holdfast/client'
import { ChangeCard } from '@holdfast/features/policy/console'
import { getPolicy } from '@holdfast/features/policy/contract'
import { Note } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'

/** The change of the policy that waits: until it is decided nothing else is proposed. */
export function OpenChange({ id }: { id: string }) {
  const { t } = useTranslation('strategyEngine')
  const { data } = useEndpoint(getPolicy, {})
  const change = data?.open_change
  if (change?.id !== id) return null
  return (
    <div className="hf-stack-tight">
      {change.state === 'approving' ? (
        <Note tone="warn" title={t('rules.waits.title')}>
          {t('rules.waits.text')}
        </Note>
      ) : (
        <Note tone="info" title={t('rules.waits.approved')}>
          {t('rules.waits.approvedText')}
        </Note>
      )}
      <ChangeCard change={change} />
    </div>
  )
}
