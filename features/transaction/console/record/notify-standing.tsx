import { resendNotification } from '@holdfast/features/notification/contract'
import { StatusTag, type Tone, useToast } from '@holdfast/ui'
import { useSend } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import type { Row } from '../row.ts'

const TONES: Record<NonNullable<Row['notify']>['status'], Tone> = { failed: 'bad', retrying: 'active', stopped: 'neutral', success: 'good' }

/** How the notifications of a payment or deposit stand: the worst of them, and how many arrived. */
export function NotifyStanding({ row: { notify } }: { row: Pick<Row, 'notify'> }) {
  const { t } = useTranslation()
  if (notify === null) return <span className="hf-faint">--</span>
  return <StatusTag tone={TONES[notify.status]} text={t(`transaction.notify.${notify.status}`)} next={t('transaction.notify.arrived', notify)} />
}

/** Sends the failed notifications of a record again, or where none failed the last one to each endpoint. */
export function useNotifyAgain() {
  const { t } = useTranslation()
  const toast = useToast()
  const resend = useSend(resendNotification)
  return (row: Pick<Row, 'id'>) =>
    resend.mutateAsync({ biz_id: row.id }).then(
      ({ count }) => toast.success(t('transaction.notify.again', { count }), 'resend'),
      () => undefined,
    )
}
