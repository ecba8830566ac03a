import { useEndpoint } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { openOrderDrawer } from '@holdfast/features/transaction/console'
import { Button, type Column, DataTable, DrawerBody, EmptyState, Time, useDrawers } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { listScheduledPayments } from '../../contract.ts'
import { PaymentTag } from './payment-tag.tsx'

type Row = OutputOf<typeof listScheduledPayments>['list'][number]

/** Every date of a schedule, whether it was paid, and why not. */
export function PaymentsDrawer({ id }: { id: string }) {
  const { t } = useTranslation('coSigner')
  const drawers = useDrawers()
  const { data, error, refetch } = useEndpoint(listScheduledPayments, { id })
  const columns: Column<Row>[] = [
    { key: 'due', title: t('standing.payment.due'), render: ({ due_at: ms }) => <Time ms={ms} /> },
    {
      key: 'state',
      title: t('standing.payment.stateTitle'),
      render: ({ state, reason, detail, late_until: until }) => (
        <span className="hf-stack-tight">
          <PaymentTag state={state} />
          {reason !== null && <span className="hf-small">{t(`standing.reason.${reason}`, { detail: detail ?? '' })}</span>}
          {reason !== null && <span className="hf-small hf-muted">{t(`standing.change.${reason}`)}</span>}
          {state === 'late' && (
            <span className="hf-small hf-muted">
              {t('standing.payment.until')} <Time ms={until} />
            </span>
          )}
        </span>
      ),
    },
    {
      key: 'order',
      title: t('standing.payment.order'),
      hidesTitle: true,
      render: ({ order_id: order, date }) =>
        order !== null && (
          <Button
            size="small"
            label={t('standing.payment.openOf', { date })}
            onClick={() => void openOrderDrawer(drawers, { id: order, kind: 'withdraw', title: t('standing.payment.of', { date }) })}
          >
            {t('standing.payment.open')}
          </Button>
        ),
    },
  ]
  return (
    <DrawerBody>
      <DataTable
        label={t('standing.payment.title')}
        columns={columns}
        rows={data?.list}
        rowKey={({ date }) => date}
        error={error}
        onRetry={() => void refetch()}
        empty={<EmptyState title={t('standing.payment.none')} />}
      />
    </DrawerBody>
  )
}
