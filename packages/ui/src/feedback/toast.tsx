import { createContext, useContext, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { plainText } from '../format/hostile-text.ts'
import { IconClose, IconDone, IconError, IconInfo } from '../base/icons.tsx'
import type { Toaster, ToastTone } from './toast-store.ts'

export const ToastContext = createContext<Toaster | undefined>(undefined)

/** Short messages beside the page. */
export function useToast(): Toaster {
  const toaster = useContext(ToastContext)
  if (!toaster) throw new Error('the page is outside the ToastContext')
  return toaster
}

const LONGEST = 300

const ICONS: Record<ToastTone, typeof IconDone> = { good: IconDone, bad: IconError, neutral: IconInfo }

/** Where the messages stand; once in a page. */
export function ToastHost() {
  const toaster = useToast()
  const { t } = useTranslation()
  const toasts = useSyncExternalStore(toaster.subscribe, toaster.list)
  return (
    <div
      className="hf-toasts"
      role="region"
      aria-label={t('ui.toast.region')}
      onPointerEnter={() => toaster.hold(true)}
      onPointerLeave={() => toaster.hold(false)}
    >
      {toasts.map(({ id, tone, text }) => {
        const Icon = ICONS[tone]
        return (
          <div key={id} className={`hf-toast hf-toast-${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
            <Icon className="hf-toast-icon" />
            <p dir="auto">{plainText(text, LONGEST)}</p>
            <button type="button" className="hf-icon-button" aria-label={t('ui.toast.dismiss')} onClick={() => toaster.dismiss(id)}>
              <IconClose />
            </button>
          </div>
        )
      })}
    </div>
  )
}
