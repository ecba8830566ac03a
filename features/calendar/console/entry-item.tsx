import { PaymentTag } from '@holdfast/features/standing-order/console'
import { openOrderDrawer } from '@holdfast/features/transaction/console'
import { Button, Label, StatusTag, useDrawers } from '@holdfast/ui'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Entry } from './calendar-page.tsx'

const STANDING = '/mpc/standingOrders'

/** What is on a day: what it is, at what time, and the way to it. */
export function EntryItem({ entry }: { entry: Entry }) {
  const { t } = useTranslation()
  const time = new Date(entry.at).toISOString().slice(11, 16)
  switch (entry.kind) {
    case 'payment':
      return (
        <Shown tag={<PaymentTag state={entry.state} />} time={time} sum={`${entry.amount} ${entry.symbol}`}>
          {entry.order_id === null ? (
            <Link to={STANDING}>
              <Label text={entry.name} wrap />
            </Link>
          ) : (
            <OrderButton id={entry.order_id} text={entry.name} />
          )}
        </Shown>
      )
    case 'held':
    case 'approval':
      return (
        <Shown tag={<StatusTag tone={entry.kind === 'held' ? 'active' : 'neutral'} text={t(`calendar.order.${entry.kind}`)} />} time={time}>
          <OrderButton id={entry.order_id} text={`${entry.amount} ${entry.symbol}`} />
        </Shown>
      )
    case 'batch':
      return (
        <Shown tag={<StatusTag tone="neutral" text={t('calendar.batch')} />} time={time}>
          <Link to={`/mpc/tools/batchTransfer/transferRecord?batch=${entry.batch_id}`}>
            <Label text={entry.file_name} wrap />
          </Link>
        </Shown>
      )
    case 'standing':
      return (
        <Shown tag={<StatusTag tone="neutral" text={t('calendar.standing')} />} time={time}>
          <Link to={STANDING}>
            <Label text={entry.name} wrap />
          </Link>
        </Shown>
      )
  }
}

function Shown({ tag, time, sum, children }: { tag: ReactNode; time: string; sum?: string; children: ReactNode }) {
  return (
    <div className="hf-calendar-entry">
      <span className="hf-row-tight">
        {tag} <span className="hf-small hf-muted hf-numbers">{time}</span>
      </span>
      {children}
      {sum !== undefined && <span className="hf-small hf-numbers">{sum}</span>}
    </div>
  )
}

function OrderButton({ id, text }: { id: string; text: string }) {
  const drawers = useDrawers()
  return (
    <Button size="small" onClick={() => void openOrderDrawer(drawers, { id, kind: 'withdraw', title: text })}>
      <Label text={text} wrap />
    </Button>
  )
}
