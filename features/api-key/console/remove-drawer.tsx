import { requestIdKeeper, useSend } from '@holdfast/client'
import { ApprovalLink } from '@holdfast/features/approval-page/console'
import { useUserInfo } from '@holdfast/features/session/console'
import { Button, DrawerBody, DrawerFooter, SentPage, useDrawerPage } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { removeMachine } from '../contract.ts'
import { CodeField } from './form/fields.tsx'

const idOf = requestIdKeeper()

/** Proposes the policy without a machine. */
export function RemoveDrawer({ appId }: { appId: string }) {
  const { t } = useTranslation('apiPage')
  const { t: common } = useTranslation()
  const { close } = useDrawerPage()
  const needsCode = useUserInfo().data?.google_bind === true
  const [code, setCode] = useState('')
  const remove = useSend(removeMachine)
  if (remove.data)
    return (
      <SentPage
        title={t('api.sent.title')}
        note={t('api.sent.text')}
        link={<ApprovalLink href={remove.data.approval_url}>{t('api.open.decide')}</ApprovalLink>}
      />
    )
  const send = () => remove.mutate({ request_id: idOf(appId), app_id: appId, ...(needsCode && { google_code: code }) })
  return (
    <>
      <DrawerBody>
        <p>{t('api.remove.text')}</p>
        {needsCode && <CodeField code={code} onChange={setCode} />}
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{common('ui.confirm.cancel')}</Button>
        <Button variant="danger" disabled={needsCode && !/^\d{6}$/.test(code)} loading={remove.isPending} onClick={send}>
          {t('api.remove.do')}
        </Button>
      </DrawerFooter>
    </>
  )
}
