import { requestIdKeeper, useSend } from '@holdfast/client'
import { ApprovalLink } from '@holdfast/features/approval-page/console'
import { useSecondFactor } from '@holdfast/features/session/console'
import { proposeStandingOrder } from '@holdfast/features/standing-order/contract'
import { Address, DrawerForm, Facts, Note, SentPage, TextField } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Agent } from './agent-page.tsx'

const COIN = /^[1-9]\d{0,17}(\.\d{1,6})?$/
const isWhole = (text: string, most: number) => /^[1-9]\d{0,6}$/.test(text) && Number(text) <= most
const idOf = requestIdKeeper()

type AskProps = { agent: Agent; payer: NonNullable<Agent['rent']['payer']>; market: NonNullable<Agent['rent']['market']> }

/** Asks that whoever rents energy out is paid without asking again: one address of the whitelist, within what signers count. */
export function AskRentDrawer({ agent: { chain, symbol }, payer, market }: AskProps) {
  const { t } = useTranslation('tools')
  const second = useSecondFactor()
  const propose = useSend(proposeStandingOrder)
  const [typed, setTyped] = useState({ most: '10', day: '100', fee: '2', count: '100', days: '90' })
  const [isTried, setTried] = useState(false)
  if (propose.data)
    return (
      <SentPage
        title={t('tronAgent.ask.sent')}
        note={t('tronAgent.ask.sentText')}
        link={<ApprovalLink href={propose.data.approval_url}>{t('tronAgent.ask.decide')}</ApprovalLink>}
      />
    )
  const { most, day, fee, count, days } = typed
  const isRight = [most, day, fee].every((each) => COIN.test(each)) && isWhole(count, 1_000_000) && isWhole(days, 366)
  const send = () => {
    setTried(true)
    if (!second.check() || !isRight) return
    const draft = {
      id: null,
      kind: 'rent' as const,
      name: t('tronAgent.askRent.name'),
      sources: [{ wallet_id: payer.wallet_id, sub_wallet_id: payer.sub_wallet_id }],
      targets: [{ kind: 'listed' as const, chain, address: market.pay_to, memo: '' }],
      assets: [{ chain, symbol, at_least: '0.000001', at_most: most, day_most: day }],
      fees: [{ chain, max: fee, max_share: 100 }],
      transfers: Number(count),
      never: [],
      days: Number(days),
    }
    propose.mutate({ request_id: idOf(draft), draft, remark: '', ...second.given })
  }
  const field = (key: 'most' | 'day' | 'fee' | 'count' | 'days') => (
    <TextField
      label={t(`tronAgent.askRent.${key}`)}
      value={typed[key]}
      onChange={(text) => setTyped({ ...typed, [key]: text })}
      inputMode={key === 'count' || key === 'days' ? 'numeric' : 'decimal'}
      {...(key !== 'count' && key !== 'days' && { suffix: <span>{symbol}</span> })}
    />
  )
  return (
    <DrawerForm send={t('tronAgent.ask.send')} isSending={propose.isPending} onSend={send}>
      <p className="hf-muted">{t('tronAgent.askRent.lead')}</p>
      <Facts
        facts={[
          { label: t('tronAgent.rent.market'), value: `${market.label} (${market.host})` },
          { label: t('tronAgent.rent.payTo'), value: <Address address={market.pay_to} />, wide: true },
          { label: t('tronAgent.rent.payer'), value: payer.name },
        ]}
      />
      <Note tone="info" title={t('tronAgent.askRent.list')}>
        {t('tronAgent.askRent.listText')}
      </Note>
      {field('most')}
      {field('day')}
      {field('fee')}
      {field('count')}
      {field('days')}
      {second.field}
      <Note tone="warn" title={t('tronAgent.askRent.risk')}>
        {t('tronAgent.askRent.riskText')}
      </Note>
      {isTried && !isRight && <Note tone="bad">{t('tronAgent.ask.mend')}</Note>}
    </DrawerForm>
  )
}
