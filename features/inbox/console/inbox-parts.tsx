import type { OutputOf } from '@holdfast/contract'
import { useSend } from '@holdfast/client'
import { openOrderDrawer } from '@holdfast/features/transaction/console'
import { Button, closePopup, exactAmount, Label, plainText, RelativeTime, useDrawers } from '@holdfast/ui'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type listInbox, markInboxRead } from '../contract.ts'

type Inbox = OutputOf<typeof listInbox>
type News = Inbox['news'][number]
type Order = Inbox['needs']['orders'][number]
type Batch = Inbox['needs']['batches'][number]

/** How much needs the person. */
export function needsCount({ needs: { decisions, drills, stops, orders, batches } }: Inbox): number {
  return decisions + drills.length + stops.length + orders.length + batches.length
}

/** Marks as read what is shown, and nothing that came after it. */
export function MarkRead({ inbox: { news, unread } }: { inbox: Inbox }) {
  const { t } = useTranslation()
  const send = useSend(markInboxRead)
  const [newest] = news
  if (unread === 0 || !newest) return null
  return (
    <Button size="small" loading={send.isPending} onClick={() => send.mutate({ until: newest.at })}>
      {t('inbox.markRead')}
    </Button>
  )
}

/** What waits for the person, each with the way to it. */
export function Needs({ inbox }: { inbox: Inbox }) {
  const { t } = useTranslation()
  const { decisions, drills, stops, orders, batches } = inbox.needs
  if (needsCount(inbox) === 0) return null
  return (
    <ul className="hf-inbox">
      {decisions > 0 && <ToPage to="/mpc/center/wallet/todo">{t('inbox.needs.decisions', { count: decisions })}</ToPage>}
      {stops.map((each) => (
        <Item key={each.id} face={<Stop item={each} />} at={each.until} />
      ))}
      {drills.map(({ wallet_id: id, wallet_name: name }) => (
        <ToPage key={id} to="/mpc/center/wallet/keyRecovery">
          {t('inbox.needs.drill', { name: plainText(name, NAME_MAX) })}
        </ToPage>
      ))}
      {orders.map((order) => (
        <Item key={order.id} face={<OpenRecord order={order} kind="withdraw" words={t('inbox.needs.order', wordsOf(order))} />} />
      ))}
      {batches.map((batch) => (
        <ToPage key={batch.id} to={pageOf(batch)}>
          {t('inbox.needs.batch', { count: batch.lines, ...batchWords(batch) })}
        </ToPage>
      ))}
    </ul>
  )
}

/** What happened, the newest first. */
export function NewsList({ news }: { news: readonly News[] }) {
  return (
    <ul className="hf-inbox">
      {news.map((item) => (
        <Item key={item.key} face={<Face item={item} />} at={item.at} unread={item.unread} remark={'remark' in item ? item.remark : ''} />
      ))}
    </ul>
  )
}

const NAME_MAX = 60

type InSubWallet = { wallet_name: string; sub_wallet_name: string }

const placeOf = ({ wallet_name: wallet, sub_wallet_name: subWallet }: InSubWallet) => ({ place: plainText(`${wallet} / ${subWallet}`, 2 * NAME_MAX) })

const wordsOf = ({ amount, symbol, ...place }: Order) => ({ amount: `${exactAmount(amount)} ${plainText(symbol, NAME_MAX)}`, ...placeOf(place) })

const pageOf = ({ id }: Batch) => `/mpc/tools/batchTransfer/transferRecord?batch=${id}`

const batchWords = ({ file_name: file, ...place }: Batch) => ({ file: plainText(file, NAME_MAX), ...placeOf(place) })

function Face({ item }: { item: News }) {
  const { t } = useTranslation()
  if (item.kind === 'order') return <OpenRecord order={item} kind="withdraw" words={t(`inbox.order.${item.ending}`, wordsOf(item))} />
  if (item.kind === 'batch') {
    const { ending, lines, paid, failed } = item
    return <Way to={pageOf(item)}>{t(`inbox.batch.${ending}`, { ...batchWords(item), lines, paid, failed })}</Way>
  }
  if (item.kind === 'energy') return <Way to="/mpc/tools/tronAutoAgent">{t(`inbox.energy.${item.told}`, placeOf(item))}</Way>
  if (item.kind === 'resource') {
    const what = item.low.map((each) => t(`inbox.resource.of.${each}`)).join(t('inbox.resource.and'))
    return <Way to="/mpc/tools/tronResourceMonitor">{t('inbox.resource.low', { what, ...placeOf(item) })}</Way>
  }
  if (item.kind === 'deposit') return <OpenRecord order={item} kind="deposit" words={t('inbox.deposit', wordsOf(item))} />
  if (item.kind === 'policy') return <Way to="/mpc/teamMember?tab=policy">{t('inbox.policy', { version: item.version })}</Way>
  if (item.kind === 'reminder') return <Way to="/mpc/center/wallet/todo">{t('inbox.reminder', { name: plainText(item.name, NAME_MAX) })}</Way>
  return (
    <Way to={`/mpc/teamMember?member=${item.person_id}`}>
      {t(`inbox.member.${item.event}`, { name: plainText(item.name, NAME_MAX), other: plainText(item.other, NAME_MAX) })}
    </Way>
  )
}

/** What was approved and waits, with the way to where it is stopped. */
function Stop({ item }: { item: Inbox['needs']['stops'][number] }) {
  const { t } = useTranslation()
  if (item.kind === 'order') return <OpenRecord order={item} kind="withdraw" words={t('inbox.needs.stopOrder', wordsOf(item))} />
  if (item.kind === 'batch') return <Way to={pageOf(item)}>{t('inbox.needs.stopBatch', { count: item.lines, ...batchWords(item) })}</Way>
  return <Way to="/mpc/strategyEngine">{t('inbox.needs.stopPolicy', { version: item.version })}</Way>
}

function OpenRecord({ order, kind, words }: { order: Order; kind: 'deposit' | 'withdraw'; words: string }) {
  const { t } = useTranslation()
  const drawers = useDrawers()
  return (
    <button
      type="button"
      className="hf-link-button"
      onClick={(event) => {
        closePopup(event.currentTarget)
        void openOrderDrawer(drawers, { id: order.id, kind, title: t(`transaction.detail.${kind}`) })
      }}
    >
      {words}
    </button>
  )
}

function Way({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} onClick={(event) => closePopup(event.currentTarget)}>
      {children}
    </Link>
  )
}

function ToPage({ to, children }: { to: string; children: ReactNode }) {
  return <Item face={<Way to={to}>{children}</Way>} />
}

function Item({ face, at, unread = false, remark = '' }: { face: ReactNode; at?: number; unread?: boolean; remark?: string }) {
  const { t } = useTranslation()
  return (
    <li className={unread ? 'hf-inbox-unread' : undefined}>
      <span className="hf-grow">
        {unread && <span className="hf-visually-hidden">{t('inbox.unread')} </span>}
        {face}
        {remark !== '' && (
          <span className="hf-small hf-muted hf-inbox-remark">
            <Label text={remark} />
          </span>
        )}
      </span>
      {at !== undefined && (
        <span className="hf-small hf-muted hf-nowrap">
          <RelativeTime ms={at} />
        </span>
      )}
    </li>
  )
}
