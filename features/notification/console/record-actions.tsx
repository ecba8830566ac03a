import type { RecordPlace } from '@holdfast/features/console-feature'
import { usePermission } from '@holdfast/features/session/console'
import { closePopup, useToast } from '@holdfast/ui'
import { useSend } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { resendNotificationPost } from '../contract.ts'

/** What the menu of a record offers about its notifications: to look at them, and to send them again. */
export function RecordActions({ id, notify }: RecordPlace) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const mayRead = usePermission('notification.read')
  const mayNotify = usePermission('notification.write')
  const notifyAgain = useNotifyAgain()
  return (
    <>
      {mayRead && <Item words={t('notification.record.show')} act={() => void navigate(`/mpc/transactionNotification?q=${id}`)} />}
      {mayNotify && notify !== null && notify !== 'retrying' && <Item words={t('notification.record.again')} act={() => void notifyAgain(id)} />}
    </>
  )
}

function Item({ words, act }: { words: string; act: () => void }) {
  return (
    <li>
      <button
        type="button"
        className="hf-menu-item"
        onClick={(event) => {
          closePopup(event.currentTarget)
          act()
        }}
      >
        {words}
      </button>
    </li>
  )
}

/** Sends the failed notifications of a record again, or where none failed the last one to each endpoint. */
function useNotifyAgain() {
  const { t } = useTranslation()
  const toast = useToast()
  const resend = useSend(resendNotificationPost)
  return (id: string) =>
    resend.mutateAsync({ biz_id: id }).then(
      ({ count }) => toast.success(t('notification.record.sent', { count }), 'resend'),
      () => undefined,
    )
}
