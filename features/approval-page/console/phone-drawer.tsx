import type { OutputOf } from '@holdfast/contract'
import { generateQr, getQrStatus, QR_STATUS } from '@holdfast/features/proposal/contract'
import { Button, DrawerBody, DrawerFooter, Label, Note, Qr, RelativeTime, useDrawerPage } from '@holdfast/ui'
import { useEndpoint, useSend } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApprovalLinks } from './approval-link.tsx'

type Code = OutputOf<typeof generateQr>
type Status = OutputOf<typeof getQrStatus>

const ASK_EVERY_MS = 3_000

const isWaiting = (status: Status | undefined) => status === undefined || status.status === QR_STATUS.wait || status.status === QR_STATUS.scanned

/** A code to hold before a telephone's camera, and what has become of it. It carries the hash of the item, and no secret. */
export function PhoneDrawer({ itemId, first }: { itemId: string; first: Code }) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const [code, setCode] = useState(first)
  const again = useSend(generateQr)
  const { data } = useEndpoint(getQrStatus, { qr_id: code.qr_id }, { refetchEveryMs: (status) => (isWaiting(status) ? ASK_EVERY_MS : false) })
  const { href } = useApprovalLinks()(code.qr_content)
  const renew = () => again.mutate({ type: 'approve', biz_id: itemId }, { onSuccess: setCode })
  const isExpired = data?.status === QR_STATUS.expired
  return (
    <>
      <DrawerBody>
        <p>{t('approvalPage.phone.how')}</p>
        {isWaiting(data) && (
          <div className="hf-phone-code">
            <Qr text={href} label={t('approvalPage.phone.code')} size={220} />
            <p className="hf-small hf-muted">
              {t('approvalPage.phone.until')} <RelativeTime ms={code.expire_at} />
            </p>
          </div>
        )}
        <div aria-live="polite">
          <Standing status={data} />
        </div>
        {isOfThisMachine(href) && <Note tone="warn">{t('approvalPage.phone.thisMachine', { host: new URL(href).host })}</Note>}
        <p className="hf-small hf-muted">{t('approvalPage.phone.note')}</p>
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('ui.drawer.close')}</Button>
        {isExpired && (
          <Button variant="primary" loading={again.isPending} onClick={renew}>
            {t('approvalPage.phone.again')}
          </Button>
        )}
      </DrawerFooter>
    </>
  )
}

function Standing({ status }: { status: Status | undefined }) {
  const { t } = useTranslation()
  if (status === undefined) return null
  if (status.status === QR_STATUS.expired) return <Note tone="warn">{t('approvalPage.phone.expired')}</Note>
  if (isWaiting(status)) return <Note>{t(status.status === QR_STATUS.scanned ? 'approvalPage.phone.scanned' : 'approvalPage.phone.wait')}</Note>
  const isApproved = status.status === QR_STATUS.confirmed
  return (
    <Note tone={isApproved ? 'good' : 'bad'} title={t(isApproved ? 'approvalPage.phone.approved' : 'approvalPage.phone.rejected')}>
      {status.device !== null && (
        <>
          {t('approvalPage.phone.by')} <Label text={status.device} />
        </>
      )}
    </Note>
  )
}

/** Whether a telephone cannot get there: the name means the machine itself. */
function isOfThisMachine(href: string): boolean {
  return /(^|\.)localhost$|^127\.|^\[::1\]$/.test(new URL(href).hostname)
}
