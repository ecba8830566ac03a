import { Button, Checkbox, DrawerBody, DrawerFooter, Note, useDrawerPage, useToast } from '@holdfast/ui'
import { useSend } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { rotateWebhookKey } from '../contract.ts'
import { CodeField, isCode } from './code-field.tsx'

/** Makes a new signing key, once it is said that endpoints are ready for it. */
export function RotateForm({ needsCode }: { needsCode: boolean }) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const toast = useToast()
  const [code, setCode] = useState('')
  const [isKnown, setKnown] = useState(false)
  const [isTried, setTried] = useState(false)
  const rotate = useSend(rotateWebhookKey)
  const isWrong = needsCode && !isCode(code)
  const send = async () => {
    setTried(true)
    if (isWrong) return
    const answer = await rotate.mutateAsync(needsCode ? { google_code: code } : {}).catch(() => undefined)
    if (!answer) return
    toast.success(t('notification.key.rotated'), 'key')
    close()
  }
  return (
    <>
      <DrawerBody>
        <div className="hf-stack">
          <Note tone="warn">{t('notification.key.rotateText')}</Note>
          {needsCode && <CodeField value={code} onChange={setCode} error={isTried && isWrong ? t('notification.form.codeFault') : undefined} />}
          <Checkbox checked={isKnown} onChange={setKnown}>
            {t('notification.key.acknowledge')}
          </Checkbox>
        </div>
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('ui.confirm.cancel')}</Button>
        <Button variant="primary" disabled={!isKnown} loading={rotate.isPending} onClick={() => void send()}>
          {t('notification.key.rotate')}
        </Button>
      </DrawerFooter>
    </>
  )
}
