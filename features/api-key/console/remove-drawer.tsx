import { requestIdKeeper, useSend } from '@holdfast/client'
import { ApprovalLink } from '@holdfast/features/approval-page/console'
import { useSecondFactor } from '@holdfast/features/session/console'
import { DrawerForm, SentPage } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { removeMachine } from '../contract.ts'

const idOf = requestIdKeeper()

/** Proposes the policy without a machine. */
export function RemoveDrawer({ appId }: { appId: string }) {
  const { t } = useTranslation('apiPage')
  const second = useSecondFactor()
  const remove = useSend(removeMachine)
  if (remove.data)
    return (
      <SentPage
        title={t('api.sent.title')}
        note={t('api.sent.text')}
        link={<ApprovalLink href={remove.data.approval_url}>{t('api.open.decide')}</ApprovalLink>}
      />
    )
  const send = () => remove.mutate({ request_id: idOf(appId), app_id: appId, ...second.given })
  return (
    <DrawerForm send={t('api.remove.do')} isSending={remove.isPending} isShut={!second.isReady} variant="danger" onSend={send}>
      <p>{t('api.remove.text')}</p>
      {second.field}
    </DrawerForm>
  )
}
