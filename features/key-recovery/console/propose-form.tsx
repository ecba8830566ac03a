import { ApprovalLink } from '@holdfast/features/approval-page/console'
import { useSecondFactor } from '@holdfast/features/session/console'
import { Button, DrawerBody, DrawerFooter, Note, useDrawerPage } from '@holdfast/ui'
import { requestIdKeeper } from '@holdfast/client'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'

/** What every order about a key is sent with, beside what it asks for. */
export type Sent = { request_id: string; google_code?: string }

type ProposeFormProps = {
  /** What is proposed, with whose key it is, as the drawer is titled. */
  what: string
  /** What the order asks for: the same sent twice is one order. */
  asked: Record<string, unknown>
  sending: { data: { approval_url: string } | undefined; isPending: boolean }
  send: (sent: Sent) => void
  /** What has to be filled in before it can be proposed; undefined if nothing is missing. */
  missing?: string | undefined
  isDanger?: boolean
  /** What the order will do and what it needs. */
  children: ReactNode
}

/** The drawer of an order about a key: what it will do, the caller's code where one is needed, and what happens once it was proposed. */
export function ProposeForm({ what, asked, sending, send, missing, isDanger = true, children }: ProposeFormProps) {
  const { t } = useTranslation('privateKeyRecovery')
  const { close } = useDrawerPage()
  // For this drawer alone: an order that was taken back can be proposed once more.
  const [idOf] = useState(() => requestIdKeeper())
  const second = useSecondFactor()
  if (sending.data) return <Proposed url={sending.data.approval_url} onClose={() => close()} />
  return (
    <>
      <DrawerBody>
        {children}
        {second.field}
        {missing !== undefined && <p className="hf-small hf-muted">{missing}</p>}
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('cancel')}</Button>
        <Button
          variant={isDanger ? 'danger' : 'primary'}
          loading={sending.isPending}
          disabled={missing !== undefined || !second.isReady}
          onClick={() => send({ request_id: idOf(asked), ...second.given })}
        >
          {what}
        </Button>
      </DrawerFooter>
    </>
  )
}

function Proposed({ url, onClose }: { url: string; onClose: () => void }) {
  const { t } = useTranslation('privateKeyRecovery')
  return (
    <>
      <DrawerBody>
        <Note tone="good" title={t('proposed.title')}>
          {t('proposed.text')}
        </Note>
      </DrawerBody>
      <DrawerFooter>
        <ApprovalLink href={url}>{t('change.look')}</ApprovalLink>
        <Button variant="primary" onClick={onClose}>
          {t('done')}
        </Button>
      </DrawerFooter>
    </>
  )
}
