import { useFiat } from '@holdfast/features/price/console'
import { usePermission } from '@holdfast/features/session/console'
import { Button, Note, useDrawers } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { getDeposit } from '../../contract.ts'
import { HeldPayment } from './held-payment.tsx'
import { openReplaceDrawer } from './open-replace-drawer.tsx'
import type { Deposit } from './payment-facts.tsx'
import { RecordDrawer } from './record-parts.tsx'
import { canCpfp, isOutsideBlocks } from '../status.ts'

/** One deposit whole, and whose it is where it is held. */
export function DepositDetail({ id }: { id: string }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useEndpoint(getDeposit, { id, ...useFiat().asked })
  const isOutside = data !== undefined && isOutsideBlocks(data)
  return (
    <RecordDrawer
      row={data}
      error={error}
      onRetry={() => void refetch()}
      title={t('transaction.detail.payment')}
      isLabellable={!isOutside}
      action={data && <CpfpButton row={data} />}
    >
      {data && <HeldPayment deposit={data} />}
      {data?.sub_status === 'reorged' && <Note tone="bad">{t('transaction.subStatus.reorged')}</Note>}
      {isOutside && <Note tone={data.sub_status === 'mempool' ? 'info' : 'warn'}>{t(`transaction.cpfp.${data.sub_status}`)}</Note>}
    </RecordDrawer>
  )
}

/** Asks for a CPFP: a child that pays for a pending deposit. */
function CpfpButton({ row }: { row: Deposit }) {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const mayAsk = usePermission('withdraw.create')
  if (!mayAsk || !canCpfp(row)) return null
  return (
    <Button variant="primary" onClick={() => openReplaceDrawer(drawers, { orderId: row.id, isCancel: false, title: t('transaction.cpfp.title') })}>
      {t('transaction.action.cpfp')}
    </Button>
  )
}
