import { Button, EmptyState } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'

/** Nobody is told anything yet, and how to change that. */
export function NoEndpoint({ mayWrite, onAdd }: { mayWrite: boolean; onAdd: () => void }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      title={t('notification.endpoint.none')}
      action={
        mayWrite && (
          <Button variant="primary" onClick={onAdd}>
            {t('notification.form.add')}
          </Button>
        )
      }
    >
      {t('notification.endpoint.noneNote')}
    </EmptyState>
  )
}
