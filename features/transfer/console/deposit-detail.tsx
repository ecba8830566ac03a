import { Note, useEndpoint } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { getDeposit } from '../contract.ts'
import { HeldPayment } from './held-payment.tsx'
import { RecordDrawer } from './record-parts.tsx'

/** One deposit whole, and whose it is where it is held. */
export function DepositDetail({ id }: { id: string }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useEndpoint(getDeposit, { id })
  return (
    <RecordDrawer row={data} error={error} onRetry={() => void refetch()} title={t('transfer.detail.payment')}>
      {data && <HeldPayment deposit={data} />}
      {data?.sub_status === 'reorged' && <Note tone="bad">{t('transfer.subStatus.reorged')}</Note>}
    </RecordDrawer>
  )
}
