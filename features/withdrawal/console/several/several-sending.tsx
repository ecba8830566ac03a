import { useSend } from '@holdfast/client'
import { CallError } from '@holdfast/contract'
import { Address, Amount, Button, type Column, DataTable, Note, StatusTag, type Tone } from '@holdfast/ui'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { createWithdrawal } from '../../contract.ts'
import { unitOf } from '../draft.ts'
import type { SeveralCoin } from './several-coin.ts'
import { type OrderSent, unsent } from './several-orders.ts'

const TONES: Record<OrderSent['state'], Tone> = { ready: 'neutral', sending: 'active', sent: 'good', refused: 'bad', unanswered: 'warn' }

type SeveralSendingProps = { coin: SeveralCoin; orders: OrderSent[]; onChange: (orders: OrderSent[]) => void; onOther: () => void }

/** Sends the orders one after another and says of each what became of it. What was refused or not answered is sent again as it was, with the same id. */
export function SeveralSending({ coin, orders, onChange, onOther }: SeveralSendingProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { sendAll, isSending } = useSendAll(orders, onChange)
  const begun = useRef(false)
  useEffect(() => {
    // What a person resumes after they were signed out waits for them.
    if (begun.current || orders.some(({ state }) => state !== 'ready')) return
    begun.current = true
    void sendAll()
  })
  const left = unsent(orders).length
  const view = () => {
    const only = orders.length === 1 ? orders[0] : undefined
    void navigate(`/mpc/center/wallet/transactions${only?.state === 'sent' ? `?order=${only.orderId}` : ''}`)
  }
  return (
    <div className="hf-panel hf-stack">
      <div aria-live="polite">
        {left === 0 ? (
          <Note tone="good" title={t('withdrawal.sent.title')}>
            {t('withdrawal.sent.text')}
          </Note>
        ) : (
          <Note tone={isSending ? 'info' : 'warn'}>
            {t(isSending ? 'withdrawal.several.sending' : 'withdrawal.several.partly', { sent: orders.length - left, all: orders.length })}
          </Note>
        )}
      </div>
      <DataTable label={t('withdrawal.several.orders')} columns={useColumns(coin)} rows={orders} rowKey={({ line }) => String(line)} empty={null} />
      <div className="hf-row">
        {left > 0 ? (
          <Button variant="primary" loading={isSending} onClick={() => void sendAll()}>
            {t('withdrawal.several.again')}
          </Button>
        ) : (
          <>
            <Button variant="primary" onClick={view}>
              {t(orders.length === 1 ? 'withdrawal.sent.view' : 'withdrawal.several.view')}
            </Button>
            <Button onClick={onOther}>{t('withdrawal.several.other')}</Button>
          </>
        )}
      </div>
    </div>
  )
}

function useSendAll(orders: OrderSent[], onChange: (orders: OrderSent[]) => void) {
  const send = useSend(createWithdrawal, { shows: () => true })
  const [isSending, setSending] = useState(false)
  const sendAll = async () => {
    setSending(true)
    let present = orders
    const put = (next: OrderSent) => {
      present = present.map((each) => (each.line === next.line ? next : each))
      onChange(present)
    }
    for (const { line, order } of unsent(orders)) {
      put({ line, order, state: 'sending' })
      try {
        const { withdraw_id: orderId } = await send.mutateAsync(order)
        put({ line, order, state: 'sent', orderId })
      } catch (error) {
        // Whether an order without an answer was made is not known: only the same one may be sent again.
        put(error instanceof CallError ? { line, order, state: 'refused', reason: error.message } : { line, order, state: 'unanswered' })
      }
    }
    setSending(false)
  }
  return { sendAll, isSending }
}

function useColumns(coin: SeveralCoin): Column<OrderSent>[] {
  const { t } = useTranslation()
  return [
    { key: 'line', title: t('withdrawal.several.line'), width: 1, render: ({ line }) => <span className="hf-numbers hf-faint">{line}</span> },
    {
      key: 'to',
      title: t('withdrawal.several.to'),
      render: ({ order }) => (order.outputs ? t('withdrawal.several.recipientCount', { count: order.outputs.length }) : <Address address={order.address_to} />),
    },
    { key: 'amount', title: t('withdrawal.several.amount'), align: 'end', render: ({ order }) => <Amount value={order.amount} unit={unitOf(coin)} /> },
    {
      key: 'state',
      title: t('withdrawal.several.state'),
      render: (row) => (
        <span className="hf-stack-tight">
          <StatusTag tone={TONES[row.state]} text={t(`withdrawal.several.states.${row.state}`)} />
          {row.state === 'refused' && <span className="hf-small">{row.reason}</span>}
        </span>
      ),
    },
  ]
}
