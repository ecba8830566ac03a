import { Button, Checkbox, confirm, DrawerBody, DrawerFooter, Note, TextField, useDrawerPage, useDrawers, useTextForm, useToast } from '@holdfast/ui'
import { useSecondFactor } from '@holdfast/features/session/console'
import { useSend } from '@holdfast/client'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { removeWebhookEndpoint, saveWebhookEndpoint, SIDES, type Side, URL_MAX } from '../contract.ts'
import type { EndpointRow } from './status.ts'

const DEFAULT_SIDES: readonly Side[] = ['deposit', 'withdraw']
const DEFAULT_PAUSE_AFTER = 20

/** Adds an endpoint or changes one. Where notifications go is confirmed in words, and by the second factor where one is set. */
export function EndpointForm({ endpoint }: { endpoint: EndpointRow | undefined }) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const drawers = useDrawers()
  const toast = useToast()
  const [sides, setSides] = useState<readonly Side[]>(endpoint?.sides ?? DEFAULT_SIDES)
  const { form, field, isTried, submit } = useTextForm(
    {
      url: { label: t('notification.form.url') },
      step: { label: t('notification.form.step'), shape: { kind: 'integer', range: { min: 0, max: 1000 } } },
      pauseAfter: { label: t('notification.form.pauseAfter'), shape: { kind: 'integer', range: { min: 3, max: 1000 } } },
    },
    { url: endpoint?.url ?? '', step: String(endpoint?.confirmations_step ?? 0), pauseAfter: String(endpoint?.pause_after ?? DEFAULT_PAUSE_AFTER) },
  )
  const second = useSecondFactor()
  const sidesFault = isTried && sides.length === 0 ? t('notification.form.sidesFault') : undefined
  const save = useSend(saveWebhookEndpoint)
  const remove = useSend(removeWebhookEndpoint)
  const id = endpoint ? { endpoint_id: endpoint.endpoint_id } : {}

  const send = async (fields: { url: string; step: string; pauseAfter: string }) => {
    if (!second.isReady || sides.length === 0) return
    const url = fields.url.trim()
    if (url !== endpoint?.url) {
      const answer = await confirm(drawers, {
        type: 'warning',
        title: t('notification.form.confirmTitle'),
        content: <span className="hf-break">{url}</span>,
        tip: endpoint ? t('notification.form.confirmChange', { url: endpoint.url }) : t('notification.form.confirmAdd'),
        acknowledgement: t('notification.form.acknowledge'),
        confirmText: t('notification.form.save'),
      })
      if (answer.outcome !== 'confirm') return
    }
    const saved = await save
      .mutateAsync({ ...id, url, sides: [...sides], confirmations_step: Number(fields.step), pause_after: Number(fields.pauseAfter), ...second.given })
      .catch(() => undefined)
    if (!saved) return
    toast.success(t('notification.form.saved'), 'endpoint')
    close()
  }
  const takeAway = async () => {
    if (!endpoint) return
    if (!second.check()) return
    const content = t('notification.form.removeText', { count: endpoint.waiting })
    const answer = await confirm(drawers, { type: 'remove', title: t('notification.form.removeTitle'), content, confirmText: t('notification.form.remove') })
    if (answer.outcome !== 'confirm') return
    const done = await remove.mutateAsync({ endpoint_id: endpoint.endpoint_id, ...second.given }).then(
      () => true,
      () => false,
    )
    if (done) close()
  }
  const onSubmit = (event: FormEvent) => {
    second.check()
    submit(event, (fields) => void send(fields))
  }
  return (
    <form ref={form} className="hf-drawer-form" noValidate onSubmit={onSubmit}>
      <DrawerBody>
        <TextField {...field('url')} hint={t('notification.form.urlHint')} maxLength={URL_MAX} autoComplete="off" inputMode="url" placeholder="https://" />
        <fieldset className="hf-fieldset hf-notify-fieldset" aria-invalid={sidesFault !== undefined}>
          <legend>{t('notification.form.sides')}</legend>
          <div className="hf-notify-sides">
            {SIDES.map((side) => (
              <Checkbox
                key={side}
                checked={sides.includes(side)}
                isWrong={sidesFault !== undefined}
                onChange={(isChosen) => setSides(SIDES.filter((each) => (each === side ? isChosen : sides.includes(each))))}
              >
                {t(`notification.side.${side}`)}
              </Checkbox>
            ))}
          </div>
          {sidesFault && (
            <p className="hf-field-error" role="alert">
              {sidesFault}
            </p>
          )}
        </fieldset>
        <TextField {...field('step')} hint={t('notification.form.stepHint')} inputMode="numeric" maxLength={4} />
        <TextField {...field('pauseAfter')} hint={t('notification.form.pauseAfterHint')} inputMode="numeric" maxLength={4} />
        {second.field}
        {endpoint && <Note>{t('notification.form.loggedNote')}</Note>}
      </DrawerBody>
      <DrawerFooter>
        {endpoint ? (
          <Button variant="danger" loading={remove.isPending} onClick={() => void takeAway()}>
            {t('notification.form.remove')}
          </Button>
        ) : (
          <Button onClick={() => close()}>{t('ui.confirm.cancel')}</Button>
        )}
        <Button variant="primary" type="submit" loading={save.isPending}>
          {t('notification.form.save')}
        </Button>
      </DrawerFooter>
    </form>
  )
}
