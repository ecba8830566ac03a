import { requestIdKeeper, useEndpoint, useSend } from '@holdfast/client'
import { ApprovalLink } from '@holdfast/features/approval-page/console'
import { useSecondFactor } from '@holdfast/features/session/console'
import { proposeStandingOrder } from '@holdfast/features/standing-order/contract'
import { listWallets } from '@holdfast/features/wallet/contract'
import { DrawerForm, ErrorState, ManyPicker, Note, SentPage, TextField } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Agent } from './agent-page.tsx'

const COIN = /^[1-9]\d{0,17}(\.\d{1,6})?$/
const isWhole = (text: string, most: number) => /^[1-9]\d{0,6}$/.test(text) && Number(text) <= most
const idOf = requestIdKeeper()

/** Asks that people approve once that energy of what is staked is lent to own addresses. */
export function AskDrawer({ agent }: { agent: Agent }) {
  const { t } = useTranslation('tools')
  const second = useSecondFactor()
  const wallets = useEndpoint(listWallets, {})
  const propose = useSend(proposeStandingOrder)
  const [to, setTo] = useState<readonly string[]>([])
  const [most, setMost] = useState('10000')
  const [fee, setFee] = useState('1')
  const [count, setCount] = useState('1000')
  const [days, setDays] = useState('90')
  const [isTried, setTried] = useState(false)
  if (propose.data)
    return (
      <SentPage
        title={t('tronAgent.ask.sent')}
        note={t('tronAgent.ask.sentText')}
        link={<ApprovalLink href={propose.data.approval_url}>{t('tronAgent.ask.decide')}</ApprovalLink>}
      />
    )
  const active = wallets.data ? [...wallets.data.top_wallet, ...wallets.data.wallet_list].filter(({ state }) => state === 'active') : []
  const isRight = to.length > 0 && COIN.test(most) && COIN.test(fee) && isWhole(count, 1_000_000) && isWhole(days, 366) && second.isReady
  const send = () => {
    setTried(true)
    second.check()
    if (!isRight || agent.auth_wallet_id === null) return
    const { chain, symbol } = agent
    const draft = {
      id: null,
      kind: 'delegate' as const,
      name: t('tronAgent.ask.name'),
      sources: agent.lenders.map(({ wallet_id, sub_wallet_id }) => ({ wallet_id, sub_wallet_id })),
      targets: to.map((walletId) => ({ kind: 'own' as const, wallet_id: walletId, sub_wallet_id: null })),
      resources: ['energy' as const],
      assets: [{ chain, symbol, at_least: '1', at_most: most }],
      fees: [{ chain, max: fee, max_share: 100 }],
      transfers: Number(count),
      never: [],
      days: Number(days),
    }
    propose.mutate({ request_id: idOf(draft), draft, remark: '', ...second.given })
  }
  return (
    <DrawerForm send={t('tronAgent.ask.send')} isSending={propose.isPending} onSend={send}>
      <p className="hf-muted">{t('tronAgent.ask.lead')}</p>
      {wallets.error && <ErrorState error={wallets.error} />}
      <div className="hf-stack-tight">
        <span className="hf-label">{t('tronAgent.ask.to')}</span>
        <ManyPicker
          label={t('tronAgent.ask.toNone')}
          options={active.map(({ wallet_id: value, wallet_name: label }) => ({ value, label }))}
          values={to}
          onChange={setTo}
        />
      </div>
      <TextField label={t('tronAgent.ask.most')} value={most} onChange={setMost} inputMode="decimal" suffix={<span>{agent.symbol}</span>} />
      <TextField label={t('tronAgent.ask.fee')} value={fee} onChange={setFee} inputMode="decimal" suffix={<span>{agent.symbol}</span>} />
      <TextField label={t('tronAgent.ask.count')} hint={t('tronAgent.ask.countHint')} value={count} onChange={setCount} inputMode="numeric" />
      <TextField label={t('tronAgent.ask.days')} value={days} onChange={setDays} inputMode="numeric" />
      {second.field}
      <Note tone="warn" title={t('tronAgent.ask.risk')}>
        {t('tronAgent.ask.riskText')}
      </Note>
      {isTried && !isRight && <Note tone="bad">{t('tronAgent.ask.mend')}</Note>}
    </DrawerForm>
  )
}
