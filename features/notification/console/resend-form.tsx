import { Button, DrawerBody, DrawerFooter, TextField, inSentence, useDrawerPage, useToast } from '@holdfast/ui'
import { useSend } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { resendNotificationPost } from '../contract.ts'
import { momentOf } from './filters.ts'

const MINUTES = [5, 15, 30, 60] as const
const MINUTE_MS = 60_000

/** Sends what failed in a while again: from a moment on, for at most an hour. */
export function ResendForm() {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const toast = useToast()
  const [from, setFrom] = useState('')
  const [minutes, setMinutes] = useState(60)
  const [isTried, setTried] = useState(false)
  const resend = useSend(resendNotificationPost)
  const startMs = momentOf(from)
  const send = async () => {
    setTried(true)
    if (startMs === undefined) return
    const answer = await resend.mutateAsync({ start_time: startMs, end_time: startMs + minutes * MINUTE_MS, failed: '1' }).catch(() => undefined)
    if (!answer) return
    toast.success(t('notification.resend.done', { count: answer.count }), 'resend')
    if (answer.count > 0) close()
  }
  return (
    <>
      <DrawerBody>
        <div className="hf-stack-wide">
          <p className="hf-muted">{t('notification.resend.text')}</p>
          <TextField
            label={t('notification.resend.from')}
            type="datetime-local"
            value={from}
            onChange={setFrom}
            error={isTried && startMs === undefined ? t('ui.field.required', { label: inSentence(t('notification.resend.from')) }) : undefined}
          />
          <div className="hf-field">
            <label htmlFor="resend-minutes">{t('notification.resend.for')}</label>
            <select id="resend-minutes" className="hf-native-input" value={minutes} onChange={(event) => setMinutes(Number(event.target.value))}>
              {MINUTES.map((each) => (
                <option key={each} value={each}>
                  {t('notification.resend.minutes', { count: each })}
                </option>
              ))}
            </select>
          </div>
        </div>
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('ui.confirm.cancel')}</Button>
        <Button variant="primary" loading={resend.isPending} onClick={() => void send()}>
          {t('notification.resend.send')}
        </Button>
      </DrawerFooter>
    </>
  )
}
