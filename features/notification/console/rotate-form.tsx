import { Checkbox, DrawerForm, Note, useDrawerPage, useToast } from '@holdfast/ui'
import { useSecondFactor } from '@holdfast/features/session/console'
import { useSend } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { rotateWebhookKey } from '../contract.ts'

/** Makes a new signing key, once it is said that endpoints are ready for it. */
export function RotateForm() {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const toast = useToast()
  const second = useSecondFactor()
  const [isKnown, setKnown] = useState(false)
  const rotate = useSend(rotateWebhookKey)
  const send = async () => {
    if (!second.check()) return
    const answer = await rotate.mutateAsync(second.given).catch(() => undefined)
    if (!answer) return
    toast.success(t('notification.key.rotated'), 'key')
    close()
  }
  return (
    <DrawerForm send={t('notification.key.rotate')} isSending={rotate.isPending} isShut={!isKnown} onSend={() => void send()}>
      <div className="hf-stack">
        <Note tone="warn">{t('notification.key.rotateText')}</Note>
        {second.field}
        <Checkbox checked={isKnown} onChange={setKnown}>
          {t('notification.key.acknowledge')}
        </Checkbox>
      </div>
    </DrawerForm>
  )
}
