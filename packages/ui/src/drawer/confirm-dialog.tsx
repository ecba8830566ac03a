import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../base/button.tsx'
import { Checkbox } from '../field/checkbox.tsx'
import { IconDone, IconError, IconInfo, IconTrash, IconWarning } from '../base/icons.tsx'
import { TextField } from '../field/text-field.tsx'
import { canConfirm, REMARK_LIMIT } from './confirm-rules.ts'
import { type Drawers, useDrawerPage } from './drawer-context.ts'
import { DrawerBody, DrawerFooter } from './drawer-parts.tsx'

export type ConfirmType = 'info' | 'error' | 'success' | 'warning' | 'remove'

export type ConfirmOptions = {
  type: ConfirmType
  title: string
  content: ReactNode
  tip?: ReactNode
  /** What must be ticked before the confirm button works. */
  acknowledgement?: string
  /** Offers a remark of at most 200 characters, or needs one. */
  remark?: boolean | 'needed'
  /** Verbs for the buttons; "Confirm" and "Cancel" where absent. */
  confirmText?: string
  cancelText?: string
}

export type ConfirmResult = { outcome: 'confirm'; remark: string } | { outcome: 'cancel' }

const ICONS = { info: IconInfo, error: IconError, success: IconDone, warning: IconWarning, remove: IconTrash }

/** Asks before something is done, in the side drawer. Resolves with `confirm` (and the remark) or `cancel`. */
export async function confirm(drawers: Drawers, options: ConfirmOptions): Promise<ConfirmResult> {
  const result = await drawers.push<ConfirmResult>({ title: options.title, body: <ConfirmDialog {...options} /> })
  return result ?? { outcome: 'cancel' }
}

/** Asks before what was typed and not sent is lost. */
export async function askToDiscard(drawers: Drawers, t: (key: string) => string): Promise<boolean> {
  const { outcome } = await confirm(drawers, {
    type: 'warning',
    title: t('ui.drawer.discard.title'),
    content: t('ui.drawer.discard.text'),
    confirmText: t('ui.drawer.discard.do'),
    cancelText: t('ui.drawer.discard.keep'),
  })
  return outcome === 'confirm'
}

function ConfirmDialog({ type, content, tip, acknowledgement, remark, confirmText, cancelText }: ConfirmOptions) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const [isAcknowledged, setAcknowledged] = useState(false)
  const [text, setText] = useState('')
  const Icon = ICONS[type]
  const answer = (result: ConfirmResult) => close(result)
  return (
    <>
      <DrawerBody>
        <div className={`hf-confirm hf-confirm-${type}`}>
          <Icon className="hf-confirm-icon" />
          <div className="hf-confirm-content">{content}</div>
          {tip !== undefined && <div className="hf-confirm-tip">{tip}</div>}
          {remark && <TextField label={t('ui.confirm.remark')} value={text} rows={3} count={REMARK_LIMIT} onChange={setText} />}
          {acknowledgement !== undefined && (
            <Checkbox checked={isAcknowledged} onChange={setAcknowledged}>
              {acknowledgement}
            </Checkbox>
          )}
        </div>
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => answer({ outcome: 'cancel' })}>{cancelText ?? t('ui.confirm.cancel')}</Button>
        <Button
          variant={type === 'remove' || type === 'error' ? 'danger' : 'primary'}
          disabled={!canConfirm(acknowledgement !== undefined, isAcknowledged, remark === 'needed', text)}
          onClick={() => answer({ outcome: 'confirm', remark: text })}
        >
          {confirmText ?? t('ui.confirm.confirm')}
        </Button>
      </DrawerFooter>
    </>
  )
}
