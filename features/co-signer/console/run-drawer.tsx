import { useSend } from '@holdfast/client'
import { ApprovalLink } from '@holdfast/features/approval-page/console'
import { useSecondFactor } from '@holdfast/features/session/console'
import { DrawerForm, Note, SentPage, TextField, useDrawerPage } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { setCollectingStatus } from '../contract.ts'
import type { Collecting } from './index-page.tsx'

const isWhole = (text: string, most: number) => /^[1-9]\d{0,5}$/.test(text) && Number(text) <= most

/** Has collection run: what is not approved yet is put before those who approve. */
export function RunDrawer({ walletId, of }: { walletId: string; of: Collecting }) {
  const { t } = useTranslation('coSigner')
  const { close } = useDrawerPage()
  const second = useSecondFactor()
  const [transfers, setTransfers] = useState(String(of.transfers))
  const [days, setDays] = useState(String(of.days))
  const run = useSend(setCollectingStatus)
  if (run.data && run.data.pending.length > 0) {
    return (
      <SentPage
        title={t('standing.ask.sent')}
        note={t('standing.ask.sentText')}
        link={
          <span className="hf-stack-tight">
            {run.data.pending.map(({ trade_no: id, kind, approval_url: url }) => (
              <ApprovalLink key={id} href={url}>
                {t(`collect.waits.${kind}`)}
              </ApprovalLink>
            ))}
          </span>
        }
      />
    )
  }
  const isReady = isWhole(transfers, 999_999) && isWhole(days, 366) && second.isReady
  const send = () =>
    run.mutate(
      { wallet_id: walletId, status: 'run', transfers, days, remark: '', ...second.given },
      { onSuccess: ({ pending }) => pending.length === 0 && close() },
    )
  return (
    <DrawerForm send={t('collect.run.do')} isSending={run.isPending} isShut={!isReady} onSend={send}>
      <p className="hf-muted">{t('collect.run.text')}</p>
      {of.unapproved.length > 0 && (
        <Note tone="info" title={t('collect.run.asks')}>
          <ul>
            {of.unapproved.map(({ what, name }) => (
              <li key={`${what} ${name}`}>{t(`collect.unapproved.${what}`, { name })}</li>
            ))}
          </ul>
        </Note>
      )}
      <TextField label={t('standing.ask.transfers')} value={transfers} onChange={setTransfers} inputMode="numeric" />
      <TextField label={t('standing.ask.days')} value={days} onChange={setDays} inputMode="numeric" />
      {second.field}
    </DrawerForm>
  )
}
