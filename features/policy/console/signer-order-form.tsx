import { ApprovalLink } from '@holdfast/features/approval-page/console'
import { useSecondFactor } from '@holdfast/features/session/console'
import { Button, DrawerBody, DrawerFooter, Note, REMARK_LIMIT, TextField, useDrawerPage } from '@holdfast/ui'
import { requestIdKeeper } from '@holdfast/client'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'

/** What every order to the signers is sent with, beside what it asks for. */
export type Sent = { request_id: string; reason: string; google_code?: string }

type SignerOrderFormProps = {
  /** What the order asks for: the same sent twice is one order. */
  asked: Record<string, unknown>
  sending: { data: { approval_url: string } | undefined; isPending: boolean }
  send: (sent: Sent) => void
  isReady: boolean
  children: ReactNode
}

/** The drawer of an order to the signers: what it does, why it is asked for, the caller's code where one is needed, and what happens then. */
export function SignerOrderForm({ asked, sending, send, isReady, children }: SignerOrderFormProps) {
  const { t } = useTranslation('strategyEngine')
  const { close } = useDrawerPage()
  const second = useSecondFactor()
  const [reason, setReason] = useState('')
  const [idOf] = useState(() => requestIdKeeper())
  if (sending.data) {
    return (
      <>
        <DrawerBody>
          <Note tone="good" title={t('signing.asked.title')}>
            {t('signing.asked.text')}
          </Note>
        </DrawerBody>
        <DrawerFooter>
          <ApprovalLink href={sending.data.approval_url}>{t('change.open')}</ApprovalLink>
          <Button variant="primary" onClick={() => close()}>
            {t('propose.close')}
          </Button>
        </DrawerFooter>
      </>
    )
  }
  return (
    <>
      <DrawerBody>
        {children}
        <TextField label={t('signing.reason')} hint={t('signing.reasonHint')} value={reason} onChange={setReason} rows={2} maxLength={REMARK_LIMIT} />
        {second.field}
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('propose.cancel')}</Button>
        <Button
          variant="primary"
          loading={sending.isPending}
          disabled={!isReady || reason.trim() === '' || !second.isReady}
          onClick={() => send({ request_id: idOf({ ...asked, reason }), reason, ...second.given })}
        >
          {t('signing.ask')}
        </Button>
      </DrawerFooter>
    </>
  )
}
